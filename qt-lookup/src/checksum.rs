//! The checksum of the bytes that were written.

/// Returns the checksum of some bytes: 64-bit FNV-1a, by Fowler, Noll and Vo.
///
/// ```
/// let bytes = include_bytes!("../examples/bcast.qtl");
/// // The first 16 bytes are the magic number, the form and the checksum of all others.
/// assert_eq!(bytes[8..16], qtdec_lookup::checksum(&bytes[16..]).to_le_bytes());
/// ```
#[must_use]
pub const fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325;
    let mut rest = bytes;
    while let Some((first, others)) = rest.split_first() {
        hash = (hash ^ *first as u64).wrapping_mul(0x0100_0000_01B3);
        rest = others;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn it_is_the_published_one() {
        assert_eq!(checksum(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(checksum(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_F739_67E8);
    }
}
