//! Rules for the communicators of a program, not for the parts that MPICH makes of them: the ranks of one node, and one rank of each.
//!
//! The device's own collectives and `smp` call others on such parts. There they would read our rules too, and a collective without rules
//! would change. 4.0 names both kinds of parts by `comm_hierarchy`. From 5.0 on, that key only tells `parent` from all others, but
//! conditions on the ranks per node never hold for a part.

use serde_json::{Value, json};

/// A number of ranks per node that no machine has. MPICH multiplies it by the number of nodes, in 32 bits.
const MOST_RANKS_PER_NODE: &str = "comm_avg_ppn<=4096";

/// Returns rules under which parts of a communicator keep those of the file.
pub(super) fn spared(ours: &Value, other: &Value) -> Value {
    json!({
        MOST_RANKS_PER_NODE: {
            "comm_hierarchy=parent": ours,
            "comm_hierarchy=flat": ours,
            "comm_hierarchy=any": other,
        },
        "comm_size=any": other,
    })
}
