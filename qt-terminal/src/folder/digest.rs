//! Hashes, by which the content of a file is recognised.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use qtdec_study::readers::open_regular;
use sha2::{Digest as _, Sha256};

/// The number of bytes of a file that are read. No command writes a larger one.
const MAX_BYTES: u64 = 256 << 20;

/// The SHA-256 hash of a file's content, written as in the output of `sha256sum`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digest([u8; 32]);

impl Digest {
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the hash of a regular file in a folder, or `None` if there is no entry of this name.
    pub(crate) fn of_entry(path: &Path) -> io::Result<Option<Self>> {
        let Some(file) = open_entry(path)? else { return Ok(None) };
        let (mut file, mut hash, mut part) = (file.take(MAX_BYTES), Sha256::new(), vec![0; 1 << 16]);
        loop {
            match file.read(&mut part)? {
                0 => return Ok(Some(Self(hash.finalize().into()))),
                read => hash.update(&part[..read]),
            }
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits: Option<Vec<u8>> =
            text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
        let bytes: Vec<u8> =
            digits?.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect();
        if text.len() == 64 { bytes.try_into().ok().map(Self) } else { None }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Opens a regular file in a folder, or returns `None` if there is no entry of this name. A symbolic link is not followed: whoever can
/// list a hash of its target did not write the target.
pub(crate) fn open_entry(path: &Path) -> io::Result<Option<File>> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(io::Error::other("it is a symbolic link")),
        Ok(_) => open_regular(path).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_sha256sum() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::from_bytes(b"").to_string(), empty);
        assert_eq!(Digest::parse(empty), Some(Digest::from_bytes(b"")));
        for wrong in ["", "e3", &empty[1..], &format!("{empty}00"), &empty.replace('e', "g"), &"é".repeat(32)]
        {
            assert_eq!(Digest::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_file_has_the_hash_of_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert_eq!(Digest::of_entry(&path).unwrap(), None);
        let content = b"content".repeat(100_000);
        fs::write(&path, &content).unwrap();
        assert_eq!(Digest::of_entry(&path).unwrap(), Some(Digest::from_bytes(&content)));
        assert!(Digest::of_entry(folder.path()).is_err());
    }
}
