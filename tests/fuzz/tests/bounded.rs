//! Every body of a fuzz target on its seeds, and on seeds in which proptest replaces a part.

use std::fs;
use std::path::Path;
use std::thread;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use qtdec_fuzz_bodies::BODIES;
use qtdec_testkit::sample::one_in;

/// The number of changed seeds for each body.
const CHANGED: u32 = 1000;

/// Returns the seeds of a target.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.collect();
    files.sort();
    assert!(!files.is_empty(), "there are no seeds for {target}");
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Replaces up to 24 bytes at a place.
fn changed(mut bytes: Vec<u8>, place: Index, length: usize, other: &[u8]) -> Vec<u8> {
    let start = place.index(bytes.len() + 1);
    let end = (start + length).min(bytes.len());
    drop(bytes.splice(start..end, other.iter().copied()));
    bytes
}

/// Runs a body on its seeds and on changed ones.
fn hold(name: &str, body: fn(&[u8])) {
    let seeds = seeds(name);
    for seed in &seeds {
        body(seed);
    }
    let input = (any::<Index>(), any::<Index>(), 0..24_usize, vec(any::<u8>(), 0..24));
    let input = input
        .prop_map(|(seed, place, length, other)| changed(seed.get(&seeds).clone(), place, length, &other));
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(CHANGED / one_in::<u32>(8))
    };
    let held = TestRunner::new(config).run(&input, |input| {
        body(&input);
        Ok(())
    });
    held.unwrap_or_else(|fault| panic!("{name}: {fault}"));
}

#[test]
fn bodies_hold_on_seeds_and_changed_seeds() {
    thread::scope(|scope| {
        for (name, body) in BODIES {
            scope.spawn(move || hold(name, body));
        }
    });
}
