//! Command lines that messages and scripts advise.

use std::ffi::OsString;
use std::path::Path;

/// The longest command line that a message repeats.
const LONGEST_COMMAND: usize = 400;

/// A command line to type: the one place that quotes and joins the words of messages.
#[derive(Clone, Debug)]
pub struct Advice(Vec<String>);

impl Advice {
    /// Returns a command line of `qtdec`; the words are quoted for a shell.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        Self::of("qtdec", words)
    }

    /// Returns a command line of `qtdec-mpi`.
    pub fn mpi<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        Self::of("qtdec-mpi", words)
    }

    fn of<'w>(program: &'w str, words: impl IntoIterator<Item = &'w str>) -> Self {
        let words = [program].into_iter().chain(words);
        Self(words.map(|word| shlex::try_quote(word).unwrap_or_default().into_owned()).collect())
    }

    /// Returns the command that makes canonical times of files, in a file that is none of them.
    pub fn to_read(files: &[String]) -> Self {
        let output =
            ["times.csv", "canonical.csv"].into_iter().find(|name| !files.iter().any(|file| file == name));
        let files = files.iter().map(String::as_str);
        Self::new(["read"].into_iter().chain(files).chain(["-o", output.unwrap_or("read.csv")]))
    }

    /// Returns the command that compares times with those after a deployment: times before, perhaps others by turns, and those after. A tree
    /// that `qtdec-mpi tune` writes names the baseline itself.
    pub fn to_verify(times: &[&str], collective: Option<&str>, baseline: Option<&str>, tree: &str) -> Self {
        let collective = collective.map(|name| ["--collective", name]);
        let baseline = baseline.map(|name| ["--baseline", name]);
        let words = ["verify"].iter().chain(times).copied().chain(collective.into_iter().flatten());
        Self::new(words.chain(baseline.into_iter().flatten()).chain(["--deployed", tree]))
    }

    /// Returns the command line of this process; `None` if it is not text.
    pub fn of_process() -> Option<Self> {
        Self::of_process_without("")
    }

    /// Returns the command line of this process without a flag; `None` if it is not text.
    pub fn of_process_without(flag: &str) -> Option<Self> {
        let (program, words) = words_of(std::env::args_os())?;
        Some(Self::of(&program, words.iter().map(String::as_str).filter(|word| *word != flag)))
    }

    /// Adds words that are quoted already, such as `--element-size 8`.
    #[must_use]
    pub fn with(mut self, words: String) -> Self {
        self.0.push(words);
        self
    }

    pub fn line(&self) -> String {
        self.0.join(" ")
    }

    /// Returns the line, if it is short enough for a message.
    pub fn short_line(&self) -> Option<String> {
        Some(self.line()).filter(|line| line.len() <= LONGEST_COMMAND)
    }
}

/// Returns the name of a program and the words after it.
fn words_of(mut words: impl Iterator<Item = OsString>) -> Option<(String, Vec<String>)> {
    let program = words.next()?;
    let program = Path::new(&program).file_stem()?.to_str()?.to_owned();
    let words: Option<Vec<String>> = words.map(|word| word.into_string().ok()).collect();
    Some((program, words?))
}

#[cfg(test)]
mod tests {
    use super::Advice;

    #[test]
    fn canonical_times_replace_no_file_that_is_read() {
        let files = ["times.csv".to_owned(), "a b".to_owned()];
        let advice = Advice::to_read(&files).with("--element-size 8".to_owned());
        assert_eq!(advice.line(), "qtdec read times.csv 'a b' -o canonical.csv --element-size 8");
    }
}
