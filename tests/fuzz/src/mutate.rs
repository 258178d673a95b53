//! Inputs derived from seeds, which are the same in every run.

use std::fs;
use std::path::Path;

/// Texts that parsers look for, or may not expect.
const PIECES: [&[u8]; 24] = [
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
    b"]",
    b":",
    b"\n",
    b" ",
    b"#",
    b"=",
    b"4294967295",
    b"2147483648",
    b"1e-300",
    b"null",
    b"\x1B[31m",
    b"[[[[[[[[[[[[[[[[",
];

/// The maximum length of an input.
const LONGEST: usize = 1 << 14;

/// The seeds of a target.
pub struct Seeds(Vec<Vec<u8>>);

impl Seeds {
    /// Reads the seeds of a target.
    ///
    /// # Panics
    ///
    /// Panics if there are none.
    pub fn for_target(target: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
        let mut files: Vec<_> = fs::read_dir(folder)
            .unwrap_or_else(|error| panic!("there are no seeds for {target}: {error}"))
            .map(|entry| entry.expect("a folder can be read").path())
            .collect();
        files.sort();
        assert!(!files.is_empty(), "there are no seeds for {target}");
        Self(files.iter().map(|file| fs::read(file).expect("a seed can be read")).collect())
    }

    /// Returns the input with this number: first the seeds themselves, then mutations of them.
    pub fn input(&self, number: u64) -> Vec<u8> {
        let seeds = self.0.len() as u64;
        let mut bytes = self.0[(number % seeds) as usize].clone();
        if number < seeds {
            return bytes;
        }
        let mut rng = TestRng(number);
        for _ in 0..=rng.below(6) {
            self.mutate(&mut bytes, &mut rng);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn mutate(&self, bytes: &mut Vec<u8>, rng: &mut TestRng) {
        let at = rng.index(bytes.len() + 1);
        let end = (at + rng.index(24)).min(bytes.len());
        match rng.below(8) {
            0 if rng.below(4) == 0 => bytes.truncate(at),
            0 | 1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, PIECES[rng.index(PIECES.len())].iter().copied())),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = rng.index(bytes.len() + 1);
                drop(bytes.splice(to..to, piece));
            }
            4 => {
                let other = &self.0[rng.index(self.0.len())];
                let from = rng.index(other.len() + 1);
                let to = (from + rng.index(200)).min(other.len());
                drop(bytes.splice(at..end, other[from..to].iter().copied()));
            }
            5 => {
                let digits = (at..bytes.len()).find(|&at| bytes[at].is_ascii_digit());
                if let Some(first) = digits {
                    let last =
                        (first..bytes.len()).find(|&at| !bytes[at].is_ascii_digit()).unwrap_or(bytes.len());
                    drop(bytes.splice(first..last, PIECES[rng.index(PIECES.len())].iter().copied()));
                }
            }
            6 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = rng.below(256) as u8;
                }
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << rng.below(8);
                }
            }
        }
    }
}

/// Random numbers: `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
struct TestRng(u64);

impl TestRng {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }

    fn index(&mut self, end: usize) -> usize {
        self.below(end as u64) as usize
    }
}
