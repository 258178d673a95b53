//! Compiled functions that are timed: they decide as their trees do, whatever the axes.

use std::cell::RefCell;
use std::ffi::OsString;

use qtdec_core::code::Layout;
use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionTree};
use qtdec_testkit::maps::{Pattern, Plan};
use qtdec_tune::study::timing::{self, Asked, Compiled, Fault, Loadable};

fn rustc() -> OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

fn tree(shape: &[usize], nulls: u64) -> DecisionTree {
    let map = Plan { nulls, ..Plan::new(shape, Pattern::Noise, 7) }.map();
    encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap()
}

#[test]
fn compiled_functions_answer_for_their_trees() {
    for shape in [&[9][..], &[6, 7], &[3, 4, 5]] {
        let trees = [tree(shape, 0), tree(shape, 30)];
        let queries = timing::queries(trees[0].domain(), Asked::Grid, 1).unwrap();
        let functions: Vec<_> =
            trees.iter().flat_map(|tree| Layout::ALL.map(|(_, layout)| (tree, layout))).collect();
        let asked = [&queries[..], &queries[..100]];
        let (program, written) = Compiled::build(&rustc(), &functions, &asked).unwrap();
        assert_eq!(written, vec![true; functions.len()], "{shape:?}");
        let program = RefCell::new(program);
        let loaded = Loadable::of(&trees[0]).unwrap();
        // A round fails where the decisions of function and tree do not add up alike.
        let rounds = (0..functions.len()).flat_map(|function| [(function, 0), (function, 1)]);
        let rounds = rounds.map(|(function, asked)| timing::round_of_compiled(&program, function, asked));
        let mut rounds: Vec<_> = rounds.collect();
        rounds.push(loaded.round(&queries));
        let times = timing::in_turn(&mut rounds, 3).unwrap();
        assert_eq!((times.len(), times[0].len()), (2 * functions.len() + 1, 3));
        assert!(times.iter().flatten().all(|time| *time > 0.0), "{times:?}");
    }
}

#[test]
fn a_compiler_that_cannot_be_run_or_fails_is_told() {
    let tree = tree(&[3, 3], 0);
    let queries = timing::queries(tree.domain(), Asked::Grid, 1).unwrap();
    let build = |rustc: OsString| {
        let built = Compiled::build(&rustc, &[(&tree, Layout::Branches)], &[&queries]);
        built.map(|_| ()).unwrap_err()
    };
    let fault = build("./no-such-compiler".into());
    assert!(matches!(fault, Fault::NoCompiler(..)));
    assert!(
        fault.to_string().starts_with("the Rust compiler `./no-such-compiler` cannot be run: "),
        "{fault}"
    );
    // Any program that takes no such options.
    let fault = build(std::env::current_exe().unwrap().into());
    assert!(matches!(fault, Fault::NotCompiled(_)), "{fault}");
}
