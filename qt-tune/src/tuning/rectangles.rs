//! A decision function in rectangles: ranges of communicator sizes × ranges of message sizes.
//!
//! [`Bands::rectangles`] makes as few as there can be that do not overlap. Regions of equal decisions are polygons of right
//! angles, and such a polygon falls into the fewest rectangles if as many cuts as possible join two of its inner corners
//! without meeting each other (Lipski, Lodi, Luccio, Mugnai, Pagli, "On two-dimensional data organization II",
//! Fundamenta Informaticae 2, 1979; Ohtsuki, ISCAS 1982): a largest independent set of a bipartite graph, by a matching.

mod cuts;
mod matching;

use std::ops::{Range, RangeInclusive};

use qtdec_core::{Place, Problem};
use qtdec_mpi::catalogue::Algorithm;

use super::bands::Bands;
use super::plan::{Plan, counted};
use cuts::{Cuts, Grid};

/// A rectangle, and what holds in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rectangle<T> {
    /// Numbers of ranks.
    pub communicators: RangeInclusive<u64>,
    /// Message sizes.
    pub messages: RangeInclusive<u64>,
    /// What holds.
    pub holds: T,
}

/// More cells than any environment variable has room for rules of.
const MOST_CELLS: usize = 1 << 22;

impl<T: Clone + PartialEq> Bands<Option<T>> {
    /// The fewest disjoint rectangles in which something holds, of these communicators and message sizes: by the least
    /// ranks, then by the least size. `None` where the bands make more than 4 million cells.
    pub fn rectangles(
        &self,
        communicators: &RangeInclusive<u64>,
        messages: &RangeInclusive<u64>,
    ) -> Option<Vec<Rectangle<T>>> {
        let ranks = within(communicators, self.communicators().iter().map(|(from, _)| *from).collect());
        let bands = ranks.iter().flat_map(|&ranks| self.messages(ranks));
        let sizes = within(messages, bands.map(|(from, _)| *from).collect());
        if ranks.len().saturating_mul(sizes.len()) > MOST_CELLS {
            return None;
        }
        let mut held: Vec<&T> = Vec::new();
        let mut cells = Vec::with_capacity(ranks.len() * sizes.len());
        for &ranks in &ranks {
            let mut bands = self.messages(ranks).iter().peekable();
            let mut here = 0;
            for size in &sizes {
                while let Some((_, value)) = bands.next_if(|(from, _)| from <= size) {
                    here = value.as_ref().map_or(0, |value| number(value, &mut held));
                }
                cells.push(here);
            }
        }
        let grid = Grid { columns: sizes.len(), cells };
        let range = |starts: &[u64], span: &Range<usize>, all: &RangeInclusive<u64>| {
            starts[span.start]..=starts.get(span.end).map_or(*all.end(), |next| next - 1)
        };
        let cuts = Cuts::fewest(&grid);
        let rectangles = cuts.rectangles().map(|(rows, columns, value)| Rectangle {
            communicators: range(&ranks, &rows, communicators),
            messages: range(&sizes, &columns, messages),
            holds: held[value - 1].clone(),
        });
        Some(rectangles.collect())
    }
}

/// The starts within a range; that which holds at its beginning begins with it.
fn within(all: &RangeInclusive<u64>, mut starts: Vec<u64>) -> Vec<u64> {
    starts.push(*all.start());
    starts.retain(|start| all.contains(start));
    starts.sort_unstable();
    starts.dedup();
    starts
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
) -> Result<Vec<Rectangle<&'static Algorithm>>, Problem> {
    let algorithms = plan.bands.map(|setting| setting.algorithm);
    let rectangles = algorithms.rectangles(&(1..=MOST_RANKS), &(0..=greatest)).ok_or_else(|| {
        let message = format!("the rules for {} make more than {MOST_CELLS} cells", plan.collective);
        Problem::new(Place::File, message).help(
            "no variable holds so many: look after fewer communicator sizes (--max-comm-size), or let them share rules \
             (--approximate)",
        )
    })?;
    let number = counted(rectangles.len(), "rectangle");
    notes.push(format!("{}: {number}, the fewest that do not overlap", plan.collective));
    Ok(rectangles)
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

    /// 0 is nothing.
    fn bands(columns: usize, cells: &[u64]) -> Bands<Option<u64>> {
        let held = |cell: u64| Some(cell).filter(|cell| *cell > 0);
        let band =
            |row: &[u64]| row.iter().enumerate().map(|(at, cell)| (10 * at as u64, held(*cell))).collect();
        let rows = cells.chunks(columns).enumerate().map(|(at, row)| (5 * at as u64, band(row)));
        Bands::new(rows.collect()).expect("the first begin at 0")
    }

    const ALL: RangeInclusive<u64> = 0..=u64::MAX;

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
            let found = bands(columns, &cells).rectangles(&ALL, &ALL).expect("they are few");
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
            let found = bands.rectangles(&(3..=40), &(15..=99)).expect("they are few");
            for communicator in (0..70).chain([u64::MAX]) {
                for message in (0..140).chain([u64::MAX]) {
                    let is_in = |found: &&Rectangle<u64>| {
                        found.communicators.contains(&communicator) && found.messages.contains(&message)
                    };
                    let held: Vec<u64> = found.iter().filter(is_in).map(|found| found.holds).collect();
                    let is_asked = (3..=40).contains(&communicator) && (15..=99).contains(&message);
                    let expected = bands.get(communicator, message).filter(|_| is_asked);
                    assert_eq!(held, Vec::from_iter(expected), "{communicator}, {message}");
                }
            }
        }
    }

    #[test]
    fn cuts_that_join_corners_save_rectangles() {
        // A cross: cut along rows and columns blindly it falls into five.
        let cross = [0, 1, 0, 1, 1, 1, 0, 1, 0];
        assert_eq!(bands(3, &cross).rectangles(&ALL, &ALL).map(|found| found.len()), Some(3));
    }
}
