//! Comments of generated files: where the times come from, and what was gained.
//!
//! They are lines `key: value`, as at the beginning of canonical times. Nothing but the times determines them.
//!
//! A line must survive the reader of the library: Open MPI skips the rest of a line after `#` (`skiptonewline` in `coll_base_util.c` of
//! 5.0 and in `coll_tuned_dynamic_file.c` of 4.1), a shell too, which sets the variables of Intel MPI.

use crate::catalogue::Release;
use qtdec_core::visible;
use qtdec_times::about::{About, LIBRARY, MACHINE, MEASURED};

/// The maximum number of bytes of a line.
const LONGEST: usize = 200;

/// The value of a key that the times do not have.
const NOT_STATED: &str = "not stated by the times";

/// Returns the lines about times from these files, whose repeats are combined with this statistic.
pub fn lines(about: &About, files: &[String], statistic: &str) -> Vec<String> {
    let stated = |key: &'static str| (key, about.get(key).unwrap_or(NOT_STATED).to_owned());
    let own = [("statistic", statistic.to_owned()), ("times", files.join(", "))];
    let all = [MACHINE, LIBRARY, MEASURED].map(stated).into_iter().chain(own);
    all.map(|(key, value)| format!("{key}: {value}")).collect()
}

/// Returns lines as comments with these marks around them.
pub fn comments(lines: &[String], open: &str, close: &str) -> String {
    lines
        .iter()
        .flat_map(|line| [open.to_owned(), cut(&visible::line(line)), close.to_owned(), "\n".to_owned()])
        .collect()
}

/// Returns the beginning of a long line.
fn cut(line: &str) -> String {
    if line.len() <= LONGEST {
        return line.to_owned();
    }
    let end = (0..=LONGEST).rev().find(|end| line.is_char_boundary(*end)).unwrap_or(0);
    format!("{}…", &line[..end])
}

/// Returns the library of the times from which a file was made, and its release, if comments with `#` say them.
pub fn measured_library(bytes: &[u8]) -> Option<(String, Release)> {
    let text = String::from_utf8_lossy(bytes);
    let mut comments = text.lines().filter_map(|line| line.strip_prefix("# "));
    let library = comments.find_map(|line| line.strip_prefix(LIBRARY)?.strip_prefix(": "))?;
    Some((library.to_owned(), release_in(library)?))
}

/// Returns the release in the name of a library.
pub fn release_in(library: &str) -> Option<Release> {
    let mut words = library.split([' ', '-', '/', '_', ',', '(', ')']);
    words.find_map(|word| word.trim_start_matches('v').parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_read_again() {
        let mut about = About::default();
        about.add(LIBRARY, "Open MPI 4.1.4").unwrap();
        about.add(MEASURED, "2026-03-01").unwrap();
        let lines = lines(&about, &["a.csv".to_owned(), "b\n.csv".to_owned()], "median");
        let text = comments(&lines, "# ", "") + "1 # collectives\n";
        let expected = "# machine: not stated by the times\n# library: Open MPI 4.1.4\n# measured: 2026-03-01\n\
                        # statistic: median\n# times: a.csv, b";
        assert!(text.starts_with(expected) && text.lines().count() == 6, "{text}");
        let expected = Some(("Open MPI 4.1.4".to_owned(), Release::new(4, 1).patch(4)));
        assert_eq!(measured_library(text.as_bytes()), expected);
        assert_eq!(measured_library(b"# library: Open MPI\n"), None);
        let other = measured_library(b"1\n# library: mpich-4.0.2\n").map(|(_, release)| release);
        assert_eq!(other, Some(Release::new(4, 0).patch(2)));
    }

    #[test]
    fn lines_are_short_enough_for_every_reader() {
        let text = comments(&["é".repeat(300)], "# ", "");
        assert!(text.len() < 255 && text.ends_with("é…\n"), "{text}");
    }
}
