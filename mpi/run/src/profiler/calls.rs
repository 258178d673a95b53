//! The calls of a rank, or of all ranks, added up.

use std::collections::HashMap;
use std::fmt::Write;

use foldhash::fast::FixedState;

/// The maximum number of rows. Beyond it, rows become coarser.
const LIMIT: usize = 1 << 16;

/// What a collective is called by, as `c/profile.c` numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Within a group of ranks, and complete at its end.
    Plain,
    Nonblocking,
    Persistent,
    Neighborhood,
    /// On an inter-communicator.
    BetweenGroups,
}

impl Kind {
    const ALL: [Self; 5] =
        [Self::Plain, Self::Nonblocking, Self::Persistent, Self::Neighborhood, Self::BetweenGroups];

    pub(super) fn from_number(number: i32) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// What calls of one row have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Call {
    pub(super) kind: Kind,
    pub(super) ranks: u32,
    pub(super) bytes: u64,
    pub(super) root: Option<u32>,
}

/// The number of calls, the nanoseconds that they took at rank 0 of their communicator, and by how many nanoseconds their ranks
/// arrived apart if that was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) count: u64,
    pub(super) time: u64,
    pub(super) skew: Option<u64>,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.time += other.time;
        self.skew = match (self.skew, other.skew) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    #[default]
    All,
    WithoutRoots,
    /// Sizes of messages are powers of two, rounded down.
    RoundedBytes,
    /// Numbers of ranks too.
    RoundedRanks,
}

impl Detail {
    const ALL: [Self; 4] = [Self::All, Self::WithoutRoots, Self::RoundedBytes, Self::RoundedRanks];

    fn coarser(self) -> Option<Self> {
        Self::ALL.get(self as usize + 1).copied()
    }

    fn of(self, mut call: Call) -> Call {
        if self >= Self::WithoutRoots {
            call.root = None;
        }
        if self >= Self::RoundedBytes {
            call.bytes = call.bytes.checked_ilog2().map_or(0, |power| 1 << power);
        }
        if self == Self::RoundedRanks {
            call.ranks = call.ranks.checked_ilog2().map_or(0, |power| 1 << power);
        }
        call
    }
}

type Name = u16;

type Key = (Name, Call);

#[derive(Debug, Default)]
pub(super) struct Calls {
    names: Vec<String>,
    // A call of a program may cost few instructions; the standard hasher alone takes more than all the rest.
    places: HashMap<Key, usize, FixedState>,
    rows: Vec<(Key, Sum)>,
    /// The row of the last call, which often comes again.
    last: usize,
    pub(super) detail: Detail,
}

impl Calls {
    /// Returns the place of a name, which is added if it is new.
    pub(super) fn name(&mut self, name: &str) -> Name {
        let place = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        place as Name
    }

    /// Adds calls of a name from [`Self::name`].
    #[inline]
    pub(super) fn add(&mut self, name: Name, call: Call, sum: Sum) {
        match self.rows.get_mut(self.last) {
            Some((last, row)) if *last == (name, call) => row.add(sum),
            _ => self.add_elsewhere(name, call, sum),
        }
    }

    #[inline(never)]
    fn add_elsewhere(&mut self, name: Name, call: Call, sum: Sum) {
        let key = (name, self.detail.of(call));
        if self.rows.len() >= LIMIT
            && !self.places.contains_key(&key)
            && let Some(coarser) = self.detail.coarser()
        {
            self.reduce(coarser);
            self.add(name, call, sum);
            return;
        }
        let place = *self.places.entry(key).or_insert(self.rows.len());
        match self.rows.get_mut(place) {
            Some((_, row)) => row.add(sum),
            None => self.rows.push((key, sum)),
        }
        self.last = place;
    }

    /// Makes rows at least as coarse as this.
    fn reduce(&mut self, detail: Detail) {
        if detail > self.detail {
            self.detail = detail;
            self.places.clear();
            for ((name, call), sum) in std::mem::take(&mut self.rows) {
                self.add(name, call, sum);
            }
        }
    }

    /// Returns the rows, sorted by name and size.
    pub(super) fn rows(&self) -> Vec<(&str, Call, Sum)> {
        let rows =
            self.rows.iter().map(|((name, call), sum)| (&*self.names[usize::from(*name)], *call, *sum));
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by(|one, other| (one.0, one.1).cmp(&(other.0, other.1)));
        rows
    }

    /// Returns the calls as text for another rank: a line for the detail, and one for each row.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n", self.detail as usize);
        for (name, call, sum) in self.rows() {
            let root = call.root.map_or(-1, i64::from);
            let Sum { count, time, skew } = sum;
            let skew = skew.map_or("-".to_owned(), |skew| skew.to_string());
            let (kind, Call { ranks, bytes, .. }) = (call.kind as usize, call);
            let _ = writeln!(text, "{name} {kind} {ranks} {bytes} {root} {count} {time} {skew}");
        }
        text
    }

    /// Adds the calls of another rank's [`Self::text`]. Returns whether it was whole.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let mut lines = text.lines();
        let detail = lines.next().and_then(|line| Detail::ALL.get(line.parse::<usize>().ok()?));
        let Some(&detail) = detail else { return false };
        self.reduce(detail);
        lines.all(|line| match parsed(line) {
            Some((name, call, sum)) => {
                let name = self.name(name);
                self.add(name, call, sum);
                true
            }
            None => false,
        })
    }
}

fn parsed(line: &str) -> Option<(&str, Call, Sum)> {
    let mut words = line.split(' ');
    let name = words.next()?;
    let mut word = || words.next();
    let kind = Kind::from_number(word()?.parse().ok()?)?;
    let (ranks, bytes) = (word()?.parse().ok()?, word()?.parse().ok()?);
    let root = u32::try_from(word()?.parse::<i64>().ok()?).ok();
    let (count, time) = (word()?.parse().ok()?, word()?.parse().ok()?);
    let skew = match word()? {
        "-" => None,
        skew => Some(skew.parse().ok()?),
    };
    Some((name, Call { kind, ranks, bytes, root }, Sum { count, time, skew }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(ranks: u32, bytes: u64, root: u32) -> Call {
        Call { kind: Kind::Plain, ranks, bytes, root: Some(root) }
    }

    const ONE: Sum = Sum { count: 1, time: 500, skew: None };

    #[test]
    fn the_calls_of_all_ranks_are_added_up() {
        let mut all = Calls::default();
        for rank in 0..3 {
            let mut calls = Calls::default();
            let bcast = calls.name("bcast");
            calls.add(bcast, call(4, 8, 0), ONE);
            calls.add(bcast, call(4, 8, rank), ONE);
            let barrier = calls.name("ibarrier");
            let call = Call { kind: Kind::Nonblocking, root: None, ..call(4, 0, 0) };
            calls.add(barrier, call, Sum { skew: Some(250), ..ONE });
            assert!(all.take(&calls.text()));
        }
        let counts: Vec<_> =
            all.rows().iter().map(|(name, call, sum)| (*name, call.root, sum.count)).collect();
        let expected =
            [("bcast", Some(0), 4), ("bcast", Some(1), 1), ("bcast", Some(2), 1), ("ibarrier", None, 3)];
        assert_eq!(counts, expected);
        let (_, _, barrier) = all.rows()[3];
        assert_eq!((barrier.time, barrier.skew), (1500, Some(750)));
        assert!(!all.take("") && !all.take("0\nbcast 0 4\n"));
    }

    #[test]
    fn memory_is_bounded_and_no_call_is_lost() {
        let mut calls = Calls::default();
        let bcast = calls.name("bcast");
        let mut count = 0;
        let mut add = |calls: &mut Calls, call| {
            calls.add(bcast, call, ONE);
            count += 1;
        };
        for root in 0..70_000 {
            add(&mut calls, call(70_000, 8, root));
        }
        assert_eq!((calls.detail, calls.rows.len()), (Detail::WithoutRoots, 1));
        for bytes in 0..70_000 {
            add(&mut calls, call(4, bytes, 0));
        }
        assert_eq!(calls.detail, Detail::RoundedBytes);
        for ranks in 0..70_000 {
            add(&mut calls, call(ranks, 1 << (ranks % 64), 0));
        }
        assert_eq!(calls.detail, Detail::RoundedRanks);
        assert!(calls.rows.len() <= 18 * 65, "{}", calls.rows.len());
        assert_eq!(calls.rows().iter().map(|(.., sum)| sum.count).sum::<u64>(), count);
    }
}
