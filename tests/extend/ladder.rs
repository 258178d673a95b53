/// The method for `bcast` by `comm_size` and `msg_size`.
///
/// Decided by `map.json`: 3 regions, depth 1.
#[must_use]
pub const fn bcast(comm_size: usize, msg_size: usize) -> Bcast {
    if comm_size < 8 {
        Bcast::Binomial
    } else if comm_size >= 8 && msg_size < 1024 {
        Bcast::Binomial
    } else {
        Bcast::Chain
    }
}
