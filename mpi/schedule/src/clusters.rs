//! The division of the ranks among clusters.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use super::RequestError;

/// Clusters of consecutive ranks, written `2x16` if they are equal, and otherwise as a sum such as `8+16+4` or `2x16+8`.
///
/// There is at least one, and none is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clusters {
    /// Numbers of clusters that follow each other and have one size, and this size. Neighbours have different sizes.
    runs: Arc<[(u32, u32)]>,
}

impl Clusters {
    /// Creates clusters from the numbers of equal ones that follow each other, and their sizes.
    ///
    /// # Errors
    ///
    /// Fails if there are none, if one is empty, or if all together have 2^32 ranks or more.
    pub fn new(runs: impl IntoIterator<Item = (u32, u32)>) -> Result<Self, RequestError> {
        let mut joined: Vec<(u32, u32)> = Vec::new();
        let mut ranks = 0_u64;
        for (count, size) in runs {
            ranks = ranks.saturating_add(u64::from(count) * u64::from(size));
            if count == 0 || size == 0 || ranks > u64::from(u32::MAX) {
                return Err(not_clusters(&format!("{count}x{size}")));
            }
            match joined.last_mut() {
                Some(last) if last.1 == size => last.0 += count,
                _ => joined.push((count, size)),
            }
        }
        if joined.is_empty() {
            return Err(not_clusters(""));
        }
        Ok(Self { runs: joined.into() })
    }

    /// Creates equal clusters.
    ///
    /// # Errors
    ///
    /// The same as for [`new`](Self::new).
    pub fn equal(count: u32, size: u32) -> Result<Self, RequestError> {
        Self::new([(count, size)])
    }

    /// Creates clusters of one size for a number of ranks; the last cluster may have fewer.
    ///
    /// # Errors
    ///
    /// Fails if there are no ranks, or if clusters have none.
    pub fn of_ranks(ranks: u32, size: u32) -> Result<Self, RequestError> {
        let full =
            ranks.checked_div(size).ok_or_else(|| not_clusters(&format!("{ranks} ranks by {size}")))?;
        let rest = ranks % size;
        Self::new([(full, size), (1, rest)].into_iter().filter(|&(count, size)| count > 0 && size > 0))
    }

    /// Returns the number of clusters.
    pub fn count(&self) -> u32 {
        self.runs.iter().map(|(count, _)| count).sum()
    }

    /// Returns the number of ranks of all clusters.
    pub fn ranks(&self) -> u64 {
        self.runs.iter().map(|&(count, size)| u64::from(count) * u64::from(size)).sum()
    }

    /// Returns the ranks of each cluster, in order.
    pub fn members(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        let sizes = self.runs.iter().flat_map(|&(count, size)| (0..count).map(move |_| size));
        sizes.scan(0, |next, size| {
            let first = *next;
            *next += size;
            Some(first..*next)
        })
    }
}

/// Returns the error of a text that does not describe clusters.
fn not_clusters(text: &str) -> RequestError {
    RequestError::new(format!(
        "`{text}` does not describe clusters; write their number and size, as in 2x16, or their sizes, as in 8+16+4"
    ))
}

impl fmt::Display for Clusters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (count, size)) in self.runs.iter().enumerate() {
            let plus = if index > 0 { "+" } else { "" };
            // A single cluster is a division too, and a number alone would not look like one.
            if *count == 1 && self.runs.len() > 1 {
                write!(f, "{plus}{size}")?;
            } else {
                write!(f, "{plus}{count}x{size}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Clusters {
    type Err = RequestError;

    fn from_str(text: &str) -> Result<Self, RequestError> {
        let run = |part: &str| {
            let (count, size) = part.split_once('x').unwrap_or(("1", part));
            Some((count.parse().ok()?, size.parse().ok()?))
        };
        // A number alone would be the number of clusters for some, and their size for others.
        let runs: Option<Vec<(u32, u32)>> =
            if text.contains(['x', '+']) { text.split('+').map(run).collect() } else { None };
        runs.and_then(|runs| Self::new(runs).ok()).ok_or_else(|| not_clusters(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_sums_of_clusters() {
        let members = |text: &str| text.parse::<Clusters>().unwrap().members().collect::<Vec<_>>();
        assert_eq!(members("2x3"), [0..3, 3..6]);
        assert_eq!(members("8+16+4"), [0..8, 8..24, 24..28]);
        assert_eq!(members("2x3+1"), [0..3, 3..6, 6..7]);
        for (text, written) in
            [("2x16", "2x16"), ("16+16", "2x16"), ("8+16+4", "8+16+4"), ("1x7", "1x7"), ("4+2x4+1", "3x4+1")]
        {
            let clusters: Clusters = text.parse().unwrap();
            assert_eq!(clusters.to_string(), written);
            assert_eq!(
                clusters.members().map(|ranks| u64::from(ranks.end - ranks.start)).sum::<u64>(),
                clusters.ranks()
            );
            assert_eq!(clusters.members().count(), clusters.count() as usize);
        }
        for text in [
            "",
            "16",
            "2x",
            "x2",
            "0x4",
            "4x0",
            "8+",
            "8+0",
            "2by16",
            "4294967295x4294967295",
            "4294967295x1+1",
        ] {
            assert!(text.parse::<Clusters>().is_err(), "{text}");
        }
    }
}
