//! The operands of a collective of the library.

use std::ffi::c_int;
use std::ops::Range;

use qtdec_mpi_schedule::Collective;

use super::int;

/// What one rank passes to a collective: how many elements of which size, and where.
#[derive(Clone, Debug)]
pub(crate) struct Operands {
    pub(crate) collective: Collective,
    pub(crate) element_size: u64,
    /// The elements of its own block, or of the message.
    pub(crate) count: u64,
    /// The elements of each rank's block, and those before it, of collectives that have a count for each rank.
    pub(crate) blocks: Option<(Vec<c_int>, Vec<c_int>)>,
}

impl Operands {
    /// Returns the operands of a rank with as many bytes of its own and these blocks, which count if the collective has a count for each.
    /// Fails for blocks that MPI's `int` cannot place.
    pub(crate) fn new(
        collective: Collective,
        element_size: u64,
        bytes: usize,
        blocks: impl Iterator<Item = Range<usize>>,
    ) -> Result<Self, String> {
        let size = element_size as usize;
        let operands = Self { collective, element_size, count: (bytes / size) as u64, blocks: None };
        if collective.counts(1).is_none() {
            return Ok(operands);
        }
        let (mut counts, mut places) = (Vec::new(), Vec::new());
        for Range { start, end } in blocks {
            if c_int::try_from(end / size).is_err() {
                return Err(format!(
                    "the blocks of {collective} have more than {} elements on one rank: measure smaller messages",
                    c_int::MAX
                ));
            }
            counts.push(int((end - start) / size));
            places.push(int(start / size));
        }
        Ok(Self { blocks: Some((counts, places)), ..operands })
    }

    /// Returns the bytes that [`lengths`](super::lengths) needs among as many ranks, or `None` if there are not as many blocks.
    pub(super) fn extent(&self, ranks: u32) -> Option<(usize, usize)> {
        let bytes =
            |count: u64| usize::try_from(count.saturating_mul(self.element_size)).unwrap_or(usize::MAX);
        let one = bytes(self.count);
        let Some((counts, places)) = &self.blocks else {
            return Some((one, one.saturating_mul(ranks as usize)));
        };
        let ends =
            counts.iter().zip(places).map(|(&count, &place)| count.unsigned_abs() + place.unsigned_abs());
        let all = bytes(u64::from(ends.max().unwrap_or(0)));
        (counts.len() == ranks as usize).then_some((one, all))
    }
}
