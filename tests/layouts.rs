//! The layouts in every place where a function is allowed; each function is proved equal to its tree.

#![deny(warnings, trivial_numeric_casts)]
// Some total maps have bodies, which never run.
#![allow(missing_docs, unused_qualifications, deprecated)]

mod common;

fn size(size: u64) -> usize {
    usize::try_from(size).unwrap()
}

/// An enum that is not `Copy`, with its variants in another order than the methods.
#[derive(Debug, PartialEq, Eq)]
pub enum Bcast {
    Pipeline128K,
    Binomial,
    SplitBinaryTree1000,
    Linear,
    Pipeline8K,
}

impl Bcast {
    fn label(&self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Binomial => "binomial",
            Self::Pipeline8K => "pipeline/8192",
            Self::Pipeline128K => "pipeline/131072",
            Self::SplitBinaryTree1000 => "split_binary_tree/1000",
        }
    }
}

/// The return type of a map with many regions, which is divided into parts.
#[derive(Debug, PartialEq, Eq)]
pub enum Large {
    A,
    B,
    C,
    D,
    E,
}

impl Large {
    fn label(&self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
            Self::C => "c",
            Self::D => "d",
            Self::E => "e",
        }
    }
}

trait Widths {
    type Rank;
}

impl Widths for Bcast {
    type Rank = u64;
}

macro_rules! layout {
    ($name:ident, $layout:literal $(, $depth:literal)?) => {
        mod $name {
            use qtdec::decision_map;

            use crate::common::{prove, prove_up_to};
            use crate::{Bcast, Large, Widths, size};

            /// The options that make the large maps smaller.
            const OF_LARGE: &[(&str, &str)] = &[$(("max_depth", stringify!($depth)))?];

            trait Itself: Sized {
                fn itself(comm_size: u64, msg_size: u64) -> Option<Self>;
            }

            impl Itself for Bcast {
                // The types name `Self`, which an item inside the function cannot do.
                #[decision_map("tests/golden/bcast.json", layout = $layout)]
                fn itself(comm_size: <Self as Widths>::Rank, msg_size: u64) -> Option<Self>;
            }

            impl Large {
                #[decision_map("tests/golden/large.json", layout = $layout $(, max_depth = $depth)?)]
                const fn $name(comm_size: u64, msg_size: u64) -> Self;
            }

            impl Itself for Large {
                #[decision_map("tests/common/large_partial.json", layout = $layout $(, max_depth = $depth)?)]
                fn itself(comm_size: u64, msg_size: u64) -> Option<Self>;
            }

            #[test]
            fn what_a_function_of_parts_may_return() {
                #[decision_map("tests/golden/large.json", layout = $layout $(, max_depth = $depth)?)]
                fn id(comm_size: u64, msg_size: u64) -> u8;
                #[decision_map("tests/golden/large.json", layout = $layout $(, max_depth = $depth)?)]
                fn result(comm_size: u64, msg_size: u64) -> Result<Large, std::io::Error>;
                #[decision_map("tests/common/large_partial.json", layout = $layout $(, max_depth = $depth)?)]
                const fn option(comm_size: u64, msg_size: u64) -> Option<&'static str>;
                #[decision_map("tests/common/large_partial.json", layout = $layout $(, max_depth = $depth)?)]
                fn body(comm_size: u64, msg_size: u64) -> Large {
                    assert!(comm_size > 0 || msg_size > 0);
                    return Large::E;
                }
                #[decision_map("tests/common/large_partial.json", layout = $layout $(, max_depth = $depth)?)]
                fn some(comm_size: u64, msg_size: u64) -> Option<Large> {
                    Some(Large::B).filter(|_| msg_size % 2 == comm_size % 2)
                }

                prove_up_to("large", OF_LARGE, u64::MAX, |q| Some(Large::$name(q[0], q[1]).label()));
                prove_up_to("large", OF_LARGE, u64::MAX, |q| Some(["a", "b", "c", "d", "e"][usize::from(id(q[0], q[1]))]));
                prove_up_to("large", OF_LARGE, u64::MAX, |q| result(q[0], q[1]).ok().map(|method| method.label()));
                let partial = "../common/large_partial";
                prove_up_to(partial, OF_LARGE, u64::MAX, |q| option(q[0], q[1]));
                prove_up_to(partial, OF_LARGE, u64::MAX, |q| <Large as Itself>::itself(q[0], q[1]).map(|method| method.label()));
                prove_up_to(partial, OF_LARGE, u64::MAX, |q| {
                    let (decided, own) = (option(q[0], q[1]), body(q[0], q[1]).label());
                    assert_eq!(own, decided.unwrap_or("e"));
                    let own = Large::B.label();
                    let own = Some(own).filter(|_| q[0] % 2 == q[1] % 2);
                    assert_eq!(some(q[0], q[1]).map(|method| method.label()), decided.or(own));
                    decided
                });
            }

            #[test]
            fn what_a_function_may_return() {
                #[decision_map("tests/golden/bcast.json", layout = $layout)]
                const fn variant(comm_size: usize, msg_size: usize) -> Bcast;
                #[decision_map("tests/golden/bcast.json", layout = $layout)]
                fn id(comm_size: usize, msg_size: usize) -> u8;
                #[decision_map("tests/golden/polaris.json", layout = $layout)]
                fn index(comm_size: usize, msg_size: usize) -> core::primitive::i128;
                #[decision_map("tests/golden/bcast.json", layout = $layout)]
                fn result(comm_size: usize, msg_size: usize) -> Result<Bcast, std::io::Error>;
                #[decision_map("tests/golden/bcast.json", layout = $layout)]
                fn elided<'a>(comm_size: usize, msg_size: usize) -> &'a str;

                const AT_COMPILE_TIME: Bcast = variant(8, 65_536);
                assert_eq!(AT_COMPILE_TIME, Bcast::Pipeline8K);
                assert_eq!(
                    [id(2, 1), id(4, 1024), id(8, 65_536), id(2, 1 << 20), id(16, 1 << 20)],
                    [1, 6, 3, 3, 4]
                );
                assert_eq!(index(1024, 16_384), 0);
                prove("bcast", |q| Some(variant(size(q[0]), size(q[1])).label()));
                prove("bcast", |q| Some(result(size(q[0]), size(q[1])).unwrap().label()));
                prove("bcast", |q| Some(elided(size(q[0]), size(q[1]))));
                prove("bcast", |q| <Bcast as Itself>::itself(q[0], q[1]).as_ref().map(Bcast::label));
            }

            #[test]
            fn parameters_of_any_integer_type() {
                // Each axis has few thresholds, which are compared one by one.
                #[decision_map("tests/golden/bcast.json", layout = $layout, msg_size = len)]
                fn few(len: u128, comm_size: i8) -> &'static str;
                // The communicator sizes have a list of all sizes, and the message sizes one of exponents.
                #[decision_map("tests/golden/polaris.json", layout = $layout)]
                const fn signed(comm_size: i16, msg_size: i64) -> &'static str;
                #[decision_map("tests/golden/polaris.json", layout = $layout)]
                fn wide(comm_size: i128, msg_size: u128) -> &'static str;
                type Ranks = core::ffi::c_int;
                #[decision_map("tests/golden/polaris.json", layout = $layout)]
                fn aliased(comm_size: Ranks, msg_size: core::ffi::c_ulong) -> &'static str;
                #[decision_map("tests/golden/edges.json", layout = $layout)]
                fn edges(comm_size: u64, msg_size: u64) -> &'static str;

                prove_up_to("bcast", &[], 127, |q| Some(few(q[1].into(), i8::try_from(q[0]).unwrap())));
                prove_up_to("polaris", &[], 32_767, |q| {
                    Some(signed(i16::try_from(q[0]).unwrap(), i64::try_from(q[1]).unwrap()))
                });
                prove("polaris", |q| Some(wide(q[0].into(), q[1].into())));
                prove_up_to("polaris", &[], 2_147_483_647, |q| {
                    Some(aliased(i32::try_from(q[0]).unwrap(), q[1]))
                });
                prove("edges", |q| Some(edges(q[0], q[1])));
                // Sizes below the first sample belong to it, and sizes above the last sample to the last.
                for msg_size in [1, 5000, 1 << 40] {
                    for below in [-1, i16::MIN] {
                        assert_eq!(signed(below, msg_size), signed(0, msg_size));
                    }
                    assert_eq!(wide(i128::MIN, msg_size as u128), signed(0, msg_size));
                    assert_eq!(wide(i128::MAX, msg_size as u128), signed(i16::MAX, msg_size));
                }
                for comm_size in [1, 64, 4096] {
                    for below in [-1, i64::MIN] {
                        assert_eq!(signed(comm_size, below), signed(comm_size, 0));
                    }
                    assert_eq!(wide(comm_size.into(), u128::MAX), signed(comm_size, i64::MAX));
                }
            }

            #[test]
            fn where_nothing_was_measured() {
                #[decision_map("tests/golden/partial.json", layout = $layout)]
                fn option(comm_size: usize, msg_size: usize) -> Option<&'static str>;
                #[decision_map("tests/golden/partial.json", layout = $layout)]
                fn or_ask(comm_size: usize, msg_size: usize, ask: impl Fn() -> Option<u8>) -> Option<u8> {
                    let id = ask()?;
                    Some(id)
                }
                #[decision_map("tests/golden/bcast.json", layout = $layout)]
                fn never(comm_size: usize, msg_size: usize, fallback: u32) -> u32 {
                    fallback
                }

                prove("partial", |q| option(size(q[0]), size(q[1])));
                assert_eq!((or_ask(2, 4096, || None), or_ask(2, 4096, || Some(77))), (None, Some(77)));
                assert!(or_ask(2, 8, || unreachable!()).is_some());
                assert_eq!(never(2, 1, 99), 1);
            }

            #[test]
            fn one_axis_three_axes_and_labels() {
                enum Collective {
                    Bcast,
                    Reduce,
                    AllReduce,
                }

                #[decision_map("tests/golden/barrier.json", layout = $layout)]
                const fn barrier(comm_size: u32) -> &'static str;
                #[decision_map("tests/golden/three_axes.json", layout = $layout)]
                const fn allreduce(ppn: u64, comm_size: u64, msg_size: u64) -> &'static str;
                #[decision_map("tests/golden/labels.json", layout = $layout)]
                const fn referred(msg_size: u64, collective: &Collective, commutative: bool) -> &'static str;
                #[decision_map("tests/golden/labels.json", layout = $layout)]
                fn owned(msg_size: u64, collective: Collective, commutative: bool) -> &'static str;
                #[decision_map("tests/golden/flags.json", layout = $layout)]
                fn flags(in_place: bool, commutative: bool) -> &'static str;
                #[decision_map("tests/golden/constant.json", layout = $layout)]
                const fn constant(comm_size: u64, msg_size: u64) -> &'static str;

                prove_up_to("barrier", &[], u64::from(u32::MAX), |q| {
                    Some(barrier(u32::try_from(q[0]).unwrap()))
                });
                prove("three_axes", |q| Some(allreduce(q[2], q[0], q[1])));
                prove("labels", |q| {
                    let collectives = [&Collective::Bcast, &Collective::Reduce, &Collective::AllReduce];
                    Some(referred(q[2], collectives[size(q[0])], q[1] == 1))
                });
                assert_eq!(owned(4096, Collective::AllReduce, true), "ring");
                prove("flags", |q| Some(flags(q[0] == 0, q[1] == 1)));
                prove("constant", |q| Some(constant(q[0], q[1])));
            }

            /// Covers parameters, generics, statics and functions of the user that have the names of generated items.
            #[allow(nonstandard_style)]
            #[test]
            fn names_of_the_generators_own() {
                static QTDEC_TABLE: u8 = 7;
                fn qtdec_part_1() -> u8 {
                    8
                }
                #[decision_map("tests/golden/large.json", layout = $layout $(, max_depth = $depth)?, comm_size = qtdec_part_0, msg_size = qtdec_step_0)]
                const fn parts(qtdec_part_0: u64, qtdec_step_0: u64) -> &'static str;
                #[decision_map("tests/common/large_partial.json", layout = $layout $(, max_depth = $depth)?)]
                fn body<const qtdec_part_0: usize>(comm_size: u64, msg_size: u64, QTDEC_AXIS_0: u8) -> u8 {
                    QTDEC_TABLE * 10 + qtdec_part_1() + QTDEC_AXIS_0 + qtdec_part_0 as u8
                }
                #[decision_map("tests/golden/polaris.json", layout = $layout, comm_size = QTDEC_AXIS_1, msg_size = threshold)]
                fn axes(QTDEC_AXIS_1: u64, threshold: u64) -> &'static str;
                #[decision_map("tests/golden/edges.json", layout = $layout, comm_size = size, msg_size = below)]
                fn buckets(size: u64, below: u64) -> &'static str;
                #[decision_map("tests/golden/labels.json", layout = $layout, msg_size = index, commutative = decided, collective = label)]
                fn labels(index: u64, decided: bool, label: Labels) -> &'static str;
                enum Labels {
                    Bcast,
                    Reduce,
                    AllReduce,
                }

                prove_up_to("large", OF_LARGE, u64::MAX, |q| Some(parts(q[0], q[1])));
                prove("polaris", |q| Some(axes(q[0], q[1])));
                prove("edges", |q| Some(buckets(q[0], q[1])));
                prove("labels", |q| {
                    let collectives = [Labels::Bcast, Labels::Reduce, Labels::AllReduce];
                    let label = collectives.into_iter().nth(size(q[0])).unwrap();
                    Some(labels(q[2], q[1] == 1, label))
                });
                prove_up_to("../common/large_partial", OF_LARGE, u64::MAX, |q| {
                    let id = body::<5>(q[0], q[1], 100);
                    ["a", "b", "c", "d", "e"].get(usize::from(id)).copied().or_else(|| {
                        assert_eq!(id, 183);
                        None
                    })
                });
            }

            #[test]
            fn a_tree_has_layouts_as_a_map_has() {
                #[decision_map("tests/golden/polaris_tree.json", layout = $layout)]
                fn kept(comm_size: usize, msg_size: usize) -> &'static str;

                prove("polaris_tree", |q| Some(kept(size(q[0]), size(q[1]))));
            }
        }
    };
}

layout!(branches, "branches");
layout!(table, "table");
layout!(select, "select", 2);
layout!(auto, "auto");

/// Covers words of forty bits whose highest answer is zero in every row.
#[test]
fn selections_of_rows_wider_than_their_numbers() {
    #[qtdec::decision_map("tests/common/rows.json", layout = "select")]
    const fn id(msg_size: u64, comm_size: i32) -> u8;

    common::prove_up_to("../common/rows", &[], 1 << 20, |q| {
        Some(match id(q[0], i32::try_from(q[1]).unwrap()) {
            0 => "none",
            1 => "low",
            130 => "middle",
            255 => "high",
            other => panic!("no method has the number {other}"),
        })
    });
}
