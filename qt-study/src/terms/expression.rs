//! Expressions of whole numbers over named values.

use std::fmt;

/// An expression of whole numbers, such as `ceil(m/mr)*mr*k`.
///
/// It has numbers, names, `+`, `-`, `*`, `/` (rounded down), `ceil(a/b)`, `min(a, b)`, `max(a, b)`, `ilog2(a)` and `ceil_log2(a)`.
/// Values are computed exactly, with 128 bits.
///
/// ```
/// use qtdec_study::terms::Expression;
///
/// let padded = Expression::parse("ceil(m/mr)*mr")?;
/// assert_eq!(padded.names().collect::<Vec<_>>(), ["m", "mr"]);
/// assert_eq!(padded.value(&[17, 16]), Ok(32));
/// # Ok::<(), qtdec_core::Problem>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    pub(super) text: String,
    pub(super) node: Node,
    /// The names, each once, with the position of the first use.
    pub(super) names: Vec<(String, usize)>,
}

/// A part of an expression. Positions are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Number(u128),
    /// The number of a name.
    Name(usize),
    /// An operation on the values of two parts.
    Pair(Operation, usize, Box<[Node; 2]>),
    /// A logarithm to the base 2.
    Logarithm(Rounding, usize, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Add,
    Subtract,
    Multiply,
    /// A quotient, rounded down or up.
    Divide(Rounding),
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Down,
    Up,
}

/// The reason why an expression has no value, and the position in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationError {
    /// The byte of the expression's text at which the operation stands.
    pub at: usize,
    /// The reason.
    pub reason: &'static str,
}

impl EvaluationError {
    /// Returns what the author of the term can do.
    pub(super) fn remedy(&self) -> &'static str {
        match self.reason {
            BELOW_0 => "write a difference that is never below 0, such as max(a, b) - b",
            DIVIDED_BY_0 | LOGARITHM_OF_0 => {
                "write max(…, 1) where a value can be 0, or read other rows with --where"
            }
            _ => "use a term with fewer factors, or sizes in a larger unit",
        }
    }
}

const BELOW_0: &str = "a difference is below 0";
const DIVIDED_BY_0: &str = "a number is divided by 0";
const LOGARITHM_OF_0: &str = "the logarithm of 0 is taken";

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at character {}", self.reason, self.at + 1)
    }
}

impl Expression {
    /// Returns the names, each once, in the order of their first use.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| &**name)
    }

    /// Returns the value for the values of its names, in the order of [`names`](Self::names).
    ///
    /// # Errors
    ///
    /// Fails for a division by zero, a logarithm of zero, a difference below zero and a value from 2^128 on.
    pub fn value(&self, values: &[u64]) -> Result<u128, EvaluationError> {
        self.node.value(values)
    }

    /// Returns the parts whose value changes by steps: quotients and logarithms.
    pub(super) fn steps(&self) -> Vec<&Node> {
        let mut steps = Vec::new();
        self.node.add_steps(&mut steps);
        steps
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Node {
    pub(super) fn value(&self, values: &[u64]) -> Result<u128, EvaluationError> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Name(name) => Ok(u128::from(values[*name])),
            Self::Pair(operation, at, parts) => {
                let [left, right] = &**parts;
                operation.apply(left.value(values)?, right.value(values)?, *at)
            }
            Self::Logarithm(rounding, at, part) => {
                let value = part.value(values)?;
                let down =
                    value.checked_ilog2().ok_or(EvaluationError { at: *at, reason: LOGARITHM_OF_0 })?;
                let is_rounded = *rounding == Rounding::Up && !value.is_power_of_two();
                Ok(u128::from(down) + u128::from(is_rounded))
            }
        }
    }

    pub(super) fn has(&self, name: usize) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Name(own) => *own == name,
            Self::Pair(_, _, parts) => parts.iter().any(|part| part.has(name)),
            Self::Logarithm(_, _, part) => part.has(name),
        }
    }

    fn add_steps<'n>(&'n self, steps: &mut Vec<&'n Self>) {
        match self {
            Self::Number(_) | Self::Name(_) => {}
            Self::Pair(operation, _, parts) => {
                if matches!(operation, Operation::Divide(_)) {
                    steps.push(self);
                }
                parts.iter().for_each(|part| part.add_steps(steps));
            }
            Self::Logarithm(_, _, part) => {
                steps.push(self);
                part.add_steps(steps);
            }
        }
    }
}

impl Operation {
    fn apply(self, left: u128, right: u128, at: usize) -> Result<u128, EvaluationError> {
        let (value, reason) = match self {
            Self::Add => (left.checked_add(right), "a sum exceeds 2^128"),
            Self::Subtract => (left.checked_sub(right), BELOW_0),
            Self::Multiply => (left.checked_mul(right), "a product exceeds 2^128"),
            Self::Divide(Rounding::Down) => (left.checked_div(right), DIVIDED_BY_0),
            Self::Divide(Rounding::Up) => ((right > 0).then(|| left.div_ceil(right)), DIVIDED_BY_0),
            Self::Min => (Some(left.min(right)), ""),
            Self::Max => (Some(left.max(right)), ""),
        };
        value.ok_or(EvaluationError { at, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_exact() {
        let value = |text: &str, values: &[u64]| Expression::parse(text).unwrap().value(values).unwrap();
        assert_eq!(value("1 + 2*3", &[]), 7);
        assert_eq!(value("(1+2)*3 - 4", &[]), 5);
        assert_eq!(value("7/2*2", &[]), 6);
        assert_eq!(value("ceil(m/mr)*mr*ceil(n/nr)*nr*k", &[17, 16, 5, 4, 3]), 32 * 8 * 3);
        assert_eq!(value("min(p, 4) + max(p, 4)", &[9]), 13);
        for (number, down, up) in [(1, 0, 0), (2, 1, 1), (3, 1, 2), (4, 2, 2), (5, 2, 3), (u64::MAX, 63, 64)]
        {
            assert_eq!((value("ilog2(p)", &[number]), value("ceil_log2(p)", &[number])), (down, up));
        }
        let largest = u64::MAX;
        assert_eq!(value("m*k", &[largest, largest]), u128::from(largest) * u128::from(largest));
    }

    #[test]
    fn what_has_no_value_is_told_with_its_position() {
        let refused = |text: &str, values: &[u64]| {
            Expression::parse(text).unwrap().value(values).unwrap_err().to_string()
        };
        assert_eq!(refused("m + k/n", &[1, 2, 0]), "a number is divided by 0 at character 6");
        assert_eq!(refused("ceil(k/n)", &[2, 0]), "a number is divided by 0 at character 7");
        assert_eq!(refused("m*m*m", &[u64::MAX]), "a product exceeds 2^128 at character 4");
        assert_eq!(refused("m*m + m*m + m*m", &[u64::MAX]), "a sum exceeds 2^128 at character 5");
        assert_eq!(refused("1 + ilog2(m)", &[0]), "the logarithm of 0 is taken at character 5");
        assert_eq!(refused("(p-1)*m", &[0, 1]), "a difference is below 0 at character 3");
    }
}
