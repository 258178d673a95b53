//! Settings that make a library use a tuning file, as data, and the shell lines for them.

use std::borrow::Cow;

/// The settings of a job that make a library use a tuning file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Whether the file itself is a script that sets variables.
    pub is_script: bool,
    /// The settings in addition to the file.
    pub settings: Vec<Switch>,
    /// Remarks on the settings, one line each.
    pub remarks: Vec<String>,
}

/// One setting of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The name of the variable of the environment.
    pub(super) name: String,
    value: SwitchValue,
}

/// The value of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SwitchValue {
    /// A fixed text.
    Text(&'static str),
    /// A number.
    Number(u64),
    /// The absolute path of the tuning file.
    File,
}

/// The path used if the name of the file is not known.
pub const PLACEHOLDER: &str = "/ABSOLUTE/PATH/OF/THIS/FILE";

impl Switch {
    /// Creates an environment variable.
    pub fn variable(name: impl Into<String>, value: SwitchValue) -> Self {
        Self { name: name.into(), value }
    }

    /// Creates a parameter of Open MPI, which takes each from a variable too, and its launcher and others pass that on to all ranks.
    pub fn parameter(name: &str, value: SwitchValue) -> Self {
        Self::variable(format!("OMPI_MCA_{name}"), value)
    }

    /// Returns the shell line for the setting.
    fn export(&self, file: &str) -> String {
        let value = match self.value {
            SwitchValue::Text(text) => quoted(text),
            SwitchValue::Number(number) => number.to_string().into(),
            SwitchValue::File => quoted(file),
        };
        format!("export {}={value}\n", self.name)
    }
}

impl Switches {
    /// Returns the lines of a POSIX shell that make the settings for a file with an absolute path, or for
    /// [`PLACEHOLDER`]. They work in every folder, whatever characters the file name contains.
    pub fn script(&self, file: Option<&str>) -> String {
        let placeholder =
            file.is_none().then(|| format!("# replace {PLACEHOLDER} by the path of the file\n"));
        let file = file.unwrap_or(PLACEHOLDER);
        let source = self.is_script.then(|| format!(". {}\n", quoted(file)));
        let settings = self.settings.iter().map(|switch| switch.export(file));
        let remarks = self.remarks.iter().map(|remark| format!("# {remark}\n"));
        placeholder.into_iter().chain(source).chain(settings).chain(remarks).collect()
    }
}

/// Returns a text as a word of a shell. The one character that cannot be quoted, NUL, does not occur in file names.
pub fn quoted(text: &str) -> Cow<'_, str> {
    shlex::try_quote(text).unwrap_or(Cow::Borrowed("''"))
}

/// Returns whether a script with these settings is for the tuning file of this name, in whatever folder it was when the script was
/// written.
pub fn is_script_for(script: &str, file_name: &str) -> bool {
    // A word of a setting is `NAME=VALUE`, or the whole path of a file that is a script.
    let names = |word: &String| word.rsplit(['/', '=']).next() == Some(file_name);
    shlex::split(script).is_some_and(|words| words.iter().any(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switches() -> Switches {
        Switches {
            is_script: true,
            settings: vec![
                Switch::parameter("coll_ucc_enable", SwitchValue::Text("1")),
                Switch::variable("A_FILE", SwitchValue::File),
            ],
            remarks: vec!["a remark".to_owned()],
        }
    }

    #[test]
    fn a_name_that_needs_no_quotes_has_none() {
        let expected =
            ". /a/rules.sh\nexport OMPI_MCA_coll_ucc_enable=1\nexport A_FILE=/a/rules.sh\n# a remark\n";
        assert_eq!(switches().script(Some("/a/rules.sh")), expected);
    }

    #[test]
    fn a_shell_reads_the_names_of_files_as_they_are() {
        for file in
            ["/x y;touch pwn", "/FILE", "/it's", "/a\n# b\ntouch pwn", "/$(pwn)`pwn`", "/\"", "/#", "/é\\"]
        {
            let expected = [".", file, "export", "OMPI_MCA_coll_ucc_enable=1", "export"].map(str::to_owned);
            let words = shlex::split(&switches().script(Some(file))).expect("quotes match");
            assert_eq!(words[..5], expected, "{file}");
            assert_eq!(words[5..], [format!("A_FILE={file}")], "{file}");
        }
    }

    #[test]
    fn a_script_is_for_the_file_that_it_names() {
        for name in ["rules.sh", "my rules.json", "it's"] {
            let script = switches().script(Some(&format!("/a b/{name}")));
            assert!(is_script_for(&script, name), "{script}");
            assert!(!is_script_for(&script, "other.json") && !is_script_for(&script, "b"), "{script}");
        }
        assert!(!is_script_for("# rules.sh\nexport A_FILE='", "rules.sh"));
    }

    #[test]
    fn a_file_without_a_name_has_a_placeholder() {
        let script = switches().script(None);
        let words = shlex::split(&script).expect("quotes match");
        assert_eq!(words[1], PLACEHOLDER);
        assert!(
            script.starts_with(&format!("# replace {PLACEHOLDER} by the path of the file\n")),
            "{script}"
        );
    }
}
