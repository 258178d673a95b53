//! Output that nobody reads to its end, as in `qtdec-papers list | head`.
#![cfg(unix)]

use std::io::pipe;
use std::process::Command;

#[test]
fn the_program_ends_quietly_with_its_reader() {
    let (reader, writer) = pipe().unwrap();
    drop(reader);
    let ended = Command::new(env!("CARGO_BIN_EXE_qtdec-papers")).arg("list").stdout(writer).output().unwrap();
    assert_eq!(ended.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
}
