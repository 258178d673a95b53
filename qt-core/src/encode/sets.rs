//! Sets of methods, each stored once, so that a cell or a box holds a number instead of a list.

use std::collections::HashMap;
use std::ops::Range;

use super::Input;
use crate::domain::MethodIndex;

/// A set of choices among [`Sets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SetId(u32);

impl SetId {
    /// The empty set: cells that share no choice cannot be one region.
    pub(super) const NONE: Self = Self(0);
    /// The set of all choices, for an unmeasured cell where every method may run.
    pub(super) const ANY: Self = Self(1);
}

/// A choice for a cell: a method, or no decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Choice {
    Method(MethodIndex),
    /// No decision, allowed only for unmeasured cells: a box that consists of such cells may have no decision.
    Unmapped,
}

/// All sets seen so far, and their intersections.
#[derive(Debug)]
pub(super) struct Sets {
    members: Vec<Vec<Choice>>,
    ids: HashMap<Vec<Choice>, SetId>,
    meets: HashMap<(SetId, SetId), SetId>,
}

impl Sets {
    pub(super) fn new() -> Self {
        // The members of `ANY` are never used.
        Self {
            members: vec![Vec::new(), Vec::new()],
            ids: [(Vec::new(), SetId::NONE)].into(),
            meets: HashMap::new(),
        }
    }

    /// Returns the allowed choices of every cell, row-major.
    pub(super) fn of_cells(&mut self, input: &Input<'_>) -> Vec<SetId> {
        (0..input.shape.cells()).map(|cell| self.of_cell(input, cell)).collect()
    }

    fn of_cell(&mut self, input: &Input<'_>, cell: usize) -> SetId {
        let allowed = input.allowed(cell);
        if !allowed.is_empty() {
            return self.id(allowed.iter().copied().map(Choice::Method).collect());
        }
        if !input.is_restricted() {
            return SetId::ANY;
        }
        let runs = input.methods().filter(|&method| input.may_run(method, cell));
        self.id(runs.map(Choice::Method).chain([Choice::Unmapped]).collect())
    }

    /// Returns the set of these choices, which are in increasing order.
    fn id(&mut self, members: Vec<Choice>) -> SetId {
        if let Some(&id) = self.ids.get(&members) {
            return id;
        }
        let id = SetId(self.members.len() as u32);
        self.members.push(members.clone());
        self.ids.insert(members, id);
        id
    }

    /// Returns the intersection of two sets.
    pub(super) fn meet(&mut self, one: SetId, other: SetId) -> SetId {
        match (one, other) {
            _ if one == other => one,
            (SetId::ANY, set) | (set, SetId::ANY) => set,
            (SetId::NONE, _) | (_, SetId::NONE) => SetId::NONE,
            _ => self.meet_of_two(one.min(other), one.max(other)),
        }
    }

    /// Returns the fewest runs into which a line of cells can be divided, each as long as its cells have a choice in common.
    pub(super) fn longest_runs(&mut self, line: &[SetId]) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        let mut common = SetId::NONE;
        for (place, &cell) in line.iter().enumerate() {
            let shared = self.meet(common, cell);
            match runs.last_mut() {
                Some(run) if shared != SetId::NONE => {
                    run.end = place + 1;
                    common = shared;
                }
                _ => {
                    runs.push(place..place + 1);
                    common = cell;
                }
            }
        }
        runs
    }

    /// Returns the cells of that slice whose sets are all subsets of those of the other slice. Its decisions are acceptable in both
    /// slices. Returns `None` if neither slice qualifies.
    pub(super) fn stricter(&mut self, one: &[SetId], other: &[SetId]) -> Option<Vec<SetId>> {
        let mut within = |one: &[SetId], other: &[SetId]| {
            one.iter().zip(other).all(|(&one, &other)| one == other || self.meet(one, other) == one)
        };
        if within(one, other) { Some(one.to_vec()) } else { within(other, one).then(|| other.to_vec()) }
    }

    /// Returns whether every cell has only one choice.
    pub(super) fn are_single(&self, cells: &[SetId]) -> bool {
        cells.iter().all(|cell| *cell != SetId::ANY && self.members[cell.0 as usize].len() == 1)
    }

    /// Returns one choice for every cell, as a number: the choice in its set that the most cells have. An unconstrained cell takes the
    /// choice of the cell before it.
    pub(super) fn representatives(&self, cells: &[SetId]) -> Vec<u32> {
        let mut of_sets = vec![0_u64; self.members.len()];
        for cell in cells {
            of_sets[cell.0 as usize] += 1;
        }
        let mut of_choices: HashMap<Choice, u64> = HashMap::new();
        for (members, cells) in self.members.iter().zip(&of_sets) {
            for choice in members {
                *of_choices.entry(*choice).or_default() += cells;
            }
        }
        let number = |choice: &Choice| match choice {
            Choice::Method(method) => method.get() as u32,
            Choice::Unmapped => u32::MAX,
        };
        let frequency = |choice: &&Choice| (of_choices[*choice], std::cmp::Reverse(**choice));
        let most_frequent = self.members.iter().map(|members| members.iter().max_by_key(frequency));
        let of_sets: Vec<u32> = most_frequent.map(|choice| choice.map_or(u32::MAX, number)).collect();
        let settled = |cell: &&SetId| **cell != SetId::ANY;
        let mut last = cells.iter().find(settled).map_or(u32::MAX, |cell| of_sets[cell.0 as usize]);
        let choice = |cell: &SetId| {
            last = if *cell == SetId::ANY { last } else { of_sets[cell.0 as usize] };
            last
        };
        cells.iter().map(choice).collect()
    }

    fn meet_of_two(&mut self, one: SetId, other: SetId) -> SetId {
        let (left, right) = (&self.members[one.0 as usize], &self.members[other.0 as usize]);
        if left.len() == 1 && right.len() == 1 {
            return SetId::NONE;
        }
        if let Some(&meet) = self.meets.get(&(one, other)) {
            return meet;
        }
        let shared = left.iter().copied().filter(|choice| right.binary_search(choice).is_ok()).collect();
        let meet = self.id(shared);
        self.meets.insert((one, other), meet);
        meet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_meet_in_what_they_share() {
        let mut sets = Sets::new();
        let mut of = |methods: &[usize]| {
            sets.id(methods.iter().map(|&index| Choice::Method(MethodIndex::new(index))).collect())
        };
        let (one, two, both) = (of(&[1]), of(&[2]), of(&[1, 2]));
        assert_eq!(sets.meet(one, two), SetId::NONE);
        assert_eq!(sets.meet(one, both), one);
        assert_eq!(sets.meet(both, two), two);
        for set in [one, two, both, SetId::NONE, SetId::ANY] {
            assert_eq!(sets.meet(set, set), set);
            assert_eq!(sets.meet(set, SetId::ANY), set);
            assert_eq!(sets.meet(SetId::NONE, set), SetId::NONE);
        }
    }
}
