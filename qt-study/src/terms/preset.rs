//! Sets of terms, and the names that they may use.

use std::fmt;

use qtdec_core::listing::listed;
use qtdec_core::similar::suggestion;
use qtdec_core::{Place, Problem};

use super::expression::{EvaluationError, Expression};
use super::parse;

/// The terms whose weighted sum is the time of a method. The variants are complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terms {
    /// Terms with a name.
    Preset(Preset),
    /// Terms that the user wrote.
    Written(Vec<Expression>),
}

/// Terms that fit many programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Preset {
    /// One, every axis, and the product of all axes.
    Linear,
    /// A latency for each message and a time for each byte of MPI's collectives: one, the number of ranks and its logarithm, and the
    /// message size, alone and times each of them.
    AlphaBeta,
    /// The work of a kernel that computes a product of m × k and k × n numbers in tiles of `mr` × `nr`, the number of its tiles, and
    /// one. These are the terms of tract.
    Tiled,
}

/// A term with the origin of each of its names.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) expression: Expression,
    pub(super) sources: Vec<Source>,
}

/// The origin of the value of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Axis(usize),
    Constant(String),
    Value(u64),
}

/// The maximum number of names in a term, so that their values need no memory of their own.
const MOST_NAMES: usize = 16;

impl Preset {
    /// Every preset and its name in options.
    pub const ALL: [(&'static str, Self); 3] =
        [("linear", Self::Linear), ("alpha-beta", Self::AlphaBeta), ("tiled", Self::Tiled)];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, preset)| *preset == self).map_or("", |(name, _)| name)
    }

    fn text(self, axes: &[&str]) -> String {
        match self {
            Self::Linear if axes.len() > 1 => format!("1 + {} + {}", axes.join(" + "), axes.join("*")),
            Self::Linear => format!("1 + {}", axes.join(" + ")),
            Self::AlphaBeta => "1 + comm_size + ceil_log2(comm_size) + msg_size + comm_size*msg_size + \
                                ceil_log2(comm_size)*msg_size"
                .to_owned(),
            Self::Tiled => "ceil(m/mr)*mr*ceil(n/nr)*nr*k + ceil(m/mr)*ceil(n/nr) + 1".to_owned(),
        }
    }

    /// Returns the value of a name that is no axis and no constant: a product with a vector has one column.
    fn value(self, name: &str) -> Option<u64> {
        match (self, name) {
            (Self::Tiled, "n" | "nr" | "k") | (Self::AlphaBeta, "comm_size") => Some(1),
            _ => None,
        }
    }
}

impl Terms {
    /// Parses the name of a preset, or terms: a sum in each line, and comments after `#`.
    ///
    /// ```
    /// use qtdec_study::terms::{Preset, Terms};
    ///
    /// assert_eq!(Terms::parse("tiled")?, Terms::Preset(Preset::Tiled));
    /// let terms = Terms::parse("1 + msg_size # bytes\nceil_log2(comm_size)")?;
    /// assert_eq!(terms.to_string(), "1 + msg_size + ceil_log2(comm_size)");
    /// # Ok::<(), qtdec_core::Problem>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first fault, with its position.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        if let Some((_, preset)) = Preset::ALL.iter().find(|(name, _)| *name == text.trim()) {
            return Ok(Self::Preset(*preset));
        }
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let mut terms: Vec<Expression> = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            for term in parse::summands(line)? {
                if terms.contains(&term) {
                    return Err(Problem::new(Place::File, format!("the term `{term}` is given twice"))
                        .help("remove one of them"));
                }
                terms.push(term);
            }
        }
        if terms.is_empty() {
            let names = listed(&Preset::ALL.map(|(name, _)| name));
            return Err(Problem::new(Place::File, "there are no terms")
                .help(format!("write a term in each line, such as ceil(m/mr)*mr*k, or use one of {names}")));
        }
        Ok(Self::Written(terms))
    }

    /// Returns the terms over axes and constants with these names.
    pub(super) fn bound(&self, axes: &[&str], constants: &[&str]) -> Result<Vec<Term>, Problem> {
        let (expressions, preset) = match self {
            Self::Preset(preset) => (parse::summands(&preset.text(axes))?, Some(*preset)),
            Self::Written(expressions) => (expressions.clone(), None),
        };
        expressions.into_iter().map(|expression| Term::new(expression, preset, axes, constants)).collect()
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Preset(preset) => f.write_str(preset.name()),
            Self::Written(terms) => {
                let terms: Vec<String> = terms.iter().map(ToString::to_string).collect();
                f.write_str(&terms.join(" + "))
            }
        }
    }
}

impl Term {
    fn new(
        expression: Expression,
        preset: Option<Preset>,
        axes: &[&str],
        constants: &[&str],
    ) -> Result<Self, Problem> {
        if expression.names.len() > MOST_NAMES {
            let message = format!(
                "the term `{expression}` has {} names: at most {MOST_NAMES} can be used",
                expression.names.len()
            );
            return Err(Problem::new(Place::File, message).help("divide it into several terms"));
        }
        let mut sources = Vec::new();
        for (name, at) in &expression.names {
            sources.push(if let Some(axis) = axes.iter().position(|axis| axis == name) {
                Source::Axis(axis)
            } else if constants.contains(&&**name) {
                Source::Constant(name.clone())
            } else if let Some(value) = preset.and_then(|preset| preset.value(name)) {
                Source::Value(value)
            } else {
                return Err(unknown(&expression, name, *at, axes, constants));
            });
        }
        Ok(Self { expression, sources })
    }

    pub(super) fn of_method(&self, constants: &[(String, u64)]) -> Self {
        let mut term = self.clone();
        for source in &mut term.sources {
            if let Source::Constant(name) = source
                && let Some((_, value)) = constants.iter().find(|(known, _)| known == name)
            {
                *source = Source::Value(*value);
            }
        }
        term
    }

    /// Returns the value at these sizes. A constant without a value counts as 0.
    pub(super) fn value(&self, sizes: &[u64]) -> Result<u128, EvaluationError> {
        let mut values = [0; MOST_NAMES];
        for (value, source) in values.iter_mut().zip(&self.sources) {
            *value = source.value(sizes);
        }
        self.expression.value(&values[..self.sources.len()])
    }
}

impl Source {
    pub(super) fn value(&self, sizes: &[u64]) -> u64 {
        match self {
            Self::Axis(axis) => sizes[*axis],
            Self::Value(value) => *value,
            Self::Constant(_) => 0,
        }
    }
}

fn unknown(expression: &Expression, name: &str, at: usize, axes: &[&str], constants: &[&str]) -> Problem {
    let message = format!(
        "the term `{expression}`: `{name}` at character {} is neither an axis nor a constant of the methods",
        at + 1
    );
    let known: Vec<&str> = axes.iter().chain(constants).copied().collect();
    Problem::new(Place::File, message)
        .help(suggestion(name, "axes and constants", known.iter().copied()))
        .help(format!(
            "name the column of a constant with --columns constant:{name}=COLUMN, and give an axis that has one size \
             with --fixed {name}=1"
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_with_a_vector_has_one_column() {
        let terms = Terms::parse("tiled").unwrap().bound(&["m", "k"], &["mr", "nr"]).unwrap();
        let constants = [("mr".to_owned(), 16), ("nr".to_owned(), 4)];
        let values: Vec<u128> =
            terms.iter().map(|term| term.of_method(&constants).value(&[17, 3]).unwrap()).collect();
        assert_eq!(values, [32 * 4 * 3, 2, 1]);
    }

    #[test]
    fn unknown_names_are_told_with_their_place() {
        let fault = |text: &str, axes: &[&str]| {
            Terms::parse(text).unwrap().bound(axes, &["mr"]).unwrap_err().to_string()
        };
        assert_eq!(
            fault("ceil(m/nr)*k", &["m", "k"]),
            "the term `ceil(m/nr)*k`: `nr` at character 8 is neither an axis nor a constant of the methods (the axes \
             and constants are m, k, mr, or name the column of a constant with --columns constant:nr=COLUMN, and \
             give an axis that has one size with --fixed nr=1)"
        );
        assert!(fault("tiled", &["k", "n"]).contains("`m` at character 6"));
        assert!(fault("alpha-beta", &["comm_size"]).contains("`msg_size`"));
    }

    #[test]
    fn terms_are_in_lines_or_sums() {
        let fault = |text: &str| Terms::parse(text).unwrap_err().to_string();
        assert_eq!(Terms::parse("# all\n 1 + m\n\nm*k # work\n").unwrap().to_string(), "1 + m + m*k");
        assert_eq!(fault("m + 1\nm"), "the term `m` is given twice (remove one of them)");
        assert_eq!(
            fault("# nothing"),
            "there are no terms (write a term in each line, such as ceil(m/mr)*mr*k, or use one of linear, \
             alpha-beta, tiled)"
        );
    }
}
