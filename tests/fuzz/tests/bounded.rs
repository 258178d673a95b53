//! Every body of a fuzz target on the seeds, and on mutations of them that are the same in every run.

use std::fs;
use std::path::Path;

use qtdec_fuzz_bodies::BODIES;
use qtdec_testkit::maps::TestRng;

/// How many mutations of each seed there are.
const MUTATIONS: usize = 200;

/// What parsers look for, and what they may not expect.
const PIECES: [&[u8]; 12] = [
    b"\"",
    b"{",
    b"}",
    b"[",
    b",",
    b"0",
    b"-1",
    b"18446744073709551616",
    b"1e999",
    b"\xFF",
    b"\0",
    b"\xE2\x80\xAE",
];

#[test]
fn bodies_hold_on_seeds_and_mutations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    for (name, body) in BODIES {
        let mut seeds: Vec<_> = fs::read_dir(folder.join(name))
            .unwrap_or_else(|error| panic!("there are no seeds for {name}: {error}"))
            .map(|entry| entry.expect("a folder can be read").path())
            .collect();
        seeds.sort();
        assert!(!seeds.is_empty(), "{name}");
        let mut chance = TestRng(1);
        for seed in seeds {
            let seed = fs::read(seed).expect("a seed can be read");
            body(&seed);
            for _ in 0..MUTATIONS {
                body(&mutated(&seed, &mut chance));
            }
        }
    }
}

fn mutated(seed: &[u8], chance: &mut TestRng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=chance.below(4) {
        let at = chance.below(bytes.len() as u64 + 1) as usize;
        let end = (at + chance.below(24) as usize).min(bytes.len());
        match chance.below(5) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = PIECES[chance.below(PIECES.len() as u64) as usize];
                bytes.splice(at..at, piece.iter().copied());
            }
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = chance.below(bytes.len() as u64 + 1) as usize;
                bytes.splice(to..to, piece);
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << chance.below(8);
                }
            }
        }
    }
    bytes
}
