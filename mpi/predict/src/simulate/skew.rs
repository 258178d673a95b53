//! When ranks arrive at a call.
//!
//! Ranks of a program seldom arrive at a collective at the same moment, and which algorithm is best depends on the pattern in which they
//! do: Faraj, Patarasuk and Yuan, "A Study of Process Arrival Patterns for MPI Collective Operations" (International Journal of Parallel
//! Programming 36, 2008). Random arrivals and one late rank are the patterns of Proficz, "Improving all-reduce collective operations for
//! imbalanced process arrival patterns" (Journal of Supercomputing 74, 2018). The late rank is the first or the last one here, because
//! they are the ends of trees and chains; the linear patterns follow the order of the ranks, or its reverse.

use std::fmt;

use crate::network::name_of;
use qtdec_core::{Diagnostics, Place, Problem, Problems};

/// The longest delay in microseconds.
pub(super) const LONGEST: f64 = 1e6;

/// The delays with which ranks arrive at a call, counted from a common start.
///
/// The time of a call counts from the common start until the last rank is done. So it has the wait for late ranks, which is the same for all
/// algorithms, and the difference of two algorithms is what the choice between them costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Skew(Pattern);

#[derive(Clone, Debug, PartialEq)]
enum Pattern {
    /// A shape with its longest delay in microseconds.
    Shape(Shape, f64),
    /// The delay of each rank in microseconds.
    Ranks(Vec<f64>),
}

/// The form of a pattern, whose delays are from 0 to 1 times the longest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Uniformly distributed, and others in each call.
    Random,
    /// From the first rank, which is punctual, to the last one by the same amount each.
    Ascending,
    /// From the last rank, which is punctual, to the first one by the same amount each.
    Descending,
    /// Only the first rank is late.
    First,
    /// Only the last rank is late.
    Last,
}

impl Shape {
    pub(super) const NAMES: [(&str, Self); 5] = [
        ("random", Self::Random),
        ("ascending", Self::Ascending),
        ("descending", Self::Descending),
        ("first", Self::First),
        ("last", Self::Last),
    ];

    pub(super) fn named(text: &str) -> Option<Self> {
        Self::NAMES.into_iter().find_map(|(name, shape)| (name == text).then_some(shape))
    }

    /// Returns the pattern in which, in the mean of many calls, so many microseconds are between the first rank that arrives and the last.
    pub(super) fn spread(self, microseconds: f64, ranks: u32) -> Skew {
        let ranks = f64::from(ranks.max(2));
        // The range of n uniform numbers is (n - 1) / (n + 1) in the mean.
        let widened = if self == Self::Random { (ranks + 1.0) / (ranks - 1.0) } else { 1.0 };
        Skew(Pattern::Shape(self, microseconds * widened))
    }

    fn delay(self, call: u32, rank: u32, ranks: u32) -> f64 {
        let last = ranks.saturating_sub(1);
        let part = |rank: u32| f64::from(rank) / f64::from(last.max(1));
        match self {
            Self::Random => random(call, rank),
            Self::Ascending => part(rank),
            Self::Descending => part(last - rank.min(last)),
            Self::First => f64::from(u8::from(rank == 0)),
            Self::Last => f64::from(u8::from(rank == last)),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_of(&Self::NAMES, self))
    }
}

/// No delays.
impl Default for Skew {
    fn default() -> Self {
        Self(Pattern::Shape(Shape::Random, 0.0))
    }
}

/// The text that [`Skew::named`] reads, or the delays of all ranks with commas between them.
impl fmt::Display for Skew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Pattern::Shape(shape, longest) => write!(f, "{shape}:{longest}"),
            Pattern::Ranks(delays) => {
                f.write_str(&delays.iter().map(f64::to_string).collect::<Vec<_>>().join(","))
            }
        }
    }
}

impl Skew {
    /// Returns the pattern with a name: the longest delay in microseconds, from 0 to 1 000 000, after `random:`, `ascending:`, `descending:`,
    /// `first:` or `last:`; alone, it is that of random ones. Other texts have none.
    pub fn named(text: &str) -> Option<Self> {
        let (name, longest) = text.split_once(':').unwrap_or(("random", text));
        Some(Self(Pattern::Shape(Shape::named(name)?, delay(longest)?)))
    }

    /// Reads the delays of all ranks: one number of microseconds a line, from rank 0 on, or rows of CSV with the columns `rank` and
    /// `microseconds`. Empty lines and those that begin with `#` do not count.
    ///
    /// # Errors
    ///
    /// Fails for a line that is no delay from 0 to 1 000 000, for ranks that do not follow each other, and if there are none.
    pub fn of_ranks(text: &str) -> Result<Self, Problems> {
        let (mut delays, mut check) = (Vec::new(), Diagnostics::default());
        for (line, row) in rows(text) {
            let (rank, microseconds) =
                row.split_once(',').map_or((None, row), |(rank, delay)| (Some(rank), delay));
            if (rank.map(str::trim), microseconds.trim()) == (Some("rank"), "microseconds") {
                continue;
            }
            let expected = delays.len().to_string();
            if rank.is_some_and(|rank| rank.trim() != expected) {
                let message = format!("`{row}` is not the row of rank {expected}");
                check.add_with(|| {
                    Problem::new(Place::Line(line), message).help("write the ranks in their order, from 0 on")
                });
            }
            let known = delay(microseconds.trim());
            if known.is_none() {
                let message = format!("`{row}` has no delay from 0 to {LONGEST} microseconds");
                check.add_with(|| {
                    Problem::new(Place::Line(line), message)
                        .help("write one delay a line, or RANK,MICROSECONDS")
                });
            }
            delays.push(known.unwrap_or_default());
        }
        if delays.is_empty() {
            let help = "write one delay in microseconds a line, from rank 0 on";
            check.add(Problem::new(Place::File, "the file has no delays of ranks").help(help));
        }
        check.finish(Some(Self(Pattern::Ranks(delays))))
    }

    /// Returns whether all ranks arrive at once.
    pub fn is_none(&self) -> bool {
        matches!(self.0, Pattern::Shape(_, 0.0))
    }

    /// Returns how many ranks at most have a delay, or `None` if any number has.
    pub fn ranks(&self) -> Option<usize> {
        match &self.0 {
            Pattern::Shape(..) => None,
            Pattern::Ranks(delays) => Some(delays.len()),
        }
    }

    /// Returns the delay in microseconds of a rank among as many as are in a call, 0 if it has none. Random delays depend on the number of
    /// the call, from 1 on.
    pub fn delay(&self, call: u32, rank: u32, ranks: u32) -> f64 {
        match &self.0 {
            Pattern::Shape(shape, longest) => shape.delay(call, rank, ranks) * longest,
            Pattern::Ranks(delays) => delays.get(rank as usize).copied().unwrap_or_default(),
        }
    }

    /// Returns the delay in microseconds of a rank at the call that is simulated, which has the number 1.
    pub fn simulated(&self, rank: u32, ranks: u32) -> f64 {
        self.delay(1, rank, ranks)
    }

    /// Returns the longest delay in microseconds at the call that is simulated.
    pub fn last(&self, ranks: u32) -> f64 {
        (0..ranks).map(|rank| self.simulated(rank, ranks)).fold(0.0, f64::max)
    }
}

/// Returns the rows of a file with their numbers, without comments.
pub(super) fn rows(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let rows = (1..).zip(text.lines().map(str::trim));
    rows.filter(|(_, row)| !row.is_empty() && !row.starts_with('#'))
}

fn delay(text: &str) -> Option<f64> {
    text.parse().ok().filter(|delay| (0.0..=LONGEST).contains(delay))
}

/// Returns a number from 0 to 1.
fn random(call: u32, rank: u32) -> f64 {
    let word = u64::from(call) << 32 | u64::from(rank);
    // Two rounds of a multiplicative hash (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (word >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::Skew;

    fn delays(text: &str, ranks: u32) -> Vec<f64> {
        let skew = Skew::named(text).unwrap();
        (0..ranks).map(|rank| skew.simulated(rank, ranks)).collect()
    }

    #[test]
    fn shapes_have_delays_up_to_the_longest() {
        assert_eq!(delays("ascending:30", 4), [0.0, 10.0, 20.0, 30.0]);
        assert_eq!(delays("descending:30", 4), [30.0, 20.0, 10.0, 0.0]);
        assert_eq!(delays("first:30", 3), [30.0, 0.0, 0.0]);
        assert_eq!(delays("last:30", 3), [0.0, 0.0, 30.0]);
        assert_eq!(delays("30", 1000), delays("random:30", 1000));
        let random = delays("30", 1000);
        assert!(random.iter().all(|delay| (0.0..30.0).contains(delay)));
        // The standard error of the mean is 30 / sqrt(12 000).
        assert!((random.iter().sum::<f64>() / 1000.0 - 15.0).abs() < 0.9, "three standard errors");
        let skew = Skew::named("random:30").unwrap();
        assert_ne!(skew.delay(1, 5, 8), skew.delay(2, 5, 8));
        for text in ["ascending:30", "descending:0.5", "first:1", "last:1000000", "random:7"] {
            assert_eq!(Skew::named(text).unwrap().to_string(), text);
        }
        for text in ["", "-1", "nan", "1000001", "ascending", "ascending:", "bell:3", "last:inf"] {
            assert_eq!(Skew::named(text), None, "{text}");
        }
    }

    #[test]
    fn files_have_a_delay_of_each_rank() {
        let plain = Skew::of_ranks("# of a run\n0\n2.5\n\n1e3\n").unwrap();
        assert_eq!(plain.to_string(), "0,2.5,1000");
        assert_eq!(Skew::of_ranks("rank, microseconds\n0, 0\n1,2.5\r\n2,1000"), Ok(plain.clone()));
        assert_eq!((plain.ranks(), plain.delay(9, 1, 3), plain.last(2)), (Some(3), 2.5, 2.5));
        let fault = |text: &str| {
            let problems = Skew::of_ranks(text).unwrap_err();
            let lines = problems.iter().map(|problem| format!("{:?} {problem}", problem.place));
            lines.collect::<Vec<_>>().join("\n")
        };
        assert!(fault("\n").contains("File the file has no delays of ranks (write one"));
        assert!(fault("0,1\n2,5").contains("Line(2) `2,5` is not the row of rank 1 (write the ranks in"));
        assert!(fault("1\n\nlate").contains("Line(3) `late` has no delay from 0 to 1000000 microseconds"));
        assert_eq!(fault("-1\n1,x\nnan").lines().count(), 3);
    }
}
