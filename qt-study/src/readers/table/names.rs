//! Names of columns: their units and possible contents.

use super::super::has;
use super::rates::bracketed;
use crate::measurements::TimeUnit;

/// Returns a name without its unit, in lower case: `avg_latency` of `Avg Latency (us)`.
pub(super) fn plain(name: &str) -> String {
    let (bare, _) = split(name);
    let bare = bare.trim().to_lowercase();
    bare.replace([' ', '-', '.'], "_").trim_matches('_').to_owned()
}

/// Returns the unit of times in a name: `Avg_Latency(us)`, `time [ms]`, `t_ns`, `ns/iter`.
pub(super) fn time_unit(name: &str) -> Option<TimeUnit> {
    let (bare, unit) = split(name);
    unit.and_then(|unit| unit_of_time(&unit.to_lowercase())).or_else(|| {
        let lower = unit.unwrap_or(bare).to_lowercase().replace("_per_", "/").replace(" per ", "/");
        let (unit, _) = lower.split_once('/')?;
        unit_of_time(unit.trim().rsplit(['_', ' ']).next()?)
    })
}

/// Returns a name without its unit, as it is written.
pub(super) fn without_unit(name: &str) -> String {
    split(name).0.trim_end_matches(['_', ' ', '/']).to_owned()
}

/// Returns the number of bytes in the unit of a message size: `Size (KiB)`.
pub(super) fn bytes(name: &str) -> Option<u64> {
    let (_, unit) = split(name);
    Some(match &*unit?.to_lowercase() {
        "k" | "kb" | "kib" | "kbytes" => 1 << 10,
        "m" | "mb" | "mib" | "mbytes" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return None,
    })
}

pub(super) fn unit_of_time(unit: &str) -> Option<TimeUnit> {
    Some(match unit {
        "s" | "sec" | "secs" | "second" | "seconds" => TimeUnit::Seconds,
        "ms" | "msec" | "msecs" | "milliseconds" => TimeUnit::Milliseconds,
        "us" | "usec" | "usecs" | "µs" | "μs" | "microseconds" => TimeUnit::Microseconds,
        "ns" | "nsec" | "nsecs" | "nanoseconds" => TimeUnit::Nanoseconds,
        _ => return None,
    })
}

/// Splits a name into the name and its unit: in brackets at the end or, for times, after the last underscore or alone.
fn split(name: &str) -> (&str, Option<&str>) {
    let (name, in_brackets) = bracketed(name);
    if in_brackets.is_some() {
        return (name, in_brackets);
    }
    if let Some((bare, unit)) = name.rsplit_once(['_', ' ', '/'])
        && unit_of_time(&unit.to_lowercase()).is_some()
    {
        return (bare, Some(unit));
    }
    let alone = name.len() > 1 && unit_of_time(&name.to_lowercase()).is_some();
    (name, alone.then_some(name))
}

/// Usual names of the column of a key of `--columns`, the most usual first.
struct UsualNames {
    key: &'static str,
    /// Names that speak of MPI.
    of_mpi: &'static str,
    /// Names that the column of any choice may have.
    of_any: &'static str,
}

const USUAL_NAMES: [UsualNames; 5] = [
    UsualNames {
        key: "comm_size",
        of_mpi: "comm_size commsize nprocs np procs nproc num_procs ranks nranks num_ranks size_of_comm world_size",
        of_any: "processes ntasks tasks p",
    },
    UsualNames {
        key: "msg_size",
        of_mpi: "msg_size msgsize message_size msize_bytes",
        of_any: "bytes nbytes size msize message msg length len m buffer_size count",
    },
    UsualNames {
        key: "method",
        of_mpi: "",
        of_any: "method algorithm algo alg algorithm_name algo_name variant implementation name",
    },
    UsualNames {
        key: "time",
        of_mpi: "",
        of_any: "time latency lat avg_latency avg mean median runtime duration elapsed t us usec ms ns avg_time \
            mean_time median_time time_avg t_avg",
    },
    UsualNames {
        key: SEGMENT_SIZE,
        of_mpi: "",
        of_any: "segment_size segsize seg_size segment seg segment_bytes seg_bytes",
    },
];

impl UsualNames {
    fn all(&self) -> impl Iterator<Item = &'static str> {
        self.of_mpi.split_whitespace().chain(self.of_any.split_whitespace())
    }
}

pub(super) fn is_of_mpi(name: &str) -> bool {
    let name = &*plain(name);
    has("collective mpi", name) || USUAL_NAMES.iter().any(|usual| has(usual.of_mpi, name))
}

/// The key of the sizes of segments, which not every table has.
pub(super) const SEGMENT_SIZE: &str = "segment_size";

/// Returns the key whose columns usually have this name.
pub(super) fn usual_key(name: &str) -> Option<&'static str> {
    let name = plain(name);
    USUAL_NAMES.iter().find(|usual| usual.all().any(|usual| usual == name)).map(|usual| usual.key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_from_names() {
        for (name, bare, unit) in [
            ("Avg_Latency(us)", "avg_latency", Some(TimeUnit::Microseconds)),
            ("Avg Latency (us)", "avg_latency", Some(TimeUnit::Microseconds)),
            ("time [ms]", "time", Some(TimeUnit::Milliseconds)),
            ("t_ns", "t", Some(TimeUnit::Nanoseconds)),
            ("time/s", "time", Some(TimeUnit::Seconds)),
            ("us", "us", Some(TimeUnit::Microseconds)),
            ("Time", "time", None),
            ("s", "s", None),
            ("comm_size", "comm_size", None),
            ("rate (GB/s)", "rate", None),
            ("ns/iter", "ns/iter", Some(TimeUnit::Nanoseconds)),
            ("seconds_per_op", "seconds_per_op", Some(TimeUnit::Seconds)),
            ("latency (us/op)", "latency", Some(TimeUnit::Microseconds)),
            ("time/call", "time/call", None),
        ] {
            assert_eq!((&*plain(name), time_unit(name)), (bare, unit), "{name}");
        }
        assert_eq!(
            [bytes("Size (KiB)"), bytes("size[MB]"), bytes("size (B)"), bytes("size")],
            [Some(1024), Some(1 << 20), None, None]
        );
    }
}
