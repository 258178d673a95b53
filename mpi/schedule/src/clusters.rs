//! The division of the ranks among clusters.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use super::RequestError;

/// Clusters of consecutive ranks, written `2x16` if they are equal, and otherwise as a sum such as `8+16+4` or `2x16+8`.
///
/// With `:cyclic` behind it, as in `2x16:cyclic`, the clusters take the ranks in turn until they are full: the first rank is in the first
/// cluster, the second in the second. With `:nodes=4`, the clusters are divided into nodes of four consecutive ranks, of which the last in
/// a cluster may have fewer. There is at least one cluster, and none is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clusters {
    /// Numbers of clusters that follow each other and have one size, and this size. Neighbours have different sizes.
    runs: Arc<[(u32, u32)]>,
    form: Form,
}

/// What is said of the ranks in clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Consecutive,
    /// The clusters take the ranks in turn, and that makes a difference.
    Cyclic,
    /// So many consecutive ranks are on a node.
    Nodes(u32),
}

/// What follows clusters that take the ranks in turn.
const CYCLIC: &str = ":cyclic";

/// What precedes the number of ranks on each node.
const NODES: &str = ":nodes=";

impl Clusters {
    /// Creates clusters from the numbers of equal ones that follow each other, and their sizes.
    ///
    /// # Errors
    ///
    /// Fails if there are none, if one is empty, or if all together have 2^32 ranks or more.
    pub fn new(runs: impl IntoIterator<Item = (u32, u32)>) -> Result<Self, RequestError> {
        let mut all = Vec::new();
        let mut ranks = 0_u64;
        for (count, size) in runs {
            ranks = ranks.saturating_add(u64::from(count) * u64::from(size));
            if count == 0 || size == 0 || ranks > u64::from(u32::MAX) {
                return Err(not_clusters(&format!("{count}x{size}")));
            }
            all.push((count, size));
        }
        if all.is_empty() {
            return Err(not_clusters(""));
        }
        Ok(Self { runs: joined(all), form: Form::Consecutive })
    }

    /// Creates clusters for a number of ranks, which they take in turn.
    ///
    /// # Errors
    ///
    /// Fails if there are no clusters, or fewer ranks than clusters.
    pub fn in_turn(ranks: u32, count: u32) -> Result<Self, RequestError> {
        let fewest =
            ranks.checked_div(count).ok_or_else(|| not_clusters(&format!("{ranks} ranks on 0 nodes")))?;
        let more = ranks % count;
        let runs = [(more, fewest + 1), (count - more, fewest)];
        Ok(Self::new(runs.into_iter().filter(|&(count, _)| count > 0))?.cyclic())
    }

    /// Returns clusters of the same sizes that take the ranks in turn.
    #[must_use]
    pub fn cyclic(self) -> Self {
        // One cluster has all ranks, and clusters of single ranks have them in order.
        let is_cyclic = self.count() > 1 && self.runs.iter().any(|&(_, size)| size > 1);
        Self { form: if is_cyclic { Form::Cyclic } else { Form::Consecutive }, ..self }
    }

    /// Returns clusters of the same sizes that consist of nodes, each of so many consecutive ranks.
    ///
    /// # Errors
    ///
    /// Fails if nodes have no ranks.
    pub fn with_nodes(self, per_node: u32) -> Result<Self, RequestError> {
        if per_node == 0 {
            return Err(not_clusters(&format!("{self}{NODES}0")));
        }
        Ok(Self { form: Form::Nodes(per_node), ..self })
    }

    /// Returns the number of ranks on each node, if clusters consist of nodes.
    pub const fn per_node(&self) -> Option<u32> {
        match self.form {
            Form::Nodes(per_node) => Some(per_node),
            Form::Consecutive | Form::Cyclic => None,
        }
    }

    /// Returns the nodes of all clusters, or the clusters if they do not consist of nodes.
    pub(crate) fn nodes(&self) -> Self {
        let Some(per_node) = self.per_node() else { return self.clone() };
        let of_cluster = |size: u32| [(size / per_node, per_node), (1, size % per_node)];
        let sizes = self.runs.iter().flat_map(|&(count, size)| (0..count).map(move |_| size));
        let nodes = sizes.flat_map(of_cluster).filter(|&(count, size)| count > 0 && size > 0);
        Self { runs: joined(nodes), form: Form::Consecutive }
    }

    /// Returns the clusters with the numbers of their nodes instead of those of their ranks.
    pub(crate) fn of_nodes(&self) -> Self {
        let per_node = self.per_node().unwrap_or(1);
        let sizes = self.runs.iter().map(|&(count, size)| (count, size.div_ceil(per_node)));
        Self { runs: joined(sizes), form: Form::Consecutive }
    }

    /// Returns whether the clusters take the ranks in turn, so that the ranks of a cluster do not follow each other.
    pub const fn is_cyclic(&self) -> bool {
        matches!(self.form, Form::Cyclic)
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

    /// Returns the places of each cluster's ranks among those of all clusters, one cluster after the other. They are the ranks
    /// themselves unless the clusters are [cyclic](Self::is_cyclic).
    pub fn members(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        let sizes = self.runs.iter().flat_map(|&(count, size)| (0..count).map(move |_| size));
        sizes.scan(0, |next, size| {
            let first = *next;
            *next += size;
            Some(first..*next)
        })
    }

    /// Returns the place of each rank among [`members`](Self::members).
    pub(crate) fn places(&self) -> Vec<u32> {
        let of_cluster = |places: Range<u32>| places.clone().map(move |place| (place - places.start, place));
        let mut in_turn: Vec<(u32, u32)> = self.members().flat_map(of_cluster).collect();
        if self.is_cyclic() {
            in_turn.sort_unstable();
        }
        in_turn.into_iter().map(|(_, place)| place).collect()
    }
}

/// Returns numbers of clusters and their sizes, of which neighbours are different.
fn joined(runs: impl IntoIterator<Item = (u32, u32)>) -> Arc<[(u32, u32)]> {
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (count, size) in runs {
        match joined.last_mut() {
            Some(last) if last.1 == size => last.0 += count,
            _ => joined.push((count, size)),
        }
    }
    joined.into()
}

fn not_clusters(text: &str) -> RequestError {
    RequestError::new(format!(
        "`{text}` does not describe clusters; write their number and size, as in 2x16, or their sizes, as in 8+16+4, followed by {CYCLIC} if \
         they take the ranks in turn, or by {NODES}4 if they consist of nodes of four ranks"
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
        match self.form {
            Form::Consecutive => Ok(()),
            Form::Cyclic => f.write_str(CYCLIC),
            Form::Nodes(per_node) => write!(f, "{NODES}{per_node}"),
        }
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
        let (sizes, form) = text.split_at(text.find(':').unwrap_or(text.len()));
        let runs: Option<Vec<(u32, u32)>> =
            if sizes.contains(['x', '+']) { sizes.split('+').map(run).collect() } else { None };
        let clusters = runs.and_then(|runs| Self::new(runs).ok()).ok_or_else(|| not_clusters(text))?;
        match (form, form.strip_prefix(NODES).map(str::parse)) {
            ("", _) => Ok(clusters),
            (CYCLIC, _) => Ok(clusters.cyclic()),
            (_, Some(Ok(per_node))) => clusters.with_nodes(per_node),
            _ => Err(not_clusters(text)),
        }
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
            "2x4:cycle",
            ":cyclic",
            "8:cyclic",
            "2x8:cyclic:nodes=2",
            "2x8:nodes=2:cyclic",
            "2x8:nodes=0",
            "2x8:nodes=",
        ] {
            assert!(text.parse::<Clusters>().is_err(), "{text}");
        }
    }

    #[test]
    fn clusters_consist_of_nodes() {
        let of = |text: &str| {
            let clusters: Clusters = text.parse().unwrap();
            assert_eq!(clusters.to_string(), text);
            [clusters.nodes(), clusters.of_nodes()].map(|clusters| clusters.to_string())
        };
        assert_eq!(of("2x8:nodes=2"), ["8x2", "2x4"]);
        assert_eq!(of("2x3+1:nodes=2"), ["2+1+2+2x1", "2x2+1"]);
        assert_eq!(of("8+16:nodes=32"), ["8+16", "2x1"]);
    }

    #[test]
    fn cyclic_clusters_take_ranks_in_turn() {
        let places = |text: &str| text.parse::<Clusters>().unwrap().places();
        assert_eq!(places("2x3:cyclic"), [0, 3, 1, 4, 2, 5]);
        assert_eq!(places("3+1+2:cyclic"), [0, 3, 4, 1, 5, 2]);
        assert_eq!(places("1+2"), [0, 1, 2]);
        for (text, written) in [
            ("2x3:cyclic", "2x3:cyclic"),
            ("2+2+1:cyclic", "2x2+1:cyclic"),
            ("1x5:cyclic", "1x5"),
            ("5x1:cyclic", "5x1"),
        ] {
            let clusters: Clusters = text.parse().unwrap();
            assert_eq!(clusters.to_string(), written);
            assert_eq!(written.parse(), Ok(clusters));
        }
        for (ranks, count) in [(6, 2), (7, 3), (3, 3), (4, 1)] {
            let clusters = Clusters::in_turn(ranks, count).unwrap();
            assert_eq!(clusters.count(), count);
            for (rank, place) in (0..).zip(clusters.places()) {
                let cluster = clusters.members().position(|places| places.contains(&place));
                assert_eq!(cluster, Some(rank % count as usize));
            }
        }
        assert!(Clusters::in_turn(3, 4).is_err() && Clusters::in_turn(3, 0).is_err());
    }
}
