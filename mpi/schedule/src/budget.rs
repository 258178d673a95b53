//! The limits of what is built: the memory of a process and the time that its user waits.
//!
//! Memory is charged before it is used, with costs that were measured: the peak of a process that builds, proves and writes
//! a schedule, or builds and simulates one, is below the sum of what it was charged.

use std::fmt;

/// The maximum number of operations of a schedule, all ranks together.
pub const MAX_OPERATIONS: usize = 1 << 23;

/// The maximum number of parts of one operation.
const MAX_PARTS: usize = 1 << 20;

/// The maximum number of steps in which a schedule is built: about a second. Messages and blocks without bytes leave no
/// operation, but each is a step.
const MAX_STEPS: u64 = 1 << 27;

/// The memory that a schedule and its proof may take, in bytes.
pub(super) const LIMIT: u64 = 900 << 20;

/// The memory that a schedule takes, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// The memory that the whole may take.
    pub(crate) limit: u64,
    pub(crate) rank: u64,
    /// For each operation, with its first part.
    pub(crate) operation: u64,
    /// For each further part.
    pub(crate) part: u64,
    /// For each dependency.
    pub(crate) after: u64,
    /// For each block of another rank that a rank ends with, whatever the number of messages that brought it.
    pub(crate) block: u64,
}

impl Costs {
    /// The costs of a schedule that is built, proved and written.
    pub(crate) const PROVED: Self =
        Self { limit: LIMIT, rank: 1200, operation: 370, part: 130, after: 20, block: 230 };

    /// Returns the costs of a schedule that is built rank by rank and simulated, where each rank takes `rank` bytes. Parts are
    /// dropped with each rank.
    pub const fn simulated(limit: u64, rank: u64) -> Self {
        Self { limit, rank, operation: 190, part: 90, after: 12, block: 0 }
    }
}

/// The memory of a run of bytes with its own history in a proof.
const RUN: u64 = 150;

/// The memory of an operation and of a part that are built, and of the graph of the operations.
const BUILT: (u64, u64) = (220, 30);

/// The runs of a rank that its own memory includes.
const INCLUDED: u64 = 4;

/// Returns the number of runs of bytes with their own history that the proof of a schedule may tell apart.
pub(super) fn runs(ranks: usize, operations: usize, parts: usize) -> u64 {
    let Costs { limit, rank, .. } = Costs::PROVED;
    let built = operations as u64 * BUILT.0 + parts as u64 * BUILT.1;
    limit.saturating_sub(ranks as u64 * (rank - INCLUDED * RUN) + built) / RUN
}

/// The limits of a schedule.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    costs: Costs,
    operations: usize,
}

impl Default for Limits {
    /// Returns the limits of a schedule that is built, proved and written: 900 MiB of memory.
    fn default() -> Self {
        Self { costs: Costs::PROVED, operations: MAX_OPERATIONS }
    }
}

impl Limits {
    /// Sets the maximum number of operations.
    #[must_use]
    pub const fn operations(mut self, operations: usize) -> Self {
        self.operations = operations;
        self
    }

    /// Leaves room for a simulation of the schedule in which each rank takes `rank` bytes.
    #[must_use]
    pub const fn with_simulation(mut self, rank: u64) -> Self {
        let Costs { rank, operation, after, .. } = Costs::simulated(self.costs.limit, rank);
        self.costs.rank += rank;
        self.costs.operation += operation;
        self.costs.after += after;
        self
    }

    pub(super) const fn budget(self) -> Budget {
        Budget::new(self.costs, self.operations)
    }
}

/// What a schedule may still grow by.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    costs: Costs,
    memory: u64,
    steps: u64,
    /// The maximum number of operations, and how many of them are left.
    limit: usize,
    operations: usize,
}

impl Budget {
    /// Returns the budget of a schedule of at most `limit` operations.
    pub const fn new(costs: Costs, limit: usize) -> Self {
        Self { costs, memory: costs.limit, steps: MAX_STEPS, limit, operations: limit }
    }

    /// Returns the budget that is left when all ranks of a schedule are there, without their operations.
    ///
    /// # Errors
    ///
    /// Fails if a schedule of so many ranks and messages, the least that it can have, does not fit.
    pub fn for_ranks(mut self, ranks: u32, least_messages: u64) -> Result<Self, TooLarge> {
        let ranks = u64::from(ranks);
        let operations = least_messages.saturating_mul(2);
        let of_ranks = ranks.saturating_mul(self.costs.rank);
        let least = operations.saturating_mul(self.costs.operation).saturating_add(of_ranks);
        if least > self.memory {
            // The fewest messages of any collective: all ranks but one send one.
            let each = self.costs.rank + 2 * self.costs.operation;
            let most = self.memory / each;
            return Err(if ranks > most {
                TooLarge::Ranks { most }
            } else {
                TooLarge::Memory { limit: self.costs.limit }
            });
        }
        if operations > self.limit as u64 {
            return Err(TooLarge::Operations { limit: self.limit });
        }
        self.memory -= of_ranks;
        Ok(self)
    }

    /// Returns the budget if this many steps fit, which are charged when they are taken.
    ///
    /// # Errors
    ///
    /// Fails if they do not.
    pub fn for_steps(self, steps: u64) -> Result<Self, TooLarge> {
        if steps <= self.steps { Ok(self) } else { Err(TooLarge::Steps { limit: MAX_STEPS }) }
    }

    /// Charges blocks of other ranks.
    pub(crate) fn blocks(&mut self, count: u64) -> Result<(), TooLarge> {
        self.memory(self.costs.block.saturating_mul(count))
    }

    /// Charges steps that may leave no operation.
    pub(crate) fn step(&mut self, steps: u64) -> Result<(), TooLarge> {
        self.steps = self.steps.checked_sub(steps).ok_or(TooLarge::Steps { limit: MAX_STEPS })?;
        Ok(())
    }

    pub(crate) fn operation(&mut self, parts: usize) -> Result<(), TooLarge> {
        if parts > MAX_PARTS {
            return Err(TooLarge::Parts { limit: MAX_PARTS });
        }
        self.operations = self.operations.checked_sub(1).ok_or(TooLarge::Operations { limit: self.limit })?;
        self.memory(self.costs.operation + self.costs.part * (parts as u64).saturating_sub(1))
    }

    pub(crate) fn after(&mut self, count: usize) -> Result<(), TooLarge> {
        self.memory(self.costs.after * count as u64)
    }

    /// Returns the memory of parts that have been dropped.
    pub fn drop_parts(&mut self, parts: usize) {
        self.memory = (self.memory + self.costs.part * parts as u64).min(self.costs.limit);
    }

    /// Charges the steps of a rank that was built to be part of another one.
    pub(crate) fn take_steps_of(&mut self, inner: &Self) {
        self.steps = self.steps.min(inner.steps);
    }

    fn memory(&mut self, bytes: u64) -> Result<(), TooLarge> {
        let left = self.memory.checked_sub(bytes);
        self.memory = left.ok_or(TooLarge::Memory { limit: self.costs.limit })?;
        Ok(())
    }
}

/// The error of a schedule that would be too large for memory, or take too long to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TooLarge {
    /// There are too many operations.
    Operations {
        /// The maximum number of operations that was allowed.
        limit: usize,
    },
    /// An operation has too many parts.
    Parts {
        /// The maximum number of parts.
        limit: usize,
    },
    /// No schedule of so many ranks fits into memory.
    Ranks {
        /// The maximum number of ranks.
        most: u64,
    },
    /// The schedule does not fit into memory.
    Memory {
        /// The maximum number of bytes.
        limit: u64,
    },
    /// Building takes too many steps, most of which may be empty blocks.
    Steps {
        /// The maximum number of steps.
        limit: u64,
    },
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operations { limit } => write!(f, "the schedule has more than {limit} operations")?,
            Self::Parts { limit } => write!(f, "a message of the schedule has more than {limit} parts")?,
            Self::Ranks { most } => {
                return write!(
                    f,
                    "a schedule of so many ranks does not fit into memory; use at most {most} ranks, or build single ranks"
                );
            }
            Self::Memory { limit } => {
                write!(f, "the schedule takes more than {} MiB of memory", limit >> 20)?;
            }
            Self::Steps { limit } => {
                return write!(
                    f,
                    "the schedule takes more than {limit} steps to build, empty blocks included; use fewer ranks, or build \
                     single ranks"
                );
            }
        }
        f.write_str("; use fewer ranks or larger segments, or build single ranks")
    }
}

impl std::error::Error for TooLarge {}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: Costs = Costs { limit: 1000, rank: 100, operation: 10, part: 5, after: 1, block: 2 };

    #[test]
    fn memory_is_charged_until_none_is_left() {
        let mut budget = Budget::new(COSTS, 100).for_ranks(5, 4).unwrap();
        assert_eq!(budget.memory, 500);
        budget.operation(1).unwrap();
        budget.operation(0).unwrap();
        budget.operation(3).unwrap();
        budget.after(60).unwrap();
        assert_eq!(budget.memory, 400);
        assert_eq!(budget.operation(80), Err(TooLarge::Memory { limit: 1000 }));
        budget.drop_parts(4);
        assert_eq!(budget.memory, 420);
    }

    #[test]
    fn the_least_of_a_schedule_can_be_too_much() {
        let budget = Budget::new(COSTS, 60);
        let left = |ranks, messages| budget.for_ranks(ranks, messages).map(|budget| budget.memory);
        assert_eq!(left(8, 7), Ok(200));
        assert_eq!(left(8, 11), Err(TooLarge::Memory { limit: 1000 }));
        assert_eq!(left(9, 8), Err(TooLarge::Ranks { most: 8 }));
        assert_eq!(left(10, 0), Ok(0));
        assert_eq!(left(11, 0), Err(TooLarge::Ranks { most: 8 }));
        assert_eq!(left(1, 31), Err(TooLarge::Operations { limit: 60 }));
    }

    #[test]
    fn steps_count_without_operations() {
        let mut budget = Budget::new(COSTS, 1);
        budget.step(MAX_STEPS - 1).unwrap();
        budget.step(1).unwrap();
        assert_eq!(budget.step(1), Err(TooLarge::Steps { limit: MAX_STEPS }));
        let mut budget = Budget::new(COSTS, 1);
        budget.operation(1).unwrap();
        assert_eq!(budget.operation(1), Err(TooLarge::Operations { limit: 1 }));
    }
}
