//! The keys of a selection file.

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
    /// `avg_msg_size<=` or `total_msg_size<=`; a strict limit is stored as one less.
    MessageUpTo { key: &'static str, limit: i64 },
    /// `count<=`
    CountUpTo(i64),
    /// `count<pow2`
    CountBelowPowerOfTwo,
    /// Another property of a call: its name and required value.
    Property(&'static str, bool),
    /// `any`, which always holds.
    Any(&'static str),
}

/// The properties of a call that are tested by name.
pub(super) const PROPERTIES: [&str; 5] =
    ["is_multi_threaded", "is_commutative", "is_sendbuf_inplace", "is_op_built_in", "is_block_regular"];

const SIZES: [&str; 2] = ["avg_msg_size", "total_msg_size"];

/// Returns whether an object names an algorithm with this key.
pub(super) fn is_leaf(key: &str) -> bool {
    let key = written(key);
    key.starts_with("algorithm=") || key.starts_with("composition=")
}

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

/// The prefix of a key with a limit, and a function that returns the condition.
type Limit = (&'static str, fn(i64) -> Condition);

impl Condition {
    /// Parses a key as `csel.c` does: spaces are ignored, and a key ends at its first
    /// `NUL`.
    pub(super) fn parse(key: &str) -> Option<Self> {
        let key = written(key);
        if let Some(name) = key.strip_prefix("collective=") {
            return Some(Self::Collective(name.to_owned()));
        }
        let limits: [Limit; 9] = [
            ("comm_size<=", Self::CommSizeUpTo),
            ("comm_size<", Self::CommSizeBelow),
            ("count<=", Self::CountUpTo),
            ("avg_msg_size<=", |limit| Self::MessageUpTo { key: "avg_msg_size", limit }),
            ("avg_msg_size<", |limit| Self::MessageUpTo { key: "avg_msg_size", limit: limit - 1 }),
            ("total_msg_size<=", |limit| Self::MessageUpTo { key: "total_msg_size", limit }),
            ("total_msg_size<", |limit| Self::MessageUpTo { key: "total_msg_size", limit: limit - 1 }),
            ("comm_avg_ppn<=", Self::RanksPerNodeUpTo),
            ("comm_avg_ppn<", |limit| Self::RanksPerNodeUpTo(limit - 1)),
        ];
        let limited = |(start, condition): &Limit| Some(condition(atoi(key.strip_prefix(start)?)));
        if let Some(condition) = limits.iter().find_map(limited) {
            return Some(condition);
        }
        if key == "count<pow2" {
            return Some(Self::CountBelowPowerOfTwo);
        }
        if key == "any" {
            return Some(Self::Any("any"));
        }
        let (name, value) = key.split_once('=')?;
        let yes = match value {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        match (name, value) {
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
            ("is_node_consecutive", _) => yes.map(Self::Consecutive),
            (name, "any") => SIZES.into_iter().find(|size| *size == name).map(Self::Any),
            (name, _) => {
                let property = PROPERTIES.into_iter().find(|property| *property == name)?;
                yes.map(|yes| Self::Property(property, yes))
            }
        }
    }

    /// Returns the number that MPICH reads if a limit is not written as a number.
    pub(super) fn misread(key: &str) -> Option<i64> {
        let key = written(key);
        let (_, limit) = key.split_once('<').filter(|(_, limit)| *limit != "pow2")?;
        let limit = limit.strip_prefix('=').unwrap_or(limit);
        let number = atoi(limit);
        (number.to_string() != limit).then_some(number)
    }

    /// Returns whether 4.0 does not know the key.
    pub(super) fn is_new(key: &str) -> bool {
        let key = written(key);
        ["any", "comm_avg_ppn=any"].contains(&&*key)
            || (key.starts_with("comm_avg_ppn<") && !key.starts_with("comm_avg_ppn<="))
    }

    /// Returns whether a chain of conditions may end with it: MPICH asserts that any other one is followed by something.
    pub(super) fn may_be_last(&self) -> bool {
        matches!(
            self,
            Self::Any(_)
                | Self::Property(..)
                | Self::Intra(_)
                | Self::Hierarchy(_)
                | Self::Consecutive(_)
                | Self::Collective(_)
        )
    }

    /// Returns whether MPICH can evaluate it in a call of this collective, rather than abort.
    pub(super) fn is_defined_for(&self, collective: &str) -> bool {
        let collective = collective.trim_start_matches('i');
        match self {
            Self::MessageUpTo { key: "avg_msg_size", .. } => {
                ["bcast", "reduce", "allreduce", "alltoall"].contains(&collective)
            }
            Self::MessageUpTo { .. } => {
                !["barrier", "exscan", "scan", "gatherv", "scatterv"].contains(&collective)
            }
            Self::CountUpTo(_) | Self::CountBelowPowerOfTwo => [
                "bcast",
                "allreduce",
                "reduce",
                "allgather",
                "allgatherv",
                "reduce_scatter",
                "reduce_scatter_block",
            ]
            .contains(&collective),
            Self::Property("is_commutative", _) => {
                ["allreduce", "reduce", "reduce_scatter", "reduce_scatter_block"].contains(&collective)
            }
            Self::Property("is_op_built_in", _) => ["allreduce", "reduce"].contains(&collective),
            Self::Property("is_block_regular", _) => collective == "reduce_scatter",
            Self::Property("is_sendbuf_inplace", _) => {
                ["alltoall", "alltoallv", "alltoallw"].contains(&collective)
            }
            _ => true,
        }
    }

    /// Returns whether it compares the size of a message.
    pub(super) fn is_of_size(&self) -> bool {
        match self {
            Self::MessageUpTo { .. } | Self::CountUpTo(_) | Self::CountBelowPowerOfTwo => true,
            Self::Any(name) => *name == "count" || SIZES.contains(name),
            _ => false,
        }
    }

    /// Returns whether it is decided when the communicator is created, before any message is known.
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

/// Returns whether all calls that match the second condition match the first.
pub(super) fn covers(first: &Condition, second: &Condition) -> bool {
    use Condition::{Any, CommSizeBelow, CommSizeUpTo, CountUpTo, MessageUpTo};
    match (first, second) {
        (Any(_), _) => true,
        (CommSizeUpTo(a), CommSizeUpTo(b))
        | (CommSizeBelow(a), CommSizeBelow(b))
        | (CountUpTo(a), CountUpTo(b)) => a >= b,
        (CommSizeUpTo(a), CommSizeBelow(b)) => *a >= b - 1,
        (CommSizeBelow(a), CommSizeUpTo(b)) => *a > *b,
        (MessageUpTo { key: one, limit: a }, MessageUpTo { key: other, limit: b }) => one == other && a >= b,
        _ => first == second,
    }
}

/// Returns whether one of the conditions matches every call that the others leave.
pub(super) fn is_exhaustive(conditions: &[Condition]) -> bool {
    conditions.iter().any(|condition| match condition {
        Condition::Any(_) => true,
        Condition::Property(name, yes) => conditions.contains(&Condition::Property(name, !yes)),
        Condition::Intra(intra) => conditions.contains(&Condition::Intra(!intra)),
        Condition::Consecutive(yes) => conditions.contains(&Condition::Consecutive(!yes)),
        _ => false,
    })
}

/// Returns a key as MPICH compares it.
pub(super) fn written(key: &str) -> String {
    key.split('\0').next().unwrap_or_default().replace(' ', "")
}

/// Parses a number like `atoi` of the GNU C library: white space, a sign, digits up to the first other byte, cut to 32 bits.
fn atoi(text: &str) -> i64 {
    let text = text.trim_start_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
    let (sign, digits) = match text.as_bytes().first() {
        Some(b'-') => (-1, &text[1..]),
        Some(b'+') => (1, &text[1..]),
        _ => (1, text),
    };
    let digits = digits.bytes().take_while(u8::is_ascii_digit);
    let long = digits.fold(0_i64, |number, digit| {
        number.saturating_mul(10).saturating_add(sign * i64::from(digit - b'0'))
    });
    i64::from(long as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_atoi() {
        for (text, number) in [
            ("8", 8),
            ("8x", 8),
            ("", 0),
            ("-3", -3),
            ("+7", 7),
            ("\t7", 7),
            ("12K", 12),
            ("2147483648", -2_147_483_648),
            ("4294967298", 2),
            ("99999999999999999999", -1),
            ("-99999999999999999999", 0),
        ] {
            assert_eq!(atoi(text), number, "{text:?}");
        }
    }
}
