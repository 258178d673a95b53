//! What the path of a file tells about the times in it.

use std::collections::BTreeMap;

use regex::Regex;

use super::axis_name::axis_name;

/// A pattern of paths: `results/{collective}/{method}_np{comm_size}.txt`.
///
/// Names in braces stand for what is to be learnt: `collective`, `method`, `segment_size`, `run`, `comm_size` or another
/// axis, by [`axis_name`]. `*` stands for anything within a folder or file name, `**` for anything at all. The pattern must fit the end of
/// the path, from the beginning of a name on.
#[derive(Clone, Debug)]
pub struct PathPattern {
    text: String,
    regex: Regex,
}

impl PathPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// Braces that do not match, a name that is none, is like another or stands twice.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut regex = String::from("(?:^|/)");
        let mut rest = text;
        while let Some(special) = rest.find(['{', '}', '*']) {
            regex += &regex::escape(&rest[..special]);
            rest = &rest[special..];
            if let Some(after) = rest.strip_prefix("**") {
                regex += ".*";
                rest = after;
            } else if let Some(after) = rest.strip_prefix('*') {
                regex += "[^/]*";
                rest = after;
            } else {
                let (name, after) = rest
                    .strip_prefix('{')
                    .and_then(|rest| rest.split_once('}'))
                    .ok_or_else(|| format!("a brace of `{text}` has no partner"))?;
                let name = axis_name(name)?;
                if !qtdec_core::naming::is_identifier(name) {
                    return Err(format!("`{{{name}}}` is not a name in braces"));
                }
                let is_number = !["collective", "method", "run"].contains(&name);
                let value = if is_number { "[0-9]+" } else { "[^/]+?" };
                regex.extend(["(?P<", name, ">", value, ")"]);
                rest = after;
            }
        }
        regex += &regex::escape(rest);
        regex.push('$');
        let regex = Regex::new(&regex).map_err(|_| format!("a name stands twice in `{text}`"))?;
        Ok(Self { text: text.to_owned(), regex })
    }

    /// The names in braces.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.regex.capture_names().flatten()
    }

    /// What the path tells; `None` if it does not fit.
    pub fn read(&self, path: &str) -> Option<BTreeMap<String, String>> {
        let found = self.regex.captures(path)?;
        Some(
            self.names()
                .filter_map(|name| Some((name.to_owned(), found.name(name)?.as_str().to_owned())))
                .collect(),
        )
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
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
    fn patterns_that_are_none() {
        for text in ["{comm_size", "comm_size}", "{comm size}", "{}", "{ppn}{ppn}"] {
            assert!(PathPattern::parse(text).is_err(), "{text}");
        }
    }
}
