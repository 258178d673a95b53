//! The selection files inside MPICH's shared library: those by which an untouched installation chooses.

use memchr::memmem;
use qtdec_core::{Place, Problem};

use super::check::missing_names;
use super::layer::Device;
use crate::tuning::json;

/// The selection files of a shared library.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn<'l> {
    /// The file of the layer below MPI's functions.
    pub whole: &'l [u8],
    /// The file of CH4, which a library with another device does not have.
    pub ch4: Option<&'l [u8]>,
}

/// Returns whether a file is a shared library, as Linux has them.
pub fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

impl<'l> BuiltIn<'l> {
    /// Finds the selection files of a shared library.
    ///
    /// # Errors
    ///
    /// Fails if the library has no complete selection file.
    pub fn of_library(library: &'l [u8]) -> Result<Self, Problem> {
        let (mut whole, mut ch4) = (None, None);
        for text in texts(library) {
            let Ok(file) = json::parse(text) else { continue };
            match Device::of_file(&file) {
                Some(Device::Ch4) => ch4 = ch4.or(Some(text)),
                None if file.as_object().is_some_and(|members| missing_names(members).is_none()) => {
                    whole = whole.or(Some(text));
                }
                Some(Device::Posix) | None => {}
            }
        }
        let whole = whole.ok_or_else(|| {
            let problem = Problem::new(Place::File, "this library has no selection file of MPICH");
            problem.help("give libmpich.so or libmpi.so of an MPICH from 4.0 on")
        })?;
        Ok(Self { whole, ch4 })
    }
}

/// Returns what begins as a selection file does. C ends it with a zero.
fn texts(library: &[u8]) -> impl Iterator<Item = &[u8]> {
    memmem::find_iter(library, b"{\"collective=").map(|start| {
        let text = &library[start..];
        memchr::memchr(0, text).map_or(text, |end| &text[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::mpich::functions;

    #[test]
    fn the_files_of_a_library_are_told_apart() {
        let of = |leaf: &str| {
            let members: Vec<String> = functions::blocking()
                .map(|name| format!("\"collective={name}\":{{\"{leaf}\":{{}}}}"))
                .collect();
            format!("{{{}}}", members.join(","))
        };
        let (posix, ch4, whole) = (
            of("algorithm=MPIDI_POSIX_mpi_bcast_release_gather"),
            of("composition=MPIDI_Bcast_intra_composition_alpha"),
            of("algorithm=MPIR_Bcast_intra_binomial"),
        );
        let part = "{\"collective=bcast\":{\"algorithm=MPIR_Bcast_intra_binomial\":{}}}";
        let library = format!("\x7fELF {part}\0{posix}\0\0{ch4}\0{whole}\0 {{\"collective=\0");
        let found = BuiltIn::of_library(library.as_bytes()).unwrap();
        assert!(is_library(library.as_bytes()));
        assert_eq!((found.whole, found.ch4), (whole.as_bytes(), Some(ch4.as_bytes())));
        let other_device = format!("\x7fELF{whole}");
        assert_eq!(BuiltIn::of_library(other_device.as_bytes()).unwrap().ch4, None);
        assert!(BuiltIn::of_library(format!("\x7fELF{ch4}\0{part}\0").as_bytes()).is_err());
    }
}
