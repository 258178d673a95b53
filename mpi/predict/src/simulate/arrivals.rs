//! When ranks arrive at the calls of a program: the same pattern at all of them, or as far apart as its profile says.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};

use qtdec_core::{Diagnostics, Place, Problem, Problems};

use super::Skew;
use super::skew::{LONGEST, Shape, rows};

/// The maximum length of a file in bytes.
const MOST: u64 = 1 << 24;

/// When ranks arrive at each call.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrivals(Source);

#[derive(Clone, Debug, PartialEq)]
enum Source {
    /// The same pattern at every call.
    Same(Skew),
    /// A shape, as wide as in the nearest calls of a profile.
    Profile(Shape, Vec<Calls>),
}

/// The calls of a collective in a profile that have the same ranks and bytes.
#[derive(Clone, Debug, PartialEq)]
struct Calls {
    collective: String,
    ranks: u32,
    bytes: u64,
    /// The time between the first rank that arrives and the last in the mean, in microseconds.
    mean: f64,
}

/// All ranks arrive at once.
impl Default for Arrivals {
    fn default() -> Self {
        Self::from(Skew::default())
    }
}

impl From<Skew> for Arrivals {
    fn from(skew: Skew) -> Self {
        Self(Source::Same(skew))
    }
}

/// The text of the [`Skew`], or the shape of a profile with `RANKS/BYTES=MICROSECONDS` for each of its calls.
impl fmt::Display for Arrivals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Source::Same(skew) => skew.fmt(f),
            Source::Profile(shape, calls) => {
                let of = |calls: &Calls| format!("{}/{}={:.3}", calls.ranks, calls.bytes, calls.mean);
                write!(f, "{shape}:{}", calls.iter().map(of).collect::<Vec<_>>().join(","))
            }
        }
    }
}

impl Arrivals {
    /// Returns the pattern that [`Skew::named`] reads, or that of a file of at most 16 MiB, which `open` opens: the delays of all ranks, or
    /// a profile with `skew_seconds`, of which the shape is random unless its name and a colon stand before the path.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is longer, or is neither of the two.
    pub fn parse<R: Read>(text: &str, open: impl FnOnce(&str) -> io::Result<R>) -> Result<Self, String> {
        if let Some(named) = Skew::named(text) {
            return Ok(Self::from(named));
        }
        let shaped = text.split_once(':').and_then(|(name, path)| Some((Shape::named(name)?, path)));
        let (shape, path) = shaped.map_or((None, text), |(shape, path)| (Some(shape), path));
        let mut list = String::new();
        let read = open(path).and_then(|file| file.take(MOST + 1).read_to_string(&mut list));
        read.map_err(|error| {
            let names = Shape::NAMES.map(|(name, _)| format!("{name}:")).join(", ");
            format!("neither microseconds from 0 to {LONGEST}, alone or after {names}, nor a file: {error}")
        })?;
        if list.len() as u64 > MOST {
            return Err(format!("the file is longer than {} MiB", MOST >> 20));
        }
        let read = match (header(&list), shape) {
            (Some(columns), shape) => profile(&list, columns)
                .map(|calls| Self(Source::Profile(shape.unwrap_or(Shape::Random), calls))),
            (None, None) => Skew::of_ranks(&list).map(Self::from),
            (None, Some(shape)) => {
                let help =
                    format!("leave out `{shape}:`, as delays of ranks have no shape, or name a profile");
                let message = format!("the file has no header with the columns {}", COLUMNS.join(", "));
                Err(Problem::new(Place::File, message).help(help).into())
            }
        };
        let line = |problem: &Problem| match problem.place {
            Place::Line(line) => format!("line {line}: {problem}"),
            _ => problem.to_string(),
        };
        read.map_err(|problems| problems.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    /// Returns those at the calls of one collective.
    ///
    /// # Errors
    ///
    /// Fails if they are of a profile in which this collective has none.
    pub fn of(&self, collective: &str) -> Result<Self, String> {
        let Source::Profile(shape, all) = &self.0 else { return Ok(self.clone()) };
        let calls: Vec<Calls> = all.iter().filter(|calls| calls.collective == collective).cloned().collect();
        if calls.is_empty() {
            return Err(format!(
                "--skew: the profile has no `skew_seconds` of {collective}: count its calls with QTDEC_PROFILE_SKEW=1"
            ));
        }
        Ok(Self(Source::Profile(*shape, calls)))
    }

    /// Returns the pattern of a call. Of a profile, the calls with the nearest number of ranks count and, of these, those with the nearest
    /// bytes; both are compared by their ratio.
    pub fn at(&self, ranks: u32, bytes: u64) -> Cow<'_, Skew> {
        match &self.0 {
            Source::Same(skew) => Cow::Borrowed(skew),
            Source::Profile(shape, calls) => {
                let apart = |a: u64, b: u64| (a.max(1) as f64 / b.max(1) as f64).ln().abs();
                let key =
                    |calls: &Calls| (apart(calls.ranks.into(), ranks.into()), apart(calls.bytes, bytes));
                let nearest = calls.iter().min_by(|a, b| {
                    let ((a, c), (b, d)) = (key(a), key(b));
                    a.total_cmp(&b).then(c.total_cmp(&d))
                });
                Cow::Owned(nearest.map_or_else(Skew::default, |calls| shape.spread(calls.mean, ranks)))
            }
        }
    }

    /// Returns whether all ranks arrive at once.
    pub fn is_none(&self) -> bool {
        matches!(&self.0, Source::Same(skew) if skew.is_none())
    }

    /// Returns how many ranks at most have a delay, or `None` if any number has.
    pub fn ranks(&self) -> Option<usize> {
        match &self.0 {
            Source::Same(skew) => skew.ranks(),
            Source::Profile(..) => None,
        }
    }

    /// Returns the pattern in words.
    pub fn describe(&self) -> String {
        let about = match self.0 {
            Source::Same(_) => "microseconds after the common start, from which times count",
            Source::Profile(..) => {
                "microseconds from the first rank that arrives to the last, by ranks/bytes; times count from the common start"
            }
        };
        format!("{self} ({about})")
    }
}

/// The columns of a profile that say how far apart ranks arrive.
const COLUMNS: [&str; 5] = ["collective", "comm_size", "msg_size", "count", "skew_seconds"];

/// Returns the places of the columns, if the first row names them all.
fn header(text: &str) -> Option<[usize; 5]> {
    let (_, row) = rows(text).next()?;
    let place = |name| row.split(',').position(|column| column.trim() == name);
    let places = COLUMNS.map(place);
    places.iter().all(Option::is_some).then(|| places.map(Option::unwrap_or_default))
}

/// Reads a profile. Rows whose skew was not measured have none, and those of different roots are added up.
fn profile(text: &str, places: [usize; 5]) -> Result<Vec<Calls>, Problems> {
    // By collective, ranks and bytes: the number of calls, and the sum of their microseconds.
    let mut all: BTreeMap<(&str, u32, u64), (f64, f64)> = BTreeMap::new();
    let mut check = Diagnostics::default();
    for (line, row) in rows(text).skip(1) {
        let fields: Vec<&str> = row.split(',').map(str::trim).collect();
        let [collective, ranks, bytes, count, seconds] =
            places.map(|place| fields.get(place).copied().unwrap_or_default());
        if seconds.is_empty() {
            continue;
        }
        // A barrier has no bytes.
        let bytes = if bytes.is_empty() { Some(0) } else { bytes.parse().ok() };
        let count = count.parse().ok().filter(|count: &u64| *count > 0).map(|count| count as f64);
        let spread = seconds.parse().ok().map(|seconds: f64| seconds * 1e6);
        let (Ok(ranks), Some(bytes), Some(count), Some(spread)) = (ranks.parse(), bytes, count, spread)
        else {
            check.add(Problem::new(
                Place::Line(line),
                format!("`{row}` does not have whole numbers in comm_size, msg_size and count, and seconds in skew_seconds"),
            ));
            continue;
        };
        let mean = spread / count;
        if !(0.0..=LONGEST).contains(&mean) {
            let message = format!("ranks arrive {mean} us apart in the mean, not 0 to {LONGEST}");
            check.add(Problem::new(Place::Line(line), message));
        }
        let sums = all.entry((collective, ranks, bytes)).or_default();
        *sums = (sums.0 + count, sums.1 + spread);
    }
    let calls = all.into_iter().map(|((collective, ranks, bytes), (count, spread))| Calls {
        collective: collective.to_owned(),
        ranks,
        bytes,
        mean: spread / count,
    });
    check.finish(Some(calls.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: &str = "# Calls\ncollective,comm_size,msg_size,root,count,seconds,skew_seconds\n\
                           bcast,8,1024,0,10,1.0,0.001\nbcast,8,1024,1,30,1.0,0.001\nbcast,8,65536,0,1,1.0,0.003\n\
                           bcast,64,1024,0,1,1.0,0.5\nbarrier,8,,,2,1.0,0.00002\nreduce,8,8,0,2,1.0,\n";

    fn parse(text: &str, file: &str) -> Result<Arrivals, String> {
        Arrivals::parse(text, |_| Ok(file.as_bytes()))
    }

    #[test]
    fn a_profile_says_how_far_apart_ranks_arrive() {
        let last = parse("last:profile.csv", PROFILE).unwrap().of("bcast").unwrap();
        for (ranks, bytes, microseconds) in
            [(8, 1024, 50), (8, 1, 50), (10, 65536, 3000), (8, 1 << 30, 3000), (1000, 65536, 500_000)]
        {
            assert_eq!(last.at(ranks, bytes).to_string(), format!("last:{microseconds}"), "{ranks} {bytes}");
        }
        assert_eq!(last.to_string(), "last:8/1024=50.000,8/65536=3000.000,64/1024=500000.000");
        let barrier = parse("profile.csv", PROFILE).unwrap().of("barrier").unwrap();
        assert_eq!(barrier.at(9, 0).to_string(), "random:12.5", "10 us by 10/8");
        let none = parse("profile.csv", PROFILE).unwrap().of("reduce").unwrap_err();
        assert!(
            none.ends_with("no `skew_seconds` of reduce: count its calls with QTDEC_PROFILE_SKEW=1"),
            "{none}"
        );
    }

    #[test]
    fn random_ranks_arrive_as_far_apart_in_the_mean_as_the_profile_says() {
        for ranks in [2, 3, 8, 100] {
            let skew = Shape::Random.spread(100.0, ranks);
            let range = |call| {
                let delays = (0..ranks).map(|rank| skew.delay(call, rank, ranks));
                let ends = delays.fold((f64::MAX, 0.0_f64), |(a, b), delay| (a.min(delay), b.max(delay)));
                ends.1 - ends.0
            };
            let mean = (1..=4000).map(range).sum::<f64>() / 4000.0;
            assert!((mean - 100.0).abs() < 3.0, "{ranks} ranks: {mean}");
        }
    }

    #[test]
    fn patterns_and_lists_of_ranks_are_the_same_at_all_calls() {
        assert_eq!(parse("first:3", "").unwrap().at(4, 1).to_string(), "first:3");
        assert_eq!(parse("late.txt", "1\n2\n").unwrap().of("bcast").unwrap().at(2, 9).to_string(), "1,2");
        assert!(parse("0", "").unwrap().is_none() && !parse("profile.csv", PROFILE).unwrap().is_none());
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_its_line() {
        let wrong = PROFILE.replace("bcast,8,65536,0,1,1.0,0.003", "bcast,8,64K,0,1,1.0,0.003");
        let wrong = parse("profile.csv", &wrong.replace("1.0,0.5", "1.0,2")).unwrap_err();
        let expected = "line 5: `bcast,8,64K,0,1,1.0,0.003` does not have whole numbers in comm_size, msg_size and count, and seconds in \
                        skew_seconds\nline 6: ranks arrive 2000000 us apart in the mean, not 0 to 1000000";
        assert_eq!(wrong, expected);
        let list = parse("last:late.txt", "1\n2\n").unwrap_err();
        assert!(list.contains("leave out `last:`, as delays of ranks have no shape"), "{list}");
        let endless = Arrivals::parse("delays", |_| Ok(io::repeat(b'0')));
        assert_eq!(endless, Err("the file is longer than 16 MiB".to_owned()));
    }
}
