//! Errors of requests.

use std::fmt;

use super::{MAX_COMM_SIZE, MAX_SEGMENTS};
use crate::Clusters;

/// The error of a request that no schedule serves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestError {
    /// A communicator without ranks.
    NoRanks,
    /// More than [`MAX_COMM_SIZE`] ranks.
    TooManyRanks {
        /// The requested number of ranks.
        comm_size: u32,
    },
    /// A root that is not a rank.
    RootOutside {
        /// The requested root.
        root: u32,
        /// The number of ranks.
        comm_size: u32,
    },
    /// Elements without bytes.
    NoElementSize,
    /// A number of bytes that is not a whole number of elements.
    PartOfElement {
        /// The number of bytes.
        bytes: u64,
        /// The size of an element in bytes.
        element_size: u64,
    },
    /// More bytes than offsets can count.
    TooManyBytes {
        /// The size of `count` elements in bytes.
        bytes: u128,
        /// The number of ranks.
        comm_size: u32,
    },
    /// Segments without bytes.
    NoSegment,
    /// A segment smaller than an element.
    SegmentCutsElement {
        /// The size of a segment in bytes.
        segment: u64,
        /// The size of an element in bytes.
        element_size: u64,
    },
    /// More than [`MAX_SEGMENTS`] segments.
    TooManySegments {
        /// The size of a segment in bytes.
        segment: u64,
        /// The smallest allowed segment size in bytes.
        least: u64,
    },
    /// A radix below 2.
    Radix {
        /// The requested radix.
        radix: u32,
    },
    /// No chains.
    NoChains,
    /// Clusters that do not hold exactly all ranks.
    Clusters {
        /// The requested clusters.
        clusters: Clusters,
        /// The number of ranks.
        comm_size: u32,
    },
    /// A parameter that the algorithm does not have.
    Parameter {
        /// The algorithm.
        algorithm: String,
        /// The parameter.
        parameter: &'static str,
        /// The algorithms of the collective that have it.
        others: Vec<&'static str>,
    },
    /// Two algorithms that cannot be composed.
    NotComposed {
        /// The algorithm within nodes.
        intra: String,
        /// The algorithm between nodes.
        inter: String,
    },
    /// Nodes without ranks.
    NoRanksPerNode,
    /// An operation that does not commute, with a schedule that does not keep the order of the ranks.
    NotCommutative {
        /// The algorithm.
        algorithm: String,
        /// The number of ranks.
        comm_size: u32,
        /// The root.
        root: u32,
        /// The algorithms of the collective that always keep the order.
        others: Vec<&'static str>,
    },
    /// An operation that does not commute, with the schedule of a single rank, which does not show whether order is kept.
    UnknownOrder {
        /// The algorithm.
        algorithm: String,
    },
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRanks => f.write_str("the communicator has no ranks; it must have at least 1"),
            Self::TooManyRanks { comm_size } => {
                write!(f, "{comm_size} ranks exceed the maximum of {MAX_COMM_SIZE}; use fewer ranks")
            }
            Self::RootOutside { root, comm_size } => {
                write!(
                    f,
                    "root {root} is not a rank; with {comm_size} ranks, it must be in 0..={}",
                    comm_size - 1
                )
            }
            Self::NoElementSize => f.write_str("the element size is 0 bytes; it must be at least 1"),
            Self::PartOfElement { bytes, element_size } => write!(
                f,
                "{bytes} bytes are not a whole number of elements of {element_size} bytes; use a multiple"
            ),
            Self::TooManyBytes { bytes, comm_size } => write!(
                f,
                "{bytes} bytes for each of {comm_size} ranks exceed 2^60 bytes in total; use a smaller message"
            ),
            Self::NoSegment => {
                f.write_str("the segment size is 0 bytes; omit it to send messages in one piece")
            }
            Self::SegmentCutsElement { segment, element_size } => write!(
                f,
                "a segment of {segment} bytes would split an element; use at least {element_size} bytes"
            ),
            Self::TooManySegments { segment, least } => write!(
                f,
                "segments of {segment} bytes split the message into more than {MAX_SEGMENTS} pieces; use at least {least} bytes"
            ),
            Self::Radix { radix } => write!(f, "the radix is {radix}; it must be at least 2"),
            Self::NoChains => f.write_str("the number of chains is 0; it must be at least 1"),
            Self::Clusters { clusters, comm_size } => write!(
                f,
                "the clusters {clusters} have {} ranks, but the communicator has {comm_size}; the numbers must be equal",
                clusters.ranks()
            ),
            Self::Parameter { algorithm, parameter, others } => {
                write!(
                    f,
                    "algorithm `{algorithm}` has no {parameter}; omit it{}",
                    listed(", or use ", others)
                )
            }
            Self::NotComposed { intra, inter } => write!(
                f,
                "`{intra}` and `{inter}` cannot be composed; use two broadcasts, two reduces or two allreduces"
            ),
            Self::NoRanksPerNode => f.write_str("the number of ranks per node is 0; it must be at least 1"),
            Self::NotCommutative { algorithm, comm_size, root, others } => write!(
                f,
                "algorithm `{algorithm}` combines operands out of rank order with {comm_size} ranks and root {root}, which an \
                 operation that does not commute forbids{}",
                listed("; use ", others)
            ),
            Self::UnknownOrder { algorithm } => write!(
                f,
                "a single rank of algorithm `{algorithm}` does not show whether operands are combined in rank order, which an \
                 operation that does not commute requires; build and verify the schedule of all ranks"
            ),
        }
    }
}

fn listed(before: &str, others: &[&str]) -> String {
    if others.is_empty() { String::new() } else { format!("{before}{}", others.join(", ")) }
}

impl std::error::Error for RequestError {}
