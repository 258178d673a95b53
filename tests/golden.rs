//! Generated code, for review by people and compared with the interpreter.
//!
//! Next to each map of `golden/` is the file that a build script generates from it; each layout that is not the default has a folder with
//! one file. `SNAPSHOTS=overwrite` rewrites them. This file compiles them without warnings, and every function
//! is proved equal to its tree.

use std::fs;
use std::path::{Path, PathBuf};

use qtdec_build::{EnumItem, ItemOptions};
use qtdec_core::code::{LayoutChoice, layouts};
use qtdec_core::{Document, Options};
use snapbox::{Data, assert_data_eq};

mod common;

macro_rules! files {
    ($folder:literal: $($(#[$docs:meta])* $name:ident),* $(,)?) => {
        $(
            $(#[$docs])*
            pub mod $name {
                include!(concat!($folder, stringify!($name), ".rs"));
            }
        )*
        #[cfg(test)]
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

/// The files of the default layout, the quadrants, compiled with the strictest lints.
#[deny(warnings, missing_docs, unused_qualifications, clippy::pedantic, clippy::nursery)]
pub mod quadrants {
    files! {
        "golden/":
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
        /// Two parameters of type `bool`.
        flags,
        /// Methods that may not run everywhere.
        guarded,
        /// One diagonal.
        half_diagonal,
        /// Labels, given by an enum and a `bool`.
        labels,
        /// Seven different conditions, of which some decide others.
        many_guarded,
        /// No method that may run everywhere.
        only_guarded,
        /// Cells without measurements.
        partial,
        /// Measured on a real machine.
        polaris,
        /// A tree, not a map.
        polaris_tree,
        /// Octants.
        three_axes,
        /// Names in letters beyond ASCII, and labels of which the first means `true`.
        words,
    }

    #[test]
    fn every_file_is_compiled() {
        let maps = crate::maps();
        let names = maps.iter().map(|path| path.file_stem().unwrap().to_str().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), NAMES);
    }

    #[test]
    fn every_function_is_its_tree() {
        use crate::{prove, size};
        prove("barrier", |q| Some(barrier::barrier(size(q[0])) as usize));
        prove("bcast", |q| Some(bcast::bcast(size(q[0]), size(q[1])) as usize));
        prove("constant", |q| Some(constant::constant(size(q[0]), size(q[1])) as usize));
        prove("diagonal", |q| Some(diagonal::diagonal(size(q[0]), size(q[1])) as usize));
        prove("edges", |q| Some(edges::edges(size(q[0]), size(q[1])) as usize));
        prove("flag_and_size", |q| Some(flag_and_size::flag_and_size(q[0] == 1, size(q[1])) as usize));
        // The first label means `true`.
        prove("flags", |q| Some(flags::flags(q[0] == 0, q[1] == 1) as usize));
        prove("guarded", |q| Some(guarded::guarded(size(q[0]), size(q[1])) as usize));
        prove("many_guarded", |q| Some(many_guarded::many_guarded(size(q[0]), size(q[1])) as usize));
        prove("only_guarded", |q| only_guarded::only_guarded(size(q[0])).map(|method| method as usize));
        prove("words", |q| Some(words::words(q[0] == 0, q[1] == 0, size(q[2])) as usize));
        prove("half_diagonal", |q| Some(half_diagonal::half_diagonal(size(q[0]), size(q[1])) as usize));
        prove("partial", |q| partial::partial(size(q[0]), size(q[1])).map(|method| method as usize));
        prove("polaris", |q| Some(polaris::polaris(size(q[0]), size(q[1])) as usize));
        prove("polaris_tree", |q| Some(polaris_tree::polaris_tree(size(q[0]), size(q[1])) as usize));
        prove("three_axes", |q| Some(three_axes::three_axes(size(q[0]), size(q[1]), size(q[2])) as usize));
        prove("labels", |q| {
            use labels::Collective::{AllReduce, Bcast, Reduce};
            let collective = [Bcast, Reduce, AllReduce][size(q[0])];
            Some(labels::labels(collective, q[1] == 1, size(q[2])) as usize)
        });
    }
}

/// One map in each other layout.
#[deny(warnings, missing_docs, unused_qualifications, clippy::pedantic, clippy::nursery)]
pub mod others {
    /// Nested branches.
    pub mod branches {
        include!("golden/branches/bcast.rs");
    }
    /// A table.
    pub mod table {
        include!("golden/table/bcast.rs");
    }
    /// Selections.
    pub mod select {
        include!("golden/select/bcast.rs");
    }

    #[test]
    fn every_function_is_its_tree() {
        use crate::{prove, size};
        prove("bcast", |q| Some(branches::bcast(size(q[0]), size(q[1])) as usize));
        prove("bcast", |q| Some(table::bcast(size(q[0]), size(q[1])) as usize));
        prove("bcast", |q| Some(select::bcast(size(q[0]), size(q[1])) as usize));
    }
}

/// The borders of the recorded functions are samples, which are easy to find in the text.
const FLOOR: &[(&str, &str)] = &[("borders", "floor")];

/// Proves that a function returns the variants of the methods that the tree of a map chooses. Variants are in the order of the map.
fn prove(map: &str, position: impl Fn(&[u64]) -> Option<usize>) {
    let document = Document::from_json(&fs::read(golden(map)).unwrap()).unwrap();
    let labels: Vec<String> = document.domain().methods().iter().map(qtdec_core::Method::label).collect();
    let decided = |query: &[u64]| position(query).map(|position| &*labels[position]);
    match document {
        Document::Map(_) => common::prove_up_to(map, FLOOR, u64::MAX, decided),
        Document::Tree(_) => common::prove(map, decided),
    }
}

fn size(size: u64) -> usize {
    usize::try_from(size).unwrap()
}

fn maps() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut maps: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    // Nobody reads a file of two thousand lines; `layouts.rs` proves its functions.
    maps.retain(|path| {
        path.extension().is_some_and(|extension| extension == "json") && !path.ends_with("large.json")
    });
    maps.sort();
    maps
}

fn golden(map: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(map).with_extension("json")
}

/// Returns the items of the enum for a map: all of them for one, and none for the others.
fn requested(map: &str) -> Vec<EnumItem> {
    let all = EnumItem::ALL.into_iter().map(|(_, item)| item);
    if map == "bcast" { all.collect() } else { Vec::new() }
}

/// Generates the file for a map, and compares it with the recorded one.
fn compare(map: &Path, layout: LayoutChoice, recorded: &Path) {
    let name = map.file_stem().unwrap().to_string_lossy().into_owned();
    let document = Document::from_json(&fs::read(map).unwrap()).unwrap();
    let options = if matches!(document, Document::Map(_)) { FLOOR } else { &[] };
    let tree = Options::parse(options).unwrap().tree(document).unwrap();
    let enum_items = requested(&name);
    let style = ItemOptions { optional: !tree.is_total(), layout, enum_items, ..ItemOptions::named(&name) };
    let text = style.file(&tree, &format!("{name}.json")).unwrap();
    assert_data_eq!(text, Data::read_from(recorded, None).raw());
}

#[test]
fn the_generated_files_are_the_recorded_ones() {
    for map in maps() {
        compare(&map, LayoutChoice::default(), &map.with_extension("rs"));
    }
    let bcast = golden("bcast");
    for &layout in layouts().iter().filter(|layout| layout.name() != LayoutChoice::QUADRANTS.name()) {
        let recorded = bcast.with_file_name(layout.name()).join("bcast.rs");
        compare(&bcast, LayoutChoice::Fixed(layout), &recorded);
    }
}

/// The papers' last `else` compiles in a `const fn`.
#[expect(unreachable_pub, reason = "a generated file is public by default")]
mod with_the_papers_error {
    include!("golden/error/bcast.rs");

    const _: u8 = bcast(1, 1);
}

#[test]
fn the_function_with_the_papers_error_is_the_recorded_one() {
    let map = golden("bcast");
    let tree = Options::parse::<&str>(&[]).unwrap();
    let tree = tree.tree(Document::from_json(&fs::read(&map).unwrap()).unwrap()).unwrap();
    let error = Some("no quadrant".to_owned());
    let layout = LayoutChoice::QUADRANTS;
    let style = ItemOptions { layout, error, returns: Some("u8".to_owned()), ..ItemOptions::named("bcast") };
    let text = style.file(&tree, "bcast.json").unwrap();
    assert_data_eq!(text, Data::read_from(&map.with_file_name("error").join("bcast.rs"), None).raw());
}

#[test]
fn methods_of_the_enum_return_its_properties() {
    use quadrants::bcast::Bcast;
    assert_eq!(Bcast::ALL.len(), 5);
    let method = Bcast::Pipeline8K;
    assert_eq!(
        (method.name(), method.algorithm(), method.segment_size()),
        ("pipeline/8192", "pipeline", Some(8192))
    );
    assert_eq!((Bcast::Linear.name(), Bcast::Linear.segment_size()), ("linear", None));
    assert_eq!((method.index(), method.to_string().parse()), (2, Ok(method)));
}
