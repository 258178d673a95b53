//! Trees that are compiled into the interposer, as text in C.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char};
use std::fmt::Write as _;
use std::path::Path;

use qtdec_mpi_schedule::Collective;

use super::trees::{Trees, texts};
use crate::ffi::range;

/// A tree as `struct qtdec_tree` of `c/interposer.h` has it. The last one of a list has no collective.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Compiled {
    collective: *const c_char,
    text: *const u8,
    bytes: u64,
}

/// Reads the trees of a list, or returns what is wrong with one of them.
///
/// # Safety
///
/// `list` ends with a tree that has no collective, and all of its texts can be read.
pub(super) unsafe fn read(mut list: *const Compiled) -> Result<Trees, String> {
    let mut trees = Vec::new();
    // SAFETY: as above, here and below.
    while let Some(tree) = unsafe { list.as_ref() }.filter(|tree| !tree.collective.is_null()) {
        // SAFETY: as above.
        let (name, text) = unsafe { (CStr::from_ptr(tree.collective), range(tree.text, tree.bytes)) };
        let name = name.to_string_lossy();
        let collective = Collective::ALL.into_iter().find(|known| known.name() == name);
        let place = format!("the tree of {name} that is compiled in");
        trees.push((collective.ok_or_else(|| format!("{place}: it is not known"))?, text, place));
        // SAFETY: there is another tree, as this one is not the last.
        list = unsafe { list.add(1) };
    }
    Trees::new(trees)
}

/// Returns the text in C of the trees of a folder, which takes the place of the file `trees.c` of the interposer.
pub(crate) fn in_c(folder: &Path) -> Result<String, String> {
    Trees::read(folder)?;
    let (mut texts_in_c, mut list) = (String::new(), String::new());
    for (collective, text) in texts(folder)? {
        let _ = write!(texts_in_c, "\nstatic const char {collective}[] =");
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let _ = write!(texts_in_c, "\n  \"{}\"", escaped(line));
        }
        texts_in_c.push_str(";\n");
        let _ = writeln!(list, "  {{\"{collective}\", {collective}, sizeof {collective} - 1}},");
    }
    Ok(format!(
        "/* Trees that decide about collectives. */\n#include \"interposer.h\"\n{texts_in_c}\n\
         const struct qtdec_tree qtdec_trees[] = {{\n{list}  {{0}},\n}};\n"
    ))
}

/// Returns bytes as they stand between the quotes of a literal.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            // A question mark could begin a trigraph.
            b'"' | b'\\' | b'?' => text.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => text.push(char::from(*byte)),
            other => {
                let _ = write!(text, "\\{other:03o}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::example;
    use super::*;

    #[test]
    fn texts_are_literals_of_their_bytes() {
        assert_eq!(escaped("a\"\\??=\té9\n".as_bytes()), r#"a\"\\\?\?=\011\303\2519\n"#);
    }

    #[test]
    fn compiled_trees_are_those_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let text = example::constant(Collective::Bcast, "own_binomial", None);
        fs::write(folder.path().join("bcast.tree.json"), &text).unwrap();
        let source = in_c(folder.path()).unwrap();
        assert!(source.contains("\nstatic const char bcast[] =\n  \"{\\\"format\\\": "), "{source}");
        let last = Compiled { collective: std::ptr::null(), text: std::ptr::null(), bytes: 0 };
        let first = Compiled { collective: c"bcast".as_ptr(), text: text.as_ptr(), bytes: text.len() as u64 };
        // SAFETY: the list ends with a tree without a collective.
        let read = unsafe { read([first, last].as_ptr()) }.unwrap();
        assert_eq!(read.hash, Trees::read(folder.path()).unwrap().hash);
        assert!(!read.is_empty());
        fs::write(folder.path().join("reduce.tree.json"), &text).unwrap();
        assert!(in_c(folder.path()).unwrap_err().contains("reduce.tree.json: the tree is for bcast"));
    }
}
