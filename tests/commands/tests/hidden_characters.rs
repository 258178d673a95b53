//! Names with characters that control a terminal or reorder the text around them are always escaped.
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

/// The name of a file, which would clear the screen.
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

/// Returns the output on a terminal, as recorded by util-linux's `script`, without the command's own colours.
fn on_a_terminal(folder: &TempDir, arguments: &str) -> String {
    let command = format!("'{}' {arguments}", qtdec_commands::qtdec());
    let mut run = Command::new("script");
    run.args(["--quiet", "--return", "--command", &command, "/dev/null"]).current_dir(folder);
    let shown = run.output().expect("script is there").stdout;
    let shown = String::from_utf8(shown).expect("it is text").replace("\r\n", "\n");
    // The progress is removed from the screen.
    let shown = shown.replace("\r\u{1b}[2K", "");
    // No name is coloured red.
    assert!(!shown.contains("\u{1b}[31m"), "{arguments}: {shown:?}");
    let mut parts = shown.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| match part.split_once('m') {
        Some((color, rest)) if color.bytes().all(|byte| byte.is_ascii_digit() || byte == b';') => {
            plain + rest
        }
        _ => plain + "\u{1b}[" + part,
    })
}

#[test]
fn a_terminal_is_shown_no_hidden_characters() {
    let folder = folder();
    let commands = [
        format!("stats '{FILE}'"),
        format!("stats '{FILE}' --json"),
        format!("decide '{FILE}' comm_size=2 msg_size=8"),
        format!("sweep '{FILE}'"),
        format!("sweep '{FILE}' --over encoding"),
        format!("sweep '{FILE}' --over encoding --csv"),
        format!("plot '{FILE}'"),
        format!("report '{FILE}' -o -"),
        format!("emit '{FILE}' --target c --function f"),
        format!("emit '{FILE}' --target rust --function f"),
        format!("encode '{FILE}'"),
        "stats 'bad\u{1b}[31m.json'".to_owned(),
        "stats 'no\u{1b}[31m.json'".to_owned(),
        "'--\u{1b}[31m'".to_owned(),
    ];
    for command in commands {
        let shown = on_a_terminal(&folder, &command);
        assert!(shown.len() > 20, "{command}: {shown}");
        assert_visible(&shown, &command);
    }
}

#[test]
fn files_for_people_hold_no_hidden_characters() {
    let folder = folder();
    let commands: [&[&str]; 5] = [
        &["plot", FILE, "-o", "out.svg"],
        &["report", FILE, "-o", "out.html"],
        &["emit", FILE, "--target", "c", "--function", "f", "-o", "out.h"],
        &["emit", FILE, "--target", "rust", "--function", "f", "-o", "out.rs"],
        &["stats", FILE],
    ];
    for command in commands {
        let run = Command::new(qtdec_commands::qtdec()).args(command).current_dir(&folder).output();
        let run = run.expect("it can be run");
        assert_visible(&String::from_utf8(run.stderr).expect("it is text"), &format!("{command:?}"));
        assert!(run.status.success(), "{command:?}");
        if let Some(file) = command.last().filter(|file| file.starts_with("out")) {
            let written = fs::read_to_string(folder.path().join(file)).expect("it was written");
            assert_visible(&written, &format!("{command:?}"));
        }
    }
}

/// Data is unchanged for programs, and escaped on a terminal.
#[test]
fn data_is_escaped_on_a_terminal_alone() {
    let folder = folder();
    let encode = format!("'{}' encode '{FILE}'", qtdec_commands::qtdec());
    let piped =
        Command::new("sh").args(["-c", &encode]).current_dir(&folder).output().expect("it can be run");
    assert!(String::from_utf8_lossy(&piped.stdout).contains("\u{202e}"));
    let shown = on_a_terminal(&folder, &format!("encode '{FILE}'"));
    assert!(shown.contains("ri\\u{202e}ng"), "{shown}");
}
