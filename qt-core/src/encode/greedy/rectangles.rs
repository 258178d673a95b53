//! The fewest rectangles that tell all colours of a grid apart: no tree has fewer leaves.
//!
//! Rectangles need not come from cuts right across, so there may be fewer of them than leaves; but no more than twice as
//! many leaves are ever needed, less one (Berman, `DasGupta` and Muthukrishnan, SIAM J. Discrete Math. 15(2), 2002). A
//! region with straight sides falls into (corners that bend inwards) − (chords) − (holes) + 1 rectangles, where a chord is
//! a cut between two such corners and as many are taken as do not meet (Lipski; Ohtsuki; Ferrari et al.). Chords that meet
//! are a horizontal and a vertical one, so the most that do not are found by matching.

use std::collections::VecDeque;

/// The least number of rectangles into which a grid of `rows` × `columns` falls such that each has one colour.
pub(super) fn fewest(rows: usize, columns: usize, colours: &[u32]) -> u64 {
    let grid = Grid { rows, columns, colours };
    let corners: u64 = (0..=rows)
        .flat_map(|row| (0..=columns).map(move |column| (row, column)))
        .map(|(row, column)| grid.quarters(row, column))
        .sum();
    corners / 4 - grid.chords()
}

struct Grid<'g> {
    rows: usize,
    columns: usize,
    colours: &'g [u32],
}

/// No chord runs through a point.
const NONE: u32 = u32::MAX;

impl Grid<'_> {
    /// The colours of the cells around a point, north-west first and clockwise; none beyond the edge.
    fn around(&self, row: usize, column: usize) -> [Option<u32>; 4] {
        let cell = |row: usize, column: usize| {
            let inside = row < self.rows && column < self.columns;
            inside.then(|| self.colours[row * self.columns + column])
        };
        let (above, before) = (row.wrapping_sub(1), column.wrapping_sub(1));
        [cell(above, before), cell(above, column), cell(row, column), cell(row, before)]
    }

    /// What the point counts: a quarter for each corner of a region, three for one that bends inwards.
    fn quarters(&self, row: usize, column: usize) -> u64 {
        let around = self.around(row, column);
        let corner = |place: usize| {
            let (here, next, last) = (around[place], around[(place + 1) % 4], around[(place + 3) % 4]);
            u64::from(here.is_some() && here != next && here != last)
        };
        let convex: u64 = (0..4).map(corner).sum();
        convex + if self.bends(row, column).is_some() { 3 } else { 0 }
    }

    /// The place around a point of the one cell that three others of one region bend around.
    fn bends(&self, row: usize, column: usize) -> Option<usize> {
        let around = self.around(row, column);
        (0..4).find(|&place| {
            let [next, across, last] = [1, 2, 3].map(|step| around[(place + step) % 4]);
            across.is_some() && next == across && across == last && around[place] != across
        })
    }

    /// The most chords of which no two meet.
    fn chords(&self) -> u64 {
        let (across, horizontal) = self.chords_along(true);
        let (down, vertical) = self.chords_along(false);
        let mut meeting: Vec<Vec<u32>> = vec![Vec::new(); horizontal];
        for (&across, &down) in
            across.iter().zip(&down).filter(|(across, down)| **across != NONE && **down != NONE)
        {
            meeting[across as usize].push(down);
        }
        (horizontal + vertical - matched(&meeting, vertical)) as u64
    }

    /// The chord that runs through each point, ends included, in one direction; and how many there are.
    fn chords_along(&self, horizontal: bool) -> (Vec<u32>, usize) {
        let (lines, places) = if horizontal { (self.rows, self.columns) } else { (self.columns, self.rows) };
        let point = |line: usize, place: usize| if horizontal { (line, place) } else { (place, line) };
        let number = |line: usize, place: usize| {
            let (row, column) = point(line, place);
            row * (self.columns + 1) + column
        };
        let mut chords = vec![NONE; (self.rows + 1) * (self.columns + 1)];
        let mut count = 0;
        for line in 1..lines {
            let mut from: Option<usize> = None;
            for place in 1..places {
                let (row, column) = point(line, place);
                let around = self.around(row, column);
                // The cells on both sides of the line, behind the point and before it.
                let [behind, before] = if horizontal { [[0, 3], [1, 2]] } else { [[0, 1], [3, 2]] }
                    .map(|[one, other]| around[one] == around[other]);
                let bends = self.bends(row, column).is_some();
                let within = around.iter().all(|cell| *cell == around[0]);
                if let Some(start) = from.take_if(|_| !within)
                    && bends
                    && behind
                {
                    for place in start..=place {
                        chords[number(line, place)] = count as u32;
                    }
                    count += 1;
                }
                if bends && before {
                    from = Some(place);
                }
            }
        }
        (chords, count)
    }
}

/// The size of a greatest matching, by the algorithm of Hopcroft and Karp; `meeting` lists for each on the left those on
/// the right.
fn matched(meeting: &[Vec<u32>], right: usize) -> usize {
    let mut of_left: Vec<Option<usize>> = vec![None; meeting.len()];
    let mut of_right: Vec<Option<usize>> = vec![None; right];
    loop {
        let levels = levels(meeting, &of_left, &of_right);
        let mut tried = vec![0; meeting.len()];
        let mut found = 0;
        for start in 0..meeting.len() {
            if of_left[start].is_none()
                && augment(start, meeting, &levels, &mut tried, &mut of_left, &mut of_right)
            {
                found += 1;
            }
        }
        if found == 0 {
            return of_left.iter().flatten().count();
        }
    }
}

/// How many steps each on the left is away from one that is not matched.
fn levels(meeting: &[Vec<u32>], of_left: &[Option<usize>], of_right: &[Option<usize>]) -> Vec<usize> {
    let mut levels = vec![usize::MAX; meeting.len()];
    let mut queue: VecDeque<usize> = (0..meeting.len()).filter(|&left| of_left[left].is_none()).collect();
    for &left in &queue {
        levels[left] = 0;
    }
    while let Some(left) = queue.pop_front() {
        for next in meeting[left].iter().filter_map(|&right| of_right[right as usize]) {
            if levels[next] == usize::MAX {
                levels[next] = levels[left] + 1;
                queue.push_back(next);
            }
        }
    }
    levels
}

/// Matches one more on the left, along a shortest path; without recursion, for a path may be long.
fn augment(
    start: usize,
    meeting: &[Vec<u32>],
    levels: &[usize],
    tried: &mut [usize],
    of_left: &mut [Option<usize>],
    of_right: &mut [Option<usize>],
) -> bool {
    let mut path = vec![start];
    while let Some(&left) = path.last() {
        let Some(&right) = meeting[left].get(tried[left]) else {
            path.pop();
            if let Some(&before) = path.last() {
                tried[before] += 1;
            }
            continue;
        };
        match of_right[right as usize] {
            None => {
                for &left in &path {
                    let right = meeting[left][tried[left]] as usize;
                    (of_left[left], of_right[right]) = (Some(right), Some(left));
                }
                return true;
            }
            Some(next) if levels[next] == levels[left] + 1 => path.push(next),
            Some(_) => tried[left] += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_grids() {
        assert_eq!(fewest(1, 1, &[7]), 1);
        assert_eq!(fewest(2, 2, &[0, 1, 1, 0]), 4);
        assert_eq!(fewest(2, 2, &[0, 1, 1, 1]), 3);
        assert_eq!(fewest(1, 5, &[0, 0, 1, 1, 0]), 3);
        // A hole: four around it, and itself.
        assert_eq!(fewest(3, 3, &[0, 0, 0, 0, 1, 0, 0, 0, 0]), 5);
        // A cross of chords, of which one direction serves.
        assert_eq!(fewest(3, 3, &[1, 0, 2, 0, 0, 0, 3, 0, 4]), 7);
        // A pinwheel: five rectangles, and no cut goes right across.
        assert_eq!(fewest(3, 3, &[0, 0, 1, 2, 4, 1, 2, 3, 3]), 5);
    }

    /// Every partition, tried: the first cell that is not covered yet is the corner of the next rectangle.
    fn tried(rows: usize, columns: usize, colours: &[u32], covered: &mut Vec<bool>) -> u64 {
        let Some(first) = covered.iter().position(|covered| !covered) else { return 0 };
        let (row, column) = (first / columns, first % columns);
        let mut least = u64::MAX;
        for end_row in row + 1..=rows {
            for end in column + 1..=columns {
                let cells =
                    (row..end_row).flat_map(|row| (column..end).map(move |column| row * columns + column));
                let cells: Vec<usize> = cells.collect();
                if cells.iter().any(|&cell| covered[cell] || colours[cell] != colours[first]) {
                    break;
                }
                for &cell in &cells {
                    covered[cell] = true;
                }
                least = least.min(1 + tried(rows, columns, colours, covered));
                for &cell in &cells {
                    covered[cell] = false;
                }
            }
        }
        least
    }

    #[test]
    fn no_grid_falls_into_fewer() {
        for number in 0..1_u32 << 12 {
            let colours: Vec<u32> = (0..12).map(|cell| number >> cell & 1).collect();
            assert_eq!(fewest(3, 4, &colours), tried(3, 4, &colours, &mut vec![false; 12]), "{colours:?}");
        }
        for number in (0..1_u32 << 16).step_by(371) {
            let colours: Vec<u32> = (0..16).map(|cell| number >> cell & 1).collect();
            assert_eq!(fewest(4, 4, &colours), tried(4, 4, &colours, &mut vec![false; 16]), "{colours:?}");
        }
    }
}
