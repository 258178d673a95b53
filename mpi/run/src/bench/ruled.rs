//! A collective with rules, as an option says it.

use std::str::FromStr;

/// A collective for which a tuning file has rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ruled {
    /// MPI's name in lower case.
    pub(super) collective: String,
    /// The least number of ranks for which a rule forces an algorithm.
    pub(super) least: u64,
}

impl FromStr for Ruled {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once(':').and_then(|(name, least)| Some((name, least.parse().ok()?)));
        let (name, least) = parts.ok_or("not a collective with a number of ranks, such as bcast:4")?;
        Ok(Self { collective: name.to_owned(), least })
    }
}

#[cfg(test)]
mod tests {
    use super::Ruled;

    #[test]
    fn a_collective_has_a_number_of_ranks() {
        let expected = Ruled { collective: "bcast".to_owned(), least: 4 };
        assert_eq!("bcast:4".parse(), Ok(expected));
        for text in ["bcast", "bcast:", "bcast:four", ""] {
            assert!(text.parse::<Ruled>().is_err(), "{text}");
        }
    }
}
