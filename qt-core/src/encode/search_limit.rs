//! Limits of an encoder's search.

use crate::message::Message;
use crate::problem::{Place, Problem};

/// The maximum work of an encoder, in steps rather than in time, so that the same maps are refused on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimit {
    /// Comparisons of two trees.
    steps: u64,
    /// Bytes of the tables that hold the trees' values.
    bytes: u64,
    /// Whether an error suggests the command, which can search longer.
    suggest_cli: bool,
}

impl SearchLimit {
    /// The limit during compilation, where the encoder itself may be unoptimised: well under a second.
    pub const BUILD: Self = Self { steps: 1 << 23, bytes: 1 << 26, suggest_cli: true };

    /// The limit in an interactive command: about ten seconds, and at most 384 MB.
    pub const COMMAND: Self = Self { steps: 1 << 33, bytes: 384 << 20, suggest_cli: false };

    #[cfg(test)]
    pub(super) fn steps(self) -> u64 {
        self.steps
    }

    /// Returns the rest of the limit after some work; `None` if the work exceeds the limit.
    pub(super) fn less(self, steps: u64, bytes: usize) -> Option<Self> {
        let (steps, bytes) = (self.steps.checked_sub(steps)?, self.bytes.checked_sub(bytes as u64)?);
        Some(Self { steps, bytes, ..self })
    }

    pub(super) fn allows(self, steps: u128, bytes: u128) -> bool {
        steps <= u128::from(self.steps) && bytes <= u128::from(self.bytes)
    }

    /// Returns whether the limit allows this many steps hundreds of times.
    pub(super) fn is_negligible(self, steps: u128) -> bool {
        steps <= u128::from(self.steps >> 13)
    }

    /// Returns the same limit with all memory available again.
    pub(super) fn freed(self, whole: Self) -> Self {
        Self { bytes: whole.bytes, ..self }
    }

    /// Returns an error if the work exceeds the limit; `what` is searched for, as in "the smallest tree", on a grid of `lens`.
    pub(super) fn check(
        self,
        what: &str,
        instead: Message,
        lens: &[usize],
        steps: u128,
        bytes: u128,
    ) -> Result<(), Problem> {
        if self.allows(steps, bytes) {
            return Ok(());
        }
        let lens: Vec<String> = lens.iter().map(ToString::to_string).collect();
        let message = format!(
            "{what} of {} different rows and columns takes {} steps and {} of memory to find, and the \
                 limits are {} and {}",
            lens.join(" × "),
            in_words(steps),
            megabytes(bytes),
            in_words(self.steps.into()),
            megabytes(self.bytes.into()),
        );
        let problem = Problem::new(Place::File, message);
        let keep_tree = "run `qtdec encode` once and name the tree that it writes";
        let problem = if self.suggest_cli { problem.help(keep_tree) } else { problem };
        Err(problem.help(instead))
    }
}

impl Default for SearchLimit {
    fn default() -> Self {
        Self::COMMAND
    }
}

fn in_words(steps: u128) -> String {
    match steps {
        0..1_000_000 => steps.to_string(),
        1_000_000..1_000_000_000 => format!("{} million", steps / 1_000_000),
        _ => format!("{} billion", steps / 1_000_000_000),
    }
}

fn megabytes(bytes: u128) -> String {
    format!("{} MB", bytes.div_ceil(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_suggests_what_to_do_instead() {
        let refused = |search_limit: SearchLimit| {
            search_limit
                .check("the smallest tree", Message::set("encoding", "greedy"), &[200, 100], 1 << 40, 1)
                .unwrap_err()
                .to_string()
        };
        let command = refused(SearchLimit::COMMAND);
        assert!(command.starts_with("the smallest tree of 200 × 100 different rows"), "{command}");
        assert!(
            command.contains("1099 billion steps") && command.ends_with("(use `encoding = \"greedy\"`)"),
            "{command}"
        );
        assert!(refused(SearchLimit::BUILD).contains("`qtdec encode`"));
        assert_eq!(SearchLimit::BUILD.check("the smallest tree", "".into(), &[2, 2], 10, 10), Ok(()));
    }
}
