//! The functions by which a communicator learns.

use std::ffi::c_int;
use std::ptr::null;
use std::sync::Arc;

use super::Interposer;
use crate::ffi::{guarded, locked};
use crate::interposer::learning::{OfCommunicator, Values};
use crate::interposer::say;
use crate::mpi::int;

#[unsafe(export_name = "qtdec_interposer_begin_learning")]
pub(super) unsafe extern "C" fn begin(
    interposer: *const Interposer,
    ranks: c_int,
    number: u64,
) -> *const OfCommunicator {
    guarded(null(), || {
        // SAFETY: as above.
        let learning = unsafe { &*interposer }.learning();
        let ranks = u32::try_from(ranks).unwrap_or(0);
        learning.map_or(null(), |learning| Arc::into_raw(learning.begin(ranks, number)))
    })
}

#[unsafe(export_name = "qtdec_interposer_end_learning")]
unsafe extern "C" fn end(interposer: *const Interposer, learner: *const OfCommunicator) {
    guarded((), || {
        // SAFETY: as above.
        let (interposer, learner) = unsafe { (&*interposer, Arc::from_raw(learner)) };
        if let Some(learning) = interposer.learning() {
            learning.end(&learner);
        }
    });
}

#[unsafe(export_name = "qtdec_interposer_note")]
unsafe extern "C" fn note(learner: *const OfCommunicator, began: u64, ended: u64) {
    // SAFETY: as above.
    guarded((), || locked(unsafe { &*learner }).note(began, ended));
}

#[unsafe(export_name = "qtdec_interposer_own")]
unsafe extern "C" fn own(learner: *const OfCommunicator, own: *mut Values) -> c_int {
    // SAFETY: as above.
    guarded(0, || unsafe {
        let (values, sent) = locked(&*learner).begin_agreement();
        *own = values;
        int(sent)
    })
}

#[unsafe(export_name = "qtdec_interposer_learn")]
unsafe extern "C" fn learn(
    interposer: *const Interposer,
    rank: c_int,
    learner: *const OfCommunicator,
    agreed: *const Values,
    took: u64,
) {
    guarded((), || {
        // SAFETY: as above.
        let (interposer, takeover) = unsafe { (&*interposer, locked(&*learner).agree(&*agreed, took)) };
        if let Some(takeover) = takeover.filter(|_| interposer.wanted.trace && rank == 0) {
            say(&takeover);
        }
    });
}

#[unsafe(export_name = "qtdec_interposer_write")]
unsafe extern "C" fn write(interposer: *const Interposer) {
    guarded((), || {
        // SAFETY: as above.
        let interposer = unsafe { &*interposer };
        let version = interposer.version.get().map_or("", String::as_str);
        if let Some(Err(error)) =
            interposer.learning().map(|learning| learning.write(version, &interposer.trees))
        {
            say(&error);
        }
    });
}
