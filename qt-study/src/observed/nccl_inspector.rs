//! The records of NCCL's inspector: calls and their number, without algorithms.

use std::io::BufRead;

use qtdec_core::Problem;

use super::{Format, Kind, Observed};
use crate::readers::{each_line, inspector_call, is_inspector};

pub(super) const FORMAT: Format =
    Format { about: "the records of NCCL's inspector", recognises: is_inspector, read };

fn read(input: &mut dyn BufRead, observed: &mut Observed) -> Result<(), Problem> {
    each_line(input, |line, text| {
        match inspector_call(line, text) {
            _ if text.is_empty() => {}
            // Every rank writes a record of the call.
            Ok(Some(call)) if call.rank != 0 => {}
            Ok(Some(call)) => {
                let (comm_size, msg_size) = (Some(call.comm_size), Some(call.msg_size));
                let collective = call.collective.to_owned();
                observed.add(Kind { collective, comm_size, msg_size, method: None }, Some(1));
            }
            Ok(None) => {
                observed.notes.add("a record of the inspector that is not of a collective was skipped");
            }
            Err(problem) => observed.faults.add(problem),
        }
        Ok(())
    })?;
    observed.notes.add(
        "records of NCCL's inspector name no algorithm (NCCL 2.28 to 2.30), and leave out messages below \
         NCCL_INSPECTOR_DUMP_MIN_SIZE_BYTES, 8192 by default: the log with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,TUNING has both",
    );
    Ok(())
}
