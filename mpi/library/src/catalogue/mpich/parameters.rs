//! Parameters of algorithms in selection files.
//!
//! `coll_algorithms.txt` of release 5.0.1 lists them, and `cvars.txt` has the values with which an algorithm runs that is forced
//! without any. The reader (`csel_container.c`) has no default: for a parameter that a file lacks, it keeps what is in memory.

/// A parameter, which a selection file writes as a member `KEY=VALUE` of the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name before the equals sign.
    pub key: &'static str,
    /// What stands after it.
    pub value: Value,
}

/// The value of a parameter.
///
/// The variants are complete: code that writes files must handle each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The fan-out of a method: children of a tree, or the radix of an exchange.
    FanOut {
        /// The smallest number that the algorithm can use.
        least: u64,
    },
    /// The segment size of a method in bytes, with that of a method without one.
    SegmentSize(u64),
    /// The same for all methods.
    Fixed(&'static str),
}

impl Parameter {
    /// Returns the member of a file for a method.
    pub fn member(self, fan_out: Option<u64>, segment_size: Option<u64>) -> String {
        let Self { key, value } = self;
        match value {
            Value::FanOut { .. } => format!("{key}={}", fan_out.unwrap_or(FAN_OUT)),
            Value::SegmentSize(without) => format!("{key}={}", segment_size.unwrap_or(without)),
            Value::Fixed(text) => format!("{key}={text}"),
        }
    }
}

/// The fan-out with which algorithms run that are forced without one.
pub(super) const FAN_OUT: u64 = 2;

const CHILDREN: Parameter = Parameter { key: "k", value: Value::FanOut { least: 1 } };
const RADIX: Parameter = Parameter { key: "k", value: Value::FanOut { least: 2 } };
const TWO_PHASES: Parameter = fixed("single_phase_recv", "0");
const KARY: Parameter = fixed("tree_type", "kary");
const NON_BLOCKING: Parameter = fixed("is_non_blocking", "1");

const fn fixed(key: &'static str, value: &'static str) -> Parameter {
    Parameter { key, value: Value::Fixed(value) }
}

const fn chunks(without: u64) -> Parameter {
    Parameter { key: "chunk_size", value: Value::SegmentSize(without) }
}

/// Returns the parameters of an algorithm, of which a file must give each.
pub fn parameters(collective: &str, algorithm: &str) -> &'static [Parameter] {
    match (collective, algorithm) {
        ("allgather" | "alltoall", "k_brucks")
        | ("allreduce", "recursive_multiplying")
        | ("barrier", "k_dissemination") => &[RADIX],
        ("allgather", "recexch_doubling" | "recexch_halving")
        | ("allreduce", "recexch" | "k_reduce_scatter_allgather")
        | ("barrier", "recexch") => &[RADIX, TWO_PHASES],
        ("allreduce", "tree") => {
            const TREE: &[Parameter] =
                &[fixed("tree_type", "knomial_1"), CHILDREN, chunks(0), fixed("buffer_per_child", "0")];
            TREE
        }
        ("bcast", "tree") => &[KARY, CHILDREN, NON_BLOCKING],
        ("bcast", "pipelined_tree") => {
            const PIPELINED: &[Parameter] =
                &[KARY, CHILDREN, NON_BLOCKING, chunks(8192), fixed("recv_pre_posted", "0")];
            PIPELINED
        }
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::super::COLLECTIVES;
    use super::{Value, parameters};

    #[test]
    fn an_algorithm_has_a_fan_out_and_segments_if_a_file_can_give_them() {
        let mut with_parameters = 0;
        for collective in COLLECTIVES {
            for algorithm in collective.algorithms {
                let values: Vec<Value> = parameters(collective.name, algorithm.name)
                    .iter()
                    .map(|parameter| parameter.value)
                    .collect();
                let name = format!("{} {}", collective.name, algorithm.name);
                let fan_out = values.iter().any(|value| matches!(value, Value::FanOut { .. }));
                assert_eq!(algorithm.fan_out.is_some(), fan_out, "{name}");
                let segments = values.iter().any(|value| matches!(value, Value::SegmentSize(_)));
                assert_eq!(algorithm.is_segmented(), segments, "{name}");
                with_parameters += usize::from(!values.is_empty());
            }
        }
        assert_eq!(with_parameters, 12);
    }
}
