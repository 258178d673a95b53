//! Hand-written rules as functions, with which a map's decisions are compared.
//!
//! There is one file per generation; every number is cited from the release that shipped it. The rule of FT-MPI, with
//! which the papers compare, is not available: its source is lost. The code that its author wrote for Open MPI 1.1 in 2005 is
//! its closest surviving relative, and is named after that release here.

pub mod borders;
mod call;
mod gige_2005;
mod mpich_4_0;
mod open_mpi_1_2;
mod open_mpi_1_3;
mod open_mpi_2007;
mod open_mpi_4_1;
pub mod substitution;

pub use call::Call;

use crate::catalogue::{Library, open_mpi::fan_out_of_rule};

/// The choice of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The algorithm, by the library's current name.
    pub algorithm: &'static str,
    /// The segment size in bytes, or `None` if messages are not cut.
    pub segment_size: Option<u64>,
    /// The number of children in a chain, if the rule sets it.
    pub fan_out: Option<u64>,
    /// The most requests that a rank has open at once, or `None` for no limit. Only files set one.
    pub requests: Option<u64>,
}

/// The rule for one collective.
pub type Rule = fn(&Call) -> Choice;

/// The rules of one release.
#[derive(Debug)]
pub struct RuleSet {
    /// The name on the command line.
    pub name: &'static str,
    /// The library whose algorithms they choose.
    pub library: Library,
    /// The rule for each collective that has one.
    pub rules: &'static [(&'static str, Rule)],
    /// A function that returns the choice that silently runs instead of the chosen one.
    pub substitute: fn(&str, Choice, &Call) -> Choice,
}

/// All rule sets, the oldest first.
pub const ALL: &[RuleSet] = &[
    gige_2005::INTENDED,
    gige_2005::SHIPPED,
    open_mpi_2007::OF_2006,
    open_mpi_1_2::RULES,
    open_mpi_2007::OF_2007,
    open_mpi_2007::OF_2007_CORRECTED,
    open_mpi_1_3::RULES_1_3,
    open_mpi_1_3::RULES_1_5,
    open_mpi_4_1::RULES,
    mpich_4_0::RULES,
];

impl RuleSet {
    /// Returns the rules with a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|rules| rules.name == name)
    }

    /// Returns the rule for a collective.
    pub fn rule(&self, collective: &str) -> Option<Rule> {
        self.rules.iter().find(|(name, _)| *name == collective).map(|(_, rule)| *rule)
    }

    /// Returns what runs for a choice: another algorithm, if the chosen one cannot serve the call.
    pub fn runs(&self, collective: &str, choice: Choice, call: &Call) -> Choice {
        (self.substitute)(collective, choice, call)
    }
}

impl Choice {
    const fn new(algorithm: &'static str) -> Self {
        Self { algorithm, segment_size: None, fan_out: None, requests: None }
    }

    const fn segmented(algorithm: &'static str, segment_size: u64) -> Self {
        Self { segment_size: Some(segment_size), ..Self::new(algorithm) }
    }

    const fn fan_out(self, children: u64) -> Self {
        Self { fan_out: Some(children), ..self }
    }
}

/// Choices below increasing bounds; the last entry also applies beyond its bound.
type Bands<T> = &'static [(u64, T)];

/// Algorithm numbers of Open MPI by communicator size and message size.
type Table = Bands<Bands<u8>>;

/// The bound of the last band.
const REST: u64 = u64::MAX;

fn band<T: Copy>(bands: Bands<T>, size: u64) -> T {
    let (_, last) = bands[bands.len() - 1];
    bands.iter().find(|(below, _)| size < *below).map_or(last, |(_, found)| *found)
}

/// Returns the algorithm of Open MPI that a table chooses for a collective.
fn from_table(collective: &str, table: Table, comm_size: u64, msg_size: u64) -> Choice {
    let number = band(band(table, comm_size), msg_size);
    let algorithm = Library::OpenMpi.numbered(collective, number.into());
    let algorithm = algorithm.expect("tables hold numbers of algorithms");
    Choice { fan_out: fan_out_of_rule(Some(algorithm), None), ..Choice::new(algorithm.name) }
}

#[cfg(test)]
mod tests;
