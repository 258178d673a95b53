//! The functions by which a communicator learns.

use std::ffi::c_int;
use std::ptr::null;
use std::sync::Arc;

use super::{Interposer, guarded};
use crate::interposer::learning::{OfCommunicator, Values};
use crate::interposer::say;
use crate::mpi::int;

/// Begins to learn on a communicator of so many ranks, whose number is larger than those of all earlier ones of its ranks. NULL if nothing
/// is learned.
///
/// # Safety
///
/// `interposer` is from [`open`](super::open).
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

/// Ends learning on a communicator, and keeps what was learned.
///
/// # Safety
///
/// `interposer` is from [`open`](super::open), and `learner` from [`begin`]; it is not used again.
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

/// Notes when the call of the last plan began and ended, in nanoseconds.
///
/// # Safety
///
/// `learner` is from [`begin`].
#[unsafe(export_name = "qtdec_interposer_note")]
unsafe extern "C" fn note(learner: *const OfCommunicator, began: u64, ended: u64) {
    // SAFETY: as above.
    guarded((), || unsafe { &*learner }.learner().note(began, ended));
}

/// Begins an agreement, writes what this rank has for it, and returns how many of these values all ranks send.
///
/// # Safety
///
/// `learner` is from [`begin`], and `own` can be written.
#[unsafe(export_name = "qtdec_interposer_own")]
unsafe extern "C" fn own(learner: *const OfCommunicator, own: *mut Values) -> c_int {
    guarded(0, || {
        // SAFETY: as above.
        let (values, sent) = unsafe { &*learner }.learner().begin_agreement();
        // SAFETY: as above.
        unsafe { *own = values };
        int(sent)
    })
}

/// Learns from the largest values of all ranks, for whose agreement this one took some nanoseconds. The first rank says which method takes
/// over if calls are traced.
///
/// # Safety
///
/// `interposer` is from [`open`](super::open), `learner` is from [`begin`], and `agreed` can be read.
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
        let (interposer, takeover) = unsafe { (&*interposer, (*learner).learner().agree(&*agreed, took)) };
        if let Some(takeover) = takeover.filter(|_| interposer.wanted.trace && rank == 0) {
            say(&takeover.to_string());
        }
    });
}

/// Writes what was learned, on the first rank of a world.
///
/// # Safety
///
/// `interposer` is from [`open`](super::open).
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
