//! [documentation of the attribute]: macro@decision_map
//! [the guide]: https://docs.rs/crate/qtdec/latest/source/guide/src/SUMMARY.md
//! [`qtdec::lookup`]: crate::lookup
//! [JSON Schema]: https://docs.rs/crate/qtdec-core/latest/source/schema/qtdec-map-1.schema.json
//! [`examples/`]: https://docs.rs/crate/qtdec/latest/source/examples/
//! [`qt-tune/data`]: https://docs.rs/crate/qtdec-tune/latest/source/data/README.md
//! [`examples/build-script/maps`]: https://docs.rs/crate/qtdec/latest/source/examples/build-script/maps/README.md
#![doc = include_str!("../README.md")]
#![no_std]

/// Turns a measured decision map into a function, or its methods into an enum.
///
/// The file is a map (`qtdec-map/1`) or a tree that `qtdec encode` made of one (`qtdec-tree/1`). Its name is relative to
/// the folder of the Cargo.toml of the crate that is compiled, or put together by `concat!`:
/// `concat!(env!("OUT_DIR"), "/map.json")`. The crate is built again when the file changes.
///
/// # On a function
///
/// ```
/// use qtdec::decision_map;
///
/// #[decision_map("examples/maps/bcast.json", max_depth = 1, msg_size = len)]
/// pub const fn bcast_id(len: u64, comm_size: i32) -> u32;
///
/// assert_eq!(bcast_id(4096, 64), 6);
/// ```
///
/// - **Parameters** are matched to the axes of the map by name, in any order and of any integer types; `msg_size = len`
///   in the attribute has `len` give the size on axis `msg_size`. Types that are not zero, such as `NonZeroU32`, and those of
///   C will do too. A labelled axis is given by an enum with a variant for every label, or by a `bool` if there are two
///   and it is plain which of them is `true`: known pairs such as `yes` and `no`, a word and its negation, a label called
///   like the axis; otherwise the option `true_label` tells. Further parameters are for a body, or begin with `_`.
/// - **The return type** is an enum with a variant for every method that is used, an integer (the method's `id`, or its
///   index; also one of C, such as `core::ffi::c_int`) or `&'static str` (its name, with its segment size if it has one), bare, in an `Option` or in a `Result`.
/// - **Where nothing was measured**, a body answers; it may use `self`, generics, `return` and `?`. Without a body an
///   `Option` is `None` there, and any other function is refused. A region is empty only where all of its cells are: an
///   empty cell among measured ones takes the method that its block takes, but with `empty = "strict"`, where every empty
///   cell is left to the body. Beyond the samples at the edges the map is not empty: a size belongs to the largest sample
///   not above it, one below the first sample to the first. The compiler warns of a body that never runs, unless the
///   function has `#[allow(deprecated)]`.
/// - **A method that may not run everywhere**, by what it `requires`, is checked in every call: where it may not run, such as
///   one for powers of two between two of them, the fallback answers; without one, the body does, or `None`.
/// - **The function** may be free, a method, a trait's or an implementation of one, generic, `const` and whatever else.
///
/// # Options
///
/// They follow the name of the file, as in `max_depth = 3, borders = "geometric", collapse`, and are those of the builder
/// and the command. A tree takes none of them but `layout`: it was encoded already.
///
/// | option | value | |
/// |---|---|---|
/// | `encoding` | `"quadtree"`, `"c45"`, `"rle"`, `"optimal"`, `"greedy"` | how the map becomes a tree |
/// | `borders` | `"floor"`, `"arithmetic"`, `"geometric"` | where the border between two samples runs: at the upper one, half way, or half way in the logarithm |
/// | `budget` | as in `"max 10%, mean 5%"` | what decisions may cost beside the best ones, in any cell or on average: the tree is as small as its encoding can make it within the budget |
/// | `empty` | `"filled"`, `"strict"` | what becomes of cells in which nothing was measured: they fall to the regions around them, or the body answers, or `None` |
/// | `fallback` | the label of a method | what answers where the method that was chosen may not run; by default the baseline, or else the best method that requires nothing |
/// | `max_depth` | a whole number | the maximum depth |
/// | `threshold` | a number from 0 to 100 | the accuracy threshold: a block is a leaf where its method holds so many per cent of it |
/// | `fill` | `"stretch"`, `"last"` | how the grid is filled in to a square of 2^k samples |
/// | `leaf` | `"commonest"`, `"cheapest"` | which method a block takes: the commonest, or that of the least mean penalty |
/// | `weight` | a whole number | C4.5's `-m`: the least cases that two outcomes of a test must have |
/// | `confidence` | a number up to 100 | C4.5's `-c`: the lower, the more of the tree is pruned |
/// | `constants` | `"r8"`, `"j48"` | whose constants C4.5 estimates errors with: those of Release 8 or of Weka's J48 |
/// | `objective` | `"leaves"`, `"depth"`, `"tests"`, `"mispredictions"` | what is least in an optimal tree: its leaves, the depth of its deepest leaf, the mean number of tests in a call, or that of branches that a processor predicts wrong |
/// | `lambda` | a number above 0 | an optimal tree may err: leaves and so much for every mismatch are least together |
/// | `collapse` | | four sibling leaves of one method become one |
/// | `layout` | `"branches"`, `"table"`, `"select"`, `"auto"` | what the code looks like: nested branches, which can be read; a table without a branch, which takes the same time whatever it is asked; selections without a branch or a load, for trees of up to 64 regions; or selections for trees of up to 12 regions and a table for larger ones |
/// | `true_label` | a label, or several with commas | which label a `bool` gives as `true`, where the labels do not tell |
///
/// # On an enum
///
/// An empty enum gets a variant for every method of one or several maps, with `ALL` and `name()`, and where a map has a
/// collective `algorithm()` and `segment_size()`. The attribute stands above the derives, which would else see an enum without variants.
///
/// ```
/// use qtdec::decision_map;
///
/// #[decision_map("examples/maps/bcast.json")]
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// pub enum Bcast {}
///
/// assert_eq!(Bcast::Pipeline8K.name(), "pipeline/8192");
/// assert_eq!(Bcast::Pipeline8K.segment_size(), Some(8192));
/// ```
///
/// A variant is the name of its method, split at what is no letter or digit and between a lower and an upper case, each
/// part capitalised, and the segment size as in `8K`; the map can name another as `ident`.
///
/// # Errors
///
/// Mistakes in the file are told with their line and column, at its name; those of the signature at the parameter or
/// type; all at once. The function stays declared, so that nothing that calls it is an error too, not even in a constant.
pub use qtdec_macro::decision_map;

/// Decision functions in memory, for maps that arrive after compilation.
///
/// A program that is given maps itself makes the bytes with the crate `qtdec-core`, once, and keeps them:
///
/// ```
/// use std::sync::OnceLock;
///
/// use qtdec::lookup::Table;
/// use qtdec_core::{Document, Options, lookup};
///
/// static BCAST: OnceLock<Table<'static, 2>> = OnceLock::new();
///
/// let file = std::fs::read("examples/maps/bcast.json").unwrap();
/// let map = Document::from_json(&file).unwrap();
/// let tree = Options::parse(&[("max_depth", "1")]).unwrap().tree(map).unwrap();
/// let bytes = lookup::table(&tree).unwrap().leak();
/// BCAST.set(Table::load(bytes).unwrap()).unwrap();
///
/// // And in every call:
/// let table = BCAST.get().unwrap();
/// let method = table.decide([64, 4096]).unwrap();
/// assert_eq!(table.names().methods().nth(method.into()).unwrap().id, 6);
/// ```
///
/// Another program may make them as well (`qtdec emit --target lookup-table`): to load them takes no more than this crate.
pub use qtdec_lookup as lookup;
