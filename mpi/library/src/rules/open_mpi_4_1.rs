//! The rules of Open MPI 4.1 and 5.0: averages of measurements from several sites, written as tables.
//!
//! `coll_tuned_decision_fixed.c`; the tables are the same in 4.1.0 to 4.1.8, 5.0.0 to 5.0.9 and on the branch of 6.0.
//! They never cut a message. Each row applies to communicators below its first number, and gives the algorithm's
//! number for messages below each of the sizes.

use crate::catalogue::Library;

use super::{Call, Choice, REST, RuleSet, Table, from_table, substitution};

pub(super) const RULES: RuleSet = RuleSet {
    name: "open-mpi-4.1",
    library: Library::OpenMpi,
    rules: &[
        ("allgather", |call| from_table("allgather", ALLGATHER, call.comm_size, call.block())),
        ("allgatherv", |call| from_table("allgatherv", ALLGATHERV, call.comm_size, call.block())),
        ("allreduce", allreduce),
        ("alltoall", |call| from_table("alltoall", ALLTOALL, call.comm_size, call.block())),
        ("alltoallv", |call| from_table("alltoallv", ALLTOALLV, call.comm_size, 0)),
        ("barrier", |call| from_table("barrier", BARRIER, call.comm_size, 0)),
        ("bcast", |call| from_table("bcast", BCAST, call.comm_size, call.buffer())),
        ("gather", |call| from_table("gather", GATHER, call.comm_size, call.block())),
        ("reduce", reduce),
        ("reduce_scatter", reduce_scatter),
        ("reduce_scatter_block", reduce_scatter_block),
        ("scatter", |call| from_table("scatter", SCATTER, call.comm_size, call.block())),
    ],
    substitute: substitution::open_mpi_4_1,
};

fn reduce(call: &Call) -> Choice {
    let table = if call.commutative { REDUCE } else { REDUCE_IN_ORDER };
    from_table("reduce", table, call.comm_size, call.buffer())
}

fn allreduce(call: &Call) -> Choice {
    let table = if call.commutative { ALLREDUCE } else { ALLREDUCE_IN_ORDER };
    from_table("allreduce", table, call.comm_size, call.buffer())
}

fn reduce_scatter(call: &Call) -> Choice {
    if call.commutative {
        from_table("reduce_scatter", REDUCE_SCATTER, call.comm_size, call.total())
    } else {
        Choice::new("non-overlapping")
    }
}

fn reduce_scatter_block(call: &Call) -> Choice {
    if call.commutative {
        from_table("reduce_scatter_block", REDUCE_SCATTER_BLOCK, call.comm_size, call.block())
    } else {
        Choice::new("basic_linear")
    }
}

#[rustfmt::skip] // A row for a row of the source.
const BCAST: Table = &[
    (4, &[(32, 3), (256, 5), (512, 3), (1024, 7), (32_768, 1),
        (131_072, 5), (262_144, 2), (524_288, 1), (1_048_576, 6), (REST, 5)]),
    (8, &[(64, 5), (128, 6), (2048, 5), (8192, 6), (1_048_576, 1), (REST, 2)]),
    (16, &[(8, 7), (64, 5), (4096, 7), (16_384, 5), (32_768, 6), (REST, 1)]),
    (32, &[(4096, 7), (1_048_576, 6), (REST, 8)]),
    (64, &[(2048, 6), (REST, 7)]),
    (128, &[(REST, 7)]),
    (256, &[(2, 6), (16_384, 5), (32_768, 1), (65_536, 5), (REST, 7)]),
    (1024, &[(16_384, 7), (32_768, 4), (REST, 7)]),
    (2048, &[(524_288, 7), (REST, 8)]),
    (4096, &[(262_144, 7), (REST, 8)]),
    (REST, &[(8192, 7), (16_384, 5), (262_144, 7), (REST, 8)]),
];

#[rustfmt::skip] // A row for a row of the source.
const REDUCE_IN_ORDER: Table = &[
    (4, &[(8, 6), (REST, 1)]),
    (8, &[(REST, 1)]),
    (16, &[(1024, 6), (8192, 1), (16_384, 6), (262_144, 1), (REST, 6)]),
    (128, &[(REST, 6)]),
    (256, &[(512, 6), (1024, 1), (REST, 6)]),
    (REST, &[(REST, 6)]),
];

#[rustfmt::skip] // A row for a row of the source.
const REDUCE: Table = &[
    (4, &[(8, 7), (16, 4), (32, 3), (262_144, 1), (524_288, 3), (1_048_576, 2), (REST, 3)]),
    (8, &[(4096, 4), (65_536, 2), (262_144, 5), (524_288, 1), (1_048_576, 5), (REST, 1)]),
    (16, &[(8192, 4), (REST, 5)]),
    (32, &[(4096, 4), (REST, 5)]),
    (256, &[(REST, 5)]),
    (512, &[(8192, 5), (16_384, 6), (REST, 5)]),
    (2048, &[(REST, 5)]),
    (4096, &[(512, 5), (1024, 6), (8192, 5), (16_384, 6), (REST, 5)]),
    (REST, &[(16, 5), (32, 6), (1024, 5), (2048, 6), (8192, 5), (16_384, 6), (REST, 5)]),
];

#[rustfmt::skip] // A row for a row of the source.
const ALLREDUCE_IN_ORDER: Table = &[
    (4, &[(131_072, 3), (REST, 1)]),
    (8, &[(REST, 3)]),
    (16, &[(1_048_576, 3), (REST, 2)]),
    (128, &[(REST, 3)]),
    (256, &[(131_072, 2), (524_288, 3), (REST, 2)]),
    (512, &[(4096, 2), (524_288, 3), (REST, 2)]),
    (REST, &[(2048, 2), (REST, 3)]),
];

#[rustfmt::skip] // A row for a row of the source.
const ALLREDUCE: Table = &[
    (4, &[(8, 4), (4096, 3), (8192, 4), (16_384, 3), (65_536, 4), (262_144, 5), (REST, 6)]),
    (8, &[(16, 4), (8192, 3), (REST, 6)]),
    (16, &[(8192, 3), (REST, 6)]),
    (32, &[(64, 5), (4096, 3), (REST, 6)]),
    (64, &[(128, 5), (REST, 6)]),
    (128, &[(262_144, 3), (REST, 6)]),
    (256, &[(131_072, 2), (262_144, 3), (REST, 6)]),
    (512, &[(4096, 2), (REST, 6)]),
    (2048, &[(2048, 2), (16_384, 3), (REST, 6)]),
    (4096, &[(2048, 2), (4096, 5), (16_384, 3), (REST, 6)]),
    (REST, &[(2048, 2), (16_384, 5), (32_768, 3), (REST, 6)]),
];

#[rustfmt::skip] // A row for a row of the source.
const ALLTOALL: Table = &[
    (3, &[(2, 2), (4, 5), (16, 2), (64, 5), (256, 2),
        (4096, 5), (32_768, 2), (262_144, 4), (1_048_576, 5), (REST, 2)]),
    (8, &[(8192, 4), (16_384, 1), (65_536, 4), (524_288, 1), (1_048_576, 2), (REST, 1)]),
    (16, &[(262_144, 4), (REST, 1)]),
    (32, &[(4, 4), (512, 3), (8192, 4), (32_768, 1), (262_144, 4), (524_288, 1), (REST, 4)]),
    (64, &[(512, 3), (524_288, 1), (REST, 4)]),
    (128, &[(1024, 3), (2048, 1), (4096, 4), (262_144, 1), (REST, 2)]),
    (256, &[(1024, 3), (2048, 4), (262_144, 1), (REST, 2)]),
    (512, &[(1024, 3), (8192, 4), (32_768, 1), (REST, 2)]),
    (1024, &[(512, 3), (8192, 4), (16_384, 1), (131_072, 4), (262_144, 1), (REST, 2)]),
    (2048, &[(512, 3), (1024, 4), (2048, 1), (16_384, 4), (262_144, 1), (REST, 4)]),
    (4096, &[(1024, 3), (4096, 4), (8192, 1), (131_072, 4), (REST, 1)]),
    (REST, &[(2048, 3), (8192, 4), (16_384, 1), (32_768, 4), (65_536, 1), (REST, 4)]),
];

#[rustfmt::skip] // A row for a row of the source.
const ALLTOALLV: Table = &[
    (4, &[(REST, 2)]),
    (64, &[(REST, 1)]),
    (128, &[(REST, 2)]),
    (256, &[(REST, 1)]),
    (1024, &[(REST, 2)]),
    (REST, &[(REST, 1)]),
];

#[rustfmt::skip] // A row for a row of the source.
const BARRIER: Table = &[
    (4, &[(REST, 3)]),
    (8, &[(REST, 1)]),
    (64, &[(REST, 3)]),
    (256, &[(REST, 4)]),
    (512, &[(REST, 6)]),
    (1024, &[(REST, 4)]),
    (4096, &[(REST, 6)]),
    (REST, &[(REST, 4)]),
];

#[rustfmt::skip] // A row for a row of the source.
const ALLGATHER: Table = &[
    (3, &[(REST, 6)]),
    (32, &[(REST, 3)]),
    (64, &[(1024, 3), (65_536, 5), (REST, 4)]),
    (128, &[(512, 3), (65_536, 5), (REST, 4)]),
    (256, &[(512, 3), (131_072, 5), (524_288, 4), (1_048_576, 5), (REST, 4)]),
    (512, &[(32, 3), (128, 2), (1024, 3), (131_072, 5), (524_288, 4), (1_048_576, 5), (REST, 4)]),
    (1024, &[(64, 3), (256, 2), (2048, 3), (REST, 5)]),
    (2048, &[(4, 3), (8, 2), (16, 3), (32, 2), (256, 3), (512, 2), (4096, 3), (REST, 5)]),
    (4096, &[(32, 2), (128, 3), (512, 2), (4096, 3), (REST, 5)]),
    (REST, &[(2, 3), (8, 2), (16, 3), (512, 2), (4096, 3), (REST, 5)]),
];

#[rustfmt::skip] // A row for a row of the source.
const ALLGATHERV: Table = &[
    (3, &[(2048, 3), (4096, 5), (8192, 3), (REST, 5)]),
    (8, &[(256, 1), (4096, 4), (8192, 3), (16_384, 4), (262_144, 2), (REST, 4)]),
    (16, &[(1024, 1), (REST, 2)]),
    (32, &[(128, 1), (262_144, 2), (REST, 3)]),
    (64, &[(256, 1), (8192, 2), (REST, 3)]),
    (128, &[(256, 1), (4096, 2), (REST, 3)]),
    (256, &[(1024, 2), (65_536, 4), (REST, 3)]),
    (512, &[(1024, 2), (REST, 3)]),
    (1024, &[(512, 2), (1024, 1), (4096, 2), (1_048_576, 4), (REST, 3)]),
    (REST, &[(4096, 2), (REST, 4)]),
];

#[rustfmt::skip] // A row for a row of the source.
const GATHER: Table = &[
    (4, &[(2, 3), (4, 1), (32_768, 2), (65_536, 1), (131_072, 2), (REST, 3)]),
    (8, &[(1024, 2), (8192, 1), (32_768, 2), (262_144, 1), (REST, 3)]),
    (256, &[(REST, 2)]),
    (512, &[(2048, 2), (8192, 1), (REST, 2)]),
    (REST, &[(REST, 2)]),
];

#[rustfmt::skip] // A row for a row of the source.
const SCATTER: Table = &[
    (4, &[(2, 3), (131_072, 1), (262_144, 3), (REST, 1)]),
    (8, &[(2048, 2), (4096, 1), (8192, 2), (32_768, 1), (1_048_576, 3), (REST, 1)]),
    (16, &[(16_384, 2), (1_048_576, 3), (REST, 1)]),
    (32, &[(16_384, 2), (32_768, 1), (REST, 3)]),
    (64, &[(512, 2), (8192, 3), (16_384, 2), (REST, 3)]),
    (REST, &[(512, 2), (REST, 3)]),
];

#[rustfmt::skip] // A row for a row of the source.
const REDUCE_SCATTER: Table = &[
    (4, &[(65_536, 3), (131_072, 4), (REST, 3)]),
    (8, &[(8, 1), (262_144, 2), (REST, 3)]),
    (32, &[(262_144, 2), (REST, 3)]),
    (64, &[(64, 1), (2048, 2), (524_288, 4), (REST, 3)]),
    (128, &[(256, 1), (512, 2), (2048, 4), (4096, 2), (REST, 4)]),
    (256, &[(256, 1), (512, 2), (REST, 4)]),
    (512, &[(256, 1), (1024, 2), (REST, 4)]),
    (1024, &[(512, 1), (2048, 2), (8192, 4), (16_384, 2), (REST, 4)]),
    (2048, &[(512, 1), (4096, 2), (16_384, 4), (32_768, 2), (REST, 4)]),
    (4096, &[(512, 1), (4096, 2), (REST, 4)]),
    (REST, &[(1024, 1), (8192, 2), (REST, 4)]),
];

#[rustfmt::skip] // A row for a row of the source.
const REDUCE_SCATTER_BLOCK: Table = &[
    (4, &[(4, 2), (8, 4), (16, 3), (128, 4), (256, 3), (4096, 4), (8192, 3), (131_072, 4), (REST, 1)]),
    (8, &[(8, 3), (32, 2), (256, 4), (8192, 3), (16_384, 4), (1_048_576, 3), (REST, 1)]),
    (16, &[(4, 1), (32, 3), (128, 4), (524_288, 3), (4_194_304, 1), (REST, 4)]),
    (32, &[(32, 1), (524_288, 3), (2_097_152, 1), (4_194_304, 3), (REST, 4)]),
    (REST, &[(4, 3), (16, 1), (65_536, 4), (262_144, 1), (REST, 4)]),
];
