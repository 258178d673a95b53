//! Values in the paths of files.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use qtdec_times::collective::FUNCTIONS;
use regex_lite::Regex;

use super::columns::{SIZES, axis_name};

/// A pattern of paths: `results/{collective}/{method}_np{comm_size}.txt`.
///
/// Names in braces stand for the values to read: `collective`, `method`, `segment_size`, `job`, `run`, `comm_size` or another
/// axis, by [`axis_name`]. `*` matches anything within a folder or file name, `**` anything at all. The pattern must match the
/// end of the path, beginning at the start of a name. A size may have a suffix, as in `seg64K`, unless `*` follows it. `{collective}` is a function of MPI whenever the path can be
/// read so; the value of another axis than those of MPI may be a label if it is no size: `{order}/n{n}.txt` finds `sorted` in
/// `sorted/n64.txt`. A launch is known by its job and run together. `{collective}_{method}` finds `reduce_scatter` in `reduce_scatter_ring`, not `reduce`.
#[derive(Clone, Debug)]
pub struct PathPattern {
    text: String,
    /// The expression with MPI's functions only, that with any name for a collective, and
    /// the first with labels.
    regexes: [Regex; 3],
}

impl PathPattern {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// Fails if braces do not match, a name is invalid, similar to another or repeated, or two names have no text between
    /// them that separates their values.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts = parts(text)?;
        separated(text, &parts)?;
        let regex = |collective: &str, labels: bool| {
            let part = |(at, part): (usize, &Part<'_>)| part.regex(parts.get(at + 1), collective, labels);
            let inner: String = parts.iter().enumerate().map(part).collect();
            Regex::new(&format!("(?:^|/){inner}$")).map_err(|_| format!("a name occurs twice in `{text}`"))
        };
        let known = collectives();
        let regexes = [regex(&known, false)?, regex(TEXT, false)?, regex(&known, true)?];
        Ok(Self { text: text.to_owned(), regexes })
    }

    /// Returns the names in braces.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.regexes[0].capture_names().flatten()
    }

    /// Returns the values in a path, or `None` if it does not match.
    pub fn read(&self, path: &str) -> Option<BTreeMap<String, String>> {
        let found = self.regexes.iter().find_map(|regex| regex.captures(path))?;
        Some(
            self.names()
                .filter_map(|name| Some((name.to_owned(), found.name(name)?.as_str().to_owned())))
                .collect(),
        )
    }

    /// Returns the original pattern.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

enum Part<'t> {
    Text(&'t str),
    /// `*`
    WithinName,
    /// `**`
    Anything,
    Name(&'t str),
}

/// The expression for a value that is not a number.
const TEXT: &str = "[^/]+?";

/// The expression for a size: `4096`, `4K`, `4KiB`, `4.0`, `1e3`.
const SIZE: &str = r"[0-9]+(?:\.[0-9]+)?(?:[eE]\+?[0-9]+|[kKmMgG](?:iB)?)?";

/// The expression for a size before anything, where a letter may begin another word: `np64gpus`.
const DIGITS: &str = "[0-9]+";

impl Part<'_> {
    /// Returns the regular expression of the part, given the one after it and that of collectives. `labels` allows labels on axes.
    fn regex(&self, next: Option<&Self>, collective: &str, labels: bool) -> String {
        match self {
            Self::Text(text) => regex_lite::escape(text),
            Self::WithinName => "[^/]*".to_owned(),
            Self::Anything => ".*".to_owned(),
            Self::Name("collective") => format!("(?P<collective>{collective})"),
            // A label begins with a letter.
            Self::Name(name) if labels && may_be_label(name) => {
                format!(r"(?P<{name}>{SIZE}|[A-Za-z\u{{80}}-\u{{10FFFF}}][^/]*?)")
            }
            Self::Name(name) if is_number(name) => {
                let is_open = matches!(next, Some(Self::WithinName | Self::Anything));
                format!("(?P<{name}>{})", if is_open { DIGITS } else { SIZE })
            }
            Self::Name(name) => format!("(?P<{name}>{TEXT})"),
        }
    }
}

fn is_number(name: &str) -> bool {
    !["collective", "method", "job", "run"].contains(&name)
}

fn may_be_label(name: &str) -> bool {
    is_number(name) && name != "segment_size" && !SIZES.contains(&name)
}

/// Returns an expression for any spelling of one of the functions, including non-blocking ones.
fn collectives() -> String {
    let mut names: Vec<String> = FUNCTIONS.iter().map(|name| name.replace('_', "[_-]")).collect();
    // The first match is taken, so `reduce_scatter_block` is tried before `reduce`.
    names.sort_by_key(|name| Reverse(name.len()));
    format!("(?i:(?:MPI[_-])?I?(?:{}))", names.join("|"))
}

fn parts(text: &str) -> Result<Vec<Part<'_>>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(special) = rest.find(['{', '}', '*']) {
        if special > 0 {
            parts.push(Part::Text(&rest[..special]));
        }
        rest = &rest[special..];
        if let Some(after) = rest.strip_prefix("**") {
            parts.push(Part::Anything);
            rest = after;
        } else if let Some(after) = rest.strip_prefix('*') {
            parts.push(Part::WithinName);
            rest = after;
        } else {
            let (name, after) = rest
                .strip_prefix('{')
                .and_then(|rest| rest.split_once('}'))
                .ok_or_else(|| format!("the braces in `{text}` do not match"))?;
            let name = axis_name(name)?;
            if !qtdec_core::naming::is_identifier(name) {
                return Err(format!("`{{{name}}}` is not a name in braces"));
            }
            parts.push(Part::Name(name));
            rest = after;
        }
    }
    parts.push(Part::Text(rest));
    Ok(parts)
}

/// Checks that there is text between any two names, which otherwise could not be separated. Between two numbers,
/// digits do not separate.
fn separated(pattern: &str, parts: &[Part<'_>]) -> Result<(), String> {
    let mut before: Option<&str> = None;
    let mut between = String::new();
    for part in parts {
        match part {
            Part::Text(text) => between += text,
            Part::WithinName | Part::Anything => {}
            Part::Name(name) => {
                let digits = between.bytes().all(|byte| byte.is_ascii_digit());
                if let Some(before) = before
                    && (between.is_empty() || digits && is_number(before) && is_number(name))
                {
                    return Err(format!(
                        "nothing separates `{{{before}}}` from `{{{name}}}` in `{pattern}`: insert the text \
                             that separates them in the paths"
                    ));
                }
                before = Some(name);
                between.clear();
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_learnt_from_the_end_of_the_path() {
        let pattern = PathPattern::parse("{collective}/alg{method}_np{comm_size}*.txt").unwrap();
        let found = pattern.read("/home/me/results/bcast/algring-2_np64_ppn2.txt").unwrap();
        assert_eq!(
            (&*found["collective"], &*found["method"], &*found["comm_size"]),
            ("bcast", "ring-2", "64")
        );
        assert_eq!(pattern.read("results/bcast/ring_np64.txt"), None);
        assert_eq!(pattern.read("alg1_np64.txt"), None);
        let deep = PathPattern::parse("results/**/np{comm_size}.out").unwrap();
        assert_eq!(deep.read("results/a/b/c/np8.out").unwrap()["comm_size"], "8");
    }

    #[test]
    fn sizes_are_read_whole() {
        let found = |pattern: &str, path: &str| {
            let found = PathPattern::parse(pattern).unwrap().read(path).unwrap();
            found.into_values().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(found("ring_{n}.txt", "ring_4K.txt"), "4K");
        assert_eq!(found("ring_{n}.txt", "ring_4.0.txt"), "4.0");
        assert_eq!(found("ring_{n}_{p}", "ring_64KiB_1e3"), "64KiB 1e3");
        assert_eq!(found("{a}.{b}.txt", "8.16.txt"), "8 16");
        assert_eq!(found("{a}e{b}k", "8e16k"), "8 16");
        assert_eq!(found("np{a}m*", "np8min"), "8");
        assert_eq!(found("np{a}*.txt", "np64gpus2.txt"), "64");
        assert_eq!(found("{a}x{b}", "2x4"), "2 4");
    }

    #[test]
    fn labels_are_read_where_no_size_is() {
        let pattern = PathPattern::parse("{order}/{method}_n{n}.txt").unwrap();
        let found = pattern.read("times/nearly-sorted/merge_n64.txt").unwrap();
        assert_eq!((&*found["order"], &*found["method"], &*found["n"]), ("nearly-sorted", "merge", "64"));
        assert_eq!(pattern.read("times/8/merge_n64.txt").unwrap()["order"], "8");
        assert_eq!(pattern.read("times/+/merge_n64.txt"), None);
        let pattern = PathPattern::parse("{method}_np{comm_size}.txt").unwrap();
        assert_eq!(pattern.read("ring_npmany.txt"), None);
    }

    #[test]
    fn invalid_patterns() {
        for text in ["{comm_size", "comm_size}", "{comm size}", "{}", "{ppn}_{ppn}"] {
            assert!(PathPattern::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_that_nothing_separates() {
        for text in [
            "{collective}{method}.csv",
            "{method}{comm_size}.csv",
            "{method}*{run}.csv",
            "{method}**{run}.csv",
            "{comm_size}0{ppn}.csv",
            "{collective}/{method}{run}",
        ] {
            let refused = PathPattern::parse(text).unwrap_err();
            assert!(refused.starts_with("nothing separates `{"), "{text}: {refused}");
        }
        for text in
            ["{method}*_{run}.csv", "{comm_size}x{ppn}", "{method}0{comm_size}", "{collective}/{method}*.txt"]
        {
            assert!(PathPattern::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn collectives_are_found_whole() {
        let found = |pattern: &str, path: &str| {
            let found = PathPattern::parse(pattern).unwrap().read(path).unwrap();
            (found["collective"].clone(), found["method"].clone())
        };
        let both = |collective: &str, method: &str| (collective.to_owned(), method.to_owned());
        for collective in FUNCTIONS {
            for spelling in [collective.to_owned(), format!("MPI_I{collective}"), collective.to_uppercase()] {
                for method in ["ring", "scatter_allgather", "block", "reduce"] {
                    // Such a name can be read in two ways; the longest collective is meant.
                    if collective == "reduce" && method.starts_with("scatter")
                        || collective.ends_with("scatter")
                    {
                        continue;
                    }
                    let first = format!("{spelling}_{method}.csv");
                    assert_eq!(found("{collective}_{method}.csv", &first), both(&spelling, method));
                }
                let last = format!("ring.{spelling}.csv");
                assert_eq!(found("{method}.{collective}.csv", &last), both(&spelling, "ring"));
            }
        }
        let pattern = "{collective}_{method}.csv";
        assert_eq!(found(pattern, "reduce_scatter_ring.csv"), both("reduce_scatter", "ring"));
        assert_eq!(found(pattern, "reduce-scatter-block_ring.csv"), both("reduce-scatter-block", "ring"));
        assert_eq!(found(pattern, "reduce_scatter.csv"), both("reduce", "scatter"));
        assert_eq!(found(pattern, "halo_ring.csv"), both("halo", "ring"));
        assert_eq!(
            found("{method}_{collective}.csv", "scatter_ring_reduce.csv"),
            both("reduce", "scatter_ring")
        );
    }
}
