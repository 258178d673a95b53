//! The CSV of NCCL's example tuner plugin, which RCCL also has, and that RCCL reads by itself.
//!
//! The first matching row is taken, byte ranges include both ends, and numbers of nodes and ranks are exact or -1. The sources
//! were read, but not run: there is no GPU here.

mod check;
mod read;
mod reader;

use std::fmt::Write as _;

use crate::catalogue::Library;
use qtdec_core::{Place, Problem, Problems};

use super::bands::{last_from, ranges};
use super::{Format, LibraryRules, Setting, Written, notes, word};
use reader::Reader;

/// The table of the example tuner plugin.
pub const PLUGIN: Format = Format {
    // The first line begins with the name of a collective and a comma in both tables.
    recognises: |beginning| {
        let first = beginning.first_line().split(|byte| *byte == b',').next().unwrap_or_default();
        Library::Nccl.collectives().iter().any(|collective| first == collective.word.as_bytes())
    },
    has_comments: true,
    unproven: Some(Reader::Plugin.sources()),
    ..Format::new(
        ("nccl", "a table of the example tuner plugin of NCCL and RCCL"),
        Library::Nccl,
        |rules, into| write(Reader::Plugin, rules, into),
        |bytes, job| Ok(Box::new(read::rules(Reader::Plugin, bytes, job))),
        |bytes, _| check::check(Reader::Plugin, bytes),
    )
};

/// The table that RCCL reads by itself.
pub const BUILT_IN: Format = Format {
    has_comments: true,
    unproven: Some(Reader::BuiltIn.sources()),
    ..Format::new(
        ("rccl", "a table of the tuner that RCCL contains"),
        Library::Nccl,
        |rules, into| write(Reader::BuiltIn, rules, into),
        |bytes, job| Ok(Box::new(read::rules(Reader::BuiltIn, bytes, job))),
        |bytes, _| check::check(Reader::BuiltIn, bytes),
    )
};

fn write(reader: Reader, all_rules: &[LibraryRules], into: Option<&[u8]>) -> Result<Written, Problems> {
    let mut notes = notes(all_rules);
    let mut text = format!(
        "# written from {}, not run\n# collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks\n",
        reader.sources()
    );
    for rules in all_rules {
        let rows = rows(reader, rules)?;
        notes.push(format!(
            "{}: {} rows, each for one number of ranks{}",
            rules.collective,
            rows.lines().count(),
            if rules.by_ranks_per_node.is_empty() { "" } else { " and nodes, all with as many ranks" }
        ));
        text.push_str(&rows);
    }
    let kept = into.map(|bytes| read::others(reader, bytes, all_rules)).unwrap_or_default();
    if !kept.is_empty() {
        notes.push(format!("{} rows of other collectives are kept as they were", kept.lines().count()));
        text.push_str(&kept);
    }
    Ok(Written { text, notes, switches: reader.switches() })
}

/// The greatest size: the upper end of an unbounded range.
const END: u64 = i64::MAX as u64;

fn rows(reader: Reader, rules: &LibraryRules) -> Result<String, Problem> {
    let name = word(Library::Nccl, rules)?;
    let mut text = String::new();
    match (&rules.by_ranks_per_node[..], rules.bands.communicators()) {
        ([], [(_, messages)]) => row((reader, name), messages, ("-1", "-1"), &mut text)?,
        ([], _) => {
            for ranks in 2..=rules.largest {
                row((reader, name), rules.bands.messages(ranks), ("-1", &ranks.to_string()), &mut text)?;
            }
        }
        (levels, _) => {
            for on_a_node in 1..=rules.largest_on_a_node {
                let (_, bands) = last_from(levels, on_a_node);
                for nodes in (1..=rules.largest / on_a_node).filter(|nodes| nodes * on_a_node > 1) {
                    let ranks = nodes * on_a_node;
                    let placement = (&*nodes.to_string(), &*ranks.to_string());
                    row((reader, name), bands.messages(ranks), placement, &mut text)?;
                }
            }
        }
    }
    Ok(text)
}

fn row(
    (reader, name): (Reader, &str),
    messages: &[(u64, Setting)],
    (nodes, ranks): (&str, &str),
    text: &mut String,
) -> Result<(), Problem> {
    for (from, upto, setting) in ranges(messages) {
        let Some((algorithm, protocol)) = setting.algorithm.and_then(|pair| pair.name.rsplit_once('_'))
        else {
            continue;
        };
        if !reader.algorithms().contains(&algorithm) {
            let message =
                format!("RCCL does not run `{algorithm}_{protocol}`: rows that name it have no effect");
            let help = format!("exclude it: RCCL runs {}", reader.algorithms().join(" and "));
            return Err(Problem::new(Place::File, message).help(help));
        }
        let upto = upto.unwrap_or(END);
        let channels = setting
            .channels
            .map_or_else(|| reader.own_channels().to_owned(), |channels| channels.to_string());
        let _ = writeln!(text, "{name},{from},{upto},{algorithm},{protocol},{channels},{nodes},{ranks}");
    }
    Ok(())
}
