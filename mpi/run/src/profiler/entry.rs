//! The functions of `c/profile.h`, which says what each does. No panic leaves them.
//!
//! # Safety
//!
//! Pointers are those of the header: a profile is from [`open`], texts end or have the length that comes with them, and results can be
//! written.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::Mutex;

use super::calls::{Call, Calls, Kind, Sum};
use super::environment::Wanted;
use super::file;
use crate::ffi::{guarded, locked, range};

/// A profile of a rank, which any of its threads may add to.
#[derive(Debug)]
struct Profile {
    wanted: Wanted,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    calls: Calls,
    /// The addresses of names, which stay where they are, and their places in `calls`.
    names: Vec<(usize, u16)>,
    /// The text that was handed out.
    text: String,
    /// What has arrived of another rank's text.
    arriving: Vec<u8>,
}

impl Profile {
    fn write(&self, path: &Path) {
        let text = file::csv(&locked(&self.state).calls);
        if let Err(error) = written(path, &text) {
            eprintln!("libqtdec_profile.so: the profile is lost: {}: {error}", path.display());
        }
    }
}

/// Writes a file, of which no part is left if there is no room for all of it.
fn written(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes()).inspect_err(|_| {
        if file.metadata().is_ok_and(|known| known.is_file()) {
            // What cannot be removed is incomplete, as the line says.
            let _ = fs::remove_file(path);
        }
    })
}

#[unsafe(export_name = "qtdec_profile_open")]
unsafe extern "C" fn open(
    rank: c_int,
    world: *const c_char,
    signal: *mut c_int,
    skew: *mut c_int,
) -> *mut Profile {
    guarded(null_mut(), || {
        let (mut wanted, wrong) = Wanted::read(|name| std::env::var(name).ok());
        if !world.is_null() {
            // SAFETY: as above.
            wanted.spawned(&unsafe { CStr::from_ptr(world) }.to_string_lossy());
        }
        if rank == 0 {
            for wrong in wrong {
                eprintln!("libqtdec_profile.so: {wrong}");
            }
        }
        // SAFETY: as above.
        unsafe {
            *signal = wanted.signal.unwrap_or(0);
            *skew = c_int::from(wanted.skew);
        }
        Box::into_raw(Box::new(Profile { wanted, state: Mutex::default() }))
    })
}

#[unsafe(export_name = "qtdec_profile_add")]
unsafe extern "C" fn add(
    profile: *const Profile,
    name: *const c_char,
    kind: c_int,
    ranks: c_int,
    bytes: u64,
    root: c_int,
    time: u64,
    skew: i64,
) {
    guarded((), || {
        // SAFETY: as above.
        let profile = unsafe { &*profile };
        let Some(kind) = Kind::from_number(kind) else { return };
        let mut state = locked(&profile.state);
        let State { calls, names, .. } = &mut *state;
        let known = names.iter().find(|(address, _)| *address == name.addr()).map(|(_, place)| *place);
        let place = known.unwrap_or_else(|| {
            // SAFETY: as above.
            let place = calls.name(&unsafe { CStr::from_ptr(name) }.to_string_lossy());
            names.push((name.addr(), place));
            place
        });
        let call =
            Call { kind, ranks: u32::try_from(ranks).unwrap_or(0), bytes, root: u32::try_from(root).ok() };
        calls.add(place, call, Sum { count: 1, time, skew: u64::try_from(skew).ok() });
    });
}

#[unsafe(export_name = "qtdec_profile_text")]
unsafe extern "C" fn text(profile: *const Profile, text: *mut *const c_char) -> u64 {
    guarded(0, || {
        // SAFETY: as above.
        let mut state = locked(unsafe { &(*profile).state });
        state.text = state.calls.text();
        // SAFETY: as above.
        unsafe { *text = state.text.as_ptr().cast() };
        state.text.len() as u64
    })
}

#[unsafe(export_name = "qtdec_profile_take")]
unsafe extern "C" fn take(profile: *const Profile, piece: *const c_char, length: u64, last: c_int) {
    guarded((), || {
        // SAFETY: as above.
        let (mut state, piece) = unsafe { (locked(&(*profile).state), range(piece.cast::<u8>(), length)) };
        state.arriving.extend_from_slice(piece);
        if last != 0 {
            let text = std::mem::take(&mut state.arriving);
            if !state.calls.take(&String::from_utf8_lossy(&text)) {
                eprintln!("libqtdec_profile.so: calls that another rank counted did not arrive");
            }
        }
    });
}

#[unsafe(export_name = "qtdec_profile_write")]
unsafe extern "C" fn write(profile: *const Profile) {
    guarded((), || {
        // SAFETY: as above.
        let profile = unsafe { &*profile };
        profile.write(&profile.wanted.path);
    });
}

#[unsafe(export_name = "qtdec_profile_write_part")]
unsafe extern "C" fn write_part(profile: *const Profile, rank: c_int) {
    guarded((), || {
        // SAFETY: as above.
        let profile = unsafe { &*profile };
        if !locked(&profile.state).calls.rows().is_empty() {
            let mut path = profile.wanted.path.clone().into_os_string();
            path.push(format!(".{rank}"));
            profile.write(Path::new(&path));
        }
    });
}

#[unsafe(export_name = "qtdec_profile_close")]
unsafe extern "C" fn close(profile: *mut Profile) {
    // SAFETY: as above.
    guarded((), || drop(unsafe { Box::from_raw(profile) }));
}
