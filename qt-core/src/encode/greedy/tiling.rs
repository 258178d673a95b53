//! The number of rectangles in a minimum partition of a coloured box, computed by counting corners.
//!
//! The minimum partition of a region with straight sides has as many rectangles as the region has inner corners, minus one for each
//! pair of them that one cut serves, plus one for each connected part (Lipski; Ohtsuki). Apart from those pairs, this is a
//! sum over the points where four cells meet: a quarter for every corner of a region, and three quarters for an inner
//! corner. The number of new rectangles that a cut makes is the increase of this sum, which takes constant time to compute.

use std::ops::Range;

/// The number of rectangles that every cut of a box adds, in halves.
#[derive(Debug)]
pub(super) struct Tiling {
    /// The lengths of three axes; the first ones are 1 if there are fewer.
    lens: [usize; 3],
    colours: Vec<u32>,
    /// For each axis that can be cut, prefix sums of what every point on a cut adds.
    sums: [Option<Vec<i32>>; 3],
}

impl Tiling {
    /// Creates the sums; `colours` are row-major.
    pub(super) fn new(lens: &[usize], colours: &[u32]) -> Self {
        let mut padded = [1; 3];
        padded[3 - lens.len()..].copy_from_slice(lens);
        let mut tiling = Self { lens: padded, colours: colours.to_vec(), sums: [const { None }; 3] };
        tiling.sums = [0, 1, 2].map(|axis| (padded[axis] > 1).then(|| tiling.sums_across(axis)));
        tiling
    }

    /// Returns the axes parallel to a cut across `axis`: the one on which its lines lie, and the one along which they are counted.
    fn along(&self, axis: usize) -> (usize, usize) {
        let mut others = (0..3).filter(|&other| other != axis);
        let (first, last) = (others.next().unwrap_or(0), others.next().unwrap_or(0));
        if self.lens[last] > 1 { (last, first) } else { (first, last) }
    }

    fn colour(&self, place: [usize; 3]) -> u32 {
        self.colours[place.iter().zip(&self.lens).fold(0, |offset, (at, len)| offset * len + at)]
    }

    /// Returns prefix sums over both axes parallel to the cuts across `axis`, as `[at][line][place]`, one longer on the last two.
    fn sums_across(&self, axis: usize) -> Vec<i32> {
        let (along, over) = self.along(axis);
        let (places, lines) = (self.lens[along] + 1, self.lens[over] + 1);
        let mut sums = vec![0; self.lens[axis] * lines * places];
        for at in 1..self.lens[axis] {
            for line in 1..lines {
                let row = (at * lines + line) * places;
                let mut sum = 0;
                for place in 1..places {
                    let mut cell = [0; 3];
                    (cell[axis], cell[over], cell[along]) = (at, line - 1, place - 1);
                    sum += self.corner(axis, along, cell);
                    sums[row + place] = sums[row + place - places] + sum;
                }
            }
        }
        sums
    }

    /// Returns what a point adds to a cut. The point lies between a cell, its predecessor on either axis and its predecessor on both.
    fn corner(&self, axis: usize, along: usize, cell: [usize; 3]) -> i32 {
        if cell[along] == 0 {
            return 0;
        }
        let above = before(cell, axis);
        let (ne, nw) = (self.colour(above), self.colour(before(above, along)));
        let (se, sw) = (self.colour(cell), self.colour(before(cell, along)));
        let sides = [nw == ne, ne == se, se == sw, sw == nw].into_iter().filter(|same| *same).count();
        // In halves: one cell differs at the point, a bent region, three regions that meet, four.
        let corners = match sides {
            2 if nw == se || ne == sw => 2,
            2 | 4 => 0,
            1 => 1,
            _ => 2,
        };
        i32::from(nw != ne) + i32::from(sw != se) - corners
    }

    /// Returns the number of rectangles that a cut of a box adds, in halves.
    pub(super) fn new_pieces(&self, whole: &[Range<usize>], axis: usize, at: usize) -> i32 {
        let pad = 3 - whole.len();
        let axis = axis + pad;
        let range = |other: usize| other.checked_sub(pad).map_or(0..1, |other| whole[other].clone());
        let (along, over) = self.along(axis);
        let (places, lines) = (range(along), range(over));
        let Some(sums) = &self.sums[axis] else { return 0 };
        let sum = |line: usize, place: usize| {
            sums[(at * (self.lens[over] + 1) + line) * (self.lens[along] + 1) + place]
        };
        // The first point of the box is an end of the cut, not an inner point.
        let (first, last) = (places.start + 1, places.end);
        let corners =
            sum(lines.end, last) - sum(lines.start, last) - sum(lines.end, first) + sum(lines.start, first);
        let differs = |line: usize, place: usize| {
            let mut cell = [0; 3];
            (cell[axis], cell[over], cell[along]) = (at, line, place);
            i32::from(self.colour(cell) != self.colour(before(cell, axis)))
        };
        let ends = |line: usize| differs(line, places.start) + differs(line, places.end - 1);
        corners + lines.map(|line| 2 - ends(line)).sum::<i32>()
    }
}

/// Returns the neighbour of a cell with the next lower sample on an axis.
///
/// This is a function that mutates no argument in place. rustc 1.95 and earlier passes a copied argument of more than two words to a
/// closure by the address of the original, so a closure with a `mut` parameter changes its caller's cell (rust-lang/rust#155241;
/// `qt-core/tests/optimised/closure.rs`).
fn before(cell: [usize; 3], axis: usize) -> [usize; 3] {
    std::array::from_fn(|other| cell[other] - usize::from(other == axis))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(cells: [[u32; 3]; 3], axis: usize, at: usize) -> i32 {
        Tiling::new(&[3, 3], cells.as_flattened()).new_pieces(&[0..3, 0..3], axis, at)
    }

    #[test]
    fn a_cut_along_a_border_adds_nothing() {
        assert_eq!(pieces([[1, 1, 1], [2, 2, 2], [3, 3, 3]], 0, 1), 0);
        assert_eq!(pieces([[1, 1, 1], [2, 3, 3], [2, 3, 3]], 0, 1), 0);
        assert_eq!(pieces([[1, 1, 2], [1, 1, 2], [3, 3, 2]], 1, 2), 0);
    }

    #[test]
    fn a_cut_through_rectangles_doubles_them() {
        assert_eq!(pieces([[1, 1, 1], [1, 1, 1], [1, 1, 1]], 0, 1), 2);
        assert_eq!(pieces([[1, 1, 1], [2, 2, 2], [3, 3, 3]], 1, 1), 6);
        assert_eq!(pieces([[1, 2, 3], [1, 2, 3], [1, 2, 3]], 0, 2), 6);
    }

    #[test]
    fn a_cut_that_an_inner_corner_needs_anyway_adds_nothing() {
        let corner = [[1, 2, 2], [2, 2, 2], [2, 2, 2]];
        assert_eq!((pieces(corner, 0, 1), pieces(corner, 1, 1)), (0, 0));
        assert_eq!((pieces(corner, 0, 2), pieces(corner, 1, 2)), (2, 2));
    }

    #[test]
    fn distances_treat_all_axes_equally() {
        let cells = [1, 1, 2, 2, 1, 1, 2, 2];
        let tiling = Tiling::new(&[2, 2, 2], &cells);
        let whole = [0..2, 0..2, 0..2];
        // Planes of two colours along the second axis.
        assert_eq!(tiling.new_pieces(&whole, 1, 1), 0);
        assert_eq!(tiling.new_pieces(&whole, 2, 1), 8);
    }

    /// Counts the rectangles of a box, in halves, by the formula of the module, but over the whole box instead of
    /// along the cut. A corner of a region counts a quarter, and an inner corner three quarters; holes and chords are
    /// ignored.
    fn halves(colours: &[u32], columns: usize, rows: Range<usize>, range: Range<usize>) -> i32 {
        let cell = |row: usize, column: usize| {
            let inside = rows.contains(&row) && range.contains(&column);
            inside.then(|| colours[row * columns + column])
        };
        let mut quarters = 0;
        for row in rows.start..=rows.end {
            for column in range.start..=range.end {
                let (above, left) = (row.wrapping_sub(1), column.wrapping_sub(1));
                let around = [cell(above, left), cell(above, column), cell(row, column), cell(row, left)];
                for place in 0..4 {
                    let [here, next, across, last] = [0, 1, 2, 3].map(|step| around[(place + step) % 4]);
                    quarters += i32::from(here.is_some() && here != next && here != last);
                    quarters +=
                        3 * i32::from(across.is_some() && next == across && last == across && here != across);
                }
            }
        }
        quarters / 2
    }

    /// Checks random grids and boxes in them.
    #[test]
    fn a_cut_adds_what_the_halves_count_more_than_the_whole() {
        let mut seed = 1_u64;
        let mut random = |end: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % end
        };
        for _ in 0..250 {
            let (rows, columns) = (2 + random(9), 2 + random(9));
            let colours: Vec<u32> = (0..rows * columns).map(|_| random(3) as u32).collect();
            let tiling = Tiling::new(&[rows, columns], &colours);
            let (top, left) = (random(rows - 1), random(columns - 1));
            let (down, across) =
                (top..top + 2 + random(rows - top - 1), left..left + 2 + random(columns - left - 1));
            let whole = halves(&colours, columns, down.clone(), across.clone());
            let row = down.start + 1 + random(down.len() - 1);
            let cut =
                [down.start..row, row..down.end].map(|rows| halves(&colours, columns, rows, across.clone()));
            assert_eq!(tiling.new_pieces(&[down.clone(), across.clone()], 0, row), cut[0] + cut[1] - whole);
            let column = across.start + 1 + random(across.len() - 1);
            let cut = [across.start..column, column..across.end]
                .map(|range| halves(&colours, columns, down.clone(), range));
            assert_eq!(tiling.new_pieces(&[down, across], 1, column), cut[0] + cut[1] - whole);
        }
    }
}
