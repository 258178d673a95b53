//! The command line that a message repeats.

use std::ffi::OsString;

/// The longest command line that a message repeats.
pub(super) const LONGEST_COMMAND: usize = 400;

/// Returns the command line with these words, without `--columns`; nothing if it is long or not text.
pub(super) fn command_line(words: impl Iterator<Item = OsString>) -> String {
    let words: Option<Vec<String>> = words.map(|word| word.into_string().ok()).collect();
    let mut words = words.unwrap_or_default().into_iter();
    let mut command = "qtdec".to_owned();
    while let Some(word) = words.next() {
        if word == "--columns" {
            words.next();
        } else if !word.starts_with("--columns=") {
            command.push(' ');
            command.push_str(&shlex::try_quote(&word).unwrap_or_default());
        }
    }
    if command.len() > LONGEST_COMMAND || command == "qtdec" { String::new() } else { command }
}

#[cfg(test)]
mod tests {
    use super::command_line;

    #[test]
    fn a_command_is_repeated_without_its_columns() {
        let repeated = |words: &[&str]| command_line(words.iter().map(Into::into));
        let words = ["map", "a b.txt", "--columns", "time=1", "--path", "{method}.txt", "--columns=time=2"];
        assert_eq!(repeated(&words), "qtdec map 'a b.txt' --path '{method}.txt'");
        assert_eq!(repeated(&["map"; 200]), "");
    }
}
