//! The file of a profile, which `qtdec weigh` reads.

use std::fmt::Write;

use super::calls::{Call, Calls, Detail, Kind};

const HEADER: &str = "\
# Calls of collectives, each counted by rank 0 of its communicator. msg_size is as in MPI's signatures: bytes of the buffer, or of the
# block of a rank, or of all blocks of reduce_scatter; vectors count with their mean block, as far as rank 0 knows it. Seconds are sums
# over the calls, at rank 0; skew_seconds, if measured, are between the first rank that arrives and the last.
";

/// Returns the profile as CSV. Calls that no tuning file reaches are comments.
pub(super) fn csv(calls: &Calls) -> String {
    let mut text = HEADER.to_owned();
    let reduced = match calls.detail {
        Detail::All => "",
        Detail::WithoutRoots => "# There were too many rows: roots are left out.\n",
        Detail::RoundedBytes => {
            "# There were too many rows: roots are left out, and sizes of messages rounded down to powers of two.\n"
        }
        Detail::RoundedRanks => {
            "# There were too many rows: roots are left out, and all sizes rounded down to powers of two.\n"
        }
    };
    text += reduced;
    let rows = calls.rows();
    let (reached, unreached): (Vec<_>, Vec<_>) =
        rows.iter().partition(|(_, call, _)| call.kind == Kind::Plain);
    let mut named: Vec<(&str, &str, u64)> = Vec::new();
    for (name, call, sum) in unreached {
        match named.iter_mut().find(|known| (known.0, known.1) == (name, reason(call.kind))) {
            Some(known) => known.2 += sum.count,
            None => named.push((name, reason(call.kind), sum.count)),
        }
    }
    for (name, reason, count) in named {
        let _ = writeln!(text, "# out of reach of tuning files: {count} calls of {name}, {reason}");
    }
    text += "collective,comm_size,msg_size,root,count,seconds,skew_seconds\n";
    for (name, Call { ranks, bytes, root, .. }, sum) in reached {
        let bytes = if name == "barrier" { String::new() } else { bytes.to_string() };
        let root = root.map_or(String::new(), |root| root.to_string());
        let skew = sum.skew.map_or(String::new(), seconds);
        let _ = writeln!(text, "{name},{ranks},{bytes},{root},{},{},{skew}", sum.count, seconds(sum.time));
    }
    text
}

fn seconds(time: u64) -> String {
    format!("{}.{:09}", time / 1_000_000_000, time % 1_000_000_000)
}

fn reason(kind: Kind) -> &'static str {
    match kind {
        Kind::Plain => "",
        Kind::Nonblocking => "which is nonblocking",
        Kind::Persistent => "which is persistent",
        Kind::Neighborhood => "which is between neighbors",
        Kind::BetweenGroups => "on communicators between groups, counted in both",
    }
}

#[cfg(test)]
mod tests {
    use super::super::calls::Sum;
    use super::*;

    #[test]
    fn the_file_has_a_row_for_each_size_and_names_what_is_out_of_reach() {
        let mut calls = Calls::default();
        let mut add = |name, kind, bytes, root, skew| {
            let name = calls.name(name);
            calls.add(name, Call { kind, ranks: 4, bytes, root }, Sum { count: 2, time: 1_000_000, skew });
        };
        add("gather", Kind::Plain, 8, Some(3), Some(500_000_000));
        add("barrier", Kind::Plain, 0, None, None);
        add("ibcast", Kind::Nonblocking, 0, None, None);
        add("bcast", Kind::BetweenGroups, 8, None, None);
        add("bcast", Kind::BetweenGroups, 16, None, None);
        let text = csv(&calls);
        let expected = "\
            # out of reach of tuning files: 4 calls of bcast, on communicators between groups, counted in both\n\
            # out of reach of tuning files: 2 calls of ibcast, which is nonblocking\n\
            collective,comm_size,msg_size,root,count,seconds,skew_seconds\n\
            barrier,4,,,2,0.001000000,\n\
            gather,4,8,3,2,0.001000000,0.500000000\n";
        assert_eq!(text.strip_prefix(HEADER), Some(expected));
    }
}
