//! The options that the attribute, the builder and the command share, with the same names in each.

use crate::borders::Borders;
use crate::code::{ERROR, LayoutChoice, TRUE_LABEL};
use crate::document::Document;
use crate::encode::{self, Budget, Empty, EncodeSettings, Encoder, OptionForm, SearchLimit};
use crate::listing::{in_backticks, one_of};
use crate::message::Message;
use crate::problem::{Diagnostics, Place, Problem, Problems};
use crate::similar::did_you_mean;
use crate::tree::DecisionTree;

/// Options for turning a file into a tree, and a tree into code.
#[derive(Debug)]
pub struct Options {
    encoder: Box<dyn Encoder>,
    settings: EncodeSettings,
    layout: LayoutChoice,
    true_labels: Vec<String>,
    error: Option<String>,
    fallback: Option<String>,
    /// The names of the given options that affect the tree.
    given: Vec<String>,
}

/// The options that affect the code rather than the tree.
const OF_CODE: [&str; 3] = [LayoutChoice::OPTION, TRUE_LABEL.name, ERROR.name];

/// The options that all encoders share.
const COMMON: &[OptionForm] = &[
    OptionForm { name: "encoding", value: "NAME", help: "build the tree with this encoding" },
    OptionForm {
        name: "borders",
        value: "crossing|geometric|arithmetic|floor|ceiling",
        help: "place the border between two samples where the times of the methods on both sides cross (at the upper \
             sample, if the map has no times or fitted ones), halfway on a logarithmic scale, halfway, at the upper sample, or at the \
             lower one, as C4.5 does",
    },
    OptionForm {
        name: "budget",
        value: "BUDGET",
        help: "limit the cost of decisions: \"max 10%\" in each cell and \"mean 5%\" relative to the best methods, \"baseline 1%\" in each cell relative to the baseline, or several of these; the tree is as small as they allow",
    },
    OptionForm {
        name: "empty",
        value: "filled|strict",
        help: "add cells in which nothing was measured to the regions around them, or leave them without a decision",
    },
    OptionForm {
        name: "fallback",
        value: "METHOD",
        help: "use this method where the chosen one may not run; by default the baseline, or else the best \
             one that can run everywhere",
    },
];

impl Options {
    /// Returns every option that affects the tree, with the encoders that have it; the list is empty for an option that all share.
    pub fn forms() -> Vec<(OptionForm, Vec<&'static str>)> {
        let mut forms: Vec<(OptionForm, Vec<&'static str>)> =
            COMMON.iter().map(|form| (*form, Vec::new())).collect();
        for encoder in encode::encoders() {
            for form in encoder.options() {
                match forms.iter_mut().find(|(other, _)| other.name == form.name) {
                    Some((_, encoders)) => encoders.push(encoder.name()),
                    None => forms.push((form, vec![encoder.name()])),
                }
            }
        }
        forms
    }

    /// Returns the names of all options.
    pub fn names() -> Vec<&'static str> {
        let forms = Self::forms().into_iter().map(|(form, _)| form.name);
        forms.chain(OF_CODE).collect()
    }

    /// Parses options from names and values.
    ///
    /// ```
    /// use qtdec_core::Options;
    ///
    /// assert!(Options::parse(&[("max_depth", "3"), ("borders", "geometric")]).is_ok());
    /// let faults = Options::parse(&[("max_deep", "3"), ("threshold", "120")]).unwrap_err();
    /// assert_eq!(
    ///     faults.to_string(),
    ///     "unknown option `max_deep`: did you mean `max_depth`?\n\
    ///      `threshold` is a number from 0 to 100, not `120`"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Returns every option that is unknown, repeated or has an invalid value.
    pub fn parse<S: AsRef<str>>(given: &[(S, S)]) -> Result<Self, Problems> {
        let given: Vec<(&str, &str)> =
            given.iter().map(|(name, value)| (name.as_ref(), value.as_ref())).collect();
        let mut faults = Vec::new();
        let names: Vec<&str> = given.iter().map(|(name, _)| *name).collect();
        let mut options = Self {
            encoder: encode::encoders().swap_remove(0),
            settings: EncodeSettings::default(),
            layout: LayoutChoice::default(),
            true_labels: Vec::new(),
            error: None,
            fallback: None,
            given: names.iter().filter(|name| !OF_CODE.contains(name)).map(ToString::to_string).collect(),
        };
        // The encoder comes first, whatever its position, because it determines the other options.
        let (encodings, others): (Vec<usize>, Vec<usize>) =
            (0..given.len()).partition(|&index| given[index].0 == "encoding");
        for index in encodings.into_iter().chain(others) {
            let (name, value) = given[index];
            let result = if names[..index].contains(&name) {
                Err((false, Message::from("the option ").option(name).text(" is given twice")))
            } else if options.known().any(|known| known == name) {
                options.set(name, value).map_err(|message| (true, message))
            } else {
                Err((false, options.unknown(name)))
            };
            if let Err((is_value, message)) = result {
                faults.push((index, Problem::new(Place::Option { index, is_value }, message)));
            }
        }
        faults.sort_by_key(|(index, _)| *index);
        let mut check = Diagnostics::default();
        for (_, fault) in faults {
            check.add(fault);
        }
        check.finish(Some(options))
    }

    fn known(&self) -> impl Iterator<Item = &'static str> {
        COMMON.iter().copied().chain(self.encoder.options()).map(|form| form.name).chain(OF_CODE)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Message> {
        let names: Vec<&'static str> = encode::encoders().iter().map(|encoder| encoder.name()).collect();
        let forms = COMMON.iter().copied().chain(self.encoder.options());
        let form = forms.filter(|form| form.name == name && form.value.contains('|')).map(|form| form.value);
        let values: Vec<&str> = form
            .flat_map(|values| values.split('|'))
            .chain(names.iter().copied().filter(|_| name == "encoding"))
            .chain(LayoutChoice::names().into_iter().filter(|_| name == LayoutChoice::OPTION))
            .collect();
        let not = |expected: String| {
            let meant = did_you_mean(value, values.iter().copied());
            let meant = meant.map(|meant| format!(": did you mean `{meant}`?")).unwrap_or_default();
            Message::default().option(name).text(format!(" is {expected}, not `{value}`{meant}"))
        };
        match name {
            "encoding" => {
                let found = encode::encoders().into_iter().find(|encoder| encoder.name() == value);
                self.encoder = found.ok_or_else(|| not(format!("one of {}", in_backticks(&names))))?;
            }
            "borders" => self.settings.borders = Borders::parse(value).map_err(not)?,
            "budget" => self.settings.budget = Budget::parse(value).map_err(not)?,
            "empty" => self.settings.empty = one_of(value, &Empty::ALL).map_err(not)?,
            "fallback" => self.fallback = Some(value.to_owned()),
            LayoutChoice::OPTION => self.layout = LayoutChoice::parse(value).map_err(not)?,
            _ if name == TRUE_LABEL.name => {
                self.true_labels = value.split(',').map(|label| label.trim().to_owned()).collect();
            }
            _ if name == ERROR.name => self.error = Some(value.to_owned()),
            _ => self.encoder.set(name, value).map_err(not)?,
        }
        Ok(())
    }

    fn unknown(&self, name: &str) -> Message {
        let forms = Self::forms();
        match forms.iter().find(|(form, _)| form.name == name) {
            Some((_, encoders)) => {
                let (known, encoder) = (in_backticks(encoders), self.encoder.name());
                Message::default().option(name).text(format!(" is an option of {known}, not of `{encoder}`"))
            }
            None => {
                let unknown = Message::from(format!("unknown option `{name}`: "));
                let all = forms.iter().map(|(form, _)| form.name).chain(OF_CODE);
                match did_you_mean(name, all) {
                    Some(meant) => unknown.text("did you mean ").option(meant).text("?"),
                    None => unknown.text("the options are ").options(&self.known().collect::<Vec<_>>()),
                }
            }
        }
    }

    /// Sets the search limit. The default is that of the command.
    #[must_use]
    pub fn within(mut self, search_limit: SearchLimit) -> Self {
        self.settings.search_limit = search_limit;
        self
    }

    /// Limits searches to what a compiler may wait for.
    #[must_use]
    pub fn while_compiling(self) -> Self {
        self.within(SearchLimit::BUILD)
    }

    /// Returns the tree of a file: a map is encoded, and a tree is returned unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if the map lacks something that the options need, or if options are given for a file that already holds a tree.
    pub fn tree(&self, document: Document) -> Result<DecisionTree, Problems> {
        match document {
            Document::Map(map) => {
                let tree = encode::encode_with(&map, &*self.encoder, &self.settings)?;
                Ok(match &self.fallback {
                    Some(label) => tree.with_fallback(label)?,
                    None => tree,
                })
            }
            Document::Tree(tree) if self.given.is_empty() => Ok(tree),
            Document::Tree(_) => {
                let given: Vec<&str> = self.given.iter().map(String::as_str).collect();
                let message =
                    Message::from("the file holds a tree: ").options(&given).text(" cannot change it");
                Err(Problem::new(Place::File, message).help("remove them, or use the map").into())
            }
        }
    }

    /// Returns the layout of the code.
    pub fn layout(&self) -> LayoutChoice {
        self.layout
    }

    /// Returns the labels that mean `true` for a `bool`, if they were given.
    pub fn true_labels(&self) -> &[String] {
        &self.true_labels
    }

    /// Returns the message of the papers' last `else`, if it was given.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The default of an option is the first value in its help.
    #[test]
    fn the_first_of_several_values_is_the_default() {
        let meaning = |given: &[(&str, &str)]| {
            let options = Options::parse(given).unwrap();
            format!("{:?}", Options { given: Vec::new(), ..options })
        };
        let own = Options::forms().into_iter().map(|(form, encoders)| {
            (form.name, form.value.split('|').collect::<Vec<_>>(), encoders.first().copied())
        });
        for (name, values, encoder) in own.chain([(LayoutChoice::OPTION, LayoutChoice::names(), None)]) {
            let encoding = ("encoding", encoder.unwrap_or("quadtree"));
            for (index, value) in values.iter().enumerate().filter(|_| values.len() > 1) {
                let given = meaning(&[encoding, (name, value)]);
                assert_eq!(given == meaning(&[encoding]), index == 0, "{name} = {value}");
            }
        }
    }
}
