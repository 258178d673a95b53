//! The words in the name of a file that may name a machine.

use std::collections::BTreeSet;

use super::machines::{MACHINES, MONTHS, RUNS, words};
use crate::readers::has;
use crate::size::{is_digits, size};

/// Words for sizes, launches, parts of a day and outputs of programs in the names of files, apart from those of folders.
const PARTS: &str = "all am attempt axis bench benchmark comm err final gib kb kib large launch log long mb medium mib mpi msg one pm \
    rerun seg short size small tmp two";

/// Returns the words of a file's name that are not sizes, dates, numbers of runs or endings. Digits do not matter, unless they number
/// machines.
pub(super) fn telling(name: &str) -> BTreeSet<String> {
    let stem = match name.split_once('.') {
        Some((stem, endings)) if !stem.is_empty() => {
            let kept = endings.split('.').filter(|part| !is_ending(part));
            kept.fold(stem.to_owned(), |stem, part| format!("{stem}.{part}"))
        }
        _ => name.to_owned(),
    };
    let mut telling = BTreeSet::new();
    let words = words(&stem);
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let letters: String = word.chars().filter(|letter| letter.is_alphabetic()).collect();
        if has(MACHINES, &letters) {
            // `cluster1`, or `cluster_a`
            let number = if letters == *word { words.next().map(String::as_str) } else { None };
            telling.insert(format!("{word}{}", number.unwrap_or_default()));
        } else if is_version(word) {
            telling.insert(word.clone());
        } else if (letters.chars().count() > 1 || letters == *word || is_model(word))
            && size(word).is_none()
            && !is_hash(word)
            && ![RUNS, MONTHS, PARTS].iter().any(|known| has(known, &letters))
        {
            telling.insert(letters);
        }
    }
    telling
}

/// Returns whether a part of a name is the ending of a file: `csv`, `gz`, `o1234`.
fn is_ending(part: &str) -> bool {
    const ENDINGS: &str = "bak csv dat err gz json log old orig out tar tsv tgz txt xz zst";
    part.strip_prefix(['o', 'e']).is_some_and(|number| number.is_empty() || is_digits(number))
        || has(ENDINGS, &part.to_lowercase())
}

/// Returns whether a word is a letter before three digits or more, like models of devices: `a100`, `h100`.
fn is_model(word: &str) -> bool {
    word.strip_prefix(char::is_alphabetic).is_some_and(|digits| digits.len() >= 3 && is_digits(digits))
}

/// Returns whether a word is the number of a version: `v2`.
fn is_version(word: &str) -> bool {
    word.strip_prefix('v').is_some_and(is_digits)
}

/// Returns whether a word looks like the digits of a hash, which names a run.
fn is_hash(word: &str) -> bool {
    word.len() >= 6
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_runs_and_sizes_tell_nothing() {
        for (one, other) in [
            ("run1.csv", "run_2.csv"),
            ("bcast_np64_20250326T101112Z.txt", "bcast_np64_20250401T000000Z.txt"),
            ("times-2025-03-26.csv", "times-2025-04-01.csv.gz"),
            ("slurm-1406935.out", "slurm-1406936.out"),
            ("scatter.sh.o5328625", "scatter.sh.o5328630"),
            ("attempt-1.json", "attempt-2.json"),
            ("sonic_long_10", "sonic_short_10_2"),
            ("ring_64k.txt", "ring_4KiB.txt"),
            ("osu_4f3a9b2c.txt", "osu_77aa01ef.txt"),
        ] {
            assert_eq!(telling(one), telling(other), "{one} {other}");
        }
    }

    #[test]
    fn other_words_tell() {
        for (one, other) in [
            ("csi_10", "sonic_10"),
            ("before.json", "after.json"),
            ("bcast-with.csv", "bcast-without.csv"),
            ("old.json", "new.json"),
            ("test.txt", "control.txt"),
            ("lib_v1.csv", "lib_v2.csv"),
            ("a.csv", "b.csv"),
            ("cluster1_run1.csv", "cluster2_run1.csv"),
            ("cluster_a_run1.csv", "cluster_b_run1.csv"),
            ("results.csv", "results_aurora.csv"),
            ("results_mpich_polaris.csv", "results_custom_polaris.csv"),
            ("ring.lumi.txt", "ring.leonardo.txt"),
        ] {
            assert_ne!(telling(one), telling(other), "{one} {other}");
        }
    }
}
