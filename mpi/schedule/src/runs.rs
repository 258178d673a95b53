//! Ranges of bytes with the same users.

use std::collections::BTreeMap;

/// Non-overlapping runs of bytes: by start, the end and the users. Bytes outside any run were never used.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs<T>(BTreeMap<u64, (u64, T)>);

impl<T: Default> Runs<T> {
    /// Returns runs of which one is used.
    pub(super) fn with(start: u64, end: u64, users: T) -> Self {
        Self(BTreeMap::from([(start, (end, users))]))
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns every run from `start` to `end` in order, cut at both ends, with its users. Bytes that were never used before are runs too.
    /// `behind` returns the users of the part of a run that begins so many bytes behind its start.
    pub(super) fn over(
        &mut self,
        start: u64,
        end: u64,
        mut behind: impl FnMut(&T, u64) -> T,
    ) -> impl Iterator<Item = (u64, u64, &mut T)> {
        // Most visits are to a whole run.
        if self.0.get(&start).is_none_or(|(last, _)| *last != end) {
            for at in [start, end] {
                let before = self.0.range_mut(..at).next_back();
                if let Some((first, (last, users))) = before.filter(|(_, (last, _))| *last > at) {
                    let rest = (std::mem::replace(last, at), behind(users, at - first));
                    self.0.insert(at, rest);
                }
            }
            let (mut at, mut gaps) = (start, Vec::new());
            for (&first, &(last, _)) in self.0.range(start..end) {
                gaps.extend((at < first).then_some((at, first)));
                at = last;
            }
            gaps.extend((at < end).then_some((at, end)));
            self.0.extend(gaps.into_iter().map(|(first, last)| (first, (last, T::default()))));
        }
        self.0.range_mut(start..end).map(|(first, (last, users))| (*first, *last, users))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compares the runs with one cell for each byte.
        #[test]
        fn runs_agree_on_the_last_visit_of_each_byte(visits in prop::collection::vec((0..400_u64, 0..40_u64), 0..200)) {
            let (mut runs, mut bytes) = (Runs::<usize>::default(), vec![0; 440]);
            for (number, (start, length)) in (1..).zip(visits) {
                let end = start + length;
                let mut found = vec![None; 440];
                for (first, last, users) in runs.over(start, end, |users, _| *users) {
                    (first..last).for_each(|byte| assert_eq!(found[byte as usize].replace(*users), None));
                    *users = number;
                }
                for byte in 0..440 {
                    let visited = (start..end).contains(&(byte as u64));
                    prop_assert_eq!(found[byte], visited.then_some(bytes[byte]));
                }
                bytes[start as usize..end as usize].fill(number);
            }
        }
    }
}
