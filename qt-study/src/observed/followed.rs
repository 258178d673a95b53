//! Whether observed algorithms are those that a tree decides.

use qtdec_core::{Basis, DecisionTree, Method, Place, Problem};
use qtdec_times::collective::natural_basis;

use super::{Kind, LIBRARY, Observed};

/// What was observed of calls, compared with the decision of a tree.
///
/// The variants are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The decided algorithm ran.
    Obeyed,
    /// Another algorithm ran.
    Other,
    /// The tree leaves the choice to the library.
    Left,
    /// The algorithm, or a size on which the decision depends, is not known.
    Unknown,
}

impl Verdict {
    /// Returns the name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Obeyed => "obeyed",
            Self::Other => "other",
            Self::Left => "left to the library",
            Self::Unknown => "unknown",
        }
    }
}

/// Calls of one kind, with the decision of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Followed {
    /// The calls.
    pub kind: Kind,
    /// Their number, if it is known.
    pub count: Option<u64>,
    /// The decided method, if all sizes are known.
    pub decided: Option<String>,
    /// What was observed.
    pub verdict: Verdict,
}

/// Compares the calls of a tree's collective with its decisions.
///
/// A method whose name has no parameters, such as `chain`, is obeyed with any: `chain:fanout=8`.
///
/// # Errors
///
/// Fails if the tree is of no collective, or has other axes than `comm_size` and `msg_size`.
pub fn followed(observed: &Observed, tree: &DecisionTree) -> Result<Vec<Followed>, Problem> {
    let domain = tree.domain();
    let Some(collective) = domain.collective() else {
        let help = "make it from a map with --collective";
        return Err(Problem::new(Place::File, "the tree does not name its collective").help(help));
    };
    if let Some(axis) = domain.axes().iter().find(|axis| !["comm_size", "msg_size"].contains(&&*axis.name)) {
        let message = format!("the tree decides by `{}`, which is not observed", axis.name);
        let help = "name a tree that decides by comm_size and msg_size";
        return Err(Problem::new(Place::File, message).help(help));
    }
    let natural = natural_basis(collective);
    let calls = observed.calls().filter(|(kind, _)| kind.collective == collective);
    Ok(calls.map(|(kind, count)| judged(kind, count, tree, natural)).collect())
}

fn judged(kind: &Kind, count: Option<u64>, tree: &DecisionTree, natural: Option<Basis>) -> Followed {
    let domain = tree.domain();
    let sizes = domain.axes().iter().map(|axis| match &*axis.name {
        "comm_size" => kind.comm_size,
        _ => converted(kind, natural, axis.basis),
    });
    let method = sizes.collect::<Option<Vec<u64>>>().and_then(|sizes| tree.decide(&sizes));
    let decided = method.map(|index| domain.method(index));
    let verdict = match (decided, &kind.method) {
        (Some(decided), _) if decided.baseline => Verdict::Left,
        (Some(decided), Some(ran)) => is(ran, &decided.label()),
        _ => Verdict::Unknown,
    };
    Followed { kind: kind.clone(), count, decided: decided.map(Method::label), verdict }
}

fn is(ran: &str, decided: &str) -> Verdict {
    let has_parameters = || ran.strip_prefix(decided).is_some_and(|rest| rest.starts_with(':'));
    if ran == decided || has_parameters() {
        Verdict::Obeyed
    } else if ran == LIBRARY && !decided.starts_with("own_") {
        // Which of its algorithms the library ran is not known.
        Verdict::Unknown
    } else {
        Verdict::Other
    }
}

/// Returns the size of a call in the basis of a tree; calls are observed with the size of MPI's signature.
fn converted(kind: &Kind, natural: Option<Basis>, wanted: Option<Basis>) -> Option<u64> {
    let (size, ranks) = (kind.msg_size, kind.comm_size);
    match (natural, wanted) {
        (Some(Basis::Block), Some(Basis::Total)) => size?.checked_mul(ranks?),
        (Some(Basis::Total), Some(Basis::Block)) => size?.checked_div(ranks?),
        _ => size,
    }
}
