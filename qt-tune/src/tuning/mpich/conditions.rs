//! The keys of a selection file.

/// A condition on a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// `collective=`
    Collective(String),
    /// `comm_type=intra`, or inter.
    Intra(bool),
    /// `comm_size<=`
    CommSizeUpTo(i64),
    /// `comm_size<`
    CommSizeBelow(i64),
    /// `comm_size=pow2`
    PowerOfTwo,
    /// `comm_size=node_comm_size`: all ranks on one node.
    OneNode,
    /// `comm_avg_ppn<=`
    RanksPerNodeUpTo(i64),
    /// `comm_hierarchy=`
    Hierarchy(String),
    /// `is_node_consecutive=`
    Consecutive(bool),
    /// `avg_msg_size<=` or `total_msg_size<=`; a strict limit is one less.
    MessageUpTo { key: &'static str, limit: i64 },
    /// `count<=`
    CountUpTo(i64),
    /// `count<pow2`
    CountBelowPowerOfTwo,
    /// Another property that a call has or has not: its name, and what is asked.
    Property(&'static str, bool),
    /// What is always so: `any`.
    Any(&'static str),
}

const PROPERTIES: [&str; 5] =
    ["is_multi_threaded", "is_commutative", "is_sendbuf_inplace", "is_op_built_in", "is_block_regular"];

const SIZES: [&str; 2] = ["avg_msg_size", "total_msg_size"];

/// What conditions are about.
pub(super) fn names() -> Vec<&'static str> {
    let others = [
        "collective",
        "comm_type",
        "comm_size",
        "comm_avg_ppn",
        "comm_hierarchy",
        "is_node_consecutive",
        "count",
    ];
    [&others[..], &SIZES, &PROPERTIES].concat()
}

impl Condition {
    /// The condition that a key writes down; white space does not count.
    pub(super) fn parse(key: &str) -> Option<Self> {
        let key: String = key.chars().filter(|char| !char.is_whitespace()).collect();
        if let Some((name, limit)) = key.split_once("<=") {
            let limit = number(limit)?;
            return Some(match name {
                "comm_size" => Self::CommSizeUpTo(limit),
                "count" => Self::CountUpTo(limit),
                "comm_avg_ppn" => Self::RanksPerNodeUpTo(limit),
                _ => Self::MessageUpTo { key: message_key(name)?, limit },
            });
        }
        if let Some((name, limit)) = key.split_once('<') {
            return Some(match (name, limit) {
                ("count", "pow2") => Self::CountBelowPowerOfTwo,
                ("comm_size", limit) => Self::CommSizeBelow(number(limit)?),
                ("comm_avg_ppn", limit) => Self::RanksPerNodeUpTo(number(limit)? - 1),
                (name, limit) => Self::MessageUpTo { key: message_key(name)?, limit: number(limit)? - 1 },
            });
        }
        if key == "any" {
            return Some(Self::Any("any"));
        }
        let (name, value) = key.split_once('=')?;
        let yes = || match value {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        match (name, value) {
            ("collective", _) => Some(Self::Collective(value.to_owned())),
            ("comm_type", "intra") => Some(Self::Intra(true)),
            ("comm_type", "inter") => Some(Self::Intra(false)),
            ("comm_size", "pow2") => Some(Self::PowerOfTwo),
            ("comm_size", "node_comm_size") => Some(Self::OneNode),
            ("comm_size", "any") => Some(Self::Any("comm_size")),
            ("count", "any") => Some(Self::Any("count")),
            ("comm_avg_ppn", "any") => Some(Self::Any("comm_avg_ppn")),
            ("comm_hierarchy", "any") => Some(Self::Any("comm_hierarchy")),
            ("comm_hierarchy", "parent" | "node_roots" | "node" | "flat") => {
                Some(Self::Hierarchy(value.to_owned()))
            }
            ("is_node_consecutive", _) => yes().map(Self::Consecutive),
            (name, "any") => Some(Self::Any(message_key(name)?)),
            (name, _) => {
                let property = PROPERTIES.into_iter().find(|property| *property == name)?;
                yes().map(|yes| Self::Property(property, yes))
            }
        }
    }

    /// Whether it is settled when the communicator is made, before any message is seen.
    pub(super) fn is_of_communicator(&self) -> bool {
        matches!(
            self,
            Self::Intra(_)
                | Self::CommSizeUpTo(_)
                | Self::CommSizeBelow(_)
                | Self::PowerOfTwo
                | Self::OneNode
                | Self::RanksPerNodeUpTo(_)
                | Self::Hierarchy(_)
                | Self::Consecutive(_)
                | Self::Any("comm_size" | "comm_hierarchy" | "comm_avg_ppn")
        )
    }
}

fn message_key(name: &str) -> Option<&'static str> {
    SIZES.into_iter().find(|key| *key == name)
}

/// MPICH takes them with `atoi`; what that would read otherwise than it is written is no number here.
fn number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|number| i32::try_from(*number).is_ok())
}
