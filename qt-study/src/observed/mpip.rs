//! Reports of mpiP: <https://github.com/LLNL/mpiP>, run in version 3.5.
//!
//! Calls are those of rank 0 by call site, with the mean of the bytes that it sent there, of which the report has four digits. It names
//! neither communicators nor algorithms: every call counts as one of all tasks.

use std::collections::BTreeMap;
use std::io::BufRead;

use qtdec_core::Problem;

use super::{Format, Kind, Observed};
use crate::readers::{each_line, has};

pub(super) const FORMAT: Format = Format {
    about: "the report of mpiP",
    recognises: |head| head.lines().next().is_some_and(|line| line.trim() == "@ mpiP"),
    read,
};

/// The collectives among mpiP's names of functions, without `MPI_`.
const COLLECTIVES: &str = "Allgather Allgatherv Allreduce Alltoall Alltoallv Barrier Bcast Exscan Gather Gatherv Reduce Scan \
    Scatter Scatterv";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Other,
    Times,
    Sizes,
}

fn read(input: &mut dyn BufRead, observed: &mut Observed) -> Result<(), Problem> {
    let (mut section, mut tasks) = (Section::Other, 0_u64);
    // The number of calls, and the mean size, of rank 0 at each call site.
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut sizes: BTreeMap<(String, String), u64> = BTreeMap::new();
    each_line(input, |_, text| {
        if text.starts_with("@ MPI Task Assignment") {
            tasks += 1;
        } else if let Some(heading) = text.strip_prefix("@--- ") {
            section = match heading {
                _ if heading.starts_with("Callsite Time statistics (all") => Section::Times,
                _ if heading.starts_with("Callsite Message Sent statistics (all") => Section::Sizes,
                _ => Section::Other,
            };
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        if let [name, site, "0", count, _, mean, ..] = words[..]
            && has(COLLECTIVES, name)
        {
            let at = (name.to_lowercase(), site.to_owned());
            match section {
                Section::Times => counts.extend(count.parse().ok().map(|count| (at, count))),
                Section::Sizes => sizes.extend(whole(mean).map(|mean| (at, mean))),
                Section::Other => {}
            }
        }
        Ok(())
    })?;
    for (at, count) in counts {
        let msg_size = sizes.get(&at).copied();
        observed.add(Kind { collective: at.0, comm_size: Some(tasks), msg_size, method: None }, Some(count));
    }
    observed.notes.add(
        "mpiP names no communicators and no algorithms, and prints four digits of sizes: its calls of rank 0 count as those of all \
         tasks, with the mean size of each call site",
    );
    Ok(())
}

/// Parses a number such as `64` and `6.554e+04`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is in the range")]
fn whole(text: &str) -> Option<u64> {
    let number: f64 = text.parse().ok()?;
    (0.0..1e18).contains(&number).then_some(number.round() as u64)
}
