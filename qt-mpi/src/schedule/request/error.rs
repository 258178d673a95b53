//! Errors of requests.

use std::fmt;

use super::{Clusters, MAX_COMM_SIZE, MAX_SEGMENTS};

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
    /// A text that does not describe clusters.
    NotClusters {
        /// The text.
        text: String,
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
    /// An operation that does not commute, with an algorithm that does not keep the order of the ranks.
    NotCommutative {
        /// The algorithm.
        algorithm: String,
        /// The algorithms of the collective that keep the order.
        others: Vec<&'static str>,
    },
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRanks => f.write_str("a communicator of 0 ranks has no schedule; give 1 rank at least"),
            Self::TooManyRanks { comm_size } => {
                write!(
                    f,
                    "{comm_size} ranks are more than the {MAX_COMM_SIZE} that are supported; use fewer ranks"
                )
            }
            Self::RootOutside { root, comm_size } => {
                write!(
                    f,
                    "root {root} is not a rank; with {comm_size} ranks it is one of 0..={}",
                    comm_size - 1
                )
            }
            Self::NoElementSize => {
                f.write_str("elements of 0 bytes cannot be counted; give an element size of 1 at least")
            }
            Self::PartOfElement { bytes, element_size } => write!(
                f,
                "{bytes} bytes are not a whole number of elements of {element_size} bytes; give a multiple"
            ),
            Self::TooManyBytes { bytes, comm_size } => write!(
                f,
                "{bytes} bytes for each of {comm_size} ranks are more than 2^60 in total; give a smaller message"
            ),
            Self::NoSegment => f.write_str(
                "a segment of 0 bytes cuts nothing; leave the segment size out for a message in one piece",
            ),
            Self::SegmentCutsElement { segment, element_size } => write!(
                f,
                "a segment of {segment} bytes would cut an element of {element_size} bytes; give {element_size} at least"
            ),
            Self::TooManySegments { segment, least } => write!(
                f,
                "segments of {segment} bytes cut the message into more than {MAX_SEGMENTS}; give {least} bytes at least"
            ),
            Self::Radix { radix } => write!(f, "radix {radix} makes no tree; give 2 at least"),
            Self::NoChains => f.write_str("0 chains reach no rank; give 1 at least"),
            Self::Clusters { clusters, comm_size } => write!(
                f,
                "clusters {clusters} hold {} ranks, the communicator {comm_size}; both must be the same",
                clusters.ranks()
            ),
            Self::NotClusters { text } => {
                write!(f, "`{text}` does not name clusters; write their number and size as in 2x16")
            }
            Self::Parameter { algorithm, parameter, others } => {
                write!(f, "algorithm `{algorithm}` has no {parameter}; leave it out{}", or_use(others))
            }
            Self::NotComposed { intra, inter } => write!(
                f,
                "`{intra}` and `{inter}` cannot be composed; give two broadcasts, two reduces or two allreduces"
            ),
            Self::NoRanksPerNode => {
                f.write_str("nodes of 0 ranks hold nobody; give 1 rank for each at least")
            }
            Self::NotCommutative { algorithm, others } => write!(
                f,
                "algorithm `{algorithm}` combines operands out of rank order, which an operation that does not commute \
                 forbids{}",
                or_use(others)
            ),
        }
    }
}

fn or_use(others: &[&str]) -> String {
    if others.is_empty() { String::new() } else { format!("; use {}", others.join(", ")) }
}

impl std::error::Error for RequestError {}
