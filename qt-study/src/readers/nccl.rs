//! The programs of NCCL's tests, their ranks, and what the environment forces.

use std::collections::BTreeSet;

use qtdec_core::{Basis, Place, Problem};
use qtdec_times::collective::natural_basis;

use super::advice;
use super::counted::Counted;
use super::sink::FileSink;

/// A program of nccl-tests, with the collective that it measures.
pub(super) type Program = (&'static str, Option<&'static str>);

/// The programs, with the collectives that they measure. Every rank gets a block of the same size from the reduce-scatter.
const PROGRAMS: [Program; 11] = [
    ("all_reduce", Some("allreduce")),
    ("all_gather", Some("allgather")),
    ("broadcast", Some("bcast")),
    ("reduce", Some("reduce")),
    ("reduce_scatter", Some("reduce_scatter_block")),
    ("alltoall", Some("alltoall")),
    ("alltoallv", Some("alltoallv")),
    ("gather", Some("gather")),
    ("scatter", Some("scatter")),
    ("sendrecv", None),
    ("hypercube", None),
];

/// The names of the two times in `--columns time=NAME`.
pub(super) const PLACES: [&str; 2] = ["out-of-place", "in-place"];

/// Returns the program that a line names, in a command or alone.
pub(super) fn program(text: &str) -> Option<&'static Program> {
    // The last line of a run names the program once more.
    if text.contains("concluded") {
        return None;
    }
    text.split_whitespace().find_map(|word| {
        let file = word.rsplit('/').next()?;
        let name = file.strip_suffix("_mpi").unwrap_or(file).strip_suffix("_perf")?;
        PROGRAMS.iter().find(|(known, _)| *known == name)
    })
}

/// Returns the position of the requested time among the two: that with separate buffers by default.
pub(super) fn place(at: Place, sink: &FileSink<'_, '_>) -> Result<usize, Problem> {
    let Some(requested) = &sink.options.columns.time else { return Ok(0) };
    PLACES.iter().position(|place| place == requested).ok_or_else(|| {
        Problem::new(at, format!("there are no times `{requested}`")).help(advice::times_of_calls(&PLACES))
    })
}

/// Returns what the sizes that nccl-tests prints for a collective count: all blocks together, or the buffer.
pub(super) fn counted(collective: &str) -> Option<Counted> {
    natural_basis(collective).map(|basis| match basis {
        Basis::Buffer => Counted::Of(Basis::Buffer),
        Basis::Block | Basis::Total => Counted::Of(Basis::Total),
    })
}

#[derive(Default)]
pub(super) struct Ranks {
    numbers: BTreeSet<u64>,
    groups: BTreeSet<String>,
    models: BTreeSet<String>,
}

impl Ranks {
    /// Adds a rank, with its group and the model of its device. Fails if the processes did not measure together.
    pub(super) fn add(
        &mut self,
        place: Place,
        rank: u64,
        group: Option<&str>,
        model: Option<&str>,
    ) -> Result<(), Problem> {
        self.groups.extend(group.map(str::to_owned));
        self.models.extend(model.map(str::to_owned));
        if !self.numbers.insert(rank) {
            let message = format!("two processes are rank {rank}: each of them measured alone");
            return Err(Problem::new(place, message).help("build the tests with MPI=1, and measure again"));
        }
        if self.groups.len() > 1 {
            let message = "several groups of ranks were measured at once (`NCCL_TESTS_SPLIT`), and disturbed each other";
            return Err(Problem::new(place, message).help("measure again without NCCL_TESTS_SPLIT"));
        }
        Ok(())
    }

    /// Returns the number of ranks, given the number of devices of each process. The list may be cut off within a process.
    pub(super) fn number(&self, devices: Option<u64>) -> Option<u64> {
        let ranks = self.numbers.last()?.checked_add(1)?;
        ranks.checked_next_multiple_of(devices.unwrap_or(1).max(1))
    }

    pub(super) fn models(&self) -> Option<String> {
        let models: Vec<&str> = self.models.iter().map(String::as_str).collect();
        (!models.is_empty()).then(|| models.join(" and "))
    }
}

/// What the environment forces NCCL to use.
#[derive(Default)]
pub(super) struct Forced {
    algorithm: Option<String>,
    protocol: Option<String>,
    /// The least and the greatest number of channels.
    channels: [Option<u64>; 2],
}

impl Forced {
    /// Remembers a variable of the environment. Lists and exclusions force nothing.
    ///
    /// Both bounds of the number of channels have an older name: `NCCL_MIN_NCHANNELS` and `NCCL_MIN_CTAS`.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let value = value.trim().to_lowercase();
        let is_one =
            !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is = |names: &[&str]| names.iter().any(|known| name.ends_with(known));
        if !is_one {
        } else if is(&["NCCL_ALGO"]) {
            self.algorithm = Some(value);
        } else if is(&["NCCL_PROTO"]) {
            self.protocol = Some(value);
        } else if is(&["NCCL_MIN_NCHANNELS", "NCCL_MIN_CTAS"]) {
            self.channels[0] = value.parse().ok();
        } else if is(&["NCCL_MAX_NCHANNELS", "NCCL_MAX_CTAS"]) {
            self.channels[1] = value.parse().ok();
        }
    }

    /// Returns the method that the environment forces: `ring`, `ring_ll128`, `ring_ll128:channels=8`.
    ///
    /// The channels are part of it if they are fixed to one number.
    pub(super) fn method(&self) -> Option<String> {
        let algorithm = self.algorithm.as_ref()?;
        let protocol = self.protocol.as_ref().map(|protocol| format!("_{protocol}")).unwrap_or_default();
        let channels = match self.channels {
            [Some(least), Some(greatest)] if least == greatest => format!(":channels={least}"),
            _ => String::new(),
        };
        Some(format!("{algorithm}{protocol}{channels}"))
    }
}
