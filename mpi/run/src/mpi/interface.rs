//! The table of functions, and the texts that they write.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_void};

use super::TEXT;
use super::channel::Channel;

type Collective = unsafe extern "C" fn(
    c_int,
    c_int,
    *const c_void,
    *mut c_void,
    u64,
    *const c_int,
    *const c_int,
    c_int,
    c_int,
) -> c_int;

/// The functions of MPI, as `struct qtdec_mpi` of `c/rim.h` lists them.
#[derive(Debug)]
#[repr(C)]
pub struct MpiFunctions {
    pub(super) start: extern "C" fn() -> c_int,
    pub(super) finish: extern "C" fn() -> c_int,
    pub(crate) abort: extern "C" fn(c_int),
    version: unsafe extern "C" fn(*mut c_char) -> c_int,
    processor: unsafe extern "C" fn(*mut c_char) -> c_int,
    describe: unsafe extern "C" fn(c_int, *mut c_char),
    pub(super) rank: extern "C" fn() -> c_int,
    pub(super) size: extern "C" fn() -> c_int,
    pub(super) placement: extern "C" fn() -> c_int,
    pub(super) part: unsafe extern "C" fn(c_int, *const c_char, *mut c_int) -> c_int,
    pub(super) drop: extern "C" fn(c_int) -> c_int,
    pub(super) set: unsafe extern "C" fn(*const c_char, c_int) -> c_int,
    pub(super) channel: extern "C" fn(c_int) -> *const Channel,
    pub(super) share: unsafe extern "C" fn(c_int, *mut c_void, u64, c_int) -> c_int,
    pub(super) collect: unsafe extern "C" fn(c_int, *const c_void, u64, *mut c_void, c_int) -> c_int,
    pub(super) barrier: extern "C" fn(c_int) -> c_int,
    pub(super) collective: Collective,
}

impl MpiFunctions {
    pub(super) fn text_of_version(&self) -> String {
        // SAFETY: the function writes a text with its end into as many bytes.
        text(|buffer| unsafe { (self.version)(buffer) })
    }

    pub(super) fn text_of_processor(&self) -> String {
        // SAFETY: as above.
        text(|buffer| unsafe { (self.processor)(buffer) })
    }

    pub(super) fn text_of_error(&self, code: c_int) -> String {
        text(|buffer| {
            // SAFETY: as above.
            unsafe { (self.describe)(code, buffer) };
            0
        })
    }
}

fn text(write: impl FnOnce(*mut c_char) -> c_int) -> String {
    let mut buffer = vec![0_u8; TEXT];
    write(buffer.as_mut_ptr().cast());
    let end = buffer.iter().position(|byte| *byte == 0).unwrap_or(TEXT);
    String::from_utf8_lossy(&buffer[..end]).into_owned()
}
