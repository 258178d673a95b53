//! The decisions of our interposer, `libqtdec_mpi.so` with `QTDEC_TRACE=1`, which says each one once.
//!
//! ```text
//! libqtdec_mpi.so: bcast of 1024 bytes on 4 ranks from root 0: own_binomial
//! libqtdec_mpi.so: barrier on 4 ranks: left to the library (there is no tree)
//! ```

use std::io::BufRead;

use qtdec_core::Problem;

use super::{Format, Kind, LIBRARY, Observed};
use crate::readers::each_line;

pub(super) const FORMAT: Format = Format {
    about: "the decisions of libqtdec_mpi.so with QTDEC_TRACE=1",
    recognises: |head| head.contains(MARK),
    read,
};

const MARK: &str = "libqtdec_mpi.so: ";

fn read(input: &mut dyn BufRead, observed: &mut Observed) -> Result<(), Problem> {
    each_line(input, |_, text| {
        match text.split_once(MARK).map(|(_, said)| decision(said)) {
            Some(Some(kind)) => observed.add(kind, None),
            Some(None) => {
                observed.notes.add("a line of libqtdec_mpi.so that is not a decision was skipped");
            }
            None => {}
        }
        Ok(())
    })
}

fn decision(said: &str) -> Option<Kind> {
    let (call, decision) = said.split_once(": ")?;
    let words: Vec<&str> = call.split(' ').collect();
    let before = |unit: &str| {
        let at = words.iter().position(|word| *word == unit)?;
        words.get(at.checked_sub(1)?)?.parse().ok()
    };
    let comm_size: u64 = before("ranks")?;
    let method = if decision.starts_with("left to the library") { LIBRARY } else { decision };
    Some(Kind {
        collective: words.first().map(|name| (*name).to_owned())?,
        comm_size: Some(comm_size),
        msg_size: before("bytes"),
        method: Some(method.trim().to_owned()),
    })
}
