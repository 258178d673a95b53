//! Names of columns: their units and possible contents.

use qtdec_core::domain::MAX_AXES;
use qtdec_core::naming::is_identifier;

use super::super::columns::{SIZES, key_of_axis};
use super::super::content::Content;
use super::super::has;
use super::rates::{bracketed, is_rate, may_be_time};
use crate::measurements::TimeUnit;
use crate::size::size;

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

fn unit_of_time(unit: &str) -> Option<TimeUnit> {
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
pub(in crate::readers) fn usual_key(name: &str) -> Option<&'static str> {
    let name = plain(name);
    USUAL_NAMES.iter().find(|usual| usual.all().any(|usual| usual == name)).map(|usual| usual.key)
}

/// Guesses the columns for the keys among those that are free, by their names or otherwise by the first rows. Returns `None` if a
/// key has no column.
pub(super) fn guess(
    keys: &[String],
    names: &[String],
    rows: &[Vec<String>],
    mut free: Vec<usize>,
) -> Option<Vec<(String, String)>> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (key, name) in keys.iter().enumerate() {
        let usual = USUAL_NAMES.iter().find(|usual| usual.key == name)?;
        let fits = |column: usize| name != "time" || may_be_time(&names[column]);
        let named =
            |usual: &str| free.iter().position(|&column| plain(&names[column]) == usual && fits(column));
        if let Some(position) = usual.all().find_map(named) {
            found.push((key, free.remove(position)));
        }
    }
    let column = |column: usize| rows.iter().filter_map(move |row| row.get(column)).map(String::as_str);
    let is = |at: usize, fits: fn(&str) -> bool| column(at).next().is_some() && column(at).all(fits);
    let greatest = |at: usize| column(at).filter_map(size).max();
    for name in ["method", "time", "msg_size", "comm_size"] {
        let Some(key) = keys.iter().position(|key| key == name) else { continue };
        if found.iter().any(|(known, _)| *known == key) {
            continue;
        }
        let whole = |at: &usize| is(*at, |text| size(text).is_some());
        let position = match name {
            "method" => free.iter().position(|&at| is(at, |text| text.parse::<f64>().is_err())),
            "time" => {
                let is_time = |at: &usize| {
                    is(*at, |text| text.parse::<f64>().is_ok()) && may_be_called_time(&names[*at])
                };
                let has_unit = free.iter().position(|at| is_time(at) && time_unit(&names[*at]).is_some());
                has_unit.or_else(|| {
                    // Without a name that tells, one of several columns with fractions may be a bandwidth or an error.
                    let has_fraction =
                        |at: &&usize| is_time(at) && column(**at).any(|text| text.parse::<u64>().is_err());
                    let mut fractions = free.iter().filter(has_fraction);
                    match (fractions.next(), fractions.next()) {
                        (None, _) => free.iter().rposition(is_time),
                        (Some(only), None) => free.iter().position(|at| at == only),
                        _ => None,
                    }
                })
            }
            // Message sizes are the larger ones.
            "msg_size" => (0..free.len()).filter(|&at| whole(&free[at])).max_by_key(|&at| greatest(free[at])),
            _ => free.iter().position(whole),
        };
        found.push((key, free.remove(position?)));
    }
    found.sort_unstable();
    Some(found.iter().map(|&(key, column)| (keys[key].clone(), names[column].clone())).collect())
}

fn may_be_called_time(name: &str) -> bool {
    may_be_time(name) && Content::from_column(name, "0") != Some(Content::NumberOfRepeat)
}

/// Guesses the columns of a table whose axes are not those of MPI: the sizes are axes under their own names. Returns `None` if the
/// axes of MPI are not wanted, or if there is no method, no time or no size, or more than three sizes.
pub(super) fn guess_axes(
    keys: &[String],
    names: &[String],
    rows: &[Vec<String>],
    free: &[usize],
) -> Option<Vec<(String, String)>> {
    let (sizes, others): (Vec<String>, Vec<String>) =
        keys.iter().cloned().partition(|key| SIZES.contains(&&**key));
    let mut found = guess(&others, names, rows, free.to_vec()).filter(|_| sizes.len() == SIZES.len())?;
    let is_taken = |column: &usize| found.iter().any(|(_, taken)| *taken == names[*column]);
    let axes = free
        .iter()
        .filter(|column| is_size(&names[**column], rows, **column))
        .filter(|column| !is_taken(column) && !is_rate(&names[**column]))
        .map(|column| &names[*column]);
    let axes: Vec<(String, String)> =
        axes.map(|name| Some((own_key(name)?, name.clone()))).collect::<Option<_>>()?;
    if !(1..=MAX_AXES).contains(&axes.len()) {
        return None;
    }
    found.extend(axes);
    Some(found)
}

/// Returns whether a column has sizes alone, and is not one whose rows are repeats.
fn is_size(name: &str, rows: &[Vec<String>], column: usize) -> bool {
    let mut entries = rows.iter().filter_map(|row| row.get(column)).peekable();
    let is_repeat = entries.peek().is_none_or(|text| Content::from_column(name, text).is_some());
    !is_repeat && entries.all(|text| size(text).is_some())
}

/// Returns the key of an axis for a column: its name, if need be without unit and spaces, or `x1` for the first one without a name.
fn own_key(column: &str) -> Option<String> {
    let numbered = column.parse::<u64>().is_ok().then(|| format!("x{column}"));
    let names = [Some(column.to_owned()), numbered, Some(plain(column))];
    names.into_iter().flatten().find(|name| is_identifier(name)).map(|name| key_of_axis(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::columns::joined;

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

    #[test]
    fn columns_are_guessed_by_name_and_by_content() {
        let keys = ["comm_size", "msg_size", "method", "time"].map(str::to_owned);
        let owned = |row: &[&str]| row.iter().map(|field| (*field).to_owned()).collect::<Vec<_>>();
        let guess = |names: &[&str], rows: &[&[&str]]| {
            let rows: Vec<_> = rows.iter().map(|row| owned(row)).collect();
            guess(&keys, &owned(names), &rows, (0..names.len()).collect()).map(|pairs| joined(&pairs))
        };
        assert_eq!(
            guess(&["algorithm", "np", "bytes", "Avg_Latency(us)"], &[]).unwrap(),
            "comm_size=np,msg_size=bytes,method=algorithm,time=Avg_Latency(us)"
        );
        let rows: [&[&str]; 2] = [&["4", "1048576", "ring", "1.5"], &["64", "8", "tree", "0"]];
        assert_eq!(guess(&["1", "2", "3", "4"], &rows).unwrap(), "comm_size=1,msg_size=2,method=3,time=4");
        let rows: [&[&str]; 2] = [&["ring", "1048576", "4", "15"], &["tree", "8", "64", "7"]];
        assert_eq!(guess(&["1", "2", "3", "4"], &rows).unwrap(), "comm_size=3,msg_size=2,method=1,time=4");
        assert_eq!(guess(&["1", "2"], &[&["4", "1.5"]]), None);
        // Which of the fractions is the time cannot be known; errors and rates never are.
        let rows: [&[&str]; 2] = [&["4", "64", "ring", "1.5", "0.1"], &["4", "8", "tree", "2.5", "4e-7"]];
        assert_eq!(guess(&["1", "2", "3", "4", "5"], &rows), None);
        let found = guess(&["np", "bytes", "algorithm", "value", "error"], &rows).unwrap();
        assert_eq!(found, "comm_size=np,msg_size=bytes,method=algorithm,time=value");
        assert_eq!(guess(&["np", "bytes", "algorithm", "GB/s", "error"], &rows), None);
        assert_eq!(guess(&["np", "bytes", "algorithm", "avg (GB/s)", "Time (%)"], &rows), None);
    }
}
