//! A decision function in rectangles: ranges of communicator sizes × ranges of message sizes.
//!
//! [`Bands::rectangles`] makes as few as there can be that do not overlap. Regions of equal decisions are polygons of right
//! angles, and such a polygon falls into the fewest rectangles if as many cuts as possible join two of its inner corners
//! without meeting each other (Lipski, Lodi, Luccio, Mugnai, Pagli, "On two-dimensional data organization II",
//! Fundamenta Informaticae 2, 1979; Ohtsuki, ISCAS 1982): a largest independent set of a bipartite graph, by a matching.

mod cuts;
mod matching;

use std::ops::RangeInclusive;

use qtdec_core::{Place, Problem};

use super::bands::Bands;
use super::plan::{Plan, Setting, counted};
use cuts::{Cuts, Grid};

/// A rectangle, and what holds in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rectangle<T> {
    /// Numbers of ranks; the last one ends at `u64::MAX`.
    pub communicators: RangeInclusive<u64>,
    /// Message sizes; the last one ends at `u64::MAX`.
    pub messages: RangeInclusive<u64>,
    /// What holds.
    pub holds: T,
}

/// More cells than any environment variable has room for rules of.
const MOST_CELLS: usize = 1 << 22;

impl<T: Clone + PartialEq> Bands<T> {
    /// The fewest disjoint rectangles that cover what `is_covered` takes, and nothing else: by the least ranks, then by
    /// the least size. `None` where the bands make more than 4 million cells.
    pub fn rectangles(&self, is_covered: impl Fn(&T) -> bool) -> Option<Vec<Rectangle<T>>> {
        let communicators: Vec<u64> = self.communicators().iter().map(|(from, _)| *from).collect();
        let mut messages: Vec<u64> =
            self.communicators().iter().flat_map(|(_, bands)| bands.iter().map(|(from, _)| *from)).collect();
        messages.sort_unstable();
        messages.dedup();
        if communicators.len().saturating_mul(messages.len()) > MOST_CELLS {
            return None;
        }
        let mut held: Vec<&T> = Vec::new();
        let mut cells = Vec::with_capacity(communicators.len() * messages.len());
        for (_, bands) in self.communicators() {
            let mut bands = bands.iter().peekable();
            let mut here = 0;
            for from in &messages {
                if let Some((_, value)) = bands.next_if(|(start, _)| start == from) {
                    here = if is_covered(value) { number(value, &mut held) } else { 0 };
                }
                cells.push(here);
            }
        }
        let grid = Grid { columns: messages.len(), cells };
        let range = |starts: &[u64], from: usize, below: usize| {
            starts[from]..=starts.get(below).map_or(u64::MAX, |next| next - 1)
        };
        let cuts = Cuts::fewest(&grid);
        let rectangles = cuts.rectangles().map(|(rows, columns, value)| Rectangle {
            communicators: range(&communicators, rows.start, rows.end),
            messages: range(&messages, columns.start, columns.end),
            holds: held[value - 1].clone(),
        });
        Some(rectangles.collect())
    }
}

/// More ranks there are not: the greatest number of MPI's.
pub(super) const MOST_RANKS: u64 = i32::MAX as u64;

/// The rectangles of a plan in which it names an algorithm: from 1 rank to [`MOST_RANKS`], and up to the greatest size
/// that a library takes.
///
/// # Errors
///
/// Rules that are too many for a variable by far.
pub(super) fn of(
    plan: &Plan,
    greatest: u64,
    notes: &mut Vec<String>,
) -> Result<Vec<Rectangle<Setting>>, Problem> {
    let all = plan.bands.rectangles(|setting| setting.algorithm.is_some()).ok_or_else(|| {
        let message = format!("the rules for {} make more than {MOST_CELLS} cells", plan.collective);
        Problem::new(Place::File, message).help(
            "no variable holds so many: look after fewer communicator sizes (--max-comm-size), or let them share rules \
             (--approximate)",
        )
    })?;
    let within = |range: RangeInclusive<u64>, least: u64, greatest: u64| {
        Some(*range.start().max(&least)..=*range.end().min(&greatest)).filter(|range| !range.is_empty())
    };
    let told = |rectangle: Rectangle<Setting>| {
        let communicators = within(rectangle.communicators, 1, MOST_RANKS)?;
        let messages = within(rectangle.messages, 0, greatest)?;
        Some(Rectangle { communicators, messages, ..rectangle })
    };
    let told: Vec<_> = all.into_iter().filter_map(told).collect();
    let number = counted(told.len(), "rectangle");
    notes.push(format!("{}: {number}, the fewest that do not overlap", plan.collective));
    Ok(told)
}

/// The number of a value, from 1 on.
fn number<'v, T: PartialEq>(value: &'v T, held: &mut Vec<&'v T>) -> usize {
    let known = held.iter().position(|known| *known == value);
    known.unwrap_or_else(|| {
        held.push(value);
        held.len() - 1
    }) + 1
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    fn bands(columns: usize, cells: &[u64]) -> Bands<u64> {
        let band = |row: &[u64]| row.iter().enumerate().map(|(at, value)| (10 * at as u64, *value)).collect();
        let rows = cells.chunks(columns).enumerate().map(|(at, row)| (5 * at as u64, band(row)));
        Bands::new(rows.collect()).expect("the first begin at 0")
    }

    /// The fewest rectangles that cover the cells left, by trying all that begin at the first one.
    fn fewest(columns: usize, cells: &[u64], left: u32, known: &mut HashMap<u32, usize>) -> usize {
        if left == 0 {
            return 0;
        }
        if let Some(known) = known.get(&left) {
            return *known;
        }
        let first = left.trailing_zeros() as usize;
        let rows = cells.len() / columns;
        let mut best = usize::MAX;
        for below in first / columns + 1..=rows {
            for end in first % columns + 1..=columns {
                let inside = (first / columns..below)
                    .flat_map(|row| (first % columns..end).map(move |column| row * columns + column));
                let taken = inside.clone().fold(0, |taken, at| taken | 1 << at);
                if inside.clone().all(|at| cells[at] == cells[first]) && left & taken == taken {
                    best = best.min(1 + fewest(columns, cells, left & !taken, known));
                }
            }
        }
        known.insert(left, best);
        best
    }

    #[test]
    fn there_are_no_fewer_rectangles() {
        let mut chance = Pcg64::seed_from_u64(1979);
        for round in 0..600 {
            let (rows, columns) = (chance.random_range(1..=4), chance.random_range(1..=5));
            let colours = 2 + round % 2;
            let cells: Vec<u64> = (0..rows * columns).map(|_| chance.random_range(0..colours)).collect();
            let covered =
                cells.iter().enumerate().filter(|(_, cell)| **cell > 0).fold(0, |all, (at, _)| all | 1 << at);
            let found = bands(columns, &cells).rectangles(|value| *value > 0).expect("they are few");
            assert_eq!(found.len(), fewest(columns, &cells, covered, &mut HashMap::new()), "{cells:?}");
        }
    }

    #[test]
    fn each_size_is_in_one_rectangle_of_its_decision() {
        let mut chance = Pcg64::seed_from_u64(1982);
        for _ in 0..100 {
            let (rows, columns) = (chance.random_range(1..=12), chance.random_range(1..=12));
            let cells: Vec<u64> = (0..rows * columns).map(|_| chance.random_range(0..3)).collect();
            let bands = bands(columns, &cells);
            let found = bands.rectangles(|value| *value > 0).expect("they are few");
            for communicator in (0..70).step_by(5).flat_map(|at| [at, at + 4]).chain([u64::MAX]) {
                for message in (0..140).step_by(10).flat_map(|at| [at, at + 9]).chain([u64::MAX]) {
                    let is_in = |found: &&Rectangle<u64>| {
                        found.communicators.contains(&communicator) && found.messages.contains(&message)
                    };
                    let held: Vec<u64> = found.iter().filter(is_in).map(|found| found.holds).collect();
                    let expected = *bands.get(communicator, message);
                    assert_eq!(held, if expected > 0 { vec![expected] } else { Vec::new() });
                }
            }
        }
    }

    #[test]
    fn cuts_that_join_corners_save_rectangles() {
        // A cross: cut along rows and columns blindly it falls into five.
        let cross = [0, 1, 0, 1, 1, 1, 0, 1, 0];
        assert_eq!(bands(3, &cross).rectangles(|value| *value > 0).map(|found| found.len()), Some(3));
    }
}
