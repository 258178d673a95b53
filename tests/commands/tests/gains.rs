//! *Gain* is one word for one number, wherever a command prints it: the geometric one, and held out.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// What stands before a number that is called a gain. Each number has a sign.
const NUMBERS: [&str; 2] = ["held out    gain ", "gain        "];

/// What else commands say of gains: sentences whose number is held out, or that have none.
const SENTENCES: [&str; 9] = [
    ": gain over `",
    "; no gain over the default is shown",
    "; no gain over the baseline is shown",
    "no collective has a gain that may be claimed",
    "with a gain of 5 %",
    " show a gain of 5 %",
    "no gain shown (",
    "gain unknown: one launch",
    "# shows the gain on other jobs",
];

/// Returns the lines that commands print in a file: those of blocks that begin with a command.
fn printed(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let blocks = text.split("```").skip(1).step_by(2);
    let of_commands = blocks.filter(|block| block.lines().any(|line| line.starts_with("$ qtdec")));
    of_commands.flat_map(str::lines).filter(|line| !line.starts_with("$ ")).map(str::to_owned).collect()
}

fn recorded() -> Vec<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        [package.join("tests/commands"), package.join("../../guide/src"), package.join("../../lab/results")];
    let files = folders.iter().flat_map(WalkDir::new).map(|entry| entry.unwrap().into_path());
    files.filter(|file| file.extension().is_some_and(|ending| ending == "md")).collect()
}

/// Returns whether the word at this place of a line stands for the one figure, or in a sentence without another one.
fn is_said_properly(line: &str, at: usize) -> bool {
    let before = &line[..at];
    let is_in = |text: &str| {
        let word = text.find("gain").expect("the text has the word");
        at >= word && line[at - word..].starts_with(text)
    };
    let is_signed = |text: &&&str| {
        let word = text.find("gain").expect("the text has the word");
        is_in(text) && (word > 0 || at == 0) && line[at - word + text.len()..].starts_with(['+', '-'])
    };
    let is_column = line.starts_with([' ', '|']) && before.contains("held out: ");
    // Objects are of `stats --json`, whose key is fixed; the members are named by what they are.
    NUMBERS.iter().any(|text| is_signed(&text))
        || SENTENCES.iter().any(|text| is_in(text))
        || is_column
        || line.starts_with('{')
}

/// Returns the places of the word in a line.
fn places(line: &str) -> impl Iterator<Item = usize> {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || "_/".contains(letter));
    let is_word = move |at: &usize| {
        let after = &line[at + "gain".len()..];
        !is_part(line[..*at].chars().next_back())
            && !is_part(after.strip_prefix('s').unwrap_or(after).chars().next())
    };
    line.match_indices("gain").map(|(at, _)| at).filter(is_word)
}

#[test]
fn gains_have_one_form_in_all_recorded_outputs() {
    let (mut found, mut wrong) = (0, Vec::new());
    for file in recorded() {
        for line in printed(&file) {
            found += places(&line).count();
            if !places(&line).all(|at| is_said_properly(&line, at)) {
                wrong.push(format!("{}: {line}", file.display()));
            }
        }
    }
    assert!(found > 50, "{found} lines");
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn other_forms_are_noticed() {
    for (line, is_proper) in [
        ("in-sample gain +12.34 % over `default`", false),
        ("held out    gain +1.00 % over `a`", true),
        ("gain        -1.00 % over `a`", true),
        ("gain        mean 37.35 %, median 0.60 %", false),
        (" tree  penalty: mean  gain: mean  held out: gain", false),
        (" tree  penalty: mean  held out: gain", true),
        ("bcast: gain over `default` on held-out launches +22.92 %", true),
        ("the mean gain is 3 %", false),
    ] {
        let proper = places(line).all(|at| is_said_properly(line, at));
        assert_eq!(proper, is_proper, "{line}");
    }
}
