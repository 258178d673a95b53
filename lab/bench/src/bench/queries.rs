//! Queries for the forms.

use qtdec_core::{Borders, DecisionMap, DecisionTree, Domain, MethodIndex};
use qtdec_testkit::maps::TestRng;

/// The number of decisions in a round.
pub(super) const COUNT: usize = 1 << 16;

/// A function that returns the right decision for two sizes.
type Answer<'a> = dyn Fn(&[u64; 2]) -> Option<MethodIndex> + 'a;

/// Queries with their right answers.
pub(super) struct Queries(Vec<[u64; 3]>);

impl Queries {
    /// Returns the distributions of random and repeated points of a tree's grid.
    pub(super) fn of_tree(tree: &DecisionTree) -> Vec<(&'static str, Self)> {
        let answer = |sizes: &[u64; 2]| tree.decide(sizes);
        let mut all = Self::draw(tree.domain(), &answer);
        all.retain(|(name, _)| ["uniform", "constant", "sequence"].contains(name));
        all
    }

    /// Returns all distributions, with the answers of a map.
    pub(super) fn all(map: &DecisionMap) -> Vec<(&'static str, Self)> {
        Self::draw(map.domain(), &|sizes| map.decide(sizes, Borders::Floor))
    }

    /// Returns the distributions with their names, determined by a random seed.
    fn draw(domain: &Domain, answer: &Answer<'_>) -> Vec<(&'static str, Self)> {
        let mut chance = TestRng(1);
        let axes: Vec<&[u64]> = domain.axes().iter().filter_map(|axis| axis.values()).collect();
        let (comm_sizes, msg_sizes) = (axes[0], axes[1]);
        let of = |values: &[u64], chance: &mut TestRng| values[chance.below(values.len() as u64) as usize];
        let mut grid = |count: usize| -> Vec<[u64; 2]> {
            (0..count).map(|_| [of(comm_sizes, &mut chance), of(msg_sizes, &mut chance)]).collect()
        };
        let uniform = grid(COUNT);
        let sixteen = grid(16);
        let logarithmic = |_| {
            let octave = chance.below(24);
            [2 + chance.below(127), (1 << octave) + chance.below(1 << octave)]
        };
        let logarithmic: Vec<[u64; 2]> = (0..COUNT).map(logarithmic).collect();
        let constant = (0..COUNT).map(|index| sixteen[index / (COUNT / 16)]).collect();
        let sequence = (0..COUNT).map(|index| sixteen[index % 16]).collect();
        let profile = profile().into_iter().cycle().take(COUNT).collect();
        [
            ("uniform", uniform),
            ("logarithmic", logarithmic),
            ("constant", constant),
            ("sequence", sequence),
            ("profile", profile),
        ]
        .map(|(name, sizes): (_, Vec<[u64; 2]>)| (name, Self::answered(answer, sizes)))
        .into()
    }

    fn answered(answer: &Answer<'_>, sizes: Vec<[u64; 2]>) -> Self {
        let answer = |sizes: [u64; 2]| {
            let method = answer(&sizes).expect("the maps are full");
            [sizes[0], sizes[1], method.get() as u64]
        };
        Self(sizes.into_iter().map(answer).collect())
    }

    /// Returns the queries in the program's input format.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flatten().flat_map(|number| number.to_le_bytes()).collect()
    }
}

/// Returns the calls of a real program, in order.
fn profile() -> Vec<[u64; 2]> {
    let rows = include_str!("../../results/calls.csv").lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.flat_map(|row| {
        let numbers: Vec<u64> = row.split(',').map(|number| number.parse().expect("numbers")).collect();
        std::iter::repeat_n([numbers[0], numbers[1]], numbers[2] as usize)
    })
    .collect()
}
