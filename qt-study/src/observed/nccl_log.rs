//! The log of NCCL and RCCL with `NCCL_DEBUG=INFO` and `NCCL_DEBUG_SUBSYS=INIT,TUNING`.
//!
//! ```text
//! node:37:42 [0] NCCL INFO comm 0x5581 rank 0 nRanks 4 nNodes 1 localRanks 4 localRank 0 MNNVL 0
//! node:37:42 [0] NCCL INFO AllReduce: 65536 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}
//! node:37:42 [0] NCCL INFO AllReduce [Symmetric]: 65536 Bytes -> Kernel AllReduce_AGxLL_R nchannels 8 nthreads 512 nWorks 1
//! ```
//!
//! Rank 0 of a communicator says each call (`src/enqueue.cc`, `src/scheduler/symmetric_sched.cc` and `src/ce_coll.cc` of NCCL 2.30.7; the
//! names and channels since 2.24.3). Sizes are those of a rank's argument. A line does not name its communicator: the number of ranks is
//! known where all communicators of the log have the same. The sources were read, but NCCL was not run.

use std::collections::BTreeSet;
use std::io::BufRead;

use qtdec_core::Problem;

use super::{Format, Kind, Observed};
use crate::readers::{each_line, nccl_function};
use crate::size::is_digits;

pub(super) const FORMAT: Format = Format {
    about: "the log of NCCL and RCCL with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,TUNING",
    recognises: |head| head.contains(MARK),
    read,
};

const MARK: &str = " NCCL INFO ";

fn read(input: &mut dyn BufRead, observed: &mut Observed) -> Result<(), Problem> {
    let mut calls: Vec<Kind> = Vec::new();
    let mut sizes: BTreeSet<u64> = BTreeSet::new();
    each_line(input, |_, text| {
        let Some((_, said)) = text.split_once(MARK) else { return Ok(()) };
        sizes.extend(ranks(said));
        if let Some((call, how)) = said.split_once(" Bytes -> ") {
            match of_line(call, how) {
                Some(kind) => calls.push(kind),
                None => observed.notes.add(
                    "a line of NCCL that names no collective and algorithm, as those before 2.24.3, was skipped",
                ),
            }
        }
        Ok(())
    })?;
    let comm_size = sizes.first().copied().filter(|_| sizes.len() == 1);
    if comm_size.is_none() && !calls.is_empty() {
        observed.notes.add(if sizes.is_empty() {
            "the log does not say the number of ranks: log NCCL_DEBUG_SUBSYS=INIT,TUNING"
        } else {
            "the log has communicators of several sizes, and calls do not name theirs: the number of ranks is not known"
        });
    }
    for kind in calls {
        observed.add(Kind { comm_size, ..kind }, Some(1));
    }
    Ok(())
}

fn ranks(said: &str) -> Option<u64> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let at = words.iter().position(|word| word.eq_ignore_ascii_case("nranks"))?;
    words.contains(&"comm").then(|| words.get(at + 1)?.parse().ok()).flatten()
}

/// Returns the call of a line: what precedes ` Bytes -> `, and what follows it.
fn of_line(call: &str, how: &str) -> Option<Kind> {
    let (name, bytes) = call.rsplit_once(": ")?;
    let (name, special) = match name.split_once(" [") {
        Some((name, special)) => (name, Some(special.trim_end_matches(']'))),
        None => (name, None),
    };
    let (collective, _) = nccl_function(name)?;
    let words: Vec<&str> = how.split_whitespace().collect();
    let after = |word: &str| words.iter().position(|one| *one == word).and_then(|at| words.get(at + 1));
    let method = match special {
        // Kernels and copies that no algorithm and protocol describe.
        Some(special) => special.to_lowercase().replace(' ', "_"),
        None => {
            let (algorithm, protocol) = (after("Algo")?, after("proto")?);
            let named = format!("{algorithm}_{protocol}").to_lowercase();
            // Numbers, up to 2.23.
            if is_digits(algorithm) {
                return None;
            }
            match channels(how) {
                Some(channels) => format!("{named}:channels={channels}"),
                None => named,
            }
        }
    };
    let collective = collective.to_owned();
    Some(Kind { collective, comm_size: None, msg_size: Some(bytes.parse().ok()?), method: Some(method) })
}

/// Returns the number of channels in `channel{Lo..Hi}={0..1}`.
fn channels(how: &str) -> Option<u64> {
    let (low, high) = how.split_once("}={")?.1.split_once('}')?.0.split_once("..")?;
    let [low, high]: [u64; 2] = [low.parse().ok()?, high.parse().ok()?];
    high.checked_sub(low)?.checked_add(1)
}
