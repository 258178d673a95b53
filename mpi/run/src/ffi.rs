//! Calls by programs in C.
#![allow(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Does what must not panic; the message of a panic was printed then.
pub(crate) fn guarded<T>(otherwise: T, done: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(done)).unwrap_or(otherwise)
}

/// Locks what a thread may have left in a panic.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns an array, which may be empty at any address, also at none.
///
/// # Safety
///
/// The values can be read for as long as the array is used, if there are any.
pub(crate) unsafe fn range<'b, T>(start: *const T, count: u64) -> &'b [T] {
    // SAFETY: as above.
    if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(start, count as usize) } }
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn an_empty_array_may_be_nowhere() {
        // SAFETY: the first is empty, and the other is borrowed.
        let (empty, three) = unsafe { (range::<u8>(std::ptr::null(), 0), range([1_u8, 2, 3].as_ptr(), 3)) };
        assert_eq!((empty, three), (&[][..], &[1, 2, 3][..]));
    }
}
