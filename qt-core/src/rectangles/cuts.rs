//! The cuts that divide a grid of colours into rectangles.

use super::matching::{Chord, independent};
use super::{Grid, Rectangle};

/// An inner corner: three of the four cells at a grid point have the same colour.
struct Corner {
    /// Whether the fourth cell is on the right, and whether it is below.
    right: bool,
    below: bool,
}

impl Grid {
    fn rows(&self) -> usize {
        self.cells.len() / self.columns.max(1)
    }

    fn cell(&self, row: usize, column: usize) -> usize {
        self.cells[row * self.columns + column]
    }

    /// Returns the cells around a grid point inside the rim: above left and right, below left and right.
    fn about(&self, row: usize, column: usize) -> Option<[usize; 4]> {
        let inside = (1..self.rows()).contains(&row) && (1..self.columns).contains(&column);
        inside.then(|| {
            let pair = |row| [self.cell(row, column - 1), self.cell(row, column)];
            let ([a, b], [c, d]) = (pair(row - 1), pair(row));
            [a, b, c, d]
        })
    }

    /// Returns whether a cut may cross the grid point: all cells around it have the same colour.
    fn is_inside(&self, row: usize, column: usize) -> bool {
        self.about(row, column).is_some_and(|[a, b, c, d]| a == b && c == d && a == c)
    }

    fn corner(&self, row: usize, column: usize) -> Option<Corner> {
        let about = self.about(row, column)?;
        let alone = (0..4).find(|&one| {
            let [a, b, c] = [1, 2, 3].map(|step| about[(one + step) % 4]);
            a == b && b == c && a != 0 && about[one] != a
        })?;
        Some(Corner { right: alone % 2 == 1, below: alone >= 2 })
    }

    fn crossings(&self) -> impl Iterator<Item = (usize, usize)> {
        let columns = 1..self.columns;
        (1..self.rows()).flat_map(move |row| columns.clone().map(move |column| (row, column)))
    }

    /// Returns the cuts along rows that join two inner corners, and those along columns.
    fn chords(&self) -> (Vec<Chord>, Vec<Chord>) {
        let (mut along_rows, mut along_columns) = (Vec::new(), Vec::new());
        for (row, column) in self.crossings() {
            let Some(corner) = self.corner(row, column) else { continue };
            // The cut leads away from the cell with another colour. Every cut is found from its left or upper end.
            if !corner.right {
                let end = (column + 1..self.columns).find(|&next| !self.is_inside(row, next));
                let end = end.unwrap_or(self.columns);
                if self.corner(row, end).is_some() {
                    along_rows.push(Chord { line: row, span: column..end });
                }
            }
            if !corner.below {
                let end = (row + 1..self.rows()).find(|&next| !self.is_inside(next, column));
                let end = end.unwrap_or(self.rows());
                if self.corner(end, column).is_some() {
                    along_columns.push(Chord { line: column, span: row..end });
                }
            }
        }
        (along_rows, along_columns)
    }
}

/// Cuts, stored at the upper and left sides of cells.
pub(super) struct Cuts<'g> {
    grid: &'g Grid,
    above: Vec<bool>,
    left: Vec<bool>,
}

impl<'g> Cuts<'g> {
    pub(super) fn fewest(grid: &'g Grid) -> Self {
        let none = vec![false; grid.cells.len()];
        let mut cuts = Self { grid, above: none.clone(), left: none };
        let (along_rows, along_columns) = grid.chords();
        let (rows, columns) = independent(&along_rows, &along_columns, grid.columns);
        for Chord { line, span } in rows {
            span.clone().for_each(|column| cuts.above[line * grid.columns + column] = true);
        }
        for Chord { line, span } in columns {
            span.clone().for_each(|row| cuts.left[row * grid.columns + line] = true);
        }
        for (row, column) in grid.crossings() {
            if let Some(corner) = grid.corner(row, column) {
                cuts.cut_off(row, column, &corner);
            }
        }
        cuts
    }

    /// Cuts along the row from an inner corner that no cut has reached, up to the first obstacle.
    fn cut_off(&mut self, row: usize, column: usize, corner: &Corner) {
        let at = |row: usize, column: usize| row * self.grid.columns + column;
        let at_column = if corner.right { column - 1 } else { column };
        let under = if corner.below { row - 1 } else { row };
        if self.above[at(row, at_column)] || self.left[at(under, column)] {
            return;
        }
        let mut at_column = at_column;
        loop {
            self.above[row * self.grid.columns + at_column] = true;
            let next = if corner.right { at_column } else { at_column + 1 };
            // Stop at the rim of the region or at a cut along the column.
            if !self.grid.is_inside(row, next) || self.left[row * self.grid.columns + next] {
                return;
            }
            at_column = if corner.right { at_column - 1 } else { at_column + 1 };
        }
    }

    /// Returns the rectangles, in the order of their first cells.
    pub(super) fn rectangles(&self) -> impl Iterator<Item = Rectangle> {
        let Grid { columns, cells } = self.grid;
        let mut taken = vec![false; cells.len()];
        (0..cells.len()).filter_map(move |first| {
            let value = cells[first];
            if value == 0 || taken[first] {
                return None;
            }
            let (row, column) = (first / columns, first % columns);
            let is_on = |at: usize| cells[at] == value;
            let end = (column + 1..*columns)
                .find(|next| !is_on(row * columns + next) || self.left[row * columns + next])
                .unwrap_or(*columns);
            let below = (row + 1..self.grid.rows())
                .find(|next| !is_on(next * columns + column) || self.above[next * columns + column])
                .unwrap_or(self.grid.rows());
            (row..below).for_each(|row| taken[row * columns + column..row * columns + end].fill(true));
            Some(Rectangle { rows: row..below, columns: column..end, colour: value })
        })
    }
}
