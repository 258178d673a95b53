//! The decisions of a tuning file in any format, and the map of them.

use std::collections::HashMap;

use super::bands::sorted;
use crate::catalogue::{Library, SizeUnit};
use qtdec_core::{Axis, DecisionMap, Domain, Method, MethodIndex, Place, Problem, Problems};

/// A tuning file with lookups as its library makes them.
///
/// Other crates can implement the trait.
pub trait Selection {
    /// Returns the collectives that have rules.
    fn collectives(&self) -> Vec<String>;

    /// Returns the communicator sizes and message sizes at which decisions may change. Between two neighbours they do not.
    fn starts(&self, collective: &str) -> (Vec<u64>, Vec<u64>);

    /// Returns the message sizes at which decisions may change for communicators of one size.
    fn message_starts(&self, collective: &str, comm_size: u64) -> Vec<u64> {
        let _ = comm_size;
        self.starts(collective).1
    }

    /// Returns the library's decision; the unit of the message size is [`unit`](Self::unit).
    fn decide(&self, collective: &str, comm_size: u64, msg_size: u64) -> Decision;

    /// Returns the rules responsible for the decision, outermost first, as text with their places in the file.
    fn rule(&self, collective: &str, comm_size: u64, msg_size: u64) -> Vec<(String, Place)>;

    /// Returns the unit of message sizes.
    fn unit(&self, collective: &str) -> SizeUnit {
        Library::OpenMpi.unit(collective)
    }
}

/// A library's decision for a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decision {
    /// The algorithm's number, if the library has numbers. `None` without a name leaves the choice to the library.
    pub algorithm: Option<u64>,
    /// The algorithm's name, or `None` for a number that is not an algorithm.
    pub name: Option<String>,
    /// The segment size.
    pub segment_size: Option<u64>,
    /// The fan-in or fan-out.
    pub fan_out: Option<u64>,
    /// The most requests that a rank has open at once, or `None` for no limit.
    pub requests: Option<u64>,
}

/// The name in a map of a choice that is left to the library.
pub const LIBRARY: &str = "library default";

impl Decision {
    /// Returns the decision that leaves the choice to the library.
    pub fn library() -> Self {
        Self::default()
    }

    /// Returns whether the library makes its own choice.
    pub fn is_library(&self) -> bool {
        self.algorithm.is_none() && self.name.is_none()
    }

    /// Returns the decision as a method of a map, or `None` if the algorithm does not exist.
    pub fn method(&self) -> Option<Method> {
        if self.is_library() {
            return Some(Method { id: Some(0), baseline: true, ..Method::new(LIBRARY) });
        }
        let parameters = [("fanout", self.fan_out), ("reqs", self.requests)].into_iter();
        let parameters = parameters.filter_map(|(key, number)| Some(format!(":{key}={}", number?)));
        let name = format!("{}{}", self.name.as_ref()?, parameters.collect::<String>());
        Some(Method { segment_size: self.segment_size, id: self.algorithm, ..Method::new(name) })
    }

    /// Returns the label of the method, or a text that stands for none.
    pub fn label(&self) -> String {
        self.method().map_or_else(
            || format!("algorithm {}, which does not exist", self.algorithm.unwrap_or(0)),
            |method| method.label(),
        )
    }
}

/// The maximum number of cells. A map has the same message sizes for all communicator sizes, so a file with many different ones
/// makes a large map.
const MAX_CELLS: usize = 1 << 24;

/// Returns the map of one collective of a file, which is equal to the file for all sizes.
///
/// # Errors
///
/// Fails if rules name algorithms that do not exist, or if there are more rules than a map can hold.
pub fn map_of(selection: &dyn Selection, collective: &str) -> Result<DecisionMap, Problems> {
    let (comm_starts, msg_starts) = selection.starts(collective);
    let unit = selection.unit(collective);
    let looks_at_messages = unit != SizeUnit::Nothing;
    let mut comm_sizes = sorted(comm_starts);
    let mut msg_sizes = if looks_at_messages { sorted(msg_starts) } else { vec![0] };
    if msg_sizes.first() != Some(&0) {
        msg_sizes.insert(0, 0);
    }
    // A map's first sample also applies to smaller sizes. If the file decides differently there, they need a sample of their own.
    let first = comm_sizes.first().copied().unwrap_or(0);
    let differs = |size: &u64| {
        let answer = |decision: Decision| (decision.label(), decision.fan_out);
        answer(selection.decide(collective, 0, *size)) != answer(selection.decide(collective, first, *size))
    };
    if comm_sizes.is_empty() || (first > 0 && msg_sizes.iter().any(differs)) {
        comm_sizes.insert(0, 0);
    }

    let cells = comm_sizes.len() * msg_sizes.len();
    if cells > MAX_CELLS {
        let message =
            format!("the rules for {collective} need a map of {cells} cells, and the maximum is {MAX_CELLS}");
        let help = "if each communicator size has its own rules, use the map that they were made from";
        return Err(Problem::new(Place::File, message).help(help).into());
    }
    let mut methods: Vec<Method> = Vec::new();
    let mut seen: HashMap<Decision, usize> = HashMap::new();
    let mut cells = Vec::with_capacity(cells);
    for &comm_size in &comm_sizes {
        for &msg_size in &msg_sizes {
            let decision = selection.decide(collective, comm_size, msg_size);
            if let Some(&index) = seen.get(&decision) {
                cells.push(index);
                continue;
            }
            let method = decision.method().ok_or_else(|| {
                let number = decision.algorithm.unwrap_or(0);
                let rule = selection.rule(collective, comm_size, msg_size);
                let place = rule.into_iter().next_back().map_or(Place::File, |(_, place)| place);
                Problem::new(place, format!("there is no algorithm {number} for {collective}"))
                    .help("the first call that the rule matches would fail")
            })?;
            methods.push(method);
            seen.insert(decision, methods.len() - 1);
            cells.push(methods.len() - 1);
        }
    }
    let mut axes = vec![Axis { unit: Some("ranks".to_owned()), ..Axis::new("comm_size", comm_sizes) }];
    if looks_at_messages {
        let unit_of = Some("bytes".to_owned());
        axes.push(Axis { unit: unit_of, basis: unit.basis(), ..Axis::new("msg_size", msg_sizes) });
    }
    let domain = Domain::new(Some(collective.to_owned()), axes, methods)?;
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    DecisionMap::new(domain, cells.into_iter().map(|index| Some(indexes[index])).collect())
}
