//! Partition of a grid of colours into the fewest rectangles.
//!
//! Regions of one colour are polygons with right angles. The partition with the fewest rectangles uses as many non-intersecting
//! cuts between two inner corners as possible (Lipski, Lodi, Luccio, Mugnai, Pagli, "On
//! two-dimensional data organization II", Fundamenta Informaticae 2, 1979; Ohtsuki, ISCAS 1982). These cuts are a maximum
//! independent set of a bipartite graph, which is found by matching.

mod cuts;
mod matching;

use std::ops::Range;

use cuts::Cuts;

/// A grid of colours, row by row.
#[derive(Clone, Debug)]
pub struct Grid {
    columns: usize,
    cells: Vec<usize>,
}

/// A rectangle of one colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// The range of rows.
    pub rows: Range<usize>,
    /// The range of columns.
    pub columns: Range<usize>,
    /// The colour.
    pub colour: usize,
}

impl Grid {
    /// Creates a grid from rows of `columns` cells. Cells of colour 0 belong to no rectangle.
    ///
    /// # Panics
    ///
    /// Panics if the last row is incomplete.
    pub fn new(columns: usize, cells: Vec<usize>) -> Self {
        assert!(cells.is_empty() || (columns > 0 && cells.len() % columns == 0), "the rows are whole");
        Self { columns, cells }
    }

    /// Returns the fewest disjoint rectangles, each of one colour, that cover every cell except those of colour 0, in the order
    /// of their first cells.
    pub fn fewest_rectangles(&self) -> Vec<Rectangle> {
        Cuts::fewest(self).rectangles().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fewest(columns: usize, cells: &[usize]) -> usize {
        Grid::new(columns, cells.to_vec()).fewest_rectangles().len()
    }

    #[test]
    fn known_grids() {
        assert_eq!(fewest(1, &[7]), 1);
        assert_eq!(fewest(1, &[0]), 0);
        assert_eq!(fewest(2, &[1, 2, 2, 1]), 4);
        assert_eq!(fewest(2, &[1, 2, 2, 2]), 3);
        assert_eq!(fewest(5, &[1, 1, 2, 2, 1]), 3);
        // A hole: four rectangles around it, and the hole itself.
        assert_eq!(fewest(3, &[1, 1, 1, 1, 2, 1, 1, 1, 1]), 5);
        // Crossing chords, of which only one direction can be used.
        assert_eq!(fewest(3, &[2, 1, 3, 1, 1, 1, 4, 1, 5]), 7);
        // A pinwheel: five rectangles, and no cut crosses the whole grid.
        assert_eq!(fewest(3, &[1, 1, 2, 3, 5, 2, 3, 4, 4]), 5);
        // A cross with nothing around it. Cutting along both rows and columns would make five rectangles.
        assert_eq!(fewest(3, &[0, 1, 0, 1, 1, 1, 0, 1, 0]), 3);
    }

    /// Tries every partition: the first uncovered cell is the corner of the next rectangle.
    fn tried(columns: usize, cells: &[usize], covered: &mut Vec<bool>) -> usize {
        let open = (0..cells.len()).find(|&cell| !covered[cell] && cells[cell] != 0);
        let Some(first) = open else { return 0 };
        let (row, column) = (first / columns, first % columns);
        let mut least = usize::MAX;
        for end_row in row + 1..=cells.len() / columns {
            for end in column + 1..=columns {
                let inside = (row..end_row).flat_map(|row| (column..end).map(move |at| row * columns + at));
                let inside: Vec<usize> = inside.collect();
                if inside.iter().any(|&cell| covered[cell] || cells[cell] != cells[first]) {
                    break;
                }
                for &cell in &inside {
                    covered[cell] = true;
                }
                least = least.min(1 + tried(columns, cells, covered));
                for &cell in &inside {
                    covered[cell] = false;
                }
            }
        }
        least
    }

    /// Checks that the rectangles of a grid cover each coloured cell once, and that there are no fewer.
    fn holds(columns: usize, cells: &[usize]) {
        let found = Grid::new(columns, cells.to_vec()).fewest_rectangles();
        let mut covered = vec![0; cells.len()];
        for Rectangle { rows, columns: across, colour } in &found {
            for cell in rows.clone().flat_map(|row| across.clone().map(move |at| row * columns + at)) {
                covered[cell] += 1;
                assert_eq!(cells[cell], *colour, "{cells:?}");
            }
        }
        let expected: Vec<i32> = cells.iter().map(|&colour| i32::from(colour != 0)).collect();
        assert_eq!(covered, expected, "{cells:?}");
        assert_eq!(found.len(), tried(columns, cells, &mut vec![false; cells.len()]), "{cells:?}");
    }

    #[test]
    fn no_grid_falls_into_fewer() {
        for number in 0..1_usize << 12 {
            // Two colours; then one colour with nothing around it.
            holds(4, &(0..12).map(|cell| 1 + (number >> cell & 1)).collect::<Vec<_>>());
            holds(4, &(0..12).map(|cell| number >> cell & 1).collect::<Vec<_>>());
        }
        for number in (0..1_usize << 16).step_by(371) {
            holds(4, &(0..16).map(|cell| 1 + (number >> cell & 1)).collect::<Vec<_>>());
        }
        for number in (0..3_usize.pow(12)).step_by(149) {
            holds(4, &(0..12).map(|cell| number / 3_usize.pow(cell) % 3).collect::<Vec<_>>());
        }
    }
}
