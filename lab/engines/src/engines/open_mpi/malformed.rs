//! Malformed rules files.

use std::ops::RangeInclusive;

use qtdec_mpi_library::catalogue::open_mpi::COLLECTIVES;
use qtdec_mpi_library::tuning::Severity;
use qtdec_mpi_library::tuning::open_mpi::{Numbers, check, read};
use qtdec_testkit::maps::TestRng;

use super::maps::number;
use super::script::Script;

/// The number of files.
pub(super) const MUTATIONS: u64 = 10_000;

/// Queries malformed files: the check must know which of them are accepted, and what those then decide.
pub(super) fn mutated(script: &mut Script<'_>, texts: &[String]) -> Result<(), String> {
    let mut chance = TestRng(42);
    let short: Vec<&String> = texts.iter().filter(|text| text.len() < 4000).collect();
    for _ in 0..MUTATIONS {
        let text = short[chance.below(short.len() as u64) as usize];
        let mut bytes = mutated_bytes(text.as_bytes(), &mut chance);
        while must_not_be_read(&bytes) {
            bytes = mutated_bytes(text.as_bytes(), &mut chance);
        }
        let findings = check(&bytes, None);
        let accepted = findings.iter().all(|finding| finding.severity != Severity::Dropped);
        script.file(&bytes, accepted)?;
        let Ok(rules) = read(&bytes) else { continue };
        for _ in 0..4 {
            let known = &COLLECTIVES[chance.below(COLLECTIVES.len() as u64) as usize];
            let (ranks, size) = (chance.below(80), chance.below(12_000));
            let rule = rules.look_up(known.name, ranks, size);
            let (algorithm, fan_out, segment) = rule.map_or((0, 0, 0), |(_, message)| message.setting());
            script.expect(number(known), ranks, size, &format!("{algorithm} {fan_out} {segment}"));
        }
    }
    Ok(())
}

/// Returns whether the engine must not be called with this file.
///
/// It allocates memory for all rules that a count announces before it reads them. A count beyond 32 bits makes it write outside of that
/// memory, with undefined results; one of many millions, which only a file that it drops can have, takes all memory of the machine.
fn must_not_be_read(bytes: &[u8]) -> bool {
    const RULES: RangeInclusive<i64> = 10_000_000..=i32::MAX as i64;
    match read(bytes) {
        Ok(_) => false,
        Err(rejected) if rejected.is_unsafe => true,
        Err(_) => Numbers::new(bytes, 0).any(|number| RULES.contains(&number.value)),
    }
}

fn mutated_bytes(text: &[u8], chance: &mut TestRng) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=chance.below(3) {
        let at = chance.below(bytes.len() as u64) as usize;
        match chance.below(8) {
            0 => bytes[at] = chance.below(256) as u8,
            1 => bytes.insert(at, b"0123456789"[chance.below(10) as usize]),
            2 => bytes.insert(at, b" -+x#,.\n"[chance.below(8) as usize]),
            3 => drop(bytes.remove(at)),
            4 => bytes.truncate(at.max(1)),
            5 => {
                let piece = bytes[at..(at + 12).min(bytes.len())].to_vec();
                let to = chance.below(bytes.len() as u64) as usize;
                bytes.splice(to..to, piece);
            }
            6 => drop(bytes.splice(at..at, *b" 99999999999999999999 ")),
            _ => drop(bytes.splice(at..at, *b" 4294967298 ")),
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
    bytes
}
