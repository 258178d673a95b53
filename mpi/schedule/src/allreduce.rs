//! Allreduces: reductions whose result every rank receives.

use super::algorithm::{Algorithm, Build, Entry, Parameter, Plan};
use super::circulant::Circulant;
use super::group::{Folded, Group};
use super::partial::{Partial, Side, Slots};
use super::{Buffer, Builder, Collective, Part, Request, Symmetry, TooLarge, Variant, bcast, mirror};

pub(super) static ALL: &[&Entry] =
    &[&REDUCE_BCAST, &RECURSIVE_DOUBLING, &RING, &SEGMENTED_RING, &RABENSEIFNER, &CIRCULANT, &MULTIRAIL];

/// A binomial reduction to rank 0 and a binomial broadcast from there, segment by segment. Each subtree holds
/// consecutive ranks and the nearest child comes first, so rank order is kept.
static REDUCE_BCAST: Entry = Entry::new(
    Collective::Allreduce,
    "reduce_bcast",
    "a binomial reduction to rank 0 and a binomial broadcast",
    Build::Planned(|request| {
        // Subtrees of Open MPI's binomial tree are not of consecutive ranks.
        let (count, segment_size) = (request.count(), request.segment_size());
        let from_zero = request.part(request.comm_size(), 0, count, segment_size, Variant::default());
        up_and_down(&bcast::BINOMIAL, &from_zero)
    }),
)
.in_segments()
.in_rank_order();

/// The multirail reduction and the multirail broadcast of the result: segments go up two heaps and down again, each half of the message on
/// one of two rails. Both directions of a rail are used at the same time.
static MULTIRAIL: Entry = Entry::new(
    Collective::Allreduce,
    "multirail",
    "up and down two heaps, each for one half of the message on one of two rails",
    Build::Planned(|request| up_and_down(&bcast::MULTIRAIL, request)),
)
.in_segments()
.with(&[Parameter::Clusters]);

/// Returns the mirror of a broadcast into the receive buffers, and the broadcast of the result.
fn up_and_down(broadcast: &Entry, request: &Request) -> Plan {
    let result = request.message().within_buffer(Buffer::Receive);
    let up = mirror::reduce_into(broadcast, request, move |_| Some(result));
    let down = broadcast.plan(request);
    Box::new(move |rank, ops| {
        up(rank, ops)?;
        let down = ops.inner(rank, |inner| down(rank, inner))?;
        ops.embed(down, |peer| peer, |part| Part { buffer: Buffer::Receive, ..part })
    })
}

/// Recursive doubling as in MPICH. If the number of ranks is not a power of two, as many neighbours as needed combine first.
/// Every rank holds the combined inputs of consecutive ranks, so rank order is kept.
static RECURSIVE_DOUBLING: Entry = Entry::new(
    Collective::Allreduce,
    "recursive_doubling",
    "pairs exchange all they have, at twice the distance in every round",
    Build::Local(|request, rank, ops| {
        among_nodes(request, rank, ops, |folded, node, partial, slots, ops| {
            for bit in 0..folded.nodes.trailing_zeros() {
                let partner = node ^ 1 << bit;
                let peer = folded.rank(partner);
                let slot = slots.next(request.bytes(), ops);
                ops.send(peer, partial.parts(request.message()))?;
                ops.receive(peer, slot)?;
                let side = if partner < node { Side::Left } else { Side::Right };
                partial.absorb(request.message(), slot, side, ops)?;
            }
            Ok(())
        })
    }),
)
.in_rank_order()
.alike(Symmetry::exchanges);

/// Rabenseifner's allreduce ("Optimization of Collective Reduction Operations", ICCS 2004). If the number of ranks is not a power
/// of two, as many neighbours as needed combine first.
static RABENSEIFNER: Entry = Entry::new(
    Collective::Allreduce,
    "rabenseifner",
    "a reduce-scatter by recursive halving and an allgather by recursive doubling",
    Build::Local(|request, rank, ops| {
        among_nodes(request, rank, ops, |folded, node, partial, slots, ops| {
            let block = |from, to| request.blocks(from, to, folded.nodes);
            folded.halve(node, block, partial, slots, ops)?;
            let group = folded.group(node);
            group.allgather_doubling(|from, to| vec![block(from, to).within_buffer(Buffer::Receive)], ops)
        })
    }),
)
.alike(|request| Symmetry::exchanges(request)?.of_equal_blocks(request));

/// Combines the inputs of pairs, then those of the nodes by `exchange`, and sends the result to the first of each pair.
fn among_nodes(
    request: &Request,
    rank: u32,
    ops: &mut Builder,
    exchange: impl FnOnce(&Folded, u32, &mut Partial, &mut Slots, &mut Builder) -> Result<(), TooLarge>,
) -> Result<(), TooLarge> {
    let message = request.message();
    let result = message.within_buffer(Buffer::Receive);
    let (mut partial, mut slots) = (Partial::new(result), Slots::new(request.bytes()));
    let folded = Folded::new(request.comm_size(), rank);
    let Some(node) = folded.enter(message, &mut partial, &mut slots, ops)? else {
        return folded.await_result(vec![result], ops);
    };
    exchange(&folded, node, &mut partial, &mut slots, ops)?;
    folded.leave(vec![result], ops)
}

/// The ring of Patarasuk and Yuan ("Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69, 2009):
/// every rank sends 2 (p − 1)/p of the message.
static RING: Entry = Entry::new(
    Collective::Allreduce,
    "ring",
    "a ring reduce-scatter and a ring allgather of blocks",
    Build::Local(|request, rank, ops| ring(request, rank, false, ops)),
)
.alike(|request| Symmetry::TURNS.of_equal_blocks(request));

/// Open MPI's segmented ring: the reduce-scatter works segment by segment, the allgather on whole blocks.
static SEGMENTED_RING: Entry = Entry::new(
    Collective::Allreduce,
    "segmented_ring",
    "the ring whose blocks are combined segment by segment",
    Build::Local(|request, rank, ops| ring(request, rank, true, ops)),
)
.in_segments()
.alike(|request| Symmetry::TURNS.of_equal_blocks(request));

/// Runs a ring over p blocks of the message. With `cut`, each segment of a block travels separately while it is combined.
fn ring(request: &Request, rank: u32, cut: bool, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    let block = |index| request.block(index, group.size);
    // No block is larger than block 0.
    let phases = if cut { request.segments(block(0)).remaining() } else { 1 };
    for phase in 0..phases {
        let piece = |index| if cut { request.segment_of(block(index), phase) } else { block(index) };
        group.reduce_scatter_ring(piece, |index| piece(index).within_buffer(Buffer::Receive), ops)?;
    }
    // Every rank now has the block after its own.
    group.allgather_ring(|from, _| vec![block((from + 1) % group.size).within_buffer(Buffer::Receive)], ops)
}

/// Träff's allreduce for every number of ranks ("Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms",
/// arXiv 2410.14234): 2 ⌈log2 p⌉ rounds and 2 (p − 1)/p of the message for each rank.
static CIRCULANT: Entry = Entry::new(
    Collective::Allreduce,
    "circulant",
    "a reduce-scatter and an allgather in ⌈log2 p⌉ rounds each",
    Build::Local(circulant),
);

fn circulant(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let message = request.message();
    let group = Group::all(request, rank);
    let graph = Circulant::new(group.size);
    let block = |from, to| request.blocks(from, to, group.size);
    graph.reduce_scatter(&group, block, &mut Partial::new(message.within_buffer(Buffer::Receive)), ops)?;
    graph.allgather(&group, |from, to| vec![block(from, to).within_buffer(Buffer::Receive)], ops)
}
