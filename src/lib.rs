//! Decision functions that are compiled from measurements. For one to three sizes, such a function returns the best
//! of several methods, such as the best kernel for a matrix of `m` by `n`.
//!
//! A *decision map* holds the best method for each point of a grid, in a JSON file. The attribute [`macro@decision_map`] reads it at compile
//! time, encodes it as a tree and writes the body of a function: nested branches, a table or selections, without a dependency at run
//! time.
//!
//! ```sh
//! cargo add qtdec && cargo install qtdec-cli
//! cargo bench                                           # your benchmarks, with criterion as it comes
//! qtdec map target/criterion/GROUP -o maps/kernel.json
//! ```
//!
//! ```
//! #[qtdec::decision_map("examples/general/maps/matmul.json")]
//! const fn kernel(m: usize, n: usize) -> &'static str;
//!
//! assert!(["dot", "axpy", "transposed"].contains(&kernel(256, 8)));
//! ```
//!
//! The methods can become an enum. Here they are the algorithms of a broadcast between the processes of an MPI program:
//!
//! ```
//! use qtdec::decision_map;
//!
//! #[decision_map("examples/maps/bcast.json")]
//! #[derive(Clone, Copy, Debug, PartialEq, Eq)]
//! pub enum Bcast {}
//!
//! #[decision_map("examples/maps/bcast.json")]
//! pub const fn bcast(comm_size: usize, msg_size: usize) -> Bcast;
//!
//! assert_eq!(bcast(100, 100_000), Bcast::Pipeline8K);
//! ```
//!
//! The command `qtdec` of the package `qtdec-cli` makes maps from the output of benchmarks, and `qtdec_build::Builder` generates the same
//! code in a build script. [`lookup`] loads decisions at run time.
#![no_std]

/// Turns a measured decision map into a function, or its methods into an enum.
///
/// The first argument is the path of a map (`qtdec-map/1`) or of a tree that `qtdec encode` made from one (`qtdec-tree/1`).
/// The path is relative to the directory of Cargo.toml. It can also be built with `concat!`, as in
/// `concat!(env!("OUT_DIR"), "/map.json")`. Cargo rebuilds the crate when the file changes.
///
/// A library that wants no dependency commits the source that `qtdec emit --target rust` writes, and compares it with `--check` in CI. The
/// feature `lookup`, which is on by default, adds `qtdec::lookup`.
///
/// # On a function
///
/// ```
/// use qtdec::decision_map;
///
/// #[decision_map("examples/general/maps/matmul.json", encoding = "optimal", budget = "mean 1%", m = rows)]
/// pub const fn kernel(rows: u32, n: i32) -> &'static str;
///
/// assert_eq!((kernel(256, 1), kernel(256, 8)), ("transposed", "axpy"));
/// ```
///
/// - **Parameters** are matched to the axes of the map by name, in any order. With `m = rows` in the attribute, the
///   parameter `rows` is the size on axis `m`. A size can have any integer type, including those of C and nonzero types
///   such as `NonZeroU32`. A labelled axis takes an enum with one variant per label. If it has two labels, it also takes a
///   `bool`, provided that it is clear which label means `true`: the labels are a known pair such as `yes` and `no`, or a word
///   and its negation, or one of them has the name of the axis. Otherwise, set the option `true_label`. Additional parameters
///   need a body that uses them, or a name that begins with `_`.
/// - **Axes from expressions**: with `m = data.len()` in the attribute, the expression over the parameters gives the size on axis `m`, as a
///   `usize`. It is evaluated once, before everything else. `n = 64`, `n = WIDTH` and `order = "sorted"` are constants, and `len =
///   bytes.into()` accepts a type of your own. If an axis has the name of an option, write `axis(depth = level)`.
/// - **The return type** is an enum with a variant for every method that is used, an integer (the method's `id`, or its
///   index; C types such as `core::ffi::c_int` are accepted) or `&'static str` (the method's name, with its segment size if it
///   has one). It can be wrapped in an `Option` or a `Result`.
///   Any other type needs an expression for each method, such as a function or a constant: `answers(simple = kernels::simple,
///   "pipeline/8192" = PIPELINE)`.
/// - **Where nothing was measured**, the body of the function answers. The body can use `self`, generics, `return` and `?`.
///   Without a body, a function that returns an `Option` returns `None`, and any other function is an error. By default, a region
///   is empty only if all of its cells are: an empty cell among measured ones takes the method of its region. With
///   `empty = "strict"`, the body answers in every empty cell. Sizes between and beyond the samples are not empty: by default a
///   size belongs to the largest sample that is not above it, and a size below the first sample belongs to the first. The compiler
///   warns about a body that never runs, unless the function has `#[allow(deprecated)]`.
/// - **A method with requirements** (`requires` in the map) is checked in every call. If the method may not run, for
///   example because it needs a power of two and the size lies between two of them, the fallback method answers. If
///   there is no fallback, the body answers, or the function returns `None`.
/// - **The function** can be free, an associated function or method, a trait method, generic, `const` and so on.
///
/// ```
/// use qtdec::decision_map;
///
/// fn dot(m: usize) -> usize { m }
/// fn axpy(m: usize) -> usize { 2 * m }
///
/// #[decision_map("examples/general/maps/matmul.json", m = data.len(), n = 64,
///     answers(dot = dot, axpy = axpy, transposed = dot))]
/// fn kernel(data: &[f64]) -> fn(usize) -> usize;
///
/// assert!([8, 16].contains(&kernel(&[0.0; 8])(8)));
/// ```
///
/// # Options
///
/// Begin with `encoding = "optimal", budget = "mean 1%"`: the smallest tree whose decisions cost at most one per cent more than the best
/// ones on average. For a grid of more than about 20 × 20 points, write `encoding = "greedy"` in its place, which is fast enough for a
/// compiler and keeps the same budget, or name a tree that `qtdec encode` wrote. Without options, the tree agrees with the map in every cell and follows the noise of its times.
///
/// Options follow the path, as in `max_depth = 3, borders = "geometric", collapse`. The builder and the command have the
/// same options. A tree is already encoded and takes only `layout`, `error` and `true_label`.
///
/// | option | value | |
/// |---|---|---|
/// | `encoding` | `"quadtree"`, `"c45"`, `"rle"`, `"optimal"`, `"greedy"` | how the map is turned into a tree |
/// | `borders` | `"crossing"`, `"geometric"`, `"arithmetic"`, `"floor"`, `"ceiling"` | where the border between two samples lies: where the times of the methods on both sides cross (at the upper sample, if the map has no times or fitted ones), halfway on a logarithmic scale, halfway, at the upper sample, or at the lower one, as in C4.5 |
/// | `budget` | as in `"max 10%, mean 5%"` | how much worse decisions may be than the best ones, in any cell or on average; the tree is as small as its encoding can make it within the budget |
/// | `empty` | `"filled"`, `"strict"` | how cells without measurements are treated: they join the regions around them, or the body answers (or `None`) |
/// | `fallback` | the label of a method | the method that answers where the chosen one may not run; by default the baseline, or else the best method that has no requirements |
/// | `max_depth` | a whole number | the maximum depth |
/// | `threshold` | per cent, as in `90` | the accuracy threshold: a block becomes a leaf if its method holds at least this percentage of the block |
/// | `fill` | `"stretch"`, `"last"` | how the grid is extended to a square of 2^k samples |
/// | `leaf` | `"commonest"`, `"cheapest"` | which method a block takes: the most common one, or the one with the lowest mean penalty |
/// | `weight` | a whole number | C4.5's `-m`: the minimum number of cases in at least two outcomes of a test |
/// | `confidence` | per cent, as in `25` | C4.5's `-c`: lower values prune more of the tree |
/// | `constants` | `"r8"`, `"j48"` | the constants for C4.5's error estimates: those of Release 8 or of Weka's J48 |
/// | `objective` | `"leaves"`, `"depth"`, `"tests"`, `"mispredictions"` | what an optimal tree minimises: the number of leaves, the depth of the deepest leaf, the mean number of tests per call, or the mean number of mispredicted branches per call |
/// | `lambda` | a number above 0 | allows errors in an optimal tree: it minimises the number of leaves plus this much for every mismatch |
/// | `collapse` | | four sibling leaves with the same method become one |
/// | `layout` | `"encoding"`, `"branches"`, `"quadrants"`, `"table"`, `"select"`, `"auto"` | the form of the code: that of the encoding, which is quadrants for a quadtree and branches for others; nested branches, which compare least; the quadrants of a quadtree, [as the papers print it](#the-papers-form); a table without branches, which takes the same time for every call; selections without branches or loads, for trees of up to 64 regions; or selections for trees of up to 12 regions and a table for larger ones |
/// | `error` | a message | ends the branches of every block with the papers' last `else`, for quadrants; no size leads to it |
/// | `true_label` | a label, or several separated by commas | which label means `true` for a `bool`, where the labels do not make it clear |
///
/// # The papers' form
///
/// A quadtree becomes the code of section 3.3 of the 2006 and 2007 papers: for every internal node
/// `if (NW) {...} else if (NE) {...} else if (SW) {...} else if (SE) {...} else {error}`. The first axis grows to the south and the
/// second to the east, so NW has few ranks and few bytes. Quadrants with the same branches are joined by `||`, or by one comparison if they
/// make up a half. Three axes have octants, such as `NW low`, one axis has the halves `low` and `high`, and where no decision in a block
/// depends on an axis, the halves of the others remain, such as `N` and `S`. The decisions are those of `layout = "branches"`.
///
/// ```
/// #[qtdec::decision_map("examples/maps/bcast.json", max_depth = 2)]
/// const fn bcast(comm_size: usize, msg_size: usize) -> &'static str;
///
/// // The same, as the builder and the command print it:
/// const fn printed(comm_size: usize, msg_size: usize) -> &'static str {
///     if comm_size < 8 {
///         // N
///         if comm_size < 4 && msg_size < 1_048_576 {
///             // NW
///             "linear"
///         } else if msg_size >= 1_048_576 {
///             // NE, SE
///             "pipeline/131072"
///         } else {
///             // SW
///             if msg_size < 1024 {
///                 // W
///                 "linear"
///             } else {
///                 // E
///                 "binomial"
///             }
///         }
///     } else {
///         // S
///         if msg_size < 65_536 {
///             // NW, SW
///             "binomial"
///         } else if comm_size < 16 && msg_size >= 65_536 {
///             // NE
///             "pipeline/8192"
///         } else {
///             // SE
///             if msg_size < 1_048_576 {
///                 // W
///                 "pipeline/8192"
///             } else {
///                 // E
///                 "split_binary_tree/1000"
///             }
///         }
///     }
/// }
///
/// for (comm_size, msg_size) in [(3, 1), (4, 65_536), (8, 0), (16, 1 << 20)] {
///     assert_eq!(bcast(comm_size, msg_size), printed(comm_size, msg_size));
/// }
/// ```
///
/// Without `error`, the last quadrant is the `else`. With `error = "no quadrant"`, the last quadrant has its condition too, and
/// `else { panic!("{}", "no quadrant") }` follows: the one panic that qtdec writes. The conditions of a block cover all sizes, so it is
/// never reached.
///
/// # On an enum
///
/// An empty enum gets a variant for every method of one or several maps, together with `ALL` and `name()`. On request it also gets
/// `Display` and `FromStr` with the names, and `index()`, the position in `ALL`: `#[decision_map("…", display, from_str, index)]`. If a map is for a
/// collective, the enum also gets `algorithm()` and `segment_size()`. Place the attribute above the derives: those above it
/// see an enum without variants, which is an error for all but `Clone`, `Copy` and `Eq`.
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
/// The name of a variant comes from the name of its method. The method's name is split at characters that are neither
/// letters nor digits and between a lower-case and an upper-case letter. Each part is capitalised, and the segment size is
/// appended as in `8K`. The map can set a different variant name with `ident`.
///
/// # Before the first measurement
///
/// A program that measures its own methods cannot compile before its map exists. Begin with a placeholder, which has the methods and
/// axes of the map to come, chooses the first method everywhere, and is marked as unmeasured:
///
/// ```console
/// $ qtdec map --placeholder --methods simple,blocked --axes m,n -o maps/kernel.json
/// ```
///
/// `DecisionMap::placeholder` of `qtdec-build` makes the same from Rust. The documentation of the generated function says that nothing
/// was measured. So that a placeholder is never released, let the CI run a check that exits 3 for one:
///
/// ```console
/// $ qtdec check --measured maps/kernel.json
/// ```
///
/// # Errors
///
/// Errors in the file are reported at its path in the attribute, with their line and column in the file. Errors in the
/// signature are reported at the parameter or type. All errors are reported at once. The function stays declared, so code
/// that calls it does not cause further errors, even in constants.
pub use qtdec_macro::decision_map;

/// Decision functions in memory, for maps that arrive after compilation.
///
/// A program that receives maps itself uses the crate `qtdec-core` to turn a map into bytes once, and keeps the bytes:
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
/// The bytes can also be made by another program (`qtdec emit --target lookup-table`). Loading them needs only this crate.
#[cfg(feature = "lookup")]
pub use qtdec_lookup as lookup;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct PackageReadme;
