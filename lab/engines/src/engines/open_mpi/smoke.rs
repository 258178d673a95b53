//! The smoke test of Open MPI's tuning files.

use std::path::Path;
use std::process::Command;

use qtdec_mpi_library::catalogue::{Release, open_mpi::COLLECTIVES};

use super::nodes::Nodes;
use crate::engines::installed::Installed;
use crate::engines::smoke::{Bad, Deployed, RANKS, prove};

const ALGORITHMS: [(&str, [&str; 2]); 2] =
    [("bcast", ["binomial", "chain"]), ("allreduce", ["recursive_doubling", "ring"])];

/// Checks smoke tests on nodes, also one with HAN where the release has it and they are two.
pub(super) fn test(installed: &Installed, nodes: &Nodes, folder: &Path) -> Result<String, String> {
    let release = installed.release;
    let named = release.to_string();
    let keeps_han = release >= Release::new(5, 0) && matches!(nodes, Nodes::Two(_));
    let own = if keeps_han { "default-han" } else { "default" };
    let format = ["open-mpi", "open-mpi.conf"];
    let deployed = Deployed {
        format,
        options: &["--release", &named],
        own,
        algorithms: ALGORITHMS,
        ranks: &[2, 3, RANKS],
    };
    let lacked = lacked(release);
    let bad: [Bad<'_>; 5] = [
        ("for another release", &|_| lacked.clone(), "is the first release that has it"),
        (
            "truncated",
            &|text| {
                text.rsplit_once("# message sizes").map_or_else(String::new, |(start, _)| start.to_owned())
            },
            "the file ends where",
        ),
        (
            "one with a wrong count",
            &|text| text.replace("2 # collectives", "1 # collectives"),
            "the counts end before it",
        ),
        (
            "one with an unknown algorithm",
            &|text| text.replace(" 6 0 0 # binomial", " 66 0 0"),
            "bcast has no algorithm 66",
        ),
        (
            "one with an unknown collective",
            &|text| text.replace("7 # bcast", "77"),
            "collective 77 does not exist",
        ),
    ];
    let launch = |command: &mut Command, preloaded: Option<&Path>| {
        command.args(["--allow-run-as-root", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]);
        command.args(["-np", &RANKS.to_string()]);
        nodes.place(command, release, RANKS);
        if let Some(library) = preloaded {
            command.args(["-x", &format!("LD_PRELOAD={}", library.display())]);
        }
    };
    let tested = prove(installed, &deployed, &bad, folder, launch)?;
    if folder.join("tuned/open-mpi-han.conf").exists() != keeps_han {
        return Err(format!("with the default {own}, there is no file for HAN, or one that is not read"));
    }
    Ok(if keeps_han { format!("{tested}, with HAN on two nodes") } else { tested })
}

/// Returns a file with an algorithm that a release lacks.
fn lacked(release: Release) -> String {
    let each =
        COLLECTIVES.iter().flat_map(|known| known.algorithms.iter().map(move |algorithm| (known, algorithm)));
    let later = each.filter(|(_, algorithm)| !algorithm.is_in(Some(release)));
    let numbers = later.filter_map(|(known, algorithm)| Some((known.number?, algorithm.number?)));
    let first = numbers
        .map(|(collective, algorithm)| format!("1\n{collective}\n1\n0\n1\n0 {algorithm} 0 0\n"))
        .next();
    first.unwrap_or_default()
}
