//! The parser of expressions, by recursive descent.

use qtdec_core::similar::suggestion;
use qtdec_core::{Place, Problem};

use super::expression::{Expression, Node, Operation, Rounding};

/// The maximum length of an expression in bytes, which limits how deep a chain of operators is.
const LONGEST: usize = 1000;
/// The maximum number of brackets within each other.
const DEEPEST: usize = 30;

const FUNCTIONS: [&str; 5] = ["ceil", "min", "max", "ilog2", "ceil_log2"];

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    ///
    /// Returns the first fault, with its position in the text.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let (node, names) = whole(text)?;
        Ok(Self { text: text.to_owned(), node, names })
    }
}

/// Parses a sum, and returns the parts between which its operators `+` stand, each as an expression.
pub(super) fn summands(text: &str) -> Result<Vec<Expression>, Problem> {
    whole(text)?;
    let mut depth = 0_usize;
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            '+' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().map(|part| Expression::parse(part.trim())).collect()
}

fn whole(text: &str) -> Result<(Node, Vec<(String, usize)>), Problem> {
    let mut parser = Parser { text, at: 0, depth: 0, names: Vec::new() };
    if text.len() > LONGEST {
        let message = format!("a term has {} characters: at most {LONGEST} are read", text.len());
        return Err(Problem::new(Place::File, message).help("write a sum as several lines of a file"));
    }
    let node = parser.sum()?;
    match parser.peek() {
        None => Ok((node, parser.names)),
        Some(found) => {
            let what = format!("`{found}` is not expected");
            Err(parser.fault(parser.at, &what, "write an operator, +, -, * or /"))
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    names: Vec<(String, usize)>,
}

impl Parser<'_> {
    /// Returns the next character that is not a blank.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, wanted: char) -> Option<usize> {
        let at = (self.peek()? == wanted).then_some(self.at)?;
        self.at += wanted.len_utf8();
        Some(at)
    }

    fn need(&mut self, wanted: char, help: &str) -> Result<usize, Problem> {
        match self.eat(wanted) {
            Some(at) => Ok(at),
            None => Err(self.fault(self.at, &format!("`{wanted}` is missing"), help)),
        }
    }

    fn fault(&self, at: usize, what: &str, help: &str) -> Problem {
        let place = if at >= self.text.len() {
            "at its end".to_owned()
        } else {
            format!("at character {}", self.text[..at].chars().count() + 1)
        };
        Problem::new(Place::File, format!("the term `{}`: {what} {place}", self.text)).help(help)
    }

    fn sum(&mut self) -> Result<Node, Problem> {
        let mut left = self.product()?;
        loop {
            let (operation, at) = match (self.eat('+'), self.eat('-')) {
                (Some(at), None) => (Operation::Add, at),
                (None, Some(at)) => (Operation::Subtract, at),
                (Some(_), Some(at)) => {
                    return Err(self.fault(at, "a value is missing", "write a number or a name"));
                }
                (None, None) => return Ok(left),
            };
            left = Node::Pair(operation, at, Box::new([left, self.product()?]));
        }
    }

    fn product(&mut self) -> Result<Node, Problem> {
        let mut left = self.value()?;
        loop {
            let (operation, at) = match self.peek() {
                Some('*') => (Operation::Multiply, self.at),
                Some('/') => (Operation::Divide(Rounding::Down), self.at),
                _ => return Ok(left),
            };
            self.at += 1;
            left = Node::Pair(operation, at, Box::new([left, self.value()?]));
        }
    }

    fn value(&mut self) -> Result<Node, Problem> {
        match self.peek() {
            Some('(') => self.bracket(Self::sum),
            Some(digit) if digit.is_ascii_digit() => self.number(),
            Some(letter) if letter.is_alphabetic() || letter == '_' => self.name(),
            found => {
                let unexpected = found.map(|found| format!("`{found}` is not expected"));
                let what = unexpected.as_deref().unwrap_or("a value is missing");
                Err(self.fault(self.at, what, "write a number, a name or a bracket"))
            }
        }
    }

    fn bracket<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, Problem>) -> Result<T, Problem> {
        self.need('(', "a function has its arguments in brackets")?;
        self.depth += 1;
        if self.depth > DEEPEST {
            let what = format!("more than {DEEPEST} brackets are open");
            return Err(self.fault(self.at, &what, "write the term with fewer brackets within each other"));
        }
        let parsed = parse(self)?;
        self.depth -= 1;
        self.need(')', "close the bracket")?;
        Ok(parsed)
    }

    fn word(&mut self, is_part: impl Fn(char) -> bool) -> &str {
        let start = self.at;
        let rest = &self.text[start..];
        self.at += rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        &self.text[start..self.at]
    }

    fn number(&mut self) -> Result<Node, Problem> {
        let start = self.at;
        let digits = self.word(|character| character.is_ascii_digit()).to_owned();
        if self.text[self.at..].starts_with(['.', 'e', 'E']) {
            let help = "write whole numbers: the factor of a term is fitted to the times";
            return Err(self.fault(start, "a number is not whole", help));
        }
        let number: Option<u64> = digits.parse().ok();
        number
            .map(|number| Node::Number(u128::from(number)))
            .ok_or_else(|| self.fault(start, "a number is not below 2^64", "write a smaller number"))
    }

    fn name(&mut self) -> Result<Node, Problem> {
        let at = self.at;
        let name = self.word(|character| character.is_alphanumeric() || character == '_').to_owned();
        if self.peek() == Some('(') {
            return self.function(&name, at);
        }
        let known = self.names.iter().position(|(known, _)| *known == name);
        Ok(Node::Name(known.unwrap_or_else(|| {
            self.names.push((name, at));
            self.names.len() - 1
        })))
    }

    fn function(&mut self, name: &str, at: usize) -> Result<Node, Problem> {
        match name {
            "ceil" => match self.bracket(Self::sum)? {
                Node::Pair(Operation::Divide(_), at, parts) => {
                    Ok(Node::Pair(Operation::Divide(Rounding::Up), at, parts))
                }
                _ => {
                    let help = "write a quotient in its brackets, as in ceil(m/mr)";
                    Err(self.fault(at, "`ceil` rounds something else than a quotient", help))
                }
            },
            "min" | "max" => {
                let operation = if name == "min" { Operation::Min } else { Operation::Max };
                let parts = self.bracket(|parser| {
                    let left = parser.sum()?;
                    parser.need(',', "min and max have two arguments")?;
                    Ok([left, parser.sum()?])
                })?;
                Ok(Node::Pair(operation, at, Box::new(parts)))
            }
            "ilog2" | "ceil_log2" => {
                let rounding = if name == "ilog2" { Rounding::Down } else { Rounding::Up };
                Ok(Node::Logarithm(rounding, at, Box::new(self.bracket(Self::sum)?)))
            }
            _ => {
                let what = format!("there is no function `{name}`");
                Err(self.fault(at, &what, &suggestion(name, "functions", FUNCTIONS)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_their_place_and_a_remedy() {
        let fault = |text: &str| Expression::parse(text).unwrap_err().to_string();
        for (text, expected) in [
            ("", "the term ``: a value is missing at its end (write a number, a name or a bracket)"),
            ("m*", "the term `m*`: a value is missing at its end (write a number, a name or a bracket)"),
            ("m k", "the term `m k`: `k` is not expected at character 3 (write an operator, +, -, * or /)"),
            ("(m+1", "the term `(m+1`: `)` is missing at its end (close the bracket)"),
            ("m)", "the term `m)`: `)` is not expected at character 2 (write an operator, +, -, * or /)"),
            ("min(m)", "the term `min(m)`: `,` is missing at character 6 (min and max have two arguments)"),
            (
                "2*ceil(m)",
                "the term `2*ceil(m)`: `ceil` rounds something else than a quotient at character 3 (write a \
                 quotient in its brackets, as in ceil(m/mr))",
            ),
            (
                "0.5*m",
                "the term `0.5*m`: a number is not whole at character 1 (write whole numbers: the factor of a \
                 term is fitted to the times)",
            ),
            (
                "log2(p)",
                "the term `log2(p)`: there is no function `log2` at character 1 (did you mean `ilog2`? The \
                 functions are ceil, min, max, ilog2, ceil_log2)",
            ),
            ("m+-k", "the term `m+-k`: a value is missing at character 3 (write a number or a name)"),
        ] {
            assert_eq!(fault(text), expected, "{text}");
        }
        assert!(fault(&"(".repeat(5000)).contains("at most 1000"));
        assert!(fault(&"(".repeat(100)).contains("more than 30 brackets are open at character 32"));
        assert!(fault("99999999999999999999").contains("not below 2^64"));
    }

    #[test]
    fn a_sum_is_divided_at_its_own_operators() {
        let parts =
            |text: &str| -> Vec<String> { summands(text).unwrap().iter().map(ToString::to_string).collect() };
        assert_eq!(parts("1 + m*(k+1) + max(m+1, 2)"), ["1", "m*(k+1)", "max(m+1, 2)"]);
        assert_eq!(parts("m"), ["m"]);
        assert!(summands("1 + + m").is_err() && summands("1 +").is_err());
    }
}
