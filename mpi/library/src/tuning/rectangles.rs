//! Decision functions in rectangles: ranges of communicator sizes × ranges of message sizes.
//!
//! [`Bands::rectangles`] makes the smallest possible number of disjoint rectangles.

use std::ops::{Range, RangeInclusive};

use crate::catalogue::Algorithm;
use qtdec_core::{Place, Problem, rectangles};

use super::MAX_INT;
use super::bands::{Bands, sorted};
use super::library_rules::{LibraryRules, counted};

/// A rectangle and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rectangle<T> {
    /// Numbers of ranks.
    pub communicators: RangeInclusive<u64>,
    /// Message sizes.
    pub messages: RangeInclusive<u64>,
    /// The value.
    pub holds: T,
}

/// The maximum number of cells, more than any environment variable can hold rules for.
const MAX_CELLS: usize = 1 << 22;

impl<T: Clone + PartialEq> Bands<Option<T>> {
    /// Returns the smallest number of disjoint rectangles that have a value, within these communicators and message sizes. They are
    /// sorted by the smallest number of ranks, then by the smallest size. Returns `None` if the bands make more than 4 million cells.
    pub fn rectangles(
        &self,
        communicators: &RangeInclusive<u64>,
        messages: &RangeInclusive<u64>,
    ) -> Option<Vec<Rectangle<T>>> {
        let ranks = within(communicators, self.communicators().iter().map(|(from, _)| *from));
        let bands = ranks.iter().flat_map(|&ranks| self.messages(ranks));
        let sizes = within(messages, bands.map(|(from, _)| *from));
        if ranks.len().saturating_mul(sizes.len()) > MAX_CELLS {
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
        let grid = rectangles::Grid::new(sizes.len(), cells);
        let range = |starts: &[u64], span: &Range<usize>, all: &RangeInclusive<u64>| {
            starts[span.start]..=starts.get(span.end).map_or(*all.end(), |next| next - 1)
        };
        let found = grid.fewest_rectangles().into_iter().map(|rectangle| Rectangle {
            communicators: range(&ranks, &rectangle.rows, communicators),
            messages: range(&sizes, &rectangle.columns, messages),
            holds: held[rectangle.colour - 1].clone(),
        });
        Some(found.collect())
    }
}

/// Returns the starts within a range; the first one is moved to its beginning.
fn within(all: &RangeInclusive<u64>, starts: impl Iterator<Item = u64>) -> Vec<u64> {
    sorted(starts.chain([*all.start()]).filter(|start| all.contains(start)))
}

/// Returns the rectangles in which rules name an algorithm: from 1 rank to [`MAX_INT`], and up to the greatest size
/// that a library accepts.
pub(super) fn covered(
    rules: &LibraryRules,
    greatest: u64,
    notes: &mut Vec<String>,
) -> Result<Vec<Rectangle<&'static Algorithm>>, Problem> {
    let algorithms = rules.bands.map(|setting| setting.algorithm);
    let rectangles = algorithms.rectangles(&(1..=MAX_INT), &(0..=greatest)).ok_or_else(|| {
        let message = format!("the rules for {} make more than {MAX_CELLS} cells", rules.collective);
        Problem::new(Place::File, message).help(
            "this is too much for a variable: cover fewer communicator sizes (--max-comm-size), or let them \
                 share rules (--approximate)",
        )
    })?;
    let number = counted(rectangles.len(), "rectangle");
    notes.push(format!("{}: {number}, the fewest that do not overlap", rules.collective));
    Ok(rectangles)
}

/// Returns the number of a value, counted from 1.
fn number<'v, T: PartialEq>(value: &'v T, held: &mut Vec<&'v T>) -> usize {
    let known = held.iter().position(|known| *known == value);
    known.unwrap_or_else(|| {
        held.push(value);
        held.len() - 1
    }) + 1
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    /// Returns the bands of cells, in which 0 means no value.
    fn bands(columns: usize, cells: &[u64]) -> Bands<Option<u64>> {
        let held = |cell: u64| Some(cell).filter(|cell| *cell > 0);
        let band =
            |row: &[u64]| row.iter().enumerate().map(|(at, cell)| (10 * at as u64, held(*cell))).collect();
        let rows = cells.chunks(columns).enumerate().map(|(at, row)| (5 * at as u64, band(row)));
        Bands::new(rows.collect()).expect("the first begin at 0")
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
}
