//! Reading of the table as the plugin and RCCL do it.

use crate::catalogue::{Library, SizeUnit};
use qtdec_core::Place;

use super::reader::{ALGORITHMS, PROTOCOLS, Reader};
use crate::tuning::{Decision, Job, LibraryRules, Selection};

/// The rows of a file, in file order.
#[derive(Clone, Debug)]
pub(super) struct TunerFile {
    rows: Vec<TunerLine>,
    job: Job,
}

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
        (start, String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(line)).into_owned())
    });
    let trimmed = move |(start, line): (usize, String)| {
        let line =
            if reader.trims_lines() { line.strip_suffix('\r').unwrap_or(&line).to_owned() } else { line };
        (start, line)
    };
    lines.map(trimmed).filter(move |(_, line)| {
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

impl TunerFile {
    pub(super) fn new(reader: Reader, bytes: &[u8], job: Job) -> Self {
        let rows = lines(reader, bytes).filter_map(|(offset, line)| row(reader, offset, &line));
        let runs = |row: &TunerLine| {
            reader
                .algorithms()
                .iter()
                .any(|algorithm| row.name.rsplit_once('_').is_some_and(|(of_row, _)| of_row == *algorithm))
        };
        Self { rows: rows.filter(runs).collect(), job }
    }

    fn rows_for<'t>(&'t self, collective: &'t str) -> impl Iterator<Item = &'t TunerLine> {
        self.rows.iter().filter(move |row| row.collective == collective)
    }

    /// Returns the first matching row, in a call that is not pipelined and has no registered buffer, if rows require that.
    fn find(&self, collective: &str, ranks: u64, bytes: u64) -> Option<&TunerLine> {
        let nodes = ranks.div_ceil(self.job.ranks_per_node);
        let is = |requested: i64, number: u64| requested == -1 || u64::try_from(requested) == Ok(number);
        self.rows.iter().find(|row| {
            row.collective == collective
                && row.bytes.0 <= bytes
                && bytes <= row.bytes.1
                && is(row.nodes, nodes)
                && is(row.ranks, ranks)
                && is(row.pipelined, 1)
                && is(row.registered, 0)
        })
    }
}

impl Selection for TunerFile {
    fn collectives(&self) -> Vec<String> {
        let known =
            Library::Nccl.collectives().iter().filter(|known| self.rows_for(known.name).next().is_some());
        known.map(|known| known.name.to_owned()).collect()
    }

    fn starts(&self, collective: &str) -> (Vec<u64>, Vec<u64>) {
        let (mut comm_sizes, mut messages) = (vec![0], Vec::new());
        for row in self.rows_for(collective) {
            messages.extend([row.bytes.0, row.bytes.1.saturating_add(1)]);
            if let Ok(ranks) = u64::try_from(row.ranks) {
                comm_sizes.extend([ranks, ranks.saturating_add(1)]);
            }
            if let Ok(nodes) = u64::try_from(row.nodes) {
                let full = |nodes: u64| nodes.saturating_mul(self.job.ranks_per_node).saturating_add(1);
                comm_sizes.extend([full(nodes.saturating_sub(1)), full(nodes)]);
            }
        }
        (comm_sizes, messages)
    }

    fn decide(&self, collective: &str, comm_size: u64, msg_size: u64) -> Decision {
        let row = self.find(collective, comm_size, msg_size);
        row.map_or_else(Decision::library, |row| Decision {
            name: Some(row.name.clone()),
            channels: u64::try_from(row.channels).ok().filter(|channels| *channels > 0),
            ..Decision::default()
        })
    }

    fn rule(&self, collective: &str, comm_size: u64, msg_size: u64) -> Vec<(String, Place)> {
        let row = self.find(collective, comm_size, msg_size);
        row.map(|row| (format!("{} to {} bytes", row.bytes.0, row.bytes.1), Place::Offset(row.offset)))
            .into_iter()
            .collect()
    }

    fn unit(&self, collective: &str) -> SizeUnit {
        Library::Nccl.unit(collective)
    }
}
