//! Open MPI's component `coll/tuned`, 4.1 and 5.0: `ompi_info --param coll tuned --level 9`.

use qtdec_mpi_library::catalogue::open_mpi::HAN_RULES_SINCE;
use qtdec_mpi_library::catalogue::{Algorithm, Library, Release};

use super::library::MeasuredLibrary;
use qtdec_mpi_run::choice::WITH_HAN;

/// Open MPI.
#[derive(Debug)]
pub(super) struct OpenMpi;

impl MeasuredLibrary for OpenMpi {
    fn name(&self) -> &'static str {
        "open-mpi"
    }

    fn title(&self) -> &'static str {
        "Open MPI (4.1 and 5.0)"
    }

    fn library(&self) -> Library {
        Library::OpenMpi
    }

    fn release(&self) -> Release {
        Release::new(4, 1)
    }

    /// Since 5.0 HAN has a higher priority; HCOLL and UCC have one wherever they are built in.
    fn switches(&self) -> &'static [&'static str] {
        &[
            "OMPI_MCA_coll_han_priority=0",
            "OMPI_MCA_coll_hcoll_enable=0",
            "OMPI_MCA_coll_ucc_enable=0",
            "OMPI_MCA_coll_tuned_use_dynamic_rules=1",
        ]
    }

    /// With a file for HAN, a deployment keeps it, and with it the calls that rules leave to the library.
    fn other_default(&self, release: Option<Release>) -> Option<(&'static str, &'static [&'static str])> {
        let (_, others) = self.switches().split_first()?;
        release.is_none_or(|release| release >= HAN_RULES_SINCE).then_some((WITH_HAN, others))
    }

    fn force(&self, collective: &str, algorithm: &Algorithm, segment: u64) -> Vec<String> {
        let number = algorithm.number.unwrap_or(0);
        let mut variables = vec![format!("OMPI_MCA_coll_tuned_{collective}_algorithm={number}")];
        if algorithm.is_segmented() {
            variables.push(format!("OMPI_MCA_coll_tuned_{collective}_algorithm_segmentsize={segment}"));
        }
        variables
    }

    fn limit(&self, collective: &str, requests: u64) -> Option<String> {
        Some(format!("OMPI_MCA_coll_tuned_{collective}_algorithm_max_requests={requests}"))
    }
}
