//! Networks in terms of pLogP: a latency, and a gap and two overheads as functions of the message size.
//!
//! A [`Description`] is the content of a file (`qtdec-network/1`, or the output of a measuring tool); a [`Network`] is a
//! description that passed the checks. The parameters are those of Kielmann, Bal and Verstoep, "Fast Measurement of LogP
//! Parameters for Message Passing Platforms" (2000):
//!
//! - **latency** `L`: the time between the first byte's departure and its arrival;
//! - **gap** `g(m)`: the least time between two messages of `m` bytes on one link. The sender's and the receiver's port are
//!   occupied for that time;
//! - **overheads** `os(m)`, `or(m)`: the time that the processor is busy with sending or receiving `m` bytes.

mod check;
mod curve;
mod format;
mod formats;
mod logp_mpi;
mod measured;
mod netgauge;
mod osu;
mod read;
mod shipped;
mod write;

pub use curve::Point;
pub use format::Import;
pub use formats::import;
#[doc(hidden)]
pub use osu::{OsuTable, osu_table};
pub use qtdec_times::TimeUnit as Unit;
pub(crate) use shipped::meant;
pub use shipped::{shipped, shipped_names};

use qtdec_core::{Problem, Problems};

/// The value of `format` in a network file.
pub const FORMAT: &str = "qtdec-network/1";

/// The content of a network file; times are in [`unit`](Self::unit).
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// A name for people.
    pub name: Option<String>,
    /// The unit of all times.
    pub unit: Unit,
    /// The latency between two ranks.
    pub latency: f64,
    /// Gap and overheads at increasing sizes; the gap is that of one rail.
    pub points: Vec<Point>,
    /// The number of send ports of a node, which is also the number of its receive ports.
    pub rails: u32,
    /// The contention ratio of an all-to-all: 0 at the lower bound of the model, 1 at the upper.
    pub contention: Option<f64>,
    /// The way in which messages that arrive at one node at the same time share its port.
    pub receive: ReceivePort,
    /// The effect of the overheads on the time of one message.
    pub overheads: Overheads,
    /// The largest message that is sent without a handshake, or `None` if all are.
    pub eager_limit: Option<u64>,
    /// The bytes that each message carries in addition to those of the points.
    pub header_bytes: u64,
    /// The number of ranks that share the ports of a node.
    pub ranks_per_node: u64,
    /// The order in which ranks are placed on nodes.
    pub placement: Placement,
    /// The time to combine one byte of two operands.
    pub reduce_per_byte: f64,
    /// The time to copy one byte.
    pub copy_per_byte: f64,
    /// Factors on latency and gap from given sizes on, as in SimGrid's calibrations.
    pub size_factors: Vec<SizeFactor>,
    /// The path between ranks of one node, where it is not the network's own.
    pub within_node: Option<WithinNode>,
    /// The network between clusters of ranks.
    pub between: Option<Between>,
    /// The origin of the numbers, as JSON.
    pub source: Option<String>,
}

impl Description {
    /// Returns a description with only the required fields set.
    pub fn new(unit: Unit, latency: f64, points: Vec<Point>) -> Self {
        Self {
            name: None,
            unit,
            latency,
            points,
            rails: 1,
            contention: None,
            receive: ReceivePort::default(),
            overheads: Overheads::default(),
            eager_limit: None,
            header_bytes: 0,
            ranks_per_node: 1,
            placement: Placement::default(),
            reduce_per_byte: 0.0,
            copy_per_byte: 0.0,
            size_factors: Vec::new(),
            within_node: None,
            between: None,
            source: None,
        }
    }

    /// Returns whether nodes have several ranks each, in turn.
    pub fn is_cyclic(&self) -> bool {
        self.placement == Placement::Cyclic && self.ranks_per_node > 1
    }

    /// Returns the points of each level that the network has, from the innermost to the outermost.
    pub fn levels(&self) -> impl Iterator<Item = (Level, &[Point])> {
        let node = self.within_node.iter().map(|node| (Level::Node, &node.points[..]));
        let between = self.between.iter().map(|between| (Level::Between, &between.points[..]));
        node.chain([(Level::Within, &self.points[..])]).chain(between)
    }
}

/// The way in which messages that arrive at one node at the same time share its port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReceivePort {
    /// One after the other in order of arrival, as the formulas assume.
    #[default]
    Fifo,
    /// All at once, each at an equal share of the rate, as in fluid models. Messages from one rank to another stay in order.
    Shared,
}

impl ReceivePort {
    pub(crate) const NAMES: [(&str, Self); 2] = [("fifo", Self::Fifo), ("shared", Self::Shared)];

    /// Returns a description in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Fifo => "arrivals queue",
            Self::Shared => "arrivals share the port",
        }
    }
}

/// The effect of the overheads on the time of one message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overheads {
    /// No effect, and the processor is never busy, as the formulas assume.
    Ignored,
    /// No effect while the processor is free (pLogP): one message alone takes `L + g`, which includes the overheads.
    #[default]
    Inside,
    /// The full overheads are added (SimGrid): they precede and follow the message.
    Outside,
}

impl Overheads {
    pub(crate) const NAMES: [(&str, Self); 3] =
        [("ignored", Self::Ignored), ("inside", Self::Inside), ("outside", Self::Outside)];

    /// Returns a description in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Ignored => "overheads are ignored",
            Self::Inside => "overheads lie within the gap",
            Self::Outside => "overheads precede and follow a message",
        }
    }
}

/// The order in which ranks are placed on nodes. The variants are complete: a network file has no other order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Each node has consecutive ranks.
    #[default]
    Consecutive,
    /// The nodes have the ranks in turn: of `n` nodes, as few as hold all ranks, that of rank `r` is `r mod n`.
    Cyclic,
}

impl Placement {
    pub(crate) const NAMES: [(&str, Self); 2] =
        [("consecutive", Self::Consecutive), ("cyclic", Self::Cyclic)];
}

/// Factors on the latency and the gap of messages of at least a given size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeFactor {
    /// The smallest size to which the factors apply.
    pub bytes: u64,
    /// The factor on the latency.
    pub latency: f64,
    /// The factor on the gap.
    pub gap: f64,
}

/// The path between ranks of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct WithinNode {
    /// The latency between two ranks of a node.
    pub latency: f64,
    /// Gap and overheads within a node.
    pub points: Vec<Point>,
}

/// The network between clusters of ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Between {
    /// The numbers of ranks in each cluster, node by node, of whole nodes. Further clusters have the last one.
    pub cluster_sizes: Vec<u64>,
    /// The latency between ranks of different clusters.
    pub latency: f64,
    /// Gap and overheads between clusters.
    pub points: Vec<Point>,
}

/// The part of the network that a message crosses.
///
/// The variants are complete: a network has at most three levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Within a node, if the description has its latency and points.
    Node,
    /// Within a cluster: the network's own latency and points.
    Within,
    /// Between clusters.
    Between,
}

/// The costs of one message, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MessageCost {
    /// The latency.
    pub latency: f64,
    /// The time that the message occupies a port.
    pub gap: f64,
    /// The time that the sender's processor is busy.
    pub send: f64,
    /// The time that the receiver's processor is busy.
    pub receive: f64,
}

/// A network whose description passed the checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    description: Description,
    /// The first rank of each cluster whose size the description has.
    clusters: Vec<u64>,
}

impl Network {
    /// Checks a description.
    ///
    /// # Errors
    ///
    /// Returns all faults, each with its place in a file.
    pub fn new(description: Description) -> Result<Self, Problems> {
        check::check(&description)?;
        let sizes = description.between.as_ref().map(|between| &*between.cluster_sizes).unwrap_or_default();
        let next = |first: &mut u64, size: &u64| Some(std::mem::replace(first, first.saturating_add(*size)));
        let clusters = sizes.iter().scan(0, next).collect();
        Ok(Self { description, clusters })
    }

    /// Returns the same network with this many ranks on each node. Clusters keep their numbers of nodes; where a cluster is a node, it is
    /// one of the new size.
    ///
    /// # Errors
    ///
    /// Fails without a rank.
    pub fn with_ranks_per_node(&self, ranks: u64) -> Result<Self, Problems> {
        let mut description = self.description.clone();
        let before = description.ranks_per_node;
        if let Some(between) = &mut description.between {
            between.cluster_sizes.iter_mut().for_each(|size| *size = (*size / before).saturating_mul(ranks));
        }
        description.ranks_per_node = ranks;
        Self::new(description)
    }

    /// Returns the description.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Returns the place of a rank, one of `ranks`, if places are counted node by node: the rank itself, unless nodes have ranks in turn.
    pub fn place(&self, rank: u64, ranks: u64) -> u64 {
        if !self.description.is_cyclic() {
            return rank;
        }
        let nodes = ranks.div_ceil(self.description.ranks_per_node);
        rank % nodes * self.description.ranks_per_node + rank / nodes
    }

    /// Returns the part of the network between two places.
    pub fn level(&self, one: u64, other: u64) -> Level {
        let node = |place: u64| place / self.description.ranks_per_node;
        if self.description.within_node.is_some() && node(one) == node(other) {
            Level::Node
        } else if self.cluster(one) == self.cluster(other) {
            Level::Within
        } else {
            Level::Between
        }
    }

    /// Returns the number of the cluster of a place, counted from 0.
    pub fn cluster(&self, place: u64) -> u64 {
        let (Some(between), Some(last)) = (&self.description.between, self.clusters.last()) else { return 0 };
        match place.checked_sub(*last) {
            Some(further) => {
                (self.clusters.len() as u64 - 1) + further / between.cluster_sizes[self.clusters.len() - 1]
            }
            None => self.clusters.partition_point(|&first| first <= place) as u64 - 1,
        }
    }

    /// Returns the sizes of the clusters of a number of ranks: numbers of clusters that follow each other, and the size of each. The last
    /// cluster may be filled in part. Without clusters, all ranks are in one.
    pub fn clusters(&self, ranks: u64) -> Vec<(u64, u64)> {
        let sizes = self.description.between.as_ref().map_or(&[][..], |between| &between.cluster_sizes);
        let mut left = ranks;
        let mut runs = Vec::new();
        for (index, &size) in sizes.iter().enumerate() {
            let repeats = index + 1 == sizes.len();
            let count = if repeats { left / size } else { u64::from(size <= left) };
            runs.extend((count > 0).then_some((count, size)));
            left -= count * size;
            if count == 0 {
                break;
            }
        }
        runs.extend((left > 0).then_some((1, left)));
        runs
    }

    /// Returns the cost of a message, including its header and the factors of its size.
    pub fn cost(&self, level: Level, bytes: u64) -> MessageCost {
        let Description { unit, header_bytes, latency, points, within_node, between, .. } = &self.description;
        let (points, latency) = match (level, within_node, between) {
            (Level::Node, Some(node), _) => (&node.points, node.latency),
            (Level::Between, _, Some(between)) => (&between.points, between.latency),
            _ => (points, *latency),
        };
        let Point { gap, send, receive, .. } = Point::at(points, bytes.saturating_add(*header_bytes));
        let factors = self.description.size_factors.iter().rev().find(|factor| factor.bytes <= bytes);
        let (on_latency, on_gap) = factors.map_or((1.0, 1.0), |factor| (factor.latency, factor.gap));
        let seconds = |time: f64| time * unit.seconds();
        MessageCost {
            latency: seconds(latency * on_latency),
            gap: seconds(gap * on_gap),
            send: seconds(send),
            receive: seconds(receive),
        }
    }

    /// Returns the latency of a message between nodes of a cluster, in seconds.
    pub fn latency(&self, bytes: u64) -> f64 {
        self.cost(Level::Within, bytes).latency
    }

    /// Returns the gap of a message between nodes of a cluster, in seconds.
    pub fn gap(&self, bytes: u64) -> f64 {
        self.cost(Level::Within, bytes).gap
    }

    /// Returns the time in seconds to combine a number of bytes.
    pub fn reduce(&self, bytes: u64) -> f64 {
        bytes as f64 * self.description.reduce_per_byte * self.description.unit.seconds()
    }

    /// Returns the time in seconds to copy a number of bytes.
    pub fn copy(&self, bytes: u64) -> f64 {
        bytes as f64 * self.description.copy_per_byte * self.description.unit.seconds()
    }

    /// Returns a warning if a message is more than twice as large as the last point. Its gap is extrapolated from the slope of the
    /// last two points, which is noisy, and the network may behave differently at such sizes.
    pub fn extrapolation(&self, bytes: u64) -> Option<Problem> {
        let last = self.description.points.last()?.bytes;
        let sent = bytes.saturating_add(self.description.header_bytes);
        (sent > last.saturating_mul(2)).then(|| {
            let place = qtdec_core::Path::root().key("points");
            let message = format!("a message of {bytes} bytes is far beyond the last point, {last} bytes");
            Problem::new(place, message).help(format!(
                "its gap is extrapolated along the line through the last two points; measure up to {bytes} bytes"
            ))
        })
    }
}

/// Returns the name of a value in a list that has all values.
pub(crate) fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> &'static str {
    names.iter().find(|(_, named)| named == value).map_or("", |(name, _)| name)
}
