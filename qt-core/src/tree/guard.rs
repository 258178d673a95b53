//! Checks for methods that may not run everywhere, at sizes between the samples.
//!
//! The tests of a tree compare sizes with samples. The requirement of a method, such as a power of two, may fail between two samples.
//! Where it does, the tree's fallback answers.

use super::{DecisionTree, FlatTree, Node, Subtree};
use crate::domain::{Axis, Basis, Domain, MethodIndex, Requirement};
use crate::message::Message;
use crate::problem::{Place, Problem};

/// Methods with the same conditions, which fail somewhere in the regions of at least one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The conditions, all of which must hold.
    pub requirements: Vec<Requirement>,
    /// The methods.
    pub methods: Vec<MethodIndex>,
}

/// The conditions of which the outcome is known in a branch of a guarded function.
///
/// A function checks one guard after the other. The outcomes of earlier guards decide some of the later ones, so the number of branches
/// grows with the number of different conditions, not with that of their combinations. For example, at most one of several conditions
/// on the communicator size holds.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownOutcomes {
    met: Vec<Requirement>,
    /// Sets of conditions in which at least one fails.
    unmet: Vec<Vec<Requirement>>,
}

impl KnownOutcomes {
    /// Returns the conditions that must still be checked, an empty list if all of them hold. Returns `None` if one of them fails.
    pub(super) fn unknown(&self, requirements: &[Requirement]) -> Option<Vec<Requirement>> {
        let unknown: Vec<Requirement> =
            requirements.iter().copied().filter(|requirement| !self.is_met(*requirement)).collect();
        let then = self.clone().met(&unknown);
        let contradicts =
            |other: &Vec<Requirement>| other.iter().all(|requirement| then.is_met(*requirement));
        let fails = unknown.iter().any(|requirement| self.excludes(*requirement));
        (!fails && !self.unmet.iter().any(contradicts)).then_some(unknown)
    }

    /// Returns the known outcomes if these conditions hold.
    pub(super) fn met(mut self, requirements: &[Requirement]) -> Self {
        self.met.extend(requirements);
        self
    }

    /// Returns the known outcomes if one of these conditions fails.
    pub(super) fn unmet(mut self, requirements: &[Requirement]) -> Self {
        self.unmet.push(requirements.to_vec());
        self
    }

    fn comm_size(&self) -> Option<u64> {
        self.met.iter().find_map(|requirement| match requirement {
            Requirement::CommSize(only) => Some(*only),
            _ => None,
        })
    }

    /// Returns the smallest and the largest size on an axis for which the outcomes are possible. `counts_blocks` says whether message sizes
    /// count the bytes of blocks.
    fn sizes(&self, axis: &Axis, counts_blocks: bool) -> (u64, u64) {
        let is_positive = |requirement: Requirement| match () {
            () if self.met.contains(&requirement) => (1, u64::MAX),
            () if self.unmet.contains(&vec![requirement]) => (0, 0),
            () => (0, u64::MAX),
        };
        match &*axis.name {
            _ if axis.values().is_none() => (0, u64::MAX),
            "comm_size" => self.comm_size().map_or((0, u64::MAX), |only| (only, only)),
            "commutative" => is_positive(Requirement::Commutative),
            "msg_size" if counts_blocks => is_positive(Requirement::CountAtLeastCommSize),
            _ => (0, u64::MAX),
        }
    }

    fn is_met(&self, requirement: Requirement) -> bool {
        let is_power = || self.comm_size().is_some_and(u64::is_power_of_two);
        self.met.contains(&requirement) || (requirement == Requirement::PowerOfTwo && is_power())
    }

    fn excludes(&self, requirement: Requirement) -> bool {
        match (requirement, self.comm_size()) {
            (Requirement::CommSize(only), Some(ranks)) => only != ranks,
            (Requirement::PowerOfTwo, Some(ranks)) => !ranks.is_power_of_two(),
            (Requirement::CommSize(only), None) => {
                self.met.contains(&Requirement::PowerOfTwo) && !only.is_power_of_two()
            }
            _ => false,
        }
    }
}

impl DecisionTree {
    /// Returns the method that answers where the one that the tests lead to may not run. Without a fallback, the function has no decision
    /// there.
    ///
    /// A tree without [guards](Self::guards) has no fallback.
    pub fn fallback(&self) -> Option<MethodIndex> {
        self.fallback
    }

    /// Replaces the fallback by the method with this label. A tree whose methods may run wherever it chooses them is unchanged.
    /// Returns an error if no call of the map could take the fallback.
    pub(crate) fn with_fallback(mut self, label: &str) -> Result<Self, Problem> {
        let fallback = fallback(&self.domain, label)
            .map_err(|message| Problem::new(Place::File, message).help(unconditional(&self.domain)))?;
        if self.domain.methods().iter().all(|method| method.requires.is_empty()) {
            let message = Message::default().setting("fallback", label);
            return Err(Problem::new(
                Place::File,
                message.text(" answers no call: no method of the map requires anything"),
            )
            .help(Message::from("omit ").option("fallback"))
            .help("write what the methods require into the map, as in \"requires\": [\"power_of_two\"]"));
        }
        if !self.guards.is_empty() {
            self.fallback = Some(fallback);
        }
        Ok(self)
    }

    /// Returns the conditions that a function must check in addition to its tests, in the order of the methods. Most trees have none.
    pub fn guards(&self) -> &[Guard] {
        &self.guards
    }

    /// Returns the requirements of all guards, possibly repeated.
    pub(crate) fn requirements(&self) -> Vec<Requirement> {
        self.guards.iter().flat_map(|guard| guard.requirements.iter().copied()).collect()
    }

    /// Returns the tree in which another method, or no decision, replaces these methods.
    #[must_use]
    pub fn replaced(&self, methods: &[MethodIndex], by: Option<MethodIndex>) -> Self {
        self.with_decisions(|method| if methods.contains(&method) { by } else { Some(method) })
    }

    /// Returns the tree without the tests that these outcomes decide.
    pub(super) fn where_known(&self, known: &KnownOutcomes) -> Self {
        let axes = self.domain.axes().iter();
        let sizes: Vec<(u64, u64)> = axes.map(|axis| known.sizes(axis, self.counts_blocks())).collect();
        self.with_nodes(&self.decided(self.root(), &sizes))
    }

    /// Returns the subtree without the tests that these smallest and largest sizes on each axis decide.
    fn decided(&self, subtree: Subtree<'_>, sizes: &[(u64, u64)]) -> FlatTree {
        let Node::Test { axis, at, below, at_or_above } = subtree.node() else { return subtree.to_tree() };
        let (threshold, (smallest, largest)) = (self.threshold(axis, at), sizes[axis]);
        if largest < threshold {
            self.decided(below, sizes)
        } else if smallest >= threshold {
            self.decided(at_or_above, sizes)
        } else {
            FlatTree::test(axis, at, self.decided(below, sizes), self.decided(at_or_above, sizes))
        }
    }

    /// Returns the axes that the conditions use.
    pub fn guarded_axes(&self) -> Vec<usize> {
        let mut axes = Vec::new();
        for requirement in self.requirements() {
            let names = match requirement {
                Requirement::PowerOfTwo | Requirement::CommSize(_) => &["comm_size"][..],
                Requirement::CountAtLeastCommSize if self.counts_blocks() => &["msg_size"],
                Requirement::CountAtLeastCommSize => &["comm_size", "msg_size"],
                Requirement::Commutative => &["commutative"],
            };
            axes.extend(names.iter().filter_map(|name| self.domain.find_axis(name)));
        }
        axes
    }

    /// Returns whether message sizes count the bytes of blocks.
    pub fn counts_blocks(&self) -> bool {
        let axis = self.domain.find_axis("msg_size").map(|axis| &self.domain.axes()[axis]);
        axis.is_some_and(|axis| axis.basis == Some(Basis::Block))
    }

    /// Finds the conditions that can fail in a region of their method.
    pub(super) fn find_guards(&self) -> Vec<Guard> {
        let requires = |method: MethodIndex| &self.domain.method(method).requires;
        if !self.root().methods().any(|method| method.is_some_and(|method| !requires(method).is_empty())) {
            return Vec::new();
        }
        let mut failing: Vec<Vec<Requirement>> = vec![Vec::new(); self.domain.methods().len()];
        for region in self.regions() {
            let Some(method) = region.method else { continue };
            let bounds: Vec<_> = (0..region.samples.len()).map(|axis| self.bounds(&region, axis)).collect();
            for &requirement in requires(method) {
                let known = &mut failing[method.get()];
                match known.binary_search(&requirement) {
                    Err(place) if requirement.can_fail(self.domain.axes(), &bounds) => {
                        known.insert(place, requirement);
                    }
                    _ => {}
                }
            }
        }
        let mut guards: Vec<Guard> = Vec::new();
        for method in self.domain.method_indexes() {
            let requirements = std::mem::take(&mut failing[method.get()]);
            if requirements.is_empty() {
                continue;
            }
            match guards.iter_mut().find(|guard| guard.requirements == requirements) {
                Some(guard) => guard.methods.push(method),
                None => guards.push(Guard { requirements, methods: vec![method] }),
            }
        }
        guards
    }

    /// Returns the default fallback: of the methods without requirements, a baseline or the one with the most cells.
    pub(super) fn likely_fallback(&self) -> Option<MethodIndex> {
        let mut cells = vec![0_u64; self.domain.methods().len()];
        for region in self.regions() {
            let size = region.samples.iter().map(|samples| samples.len() as u64).product::<u64>();
            region.method.into_iter().for_each(|method| cells[method.get()] += size);
        }
        let rank = |method: &MethodIndex| {
            (self.domain.method(*method).baseline, cells[method.get()], std::cmp::Reverse(method.get()))
        };
        self.domain.unconditional_methods().max_by_key(rank)
    }
}

/// Returns the method with this label, if it may run everywhere.
pub(super) fn fallback(domain: &Domain, label: &str) -> Result<MethodIndex, Message> {
    let known = domain.find_method(label);
    let method =
        known.ok_or_else(|| Message::from(format!("there is no method `{label}` to fall back on")))?;
    if domain.method(method).requires.is_empty() {
        return Ok(method);
    }
    Err(format!("`{label}` may not run everywhere, so it cannot be the fallback").into())
}

/// Returns a description of the methods that can be a fallback.
pub(super) fn unconditional(domain: &Domain) -> Message {
    let labels: Vec<String> =
        domain.unconditional_methods().map(|method| domain.method(method).label()).collect();
    match &labels[..] {
        [] => Message::from("no method of the map runs everywhere: omit ").option("fallback"),
        labels => {
            format!("the methods that run everywhere are {}", crate::listing::in_backticks(labels)).into()
        }
    }
}
