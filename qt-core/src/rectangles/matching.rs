//! The maximum number of non-intersecting cuts: a maximum independent set, the complement of a minimum vertex cover (Kőnig).

use std::ops::Range;

/// A straight cut from one inner corner to another: the line, and the range of crossings on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chord {
    pub(super) line: usize,
    pub(super) span: Range<usize>,
}

/// Finds the maximum number of cuts along rows and columns of which no two intersect. Cuts of the same direction never intersect.
pub(super) fn independent<'c>(
    along_rows: &'c [Chord],
    along_columns: &'c [Chord],
    columns: usize,
) -> (Vec<&'c Chord>, Vec<&'c Chord>) {
    let mut matching = Matching::new(along_rows, along_columns, columns);
    matching.grow();
    let (rows, met) = matching.reached();
    let kept = |chords: &'c [Chord], keep: &dyn Fn(usize) -> bool| {
        (0..chords.len()).filter(|&index| keep(index)).map(|index| &chords[index]).collect()
    };
    (kept(along_rows, &|index| rows[index]), kept(along_columns, &|index| !met[index]))
}

/// A matching of cuts that intersect.
struct Matching<'c> {
    rows: &'c [Chord],
    /// The number of the cut along a column through each crossing, counted from 1.
    through: Vec<u32>,
    columns: usize,
    of_row: Vec<Option<usize>>,
    of_column: Vec<Option<usize>>,
}

impl<'c> Matching<'c> {
    fn new(rows: &'c [Chord], along_columns: &[Chord], columns: usize) -> Self {
        let lines =
            along_columns.iter().map(|chord| chord.span.end).chain(rows.iter().map(|chord| chord.line));
        let mut through = vec![0; (lines.max().unwrap_or(0) + 1) * columns];
        for (index, Chord { line, span }) in along_columns.iter().enumerate() {
            for row in span.start..=span.end {
                through[row * columns + line] =
                    u32::try_from(index + 1).expect("there are fewer cuts than cells");
            }
        }
        let (of_row, of_column) = (vec![None; rows.len()], vec![None; along_columns.len()]);
        Self { rows, through, columns, of_row, of_column }
    }

    /// Returns the next cut along a column that this one intersects, starting at a crossing, and the crossing after it.
    fn next(&self, row: usize, from: usize) -> Option<(usize, usize)> {
        let Chord { line, span } = &self.rows[row];
        (from..=span.end).find_map(|column| {
            let through = self.through[line * self.columns + column].checked_sub(1)?;
            Some((through as usize, column + 1))
        })
    }

    /// Grows the matching to a maximum one with augmenting paths.
    fn grow(&mut self) {
        loop {
            let mut visited = vec![false; self.of_column.len()];
            let free: Vec<usize> = (0..self.rows.len()).filter(|&row| self.of_row[row].is_none()).collect();
            let grown = free.into_iter().filter(|&row| self.augment(row, &mut visited)).count();
            if grown == 0 {
                return;
            }
        }
    }

    fn augment(&mut self, first: usize, visited: &mut [bool]) -> bool {
        // Each row of the path, the next crossing to try, and the column that it took.
        let mut path = vec![(first, self.rows[first].span.start, 0)];
        while let Some(&(row, from, _)) = path.last() {
            let Some((column, behind)) = self.next(row, from) else {
                path.pop();
                continue;
            };
            let end = path.len() - 1;
            path[end] = (row, behind, column);
            if std::mem::replace(&mut visited[column], true) {
                continue;
            }
            match self.of_column[column] {
                Some(next) => path.push((next, self.rows[next].span.start, 0)),
                None => {
                    for (row, _, column) in path {
                        self.of_row[row] = Some(column);
                        self.of_column[column] = Some(row);
                    }
                    return true;
                }
            }
        }
        false
    }

    /// Returns the cuts along rows, and along columns, that alternating paths from the unmatched row cuts reach.
    fn reached(&self) -> (Vec<bool>, Vec<bool>) {
        let (mut rows, mut columns) = (vec![false; self.of_row.len()], vec![false; self.of_column.len()]);
        let mut open: Vec<usize> = (0..rows.len()).filter(|&row| self.of_row[row].is_none()).collect();
        for &row in &open {
            rows[row] = true;
        }
        while let Some(row) = open.pop() {
            let mut from = self.rows[row].span.start;
            while let Some((column, behind)) = self.next(row, from) {
                from = behind;
                if std::mem::replace(&mut columns[column], true) {
                    continue;
                }
                let next = self.of_column[column];
                open.extend(next.filter(|&next| !std::mem::replace(&mut rows[next], true)));
            }
        }
        (rows, columns)
    }
}
