//! The sizes at which a table of boxes begins another box because of a requirement.

use crate::domain::Requirement;
use crate::problem::{Place, Problem};
use crate::tree::DecisionTree;

impl DecisionTree {
    /// Returns the sizes on each axis at which a condition may start or stop holding.
    ///
    /// # Errors
    ///
    /// Returns an error for a condition on two axes at once, which no sizes separate.
    pub fn guarded_sizes(&self) -> Result<Vec<Vec<u64>>, Problem> {
        let mut sizes = vec![Vec::new(); self.domain().axes().len()];
        let mut add = |name: &str, more: &[u64]| {
            if let Some(axis) = self.domain().find_axis(name) {
                sizes[axis].extend(more);
            }
        };
        for requirement in self.requirements() {
            match requirement {
                Requirement::PowerOfTwo => {
                    let powers = (0..u64::BITS).flat_map(|exponent| [1 << exponent, (1 << exponent) + 1]);
                    add("comm_size", &powers.collect::<Vec<u64>>());
                }
                Requirement::CommSize(only) => add("comm_size", &[only, only.saturating_add(1)]),
                Requirement::Commutative => add("commutative", &[1]),
                Requirement::CountAtLeastCommSize => {
                    if self.counts_blocks() {
                        add("msg_size", &[1]);
                        continue;
                    }
                    let message = format!(
                        "a table cannot check `{requirement}`, which compares two sizes with each other"
                    );
                    return Err(Problem::new(Place::File, message)
                        .help("exclude the methods that require it, or generate code instead"));
                }
            }
        }
        for sizes in &mut sizes {
            sizes.retain(|&size| size > 0);
            sizes.sort_unstable();
            sizes.dedup();
        }
        Ok(sizes)
    }
}
