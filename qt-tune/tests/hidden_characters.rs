//! Names with characters that a terminal obeys, or that reorder what stands around them: nothing of it is shown raw.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;

use qtdec_core::visible::is_hidden;
use tempfile::TempDir;

const MAP: &str = r#"{ "format": "qtdec-map/1", "collective": "b\u001b[31mcast\u202e\r",
    "axes": [{ "name": "comm_size", "values": [2, 4], "unit": "ra\u0007nks\u2066" },
             { "name": "msg_size", "values": [1, 8], "unit": "by\u009b2Jtes" }],
    "methods": [{ "name": "ri\u202eng" }, { "name": "tr\u200fee" }], "cells": [[0, 1], [1, 0]],
    "costs": { "unit": "u\u001bs", "statistic": "me\u202ddian", "values": [[[1, 2], [2, 1]], [[2, 1], [1, 2]]] },
    "source": { "files": ["a\u001b]0;title\u0007.csv"] } }"#;

/// The name of a file that clears the screen.
const FILE: &str = "a\u{1b}[2J\u{202e}.json";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    fs::write(folder.path().join(FILE), MAP).expect("it is writable");
    fs::write(folder.path().join("bad\u{1b}[31m.json"), MAP.replace("\"cells\"", "\"ce\u{9b}lls\""))
        .expect("it is writable");
    folder
}

fn assert_visible(text: &str, what: &str) {
    let hidden = |&char: &char| is_hidden(char) && !matches!(char, '\n' | '\t');
    let found: Vec<char> = text.chars().filter(hidden).collect();
    assert!(found.is_empty(), "{what}: {found:?} in\n{text:?}");
}

#[test]
fn what_people_read_holds_no_hidden_characters() {
    let folder = folder();
    let commands: [&[&str]; 12] = [
        &["stats", FILE],
        &["decide", FILE, "comm_size=2", "msg_size=8"],
        &["sweep", FILE],
        &["compare-encoders", FILE],
        &["plot", FILE],
        &["report", FILE, "-o", "-"],
        &["plot", FILE, "-o", "map.svg"],
        &["emit", FILE, "--target", "c", "--function", "f"],
        &["emit", FILE, "--target", "rust", "--function", "f"],
        &["stats", "bad\u{1b}[31m.json"],
        &["stats", "no\u{1b}[31m.json"],
        &["--\u{1b}[31m"],
    ];
    for command in commands {
        let run = Command::new(env!("CARGO_BIN_EXE_qtdec")).args(command).current_dir(&folder).output();
        let run = run.expect("it can be run");
        assert_visible(&String::from_utf8(run.stdout).expect("it is text"), &format!("{command:?}"));
        assert_visible(
            &String::from_utf8(run.stderr).expect("it is text"),
            &format!("{command:?}, to standard error"),
        );
    }
    let picture = fs::read_to_string(folder.path().join("map.svg")).expect("it was written");
    assert_visible(&picture, "the picture");
}

/// Data is what it is where a program reads it, and escaped where it goes to a terminal.
#[test]
fn data_is_escaped_on_a_terminal_alone() {
    let folder = folder();
    let encode = format!("'{}' encode '{FILE}'", env!("CARGO_BIN_EXE_qtdec"));
    let piped =
        Command::new("sh").args(["-c", &encode]).current_dir(&folder).output().expect("it can be run");
    assert!(String::from_utf8_lossy(&piped.stdout).contains("\u{202e}"));
    let mut shown = Command::new("script");
    shown.args(["--quiet", "--return", "--command", &encode, "/dev/null"]).current_dir(&folder);
    let shown = shown.output().expect("script is there");
    let shown = String::from_utf8_lossy(&shown.stdout).replace("\r\n", "\n");
    assert!(shown.contains("ri\\u{202e}ng"), "{shown}");
    assert_visible(&shown, "the terminal");
}
