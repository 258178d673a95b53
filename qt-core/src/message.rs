//! Messages as data. Each front end writes options in its own syntax, and no code has to search the text.

use std::fmt;

/// The syntax in which a front end writes options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Syntax {
    /// `max_depth = 3`, as in the attribute and in files.
    #[default]
    Attribute,
    /// `.option("max_depth", "3")`, as in a build script.
    Builder,
    /// `--max-depth 3`, as on the command line.
    Command,
}

/// A text with structured parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A value from a file.
    Value(String),
    /// The name of an option.
    Option(String),
    /// An option and its value.
    Setting(String, String),
}

impl Syntax {
    fn name(self, option: &str) -> String {
        match self {
            Self::Attribute | Self::Builder => format!("`{option}`"),
            Self::Command => flag(option),
        }
    }

    fn setting(self, option: &str, value: &str) -> String {
        let is_bare = value.parse::<f64>().is_ok() || value == "true" || value == "false";
        match self {
            Self::Attribute if is_bare => format!("`{option} = {value}`"),
            Self::Attribute => format!("`{option} = \"{value}\"`"),
            Self::Builder => format!("`.option(\"{option}\", \"{value}\")`"),
            Self::Command if value == "true" => flag(option),
            Self::Command if value.contains(' ') => format!("{} \"{value}\"", flag(option)),
            Self::Command => format!("{} {value}", flag(option)),
        }
    }
}

fn flag(option: &str) -> String {
    format!("--{}", option.replace('_', "-"))
}

impl Message {
    /// Creates the suggestion to set an option.
    pub fn set(option: &str, value: &str) -> Self {
        Self::from("use ").setting(option, value)
    }

    /// Adds text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Part::Text(text.into()));
        self
    }

    /// Adds a value from a file or a number computed from it. Messages that differ only in such values have the same
    /// [`kind`](Self::kind).
    #[must_use]
    pub fn value(mut self, value: impl fmt::Display) -> Self {
        self.0.push(Part::Value(value.to_string()));
        self
    }

    /// Adds the name of an option.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>) -> Self {
        self.0.push(Part::Option(name.into()));
        self
    }

    /// Adds the names of options, separated by commas and "and".
    #[must_use]
    pub fn options(self, names: &[&str]) -> Self {
        let last = names.len().saturating_sub(1);
        names.iter().enumerate().fold(self, |message, (index, name)| {
            let message = match index {
                0 => message,
                _ if index == last => message.text(" and "),
                _ => message.text(", "),
            };
            message.option(*name)
        })
    }

    /// Adds an option with its value.
    #[must_use]
    pub fn setting(mut self, option: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.push(Part::Setting(option.into(), value.into()));
        self
    }

    /// Returns the text, with options in the syntax of a front end.
    pub fn render(&self, syntax: Syntax) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) | Part::Value(text) => text.clone(),
            Part::Option(name) => syntax.name(name),
            Part::Setting(option, value) => syntax.setting(option, value),
        };
        self.0.iter().map(part).collect()
    }

    /// Returns the part that messages of the same kind share: the text without values.
    pub fn kind(&self) -> String {
        let parts = self.0.iter().filter(|part| !matches!(part, Part::Value(_)));
        Self(parts.cloned().collect()).render(Syntax::default())
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::default().text(text)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::default().text(text)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Syntax::default()))
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, other: &&str) -> bool {
        self.render(Syntax::default()) == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_written_in_the_syntax_of_each_front_end() {
        let message =
            Message::from("raise ").option("max_depth").text(", or set ").setting("leaf", "cheapest");
        let rendered =
            [Syntax::Attribute, Syntax::Builder, Syntax::Command].map(|syntax| message.render(syntax));
        assert_eq!(
            rendered,
            [
                "raise `max_depth`, or set `leaf = \"cheapest\"`",
                "raise `max_depth`, or set `.option(\"leaf\", \"cheapest\")`",
                "raise --max-depth, or set --leaf cheapest",
            ]
        );
        let budget = Message::set("budget", "max 10%");
        assert_eq!(budget.render(Syntax::Command), "use --budget \"max 10%\"");
        assert_eq!(Message::set("max_depth", "3").render(Syntax::Attribute), "use `max_depth = 3`");
    }

    #[test]
    fn kinds_do_not_depend_on_values() {
        let row = |found: &str| Message::from("`").value(found).text("` is not a time");
        assert_eq!(row("x").kind(), row("1` is `2").kind());
        assert_ne!(row("x").kind(), Message::from("`x` is not a size").kind());
        assert_eq!(row("x").to_string(), "`x` is not a time");
    }
}
