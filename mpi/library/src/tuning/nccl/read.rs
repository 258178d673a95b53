//! Reading of the table as the plugin and RCCL do it.

use std::ops::RangeInclusive;

use crate::catalogue::Library;
use qtdec_core::Place;

use super::PLUGIN;
use super::reader::{ALGORITHMS, PROTOCOLS, Reader};
use crate::tuning::rule_set::{Rule, Rules};
use crate::tuning::{Decision, Job, LibraryRules};

/// An accepted row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TunerLine {
    /// The offset of the row in the file.
    pub(super) offset: usize,
    /// MPI's name.
    pub(super) collective: &'static str,
    /// The minimum and the maximum size.
    pub(super) bytes: (u64, u64),
    /// The algorithm and protocol, as one name.
    pub(super) name: String,
    pub(super) channels: i64,
    pub(super) nodes: i64,
    pub(super) ranks: i64,
    pub(super) pipelined: i64,
    pub(super) registered: i64,
}

/// Returns the lines that hold rows, with their offsets.
pub(super) fn lines(reader: Reader, bytes: &[u8]) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut offset = 0;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let start = offset;
        offset += line.len();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").filter(|_| reader.trims_lines()).unwrap_or(line);
        (start, String::from_utf8_lossy(line).into_owned())
    });
    lines.filter(move |(_, line)| {
        let text = if reader.trims_lines() { line.trim_start() } else { line };
        !text.is_empty() && !text.starts_with('#')
    })
}

/// Returns the fields of a line without empty ones.
pub(super) fn fields(line: &str) -> Vec<&str> {
    line.split(',')
        .filter(|field| !field.is_empty())
        .map(|field| field.trim_matches([' ', '\t']))
        .take(10)
        .collect()
}

/// Returns the row of a line, or `None` if it is skipped: if it has too few fields, or unknown names or blank fields that the plugin
/// replaces by defaults.
pub(super) fn row(reader: Reader, offset: usize, line: &str) -> Option<TunerLine> {
    let fields = fields(line);
    let [collective, least, greatest, algorithm, protocol, channels, nodes, ranks, rest @ ..] = &fields[..]
    else {
        return None;
    };
    let known = Library::Nccl.collective_by_word(collective);
    let has_names = known.is_some() && ALGORITHMS.contains(algorithm) && PROTOCOLS.contains(protocol);
    if reader.skips_unknown_names() && (!has_names || fields.contains(&"")) {
        return None;
    }
    let algorithm = if ALGORITHMS.contains(algorithm) { algorithm } else { "ring" };
    let protocol = if PROTOCOLS.contains(protocol) { protocol } else { "simple" };
    let optional = |index: usize| rest.get(index).map_or(-1, |field| whole(field));
    Some(TunerLine {
        offset,
        collective: known.map_or("allreduce", |known| known.name),
        bytes: (size(least), size(greatest)),
        name: format!("{algorithm}_{protocol}"),
        channels: whole(channels),
        nodes: whole(nodes),
        ranks: whole(ranks),
        pipelined: optional(0),
        registered: optional(1),
    })
}

/// Parses a number like C's `atoi`.
fn whole(text: &str) -> i64 {
    let (sign, digits) =
        text.strip_prefix('-').map_or((1, text.trim_start_matches('+')), |digits| (-1, digits));
    i64::try_from(size(digits)).unwrap_or(i64::MAX) * sign
}

/// Parses digits like C's `strtoull`.
fn size(text: &str) -> u64 {
    let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    match &text[..end] {
        "" => 0,
        digits => digits.parse().unwrap_or(u64::MAX),
    }
}

/// Returns the lines of a file that are for none of these collectives.
pub(super) fn others(reader: Reader, bytes: &[u8], all_rules: &[LibraryRules]) -> String {
    let is_other = |row: &TunerLine| !all_rules.iter().any(|rules| rules.collective == row.collective);
    let is_kept =
        |(offset, line): &(usize, String)| row(reader, *offset, line).is_some_and(|row| is_other(&row));
    let kept = lines(reader, bytes).filter(is_kept);
    kept.map(|(_, line)| line + "\n").collect()
}

/// Returns the rows of a file in file order, in a job.
pub(super) fn rules(reader: Reader, bytes: &[u8], job: Job) -> Rules {
    let rows = lines(reader, bytes).filter_map(|(offset, line)| row(reader, offset, &line));
    let rows: Vec<TunerLine> = rows.filter(|row| row.matches_calls(reader)).collect();
    // An imported map has all ranks, and borders at the nodes of a row even if it matches only some of their ranks.
    let left = rows.iter().flat_map(|row| {
        let ranks = [0..=u64::MAX, row.ranks_of_nodes(job)];
        ranks.map(|ranks| Rule::left_to_library(row.collective, ranks))
    });
    let left: Vec<Rule> = left.collect();
    let rules = rows.into_iter().map(|row| row.rule(job)).chain(left);
    Rules::new(rules, &PLUGIN)
}

impl TunerLine {
    /// Returns whether the row matches calls that are not pipelined and have no registered buffer, and the library runs its algorithm. In a
    /// row, -1 matches any number.
    fn matches_calls(&self, reader: Reader) -> bool {
        let algorithm = self.name.rsplit_once('_').map_or("", |(algorithm, _)| algorithm);
        reader.algorithms().contains(&algorithm)
            && [-1, 1].contains(&self.pipelined)
            && [-1, 0].contains(&self.registered)
            && self.nodes >= -1
            && self.ranks >= -1
    }

    /// Returns the numbers of ranks on as many nodes as the row asks for.
    fn ranks_of_nodes(&self, job: Job) -> RangeInclusive<u64> {
        let full = |nodes: u64| nodes.saturating_mul(job.ranks_per_node);
        match u64::try_from(self.nodes) {
            Ok(0) => 0..=0,
            Ok(nodes) => full(nodes - 1).saturating_add(1)..=full(nodes),
            Err(_) => 0..=u64::MAX,
        }
    }

    fn rule(self, job: Job) -> Rule {
        let (least, greatest) = self.bytes;
        let on_nodes = self.ranks_of_nodes(job);
        let ranks = u64::try_from(self.ranks).map_or(0..=u64::MAX, |ranks| ranks..=ranks);
        Rule {
            collective: self.collective,
            communicators: *on_nodes.start().max(ranks.start())..=*on_nodes.end().min(ranks.end()),
            messages: least..=greatest,
            decision: Decision {
                name: Some(self.name),
                channels: u64::try_from(self.channels).ok().filter(|channels| *channels > 0),
                ..Decision::default()
            },
            places: vec![(format!("{least} to {greatest} bytes"), Place::Offset(self.offset))],
        }
    }
}
