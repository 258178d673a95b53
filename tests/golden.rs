//! What is generated, read by people and held to the interpreter.
//!
//! Beside each map of `golden/` stands the file that a build script generates from it. The test writes them anew with
//! `SNAPSHOTS=overwrite`, this file compiles them without a warning, and every function is proved equal to its tree.

use std::fs;
use std::path::{Path, PathBuf};

use qtdec_build::Style;
use qtdec_core::{Document, Options};
use snapbox::{Data, assert_data_eq};

mod common;

use common::prove;

/// Every file, as strict a reader as there is.
#[deny(warnings, missing_docs, unused_qualifications, clippy::pedantic, clippy::nursery)]
pub mod golden {
    macro_rules! files {
        ($($(#[$docs:meta])* $name:ident),* $(,)?) => {
            $(
                $(#[$docs])*
                pub mod $name {
                    include!(concat!("golden/", stringify!($name), ".rs"));
                }
            )*
            pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];
        };
    }

    files! {
        /// One axis.
        barrier,
        /// Segment sizes.
        bcast,
        /// One region.
        constant,
        /// Two diagonals, one condition.
        diagonal,
        /// Samples at the ends of what a size can be.
        edges,
        /// A `bool` and a size, whose name is not in snake case.
        flag_and_size,
        /// Two of `bool`.
        flags,
        /// One diagonal.
        half_diagonal,
        /// Labels, given by an enum and a `bool`.
        labels,
        /// More leaves than a function may have.
        large,
        /// Not everywhere measured.
        partial,
        /// Measured on a real machine.
        polaris,
        /// A tree, not a map.
        polaris_tree,
        /// Octants.
        three_axes,
    }
}

fn maps() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut maps: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    maps.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    maps.sort();
    maps
}

#[test]
fn the_generated_files_are_those_that_stand_here() {
    for path in maps() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let document = Document::from_json(&fs::read(&path).unwrap()).unwrap();
        let tree = Options::parse::<&str>(&[]).unwrap().tree(document).unwrap();
        let style = Style { optional: !tree.is_total(), ..Style::named(&name) };
        let generated = style.file(&tree, &format!("{name}.json")).unwrap();
        assert_data_eq!(generated, Data::read_from(&path.with_extension("rs"), None).raw());
    }
}

#[test]
fn every_generated_file_is_compiled() {
    let names: Vec<String> =
        maps().iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    for name in &names {
        assert!(golden::NAMES.contains(&&**name), "{name}.rs stands in no module of this file");
    }
    assert_eq!(names.len(), golden::NAMES.len());
}

#[test]
fn every_generated_function_is_its_tree() {
    let size = |size: u64| usize::try_from(size).unwrap();
    prove("barrier", |q| Some(golden::barrier::barrier(size(q[0])).name()));
    prove("bcast", |q| Some(golden::bcast::bcast(size(q[0]), size(q[1])).name()));
    prove("constant", |q| Some(golden::constant::constant(size(q[0]), size(q[1])).name()));
    prove("diagonal", |q| Some(golden::diagonal::diagonal(size(q[0]), size(q[1])).name()));
    prove("edges", |q| Some(golden::edges::edges(size(q[0]), size(q[1])).name()));
    prove("flag_and_size", |q| Some(golden::flag_and_size::flag_and_size(q[0] == 1, size(q[1])).name()));
    // The first label is called `true`.
    prove("flags", |q| Some(golden::flags::flags(q[0] == 0, q[1] == 1).name()));
    prove("half_diagonal", |q| Some(golden::half_diagonal::half_diagonal(size(q[0]), size(q[1])).name()));
    prove("large", |q| Some(golden::large::large(size(q[0]), size(q[1])).name()));
    prove("partial", |q| golden::partial::partial(size(q[0]), size(q[1])).map(|method| method.name()));
    prove("polaris", |q| Some(golden::polaris::polaris(size(q[0]), size(q[1])).name()));
    prove("polaris_tree", |q| Some(golden::polaris_tree::polaris_tree(size(q[0]), size(q[1])).name()));
    prove("three_axes", |q| Some(golden::three_axes::three_axes(size(q[0]), size(q[1]), size(q[2])).name()));
    prove("labels", |q| {
        use golden::labels::Collective::{AllReduce, Bcast, Reduce};
        let collective = [Bcast, Reduce, AllReduce][size(q[0])];
        Some(golden::labels::labels(collective, q[1] == 1, size(q[2])).name())
    });
}

#[test]
fn the_methods_tell_what_they_are() {
    use golden::bcast::Bcast;
    assert_eq!(Bcast::ALL.len(), 5);
    let method = Bcast::Pipeline8K;
    assert_eq!(
        (method.name(), method.algorithm(), method.segment_size()),
        ("pipeline/8192", "pipeline", Some(8192))
    );
    assert_eq!((Bcast::Linear.name(), Bcast::Linear.segment_size()), ("linear", None));
}
