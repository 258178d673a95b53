//! The variable `UCC_TL_UCP_TUNE` of UCC.
//!
//! ```text
//! UCC_TL_UCP_TUNE='allreduce:0-4095:host:[2-15]:inf:@knomial#allreduce:4096-inf:host:[2-15]:inf:@sra_knomial'
//!                  collectives:bytes:memory:team sizes:score:@algorithm#…
//! ```
//!
//! The grammar is in `docs/user_guide.md` and its interpretation in `src/coll_score` (main of August 2026, and 1.8), which was
//! read, but not run. Ranges may not overlap. A size at which one ends and another begins belongs to the second one unless the
//! first has the higher score. The layer with the highest score serves a call, and the layer UCP has 10 by default.

mod read;
mod rules;
mod token;

use std::fmt::Write as _;

use crate::catalogue::{Algorithm, Library, Release};
use qtdec_core::Problems;

use super::rectangles::{self, Rectangle};
use super::{
    Format, LibraryRules, MAX_INT, Switch, SwitchValue, Switches, Written, environment, notes, word,
};

/// The format of this variable.
pub const UCC: Format = Format {
    ending: "sh",
    releases: &[
        Release::new(1, 3),
        Release::new(1, 4),
        Release::new(1, 5),
        Release::new(1, 6),
        Release::new(1, 7),
        Release::new(1, 8),
    ],
    recognises: |beginning| !beginning.is_json() && beginning.holds("UCC_") && beginning.holds("_TUNE"),
    has_comments: true,
    unproven: Some(SOURCES),
    ..Format::new(
        ("ucc", "the variable UCC_TL_UCP_TUNE of UCC, as a job script sets it"),
        Library::Ucc,
        write,
        |bytes, _| Ok(Box::new(rules::Rules::new(bytes)?)),
        |bytes, release| read::read(bytes, release).1,
    )
};

fn write(all_rules: &[LibraryRules], into: Option<&[u8]>) -> Result<Written, Problems> {
    let mut notes = notes(all_rules);
    let mut tokens = Vec::new();
    for rules in all_rules {
        let name = word(Library::Ucc, rules)?;
        let rectangles = rectangles::covered(rules, INFINITY, &mut notes)?;
        notes.extend(too_narrow(rules, &rectangles));
        tokens.extend(written(name, &rectangles));
    }
    if let Some(bytes) = into {
        let ours: Vec<&str> = all_rules.iter().map(|rules| &*rules.collective).collect();
        let kept = read::others(bytes, &ours)?;
        if !kept.is_empty() {
            notes.push(format!("{} rules of other collectives are kept as they were", kept.len()));
            tokens.extend(kept);
        }
    }
    let value = tokens.join("#");
    let line = environment::set(VARIABLE, &value, Library::Ucc, &mut notes);
    let text = if value.is_empty() { line } else { format!("# written from {SOURCES}, not run\n{line}") };
    Ok(Written { text, notes, switches: switches() })
}

/// What the format was written from.
const SOURCES: &str = "the sources of UCC 1.8";

/// The variable of the layer whose algorithms are known.
const VARIABLE: &str = "UCC_TL_UCP_TUNE";

/// Returns the settings that make Open MPI call UCC, and UCC read the rules.
fn switches() -> Switches {
    let settings = vec![
        Switch::parameter("coll_ucc_enable", SwitchValue::Text("1")),
        Switch::parameter("coll_ucc_priority", SwitchValue::Text("100")),
    ];
    let remarks = [
        "put these lines into the job script before mpirun; the line of the file can replace the first one",
        "`ucc_info -A` lists the algorithms of an installation; UCC_LOG_LEVEL=info shows which ranges are \
             in effect",
    ];
    Switches { is_script: true, settings, remarks: remarks.map(str::to_owned).to_vec() }
}

/// A size larger than any buffer, which marks a range without an end.
const INFINITY: u64 = i64::MAX as u64;

/// Describes ranges of a single size. Such a range is written as one of two sizes, the second of which belongs to the next rule.
/// Without a next rule, it covers one size too many.
fn too_narrow(rules: &LibraryRules, rectangles: &[Rectangle<&'static Algorithm>]) -> Option<String> {
    let mut narrow =
        rectangles.iter().filter(|rectangle| rectangle.messages.start() == rectangle.messages.end());
    let first = narrow.find_map(|rectangle| {
        let first = rectangle.messages.end() + 1;
        let mut ranks = rules.bands.communicators().iter().map(|(from, _)| from.max(&1));
        let is_left = |ranks: &u64| rules.bands.get(*ranks, first).algorithm.is_none();
        ranks.any(|ranks| rectangle.communicators.contains(ranks) && is_left(ranks)).then_some(first)
    })?;
    Some(format!(
        "UCC has no ranges of a single size: messages of {first} bytes, and maybe others, are not left to UCC"
    ))
}

/// Returns the rules of a collective; those of equal teams and algorithms are merged.
fn written(name: &str, rectangles: &[Rectangle<&'static Algorithm>]) -> Vec<String> {
    let mut tokens: Vec<(String, Vec<String>)> = Vec::new();
    for Rectangle { communicators, messages, holds } in rectangles {
        let open = |end: u64, greatest: u64| if end >= greatest { "inf".to_owned() } else { end.to_string() };
        let (from, upto) = (*messages.start(), *messages.end());
        let messages = format!("{from}-{}", open(upto.max(from + 1), INFINITY));
        let (from, upto) = (*communicators.start(), *communicators.end());
        let mut rest = "host:".to_owned();
        if (from, upto) != (1, MAX_INT) {
            let _ = write!(rest, "[{from}-{}]:", open(upto, MAX_INT));
        }
        let _ = write!(rest, "inf:@{}", holds.name);
        match tokens.iter_mut().find(|(known, _)| *known == rest) {
            Some((_, ranges)) => ranges.push(messages),
            None => tokens.push((rest, vec![messages])),
        }
    }
    let token = |(rest, ranges): (String, Vec<String>)| match &ranges[..] {
        [all] if all == "0-inf" => format!("{name}:{rest}"),
        ranges => format!("{name}:{}:{rest}", ranges.join(",")),
    };
    tokens.into_iter().map(token).collect()
}
