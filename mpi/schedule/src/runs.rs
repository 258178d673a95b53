//! Ranges of bytes with the same users.

use std::collections::BTreeMap;

/// Non-overlapping runs of bytes.
///
/// Most algorithms use their bytes in order, so a list and the position of the last visit are enough. A list in which
/// an insertion would move many runs becomes a tree, which takes insertions anywhere in logarithmic time.
#[derive(Clone, Debug)]
pub(super) enum Runs<T> {
    /// The runs in order, and the position of the first run of the last visit.
    List(Vec<Run<T>>, usize),
    /// The runs by start.
    Tree(BTreeMap<u64, Run<T>>),
}

/// A range of bytes and its users.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<T> {
    start: u64,
    end: u64,
    pub(super) users: T,
}

/// The maximum number of runs that an insertion moves in a list.
const MAX_MOVED: usize = 64;

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self::List(Vec::new(), 0)
    }
}

impl<T: Copy + Default> Runs<T> {
    pub(super) fn clear(&mut self) {
        match self {
            Self::List(runs, last) => {
                runs.clear();
                *last = 0;
            }
            Self::Tree(_) => *self = Self::default(),
        }
    }

    /// Visits every run from `start` to `end`, cut at both ends. Bytes that were never used before are runs too.
    pub(super) fn visit(&mut self, start: u64, end: u64, visit: impl FnMut(&mut Run<T>)) {
        if let Self::List(runs, last) = self {
            let first = first(runs, *last, start);
            if runs.len() - first <= MAX_MOVED || is_whole(&runs[first..], start, end) {
                *last = visit_list(runs, first, start, end, visit);
                return;
            }
            *self = Self::Tree(runs.iter().map(|&run| (run.start, run)).collect());
        }
        if let Self::Tree(runs) = self {
            visit_tree(runs, start, end, visit);
        }
    }
}

/// Returns the position of the first run that ends after `start`. The search begins near the last visit.
fn first<T>(runs: &[Run<T>], last: usize, start: u64) -> usize {
    let fits = |&place: &usize| {
        place <= runs.len()
            && (place == 0 || runs[place - 1].end <= start)
            && runs.get(place).is_none_or(|run| run.end > start)
    };
    let near = [last, last + 1].into_iter().find(fits);
    near.unwrap_or_else(|| runs.partition_point(|run| run.end <= start))
}

/// Returns whether a visit needs no new run, because runs fill the bytes from `start` to `end` exactly.
fn is_whole<T>(runs: &[Run<T>], start: u64, end: u64) -> bool {
    let mut at = start;
    for run in runs {
        if at >= end || run.start != at {
            break;
        }
        at = run.end;
    }
    at == end
}

/// Visits runs of a list, and returns the position of the first one.
fn visit_list<T: Copy + Default>(
    runs: &mut Vec<Run<T>>,
    first: usize,
    start: u64,
    end: u64,
    mut visit: impl FnMut(&mut Run<T>),
) -> usize {
    let mut place = first;
    if let Some(run) = runs.get_mut(place).filter(|run| run.start < start) {
        let behind = Run { start, ..*run };
        run.end = start;
        place += 1;
        runs.insert(place, behind);
    }
    let first = place;
    let mut at = start;
    while at < end {
        match runs.get_mut(place) {
            Some(run) if run.start == at => {
                if run.end > end {
                    let behind = Run { start: end, ..*run };
                    run.end = end;
                    runs.insert(place + 1, behind);
                }
            }
            run => {
                let gap_end = run.map_or(end, |run| run.start.min(end));
                runs.insert(place, Run { start: at, end: gap_end, users: T::default() });
            }
        }
        visit(&mut runs[place]);
        at = runs[place].end;
        place += 1;
    }
    first
}

fn visit_tree<T: Copy + Default>(
    runs: &mut BTreeMap<u64, Run<T>>,
    start: u64,
    end: u64,
    mut visit: impl FnMut(&mut Run<T>),
) {
    cut(runs, start);
    cut(runs, end);
    let mut at = start;
    let mut gaps = Vec::new();
    for run in runs.range_mut(start..end).map(|(_, run)| run) {
        if at < run.start {
            gaps.push((at, run.start));
        }
        visit(run);
        at = run.end;
    }
    if at < end {
        gaps.push((at, end));
    }
    for (start, end) in gaps {
        let mut run = Run { start, end, users: T::default() };
        visit(&mut run);
        runs.insert(start, run);
    }
}

/// Cuts the run that contains `at`, if `at` lies inside it.
fn cut<T: Copy>(runs: &mut BTreeMap<u64, Run<T>>, at: u64) {
    let Some((_, run)) = runs.range_mut(..at).next_back() else { return };
    if run.end > at {
        let behind = Run { start: at, ..*run };
        run.end = at;
        runs.insert(at, behind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compares a list and a tree with one cell for each byte.
        #[test]
        fn runs_agree_on_the_last_visit_of_each_byte(visits in prop::collection::vec((0..400_u64, 0..40_u64), 0..200)) {
            let (mut list, mut tree) = (Runs::<usize>::default(), Runs::<usize>::Tree(BTreeMap::new()));
            let mut bytes = vec![0; 440];
            for (number, (start, length)) in (1..).zip(visits) {
                let end = start + length;
                for runs in [&mut list, &mut tree] {
                    let mut found = vec![None; 440];
                    runs.visit(start, end, |run| {
                        (run.start..run.end).for_each(|byte| {
                            assert_eq!(found[byte as usize].replace(run.users), None);
                        });
                        run.users = number;
                    });
                    for byte in 0..440 {
                        let visited = (start..end).contains(&(byte as u64));
                        prop_assert_eq!(found[byte], visited.then_some(bytes[byte]));
                    }
                }
                bytes[start as usize..end as usize].fill(number);
            }
        }
    }
}
