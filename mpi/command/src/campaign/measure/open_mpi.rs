//! Open MPI's component `coll/tuned`, 4.1 and 5.0, and from 5.0 on HAN's choices: `ompi_info --param coll tuned --level 9`.

use qtdec_mpi_library::catalogue::open_mpi::HAN_RULES_SINCE;
use qtdec_mpi_library::catalogue::open_mpi::han::Levels;
use qtdec_mpi_library::catalogue::{Algorithm, Library, Release};

use super::library::MeasuredLibrary;
use qtdec_mpi_library::choice::WITH_HAN;

/// Since 5.0 HAN has a higher priority; HCOLL and UCC have one wherever they are built in.
const SWITCHES: &[&str] = &[
    "OMPI_MCA_coll_han_priority=0",
    "OMPI_MCA_coll_hcoll_enable=0",
    "OMPI_MCA_coll_ucc_enable=0",
    "OMPI_MCA_coll_tuned_use_dynamic_rules=1",
];

pub(super) const OPEN_MPI: MeasuredLibrary = MeasuredLibrary {
    switches: SWITCHES,
    // With a file for HAN, a deployment keeps it, and with it the calls that rules leave to the library.
    other_default: Some((WITH_HAN, SWITCHES.split_at(1).1, HAN_RULES_SINCE)),
    limit: |collective, requests| {
        Some(format!("OMPI_MCA_coll_tuned_{collective}_algorithm_max_requests={requests}"))
    },
    ..MeasuredLibrary::new(
        ("open-mpi", "Open MPI (4.1 and 5.0)"),
        Library::OpenMpi,
        Release::new(4, 1),
        force,
    )
};

/// HAN serves the calls again, with its priority of 5.0: the last of several settings counts.
const HAN_SERVES: &str = "OMPI_MCA_coll_han_priority=35";

fn force(collective: &str, algorithm: &Algorithm, segment: u64) -> Vec<String> {
    if let Some(levels) = Levels::of(algorithm) {
        let parameters = levels.parameters(collective, segment).into_iter();
        let variables = parameters.map(|parameter| format!("OMPI_MCA_{parameter}"));
        return [HAN_SERVES.to_owned()].into_iter().chain(variables).collect();
    }
    let number = algorithm.number.unwrap_or(0);
    let mut variables = vec![format!("OMPI_MCA_coll_tuned_{collective}_algorithm={number}")];
    if algorithm.is_segmented() {
        variables.push(format!("OMPI_MCA_coll_tuned_{collective}_algorithm_segmentsize={segment}"));
    }
    variables
}
