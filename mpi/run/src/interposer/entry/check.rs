//! The functions that compare results with those of the library.

use std::ffi::c_int;

use super::Interposer;
use crate::ffi::{guarded, range};
use crate::interposer::call::Call;
use crate::interposer::compare::Kind;
use crate::interposer::plans::Plan;
use crate::interposer::say;

#[unsafe(export_name = "qtdec_interposer_checks")]
unsafe extern "C" fn checks(interposer: *const Interposer) -> c_int {
    // SAFETY: as above.
    guarded(0, || c_int::from(unsafe { &*interposer }.wanted.check))
}

#[unsafe(export_name = "qtdec_interposer_largest")]
unsafe extern "C" fn largest(numbers: *const u8, bytes: u64, width: c_int) -> f64 {
    // SAFETY: as above.
    guarded(0.0, || Kind::from_width(width).largest(unsafe { range(numbers, bytes) }))
}

#[unsafe(export_name = "qtdec_interposer_agrees")]
unsafe extern "C" fn agrees(
    call: *const Call,
    ours: *const u8,
    library: *const u8,
    width: c_int,
    largest: f64,
) -> c_int {
    guarded(0, || {
        // SAFETY: as above.
        let call = unsafe { &*call };
        let (_, bytes) = call.lengths();
        // SAFETY: as above.
        let (ours, library) = unsafe { (range(ours, bytes as u64), range(library, bytes as u64)) };
        c_int::from(Kind::from_width(width).agrees(ours, library, call.ranks, largest))
    })
}

#[unsafe(export_name = "qtdec_interposer_differs")]
unsafe extern "C" fn differs(plan: *const Plan, call: *const Call) {
    guarded((), || {
        // SAFETY: as above.
        let (plan, call) = unsafe { (&*plan, &*call) };
        say(&format!(
            "rank {}: the result of {call} by {} is not the library's, which takes its place; from now on all collectives of \
             this communicator are left to the library",
            call.rank, plan.label
        ));
    });
}
