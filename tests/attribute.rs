//! The attribute in every place where it is allowed; each function is proved equal to its tree.

#![deny(warnings)]
#![allow(missing_docs, unused_qualifications)]

use std::cell::Cell;
use std::fmt::Debug;

use qtdec::decision_map;

mod common;

use common::{prove, prove_up_to};

/// The algorithms of `bcast.json`, written by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bcast {
    Linear,
    Binomial,
    Pipeline8K,
    Pipeline128K,
    SplitBinaryTree1000,
}

impl Bcast {
    fn label(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Binomial => "binomial",
            Self::Pipeline8K => "pipeline/8192",
            Self::Pipeline128K => "pipeline/131072",
            Self::SplitBinaryTree1000 => "split_binary_tree/1000",
        }
    }
}

impl Bcast {
    // The types name `Self`, which an item inside the function cannot do.
    #[decision_map("tests/golden/bcast.json")]
    fn itself(comm_size: <Self as Widths>::Rank, msg_size: u64) -> Option<Self>;
}

trait Widths {
    type Rank;
}

impl Widths for Bcast {
    type Rank = u64;
}

/// The algorithms of two maps, filled in.
#[decision_map("tests/golden/bcast.json", "tests/golden/partial.json")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {}

fn size(size: u64) -> usize {
    usize::try_from(size).unwrap()
}

#[decision_map("tests/golden/bcast.json")]
const fn select(comm_size: usize, msg_size: usize) -> Bcast;

#[test]
fn a_const_function_that_returns_an_enum_of_the_users() {
    const AT_COMPILE_TIME: Bcast = select(8, 65_536);
    assert_eq!(AT_COMPILE_TIME, Bcast::Pipeline8K);
    prove("bcast", |q| Some(select(size(q[0]), size(q[1])).label()));
}

#[test]
fn an_enum_filled_in_from_two_maps() {
    #[decision_map("tests/golden/bcast.json")]
    fn bcast(comm_size: usize, msg_size: usize) -> Method;
    #[decision_map("tests/golden/partial.json")]
    fn allgather(comm_size: usize, msg_size: usize) -> Option<Method>;

    assert_eq!(Method::ALL.len(), 7);
    prove("bcast", |q| Some(bcast(size(q[0]), size(q[1])).name()));
    prove("partial", |q| allgather(size(q[0]), size(q[1])).map(|method| method.name()));
}

#[test]
fn parameters_in_any_order_of_any_type_by_any_name() {
    #[decision_map("tests/golden/bcast.json", msg_size = len, comm_size = r#in)]
    fn renamed(len: u64, _tag: &str, r#in: u8, _: i32) -> &'static str;
    #[decision_map("tests/golden/bcast.json")]
    fn signed(msg_size: i64, comm_size: i8) -> &'static str;
    #[decision_map("tests/golden/bcast.json")]
    fn wide(msg_size: u128, comm_size: i128) -> &'static str;
    type Ranks = u16;
    #[decision_map("tests/golden/bcast.json")]
    fn aliased(comm_size: Ranks, msg_size: core::ffi::c_int) -> &'static str;

    prove_up_to("bcast", &[], 255, |q| Some(renamed(q[1], "", u8::try_from(q[0]).unwrap(), 0)));
    prove_up_to("bcast", &[], 127, |q| {
        Some(signed(i64::try_from(q[1]).unwrap(), i8::try_from(q[0]).unwrap()))
    });
    prove("bcast", |q| Some(wide(q[1].into(), q[0].into())));
    prove_up_to("bcast", &[], 65_535, |q| {
        Some(aliased(u16::try_from(q[0]).unwrap(), i32::try_from(q[1]).unwrap()))
    });
    // Sizes below the first sample belong to it.
    for below in [-1, i64::MIN] {
        assert_eq!(signed(below, -1), signed(0, 0));
        assert_eq!(signed(below, i8::MIN), signed(1, 2));
        assert_eq!(wide(u128::MAX, i128::MIN), signed(i64::MAX, 2));
    }
}

#[test]
fn what_a_function_may_return() {
    #[decision_map("tests/golden/bcast.json")]
    fn id(comm_size: usize, msg_size: usize) -> u8;
    #[decision_map("tests/golden/polaris.json")]
    fn index(comm_size: usize, msg_size: usize) -> core::primitive::i128;
    #[decision_map("tests/golden/bcast.json")]
    fn optional_id(comm_size: usize, msg_size: usize) -> ::core::option::Option<u64>;
    #[decision_map("tests/golden/bcast.json")]
    fn result(comm_size: usize, msg_size: usize) -> Result<Bcast, std::io::Error>;
    #[decision_map("tests/golden/bcast.json")]
    fn elided<'a>(comm_size: usize, msg_size: usize) -> &'a str;

    assert_eq!([id(2, 1), id(4, 1024), id(8, 65_536), id(2, 1 << 20), id(16, 1 << 20)], [1, 6, 3, 3, 4]);
    assert_eq!(index(1024, 16_384), 0);
    assert_eq!(optional_id(16, 1 << 20), Some(4));
    prove("bcast", |q| Some(result(size(q[0]), size(q[1])).unwrap().label()));
    prove("bcast", |q| Some(elided(size(q[0]), size(q[1]))));
}

#[test]
fn a_body_answers_where_nothing_was_measured() {
    thread_local!(static ASKED: Cell<u32> = const { Cell::new(0) });

    #[decision_map("tests/golden/partial.json")]
    fn or_ring(comm_size: usize, msg_size: usize) -> &'static str {
        // These labels must not clash with those of the expansion.
        'unmapped: {
            if msg_size > 1 << 40 {
                break 'unmapped;
            }
            ASKED.set(ASKED.get() + 1);
        }
        if comm_size == 2 {
            return "two";
        }
        "body"
    }
    #[decision_map("tests/golden/partial.json")]
    fn or_ask(comm_size: usize, msg_size: usize, ask: impl Fn() -> Option<Method>) -> Option<Method> {
        let method = ask()?;
        Some(method)
    }
    #[decision_map("tests/golden/partial.json")]
    fn or_fail(comm_size: usize, msg_size: usize, default: &str) -> Result<Method, String> {
        Err(default.parse::<u8>().map_err(|error| error.to_string())?.to_string())
    }
    // The map is total, so the body never runs, which would cause a warning.
    #[allow(deprecated)]
    #[decision_map("tests/golden/bcast.json")]
    fn never(comm_size: usize, msg_size: usize, fallback: Bcast) -> Bcast {
        fallback
    }

    assert_eq!((or_ring(2, 4096), or_ring(3, 4096), or_ring(8, 4096)), ("two", "body", "ring"));
    prove("partial", |q| {
        Some(or_ring(size(q[0]), size(q[1]))).filter(|label| !["two", "body"].contains(label))
    });
    assert!(ASKED.get() > 0);
    assert_eq!(
        (or_ask(2, 4096, || None), or_ask(2, 4096, || Some(Method::Bruck))),
        (None, Some(Method::Bruck))
    );
    assert_eq!(or_ask(2, 8, || unreachable!()), Some(Method::Ring));
    assert_eq!(or_fail(2, 4096, "7"), Err("7".to_owned()));
    assert_eq!(or_fail(8, 4096, "x"), Ok(Method::Ring));
    assert_eq!(never(2, 1, Bcast::Binomial), Bcast::Linear);
}

#[test]
fn methods_of_types_and_traits() {
    #[derive(Clone, Copy)]
    struct Machine<T> {
        default: T,
    }

    trait Select {
        type Size: Copy + Debug;
        fn select(&self, comm_size: usize, msg_size: usize) -> Bcast;
        fn fallback(&self, comm_size: u32, msg_size: u32) -> &'static str;
        // A method that a trait provides.
        #[decision_map("tests/golden/bcast.json")]
        fn provided(self, comm_size: usize, msg_size: usize) -> Bcast
        where
            Self: Sized;
    }

    impl<T: Copy + Into<&'static str>> Machine<T> {
        #[decision_map("tests/golden/partial.json")]
        fn or_default(&mut self, msg_size: usize, comm_size: usize) -> &'static str {
            self.default.into()
        }

        #[decision_map("tests/golden/bcast.json")]
        pub(crate) const fn associated<const N: usize>(
            comm_size: usize,
            msg_size: usize,
            _more: [T; N],
        ) -> Bcast;
    }

    impl<T: Copy + Into<&'static str>> Select for Machine<T> {
        type Size = usize;

        #[decision_map("tests/golden/bcast.json")]
        #[inline]
        fn select(&self, comm_size: usize, msg_size: usize) -> Bcast;

        #[decision_map("tests/golden/partial.json")]
        fn fallback(&self, comm_size: u32, msg_size: u32) -> &'static str {
            self.default.into()
        }
    }

    let mut machine = Machine { default: "default" };
    prove("bcast", |q| Some(machine.select(size(q[0]), size(q[1])).label()));
    prove("bcast", |q| Some(machine.provided(size(q[0]), size(q[1])).label()));
    prove("bcast", |q| Some(Machine::<&str>::associated(size(q[0]), size(q[1]), [""; 3]).label()));
    prove("bcast", |q| Bcast::itself(q[0], q[1]).map(Bcast::label));
    assert_eq!((machine.or_default(4096, 2), machine.or_default(8, 2)), ("default", "ring"));
    assert_eq!((machine.fallback(3, 4096), machine.fallback(8, 4096)), ("default", "ring"));
}

#[test]
fn the_options_of_the_encoding() {
    #[decision_map("tests/golden/polaris.json", max_depth = 2, leaf = "cheapest", borders = "floor")]
    fn shallow(comm_size: usize, msg_size: usize) -> &'static str;
    #[decision_map(
        "tests/golden/polaris.json",
        threshold = 62.5,
        fill = "last",
        collapse,
        encoding = "quadtree"
    )]
    fn rough(comm_size: usize, msg_size: usize) -> &'static str;
    #[decision_map("tests/golden/bcast.json", borders = "geometric")]
    fn middle(comm_size: usize, msg_size: usize) -> &'static str;
    #[decision_map("tests/golden/polaris_tree.json")]
    fn kept(comm_size: usize, msg_size: usize) -> &'static str;

    let prove_with = |name, options: &[_], function: fn(usize, usize) -> &'static str| {
        prove_up_to(name, options, u64::MAX, |q| Some(function(size(q[0]), size(q[1]))));
    };
    prove_with("polaris", &[("max_depth", "2"), ("leaf", "cheapest"), ("borders", "floor")], shallow);
    prove_with("polaris", &[("threshold", "62.5"), ("fill", "last")], rough);
    prove_with("bcast", &[("borders", "geometric")], middle);
    prove_with("polaris_tree", &[], kept);
    // The stored tree was made with the same options.
    prove_with("polaris_tree", &[], shallow);
    assert_eq!((middle(5, 1), middle(6, 1)), (select(4, 1).label(), select(8, 1).label()));
}

#[test]
fn one_axis_three_axes_and_labels() {
    #[derive(Clone, Copy)]
    enum Collective {
        Bcast,
        Reduce,
        AllReduce,
    }

    enum Owned {
        Bcast,
        Reduce,
        AllReduce,
    }

    #[decision_map("tests/golden/barrier.json")]
    const fn barrier(comm_size: u32) -> &'static str;
    #[decision_map("tests/golden/three_axes.json")]
    const fn allreduce(ppn: u64, comm_size: u64, msg_size: u64) -> &'static str;
    #[decision_map("tests/golden/labels.json")]
    const fn labelled(msg_size: u64, collective: Collective, commutative: bool) -> &'static str;
    #[decision_map("tests/golden/constant.json")]
    const fn constant(comm_size: u64, msg_size: u64) -> &'static str;

    // The enum is not `Copy`, and is passed by reference or by value.
    #[decision_map("tests/golden/labels.json")]
    const fn referred(msg_size: u64, collective: &'static Owned, commutative: bool) -> &'static str;
    #[decision_map("tests/golden/labels.json")]
    fn owned(msg_size: u64, collective: Owned, commutative: bool) -> &'static str;

    prove("labels", |q| {
        let collectives = [&Owned::Bcast, &Owned::Reduce, &Owned::AllReduce];
        Some(referred(q[2], collectives[size(q[0])], q[1] == 1))
    });
    assert_eq!(owned(4096, Owned::AllReduce, true), "ring");

    prove_up_to("barrier", &[], u64::from(u32::MAX), |q| Some(barrier(u32::try_from(q[0]).unwrap())));
    prove("three_axes", |q| Some(allreduce(q[2], q[0], q[1])));
    prove("labels", |q| {
        let collectives = [Collective::Bcast, Collective::Reduce, Collective::AllReduce];
        Some(labelled(q[2], collectives[size(q[0])], q[1] == 1))
    });
    prove("constant", |q| Some(constant(q[0], q[1])));
}

#[test]
fn every_encoding_in_the_same_words() {
    #[derive(Clone, Copy)]
    enum Collective {
        Bcast,
        Reduce,
        AllReduce,
    }

    #[decision_map("tests/golden/polaris.json", encoding = "optimal", objective = "depth")]
    const fn shallowest(comm_size: u64, msg_size: u64) -> &'static str;
    #[decision_map("tests/golden/polaris.json", encoding = "optimal", budget = "mean 5%")]
    const fn within_budget(comm_size: u64, msg_size: u64) -> &'static str;
    #[decision_map(
        "tests/golden/polaris.json",
        encoding = "c45",
        weight = 4,
        confidence = 15,
        constants = "j48"
    )]
    const fn c45(comm_size: u64, msg_size: u64) -> &'static str;
    #[decision_map("tests/golden/polaris.json", encoding = "rle", borders = "geometric")]
    const fn rle(comm_size: u64, msg_size: u64) -> &'static str;
    #[decision_map("tests/golden/three_axes.json", encoding = "greedy")]
    const fn greedy(ppn: u64, comm_size: u64, msg_size: u64) -> &'static str;
    #[decision_map("tests/golden/labels.json", encoding = "optimal")]
    const fn combined(msg_size: u64, collective: Collective, commutative: bool) -> &'static str;

    let prove = |name: &str, options: &[(&str, &str)], function: &dyn Fn(&[u64]) -> &'static str| {
        prove_up_to(name, options, u64::MAX, |q| Some(function(q)));
    };
    let optimal = ("encoding", "optimal");
    prove("polaris", &[optimal, ("objective", "depth")], &|q| shallowest(q[0], q[1]));
    prove("polaris", &[optimal, ("budget", "mean 5%")], &|q| within_budget(q[0], q[1]));
    let heavier = [("encoding", "c45"), ("weight", "4"), ("confidence", "15"), ("constants", "j48")];
    prove("polaris", &heavier, &|q| c45(q[0], q[1]));
    prove("polaris", &[("encoding", "rle"), ("borders", "geometric")], &|q| rle(q[0], q[1]));
    prove("three_axes", &[("encoding", "greedy")], &|q| greedy(q[2], q[0], q[1]));
    prove("labels", &[optimal], &|q| {
        let collectives = [Collective::Bcast, Collective::Reduce, Collective::AllReduce];
        combined(q[2], collectives[size(q[0])], q[1] == 1)
    });
}

#[test]
fn maps_of_many_regions_are_cut_up() {
    #[decision_map("tests/golden/large.json")]
    const fn large(msg_size: u64, comm_size: i32) -> Option<&'static str>;
    #[allow(deprecated)]
    #[decision_map("tests/golden/large.json")]
    fn with_body(comm_size: u64, msg_size: u64, index: u64) -> u64 {
        index
    }

    const SOME: Option<&str> = large(1, 1);
    prove_up_to("large", &[], i32::MAX as u64, |q| large(q[1], i32::try_from(q[0]).unwrap()));
    prove("large", |q| Some(["a", "b", "c", "d", "e"][size(with_body(q[0], q[1], 9))]));
    assert!(SOME.is_some());
}

#[test]
fn inside_a_macro() {
    macro_rules! selector {
        ($name:ident, $file:literal, $size:ty, $returned:ty) => {
            #[decision_map($file)]
            fn $name(comm_size: $size, msg_size: $size) -> $returned;
        };
    }
    selector!(by_label, "tests/golden/bcast.json", u64, &'static str);
    selector!(by_id, "tests/golden/bcast.json", u64, u32);
    selector!(by_variant, "tests/golden/bcast.json", u64, Option<Bcast>);

    prove("bcast", |q| Some(by_label(q[0], q[1])));
    prove("bcast", |q| by_variant(q[0], q[1]).map(Bcast::label));
    assert_eq!(by_id(16, 1 << 20), 4);
}

#[test]
fn attributes_around_it() {
    /// A method whose attributes are conditional.
    #[cfg_attr(not(any()), decision_map("tests/golden/bcast.json"))]
    #[must_use]
    #[cold]
    fn conditional(comm_size: usize, msg_size: usize) -> Bcast;
    #[cfg(any())]
    #[decision_map("no/such/file.json")]
    fn absent(comm_size: usize, msg_size: usize) -> Bcast;

    assert_eq!(conditional(2, 1), Bcast::Linear);
}

#[test]
fn methods_that_may_not_run_everywhere() {
    #[decision_map("tests/golden/guarded.json")]
    const fn mixed(comm_size: i32, msg_size: u64) -> &'static str;
    #[decision_map("tests/golden/guarded.json", layout = "table", fallback = "ring")]
    fn narrow(comm_size: u16, msg_size: i128) -> Option<&'static str>;
    #[decision_map("tests/golden/only_guarded.json")]
    const fn optional(comm_size: usize) -> Option<&'static str>;
    #[decision_map("tests/golden/only_guarded.json", layout = "select")]
    fn or_body(comm_size: usize) -> &'static str {
        "body"
    }

    assert_eq!(
        (mixed(4, 2000), mixed(5, 2000), mixed(3, 9), mixed(2, 9)),
        ("rabenseifner", "ring", "ring", "exchange")
    );
    assert_eq!((mixed(70_000, 65_537), mixed(70_000, 70_000)), ("ring", "scattered"));
    prove_up_to("guarded", &[], i32::MAX as u64, |q| Some(mixed(i32::try_from(q[0]).unwrap(), q[1])));
    prove_up_to("guarded", &[], u64::from(u16::MAX), |q| narrow(u16::try_from(q[0]).unwrap(), q[1].into()));
    assert_eq!(
        (optional(8), optional(9), or_body(8), or_body(9)),
        (Some("halving"), None, "halving", "body")
    );
    prove("only_guarded", |q| optional(size(q[0])));
    prove("only_guarded", |q| Some(or_body(size(q[0]))).filter(|label| *label != "body"));
}

#[test]
fn cells_without_measurements_go_to_the_body_on_request() {
    const EMPTY: &[(&str, &str)] = &[("empty", "strict")];
    #[decision_map("tests/golden/partial.json", empty = "strict")]
    fn branches(comm_size: usize, msg_size: usize) -> Option<&'static str>;
    #[decision_map("tests/golden/partial.json", empty = "strict", layout = "table")]
    fn table(comm_size: usize, msg_size: usize) -> Option<&'static str>;
    #[decision_map("tests/golden/partial.json", empty = "strict", layout = "select", encoding = "optimal")]
    fn select(comm_size: usize, msg_size: usize) -> &'static str {
        "body"
    }

    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/partial.json");
    let map = qtdec_core::Document::from_json(&std::fs::read(path).unwrap()).unwrap().into_map().unwrap();
    assert!(map.cells().contains(&None));
    for (cell, method) in map.cells().iter().enumerate() {
        let sizes: Vec<usize> = map.domain().sizes(cell).into_iter().map(size).collect();
        let label = method.map(|method| map.domain().method(method).label());
        assert_eq!(branches(sizes[0], sizes[1]), label.as_deref(), "{sizes:?}");
        assert_eq!(table(sizes[0], sizes[1]), label.as_deref(), "{sizes:?}");
        assert_eq!(select(sizes[0], sizes[1]), label.as_deref().unwrap_or("body"), "{sizes:?}");
    }
    prove_up_to("partial", EMPTY, u64::MAX, |q| branches(size(q[0]), size(q[1])));
    prove_up_to("partial", EMPTY, u64::MAX, |q| table(size(q[0]), size(q[1])));
}

#[test]
fn other_names_of_enums_and_integers() {
    #[decision_map("tests/golden/bcast.json")]
    #[derive(Debug, PartialEq)]
    enum Method {}
    type Decision = Method;
    type Size = u32;
    #[decision_map("tests/golden/bcast.json")]
    const fn decision(comm_size: Size, msg_size: Size) -> Decision;

    const DECISION: Decision = decision(2, 1);

    assert_eq!(DECISION, Method::Linear);
    prove_up_to("bcast", &[], u64::from(u32::MAX), |q| {
        Some(decision(u32::try_from(q[0]).unwrap(), u32::try_from(q[1]).unwrap()).name())
    });
}

#[test]
fn integers_of_c_and_integers_that_are_not_zero() {
    use std::ffi::c_long;
    use std::num::{NonZero, NonZeroU32, NonZeroU64};

    #[decision_map("tests/golden/bcast.json")]
    const fn of_c(comm_size: core::ffi::c_int, msg_size: c_long) -> core::ffi::c_int;
    #[decision_map("tests/golden/bcast.json")]
    const fn nonzero(comm_size: NonZeroU32, msg_size: NonZero<usize>) -> &'static str;
    #[decision_map("tests/golden/large.json", layout = "table")]
    const fn table(comm_size: NonZeroU64, msg_size: NonZeroU64) -> Option<&'static str>;
    #[decision_map("tests/golden/large.json")]
    const fn parts(comm_size: NonZeroU64, msg_size: NonZeroU64) -> Option<&'static str>;
    #[decision_map("tests/golden/guarded.json")]
    fn guarded(comm_size: NonZeroU32, msg_size: NonZeroU64) -> &'static str;

    const OF_C: core::ffi::c_int = of_c(2, 1);

    assert_eq!(OF_C, 1);
    prove_up_to("bcast", &[], u32::MAX.into(), |q| {
        let ranks = NonZeroU32::new(u32::try_from(q[0]).unwrap()).unwrap_or(NonZeroU32::MIN);
        Some(nonzero(ranks, NonZero::new(size(q[1])).unwrap_or(NonZero::<usize>::MIN)))
    });
    let nonzero = |size: u64| NonZeroU64::new(size).unwrap_or(NonZeroU64::MIN);
    prove("large", |q| table(nonzero(q[0]), nonzero(q[1])));
    prove("large", |q| parts(nonzero(q[0]), nonzero(q[1])));
    assert_eq!(guarded(NonZeroU32::new(8).unwrap(), nonzero(2000)), "rabenseifner");
    assert_eq!(guarded(NonZeroU32::new(9).unwrap(), nonzero(2000)), "ring");
}

#[test]
fn labels_that_show_which_means_true() {
    #[decision_map("tests/golden/words.json")]
    const fn known(in_place: bool, contiguous: bool, größe: u64) -> &'static str;
    #[decision_map("tests/golden/words.json", true_label = "strided", contiguous = strided)]
    const fn reported(in_place: bool, strided: bool, größe: u64) -> &'static str;

    assert_eq!((known(true, true, 1), known(false, false, 1)), ("É", "変"));
    assert_eq!((reported(true, false, 1), reported(false, true, 1)), ("É", "変"));
}

/// The labels of the placeholder.
#[derive(Clone, Copy)]
pub enum Order {
    Random,
    Sorted,
}

/// Methods of which the placeholder chooses only the first.
#[decision_map("qt-core/tests/accepted/placeholder.json")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {}

#[decision_map("qt-core/tests/accepted/placeholder.json")]
const fn not_measured(m: usize, order: Order) -> Kernel;

#[test]
fn a_placeholder_compiles_and_chooses_the_first_method() {
    for order in [Order::Random, Order::Sorted] {
        assert_eq!([1, usize::MAX].map(|m| not_measured(m, order)), [Kernel::Simple; 2]);
    }
    assert_eq!(Kernel::ALL, [Kernel::Simple, Kernel::Blocked]);
}

/// A matrix whose sizes are not parameters of the function.
pub struct Matrix {
    rows: Vec<u64>,
    calls: Cell<u32>,
}

impl Matrix {
    fn rows(&self) -> usize {
        self.calls.set(self.calls.get() + 1);
        self.rows.len()
    }

    #[decision_map("tests/golden/bcast.json", comm_size = self.rows(), msg_size = self.rows.iter().sum::<u64>() as usize)]
    fn by_itself(&self) -> Bcast;
}

/// A size of a type of its own.
#[derive(Clone, Copy)]
pub struct Bytes(usize);

impl From<Bytes> for usize {
    fn from(bytes: Bytes) -> Self {
        bytes.0
    }
}

const RANKS: usize = 64;

#[decision_map("tests/golden/bcast.json", comm_size = matrix.rows(), msg_size = 4096)]
fn of_matrix(matrix: &Matrix) -> Bcast;

#[decision_map("tests/golden/bcast.json", comm_size = RANKS, msg_size = len.into())]
fn of_newtype(len: Bytes) -> Bcast;

#[decision_map("tests/golden/bcast.json", axis(comm_size = RANKS, msg_size = len))]
const fn of_constant(len: usize) -> Bcast;

// The beginnings of these expressions are expressions, too.
#[decision_map("tests/golden/bcast.json", comm_size = ranks?, msg_size = data[1..].len())]
fn of_parts(ranks: Option<usize>, data: &[u8]) -> Option<Bcast>;

#[decision_map("tests/golden/bcast.json")]
const fn of_sizes(comm_size: usize, msg_size: usize) -> Bcast;

#[test]
fn axes_can_be_expressions_and_constants() {
    for ranks in [1, 2, 7, 8, 9, 64] {
        for bytes in [0, 1, 1023, 1024, 8192, 1 << 20] {
            let mut rows = vec![0; ranks];
            rows[0] = bytes as u64;
            let matrix = Matrix { rows, calls: Cell::new(0) };
            assert_eq!(matrix.by_itself(), of_sizes(ranks, bytes));
            assert_eq!(matrix.calls.get(), 1, "the expression is evaluated once");
            assert_eq!(of_matrix(&matrix), of_sizes(ranks, 4096));
            assert_eq!(of_newtype(Bytes(bytes)), of_sizes(64, bytes));
            assert_eq!(of_constant(bytes), of_sizes(64, bytes));
            assert_eq!(of_parts(Some(ranks), &vec![0; bytes + 1]), Some(of_sizes(ranks, bytes)));
            assert_eq!(of_parts(None, &[0]), None);
        }
    }
}

/// The labels of `labels.json`.
pub enum Collective {
    Bcast,
    Reduce,
    AllReduce,
}

#[decision_map("tests/golden/labels.json", collective = "all_reduce", commutative = true)]
fn of_labels(msg_size: usize) -> &'static str;

#[decision_map("tests/golden/labels.json", collective = "bcast", commutative = len % 2 == 0, layout = "table", msg_size = len)]
fn of_parity(len: usize) -> &'static str;

#[decision_map("tests/golden/labels.json", collective = "reduce", commutative = is_commutative)]
fn of_reduce(is_commutative: bool, msg_size: usize) -> &'static str;

#[decision_map("tests/golden/labels.json")]
fn of_kind(collective: Collective, commutative: bool, msg_size: usize) -> &'static str;

#[test]
fn labels_can_be_constants_and_conditions() {
    for size in [0, 8, 9, 4095, 4096, 5000] {
        assert_eq!(of_labels(size), of_kind(Collective::AllReduce, true, size));
        assert_eq!(of_reduce(false, size), of_kind(Collective::Reduce, false, size));
        assert_eq!(of_parity(size), of_kind(Collective::Bcast, size % 2 == 0, size));
    }
}

/// What an algorithm does, as a function.
pub type Run = fn(u32) -> u32;

const fn tree(rank: u32) -> u32 {
    rank / 2
}

const fn chain(rank: u32) -> u32 {
    rank.saturating_sub(1)
}

const SEGMENT: (Run, usize) = (chain, 8192);

macro_rules! answered {
    ($name:ident, $returned:ty, $layout:literal, $($answers:tt)*) => {
        #[decision_map("tests/golden/bcast.json", layout = $layout, answers($($answers)*))]
        const fn $name(comm_size: usize, msg_size: usize) -> $returned;
    };
}

answered!(
    functions,
    fn(u32) -> u32,
    "branches",
    linear = chain,
    binomial = tree,
    "pipeline/8192" = chain,
    "pipeline/131072" = chain,
    "split_binary_tree/1000" = tree
);
answered!(
    values,
    Option<(Run, usize)>,
    "table",
    linear = (chain, 0),
    binomial = (tree, 0),
    "pipeline/8192" = SEGMENT,
    "pipeline/131072" = (chain, 131_072),
    "split_binary_tree/1000" = (tree, 1000)
);
answered!(
    selected,
    usize,
    "select",
    linear = 0,
    binomial = 1,
    "pipeline/8192" = SEGMENT.1,
    "pipeline/131072" = 3,
    "split_binary_tree/1000" = usize::MAX
);

#[test]
fn answers_can_be_functions_and_constants() {
    for ranks in [1, 2, 7, 8, 9, 64] {
        for bytes in [0, 1, 1023, 1024, 8192, 1 << 20, 1 << 21] {
            let (parent, segment, number): (u32, usize, usize) = match of_sizes(ranks, bytes) {
                Bcast::Linear => (8, 0, 0),
                Bcast::Binomial => (4, 0, 1),
                Bcast::Pipeline8K => (8, 8192, 8192),
                Bcast::Pipeline128K => (8, 131_072, 3),
                Bcast::SplitBinaryTree1000 => (4, 1000, usize::MAX),
            };
            assert_eq!(functions(ranks, bytes)(9), parent);
            let (run, given) = values(ranks, bytes).unwrap();
            assert_eq!((run(9), given), (parent, segment));
            assert_eq!(selected(ranks, bytes), number);
        }
    }
}

/// A function that no decision returns, and nobody else calls.
const fn star(_: u32) -> u32 {
    0
}

#[test]
fn answers_that_are_never_returned_are_used() {
    #[decision_map(
        "tests/golden/bcast.json",
        max_depth = 0,
        answers(
            linear = star,
            binomial = tree,
            "pipeline/8192" = chain,
            "pipeline/131072" = chain,
            "split_binary_tree/1000" = star
        )
    )]
    const fn shallow(comm_size: usize, msg_size: usize) -> fn(u32) -> u32;

    assert_ne!(shallow(2, 1)(9), 0);
}

/// The methods with everything that is generated on request.
#[decision_map("tests/golden/bcast.json", display, from_str, index)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requested {}

/// The derives of `Copy` do not see the variants, so they may stand above the attribute.
#[derive(Clone, Copy)]
#[decision_map("tests/golden/bcast.json", index)]
enum Above {}

#[test]
fn copies_may_be_derived_above_the_attribute() {
    let method = Above::Binomial;
    let (one, other) = (method, method);
    assert_eq!(one.index(), other.index());
}

#[test]
fn the_enum_has_items_on_request() {
    for (index, method) in Requested::ALL.iter().enumerate() {
        assert_eq!(method.index(), index);
        assert_eq!(method.to_string(), method.name());
        assert_eq!(method.name().parse(), Ok(*method));
    }
    assert_eq!(format!("{:>8}|", Requested::Linear), "  linear|");
    let unknown = "lineal".parse::<Requested>().unwrap_err();
    assert!(unknown.starts_with("there is no such method: the methods are `linear`, "), "{unknown}");
}
