//! The papers' five tables about trees of limited depth, each with the experiment that it is of.

use qtdec_core::DecisionMap;
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::Cluster;

use crate::data;
use crate::part::of_2006;
use crate::printed::{self, PrintedTree};
use crate::trees::Making;

/// A table of the papers about trees of limited depth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintedTable {
    pub(crate) name: &'static str,
    pub(crate) cluster: Cluster,
    pub(crate) collective: Collective,
    /// Whether it is of the 2006 paper, with its segments, and without merged leaves.
    is_2006: bool,
    pub(crate) rows: &'static [PrintedTree],
}

impl PrintedTable {
    /// Returns the part of a map with the methods of the table's paper.
    pub(crate) fn of_paper(&self, map: DecisionMap) -> DecisionMap {
        if self.is_2006 { of_2006(&map) } else { map }
    }

    /// Returns the simulated map.
    pub(crate) fn map(&self) -> Result<DecisionMap, String> {
        data::read(self.cluster, self.collective).map(|map| self.of_paper(map))
    }

    /// Returns how the paper makes its trees.
    pub(crate) fn making(&self) -> Making {
        Making { collapse: !self.is_2006, ..Making::default() }
    }
}

/// Returns the tables, in the order of the papers.
pub(crate) const fn tables() -> [PrintedTable; 5] {
    const fn table(
        name: &'static str,
        cluster: Cluster,
        collective: Collective,
        is_2006: bool,
        rows: &'static [PrintedTree],
    ) -> PrintedTable {
        PrintedTable { name, cluster, collective, is_2006, rows }
    }
    use Cluster::{Frodo, Grig};
    use Collective::{Bcast, Reduce};
    [
        table("2006, Table 3", Grig, Bcast, true, &printed::GRIG_BCAST_2006),
        table("2006, Table 4", Grig, Reduce, true, &printed::GRIG_REDUCE_2006),
        table("2007, Table 1", Frodo, Bcast, false, &printed::FRODO_BCAST_2007),
        table("2007, Table 2", Grig, Bcast, false, &printed::GRIG_BCAST_2007),
        table("2007, Table 3", Grig, Reduce, false, &printed::GRIG_REDUCE_2007),
    ]
}
