//! How long an encoder may search.

use crate::problem::{Place, Problem};

/// How long an encoder may search, in steps rather than in time: the same map is refused on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Comparisons of one tree with another.
    steps: u64,
    /// Bytes of the tables that hold the trees' values.
    bytes: u64,
    /// Whether there is a command that may search longer.
    in_build: bool,
}

impl Effort {
    /// While a crate is compiled, where the encoder itself was compiled unoptimised: well under a second.
    pub const BUILD: Self = Self { steps: 1 << 23, bytes: 1 << 26, in_build: true };

    /// In a command that somebody waits for: some ten seconds, and no more than 192 MB.
    pub const COMMAND: Self = Self { steps: 1 << 33, bytes: 192 << 20, in_build: false };

    /// Whether so much may be done.
    pub(super) fn allows(self, steps: u128, bytes: u128) -> bool {
        steps <= u128::from(self.steps) && bytes <= u128::from(self.bytes)
    }

    /// Whether so much may be done hundreds of times over.
    pub(super) fn is_little(self, steps: u128) -> bool {
        steps <= u128::from(self.steps >> 13)
    }

    /// Refuses more than may be done; `what` is found, as in "the smallest tree", on a grid of `lens`, and `instead` is the
    /// way out.
    pub(super) fn check(
        self,
        what: &str,
        instead: &str,
        lens: &[usize],
        steps: u128,
        bytes: u128,
    ) -> Result<(), Problem> {
        if self.allows(steps, bytes) {
            return Ok(());
        }
        let lens: Vec<String> = lens.iter().map(ToString::to_string).collect();
        let message = format!(
            "{what} of {} different rows and columns takes {} steps and {} of memory to find, and the most are {} and {}",
            lens.join(" × "),
            in_words(steps),
            megabytes(bytes),
            in_words(self.steps.into()),
            megabytes(self.bytes.into()),
        );
        let by_command =
            if self.in_build { "run `qtdec encode` once and name the tree that it writes, or " } else { "" };
        Err(Problem::new(Place::File, message).help(format!("{by_command}{instead}")))
    }
}

impl Default for Effort {
    fn default() -> Self {
        Self::COMMAND
    }
}

fn in_words(steps: u128) -> String {
    match steps {
        0..1_000_000 => steps.to_string(),
        1_000_000..1_000_000_000 => format!("{} million", steps / 1_000_000),
        _ => format!("{} thousand million", steps / 1_000_000_000),
    }
}

fn megabytes(bytes: u128) -> String {
    format!("{} MB", bytes.div_ceil(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_way_out() {
        let refused = |effort: Effort| {
            effort
                .check("the smallest tree", "take `greedy`", &[200, 100], 1 << 40, 1)
                .unwrap_err()
                .to_string()
        };
        let command = refused(Effort::COMMAND);
        assert!(command.starts_with("the smallest tree of 200 × 100 different rows"), "{command}");
        assert!(
            command.contains("1099 thousand million steps") && command.ends_with("(take `greedy`)"),
            "{command}"
        );
        assert!(refused(Effort::BUILD).contains("`qtdec encode`"));
        assert_eq!(Effort::BUILD.check("the smallest tree", "", &[2, 2], 10, 10), Ok(()));
    }
}
