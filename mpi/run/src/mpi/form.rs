//! What each collective reads and writes: one line for each.

use qtdec_mpi_schedule::Collective;

/// A buffer of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    None,
    /// The rank's own block, or the message.
    One,
    /// The same, at the root.
    OneAtRoot,
    /// The blocks of all ranks.
    All,
    /// The same, at the root.
    AllAtRoot,
}

/// What a result is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Made {
    Nothing,
    /// The rank's block of the root's input.
    OfRoot,
    /// The blocks that all ranks have for this one.
    OfBlocks,
    /// The rank's block of a sum of the first inputs, as many as a rank among others says.
    OfSum(fn(u32, u32) -> u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) send: Share,
    /// Of a broadcast, the only buffer.
    pub(crate) receive: Share,
    pub(crate) made: Made,
}

pub(crate) fn form(collective: Collective) -> Form {
    let of = |send, receive, made| Form { send, receive, made };
    let all = Made::OfSum(|_, ranks| ranks);
    match collective {
        Collective::Bcast => of(Share::None, Share::One, Made::OfRoot),
        Collective::Reduce => of(Share::One, Share::OneAtRoot, all),
        Collective::Allreduce => of(Share::One, Share::One, all),
        Collective::Scan => of(Share::One, Share::One, Made::OfSum(|rank, _| rank + 1)),
        Collective::Exscan => of(Share::One, Share::One, Made::OfSum(|rank, _| rank)),
        Collective::Scatter | Collective::Scatterv => of(Share::AllAtRoot, Share::One, Made::OfRoot),
        Collective::Gather | Collective::Gatherv => of(Share::One, Share::AllAtRoot, Made::OfBlocks),
        Collective::Allgather | Collective::Allgatherv => of(Share::One, Share::All, Made::OfBlocks),
        Collective::Alltoall | Collective::Alltoallv => of(Share::All, Share::All, Made::OfBlocks),
        Collective::ReduceScatterBlock | Collective::ReduceScatter => of(Share::All, Share::One, all),
        _ => of(Share::None, Share::None, Made::Nothing),
    }
}

/// Returns the lengths in bytes of the buffers of a rank's call: to send, to receive, and the only one of a broadcast. No other rank of a
/// rooted collective has as many as the root. The rank's own block, or the message, has `one` bytes, and the blocks of all ranks have `all`.
pub(crate) fn lengths(
    collective: Collective,
    (one, all): (usize, usize),
    is_root: bool,
) -> (usize, usize, usize) {
    let Form { send, receive, .. } = form(collective);
    let [send, receive] = [send, receive].map(|share| match share {
        Share::One => one,
        Share::All => all,
        Share::OneAtRoot if is_root => one,
        Share::AllAtRoot if is_root => all,
        Share::None | Share::OneAtRoot | Share::AllAtRoot => 0,
    });
    if collective == Collective::Bcast { (0, 0, receive) } else { (send, receive, 0) }
}
