//! The smoke test of MPICH's selection files.

use std::path::Path;
use std::process::Command;

use super::whole;
use crate::engines::installed::Installed;
use crate::engines::smoke::{Bad, Deployed, RANKS, prove};
use qtdec_mpi_library::catalogue::Release;
use xtask::files;

pub(super) fn test(installed: &Installed, folder: &Path) -> Result<String, String> {
    let release = installed.release;
    files::write(folder.join("whole.json"), whole(release)?)?;
    let deployed = Deployed {
        format: ["mpich", "mpich.json"],
        options: &["--into", "whole.json", "--release", &release.to_string()],
        own: "default",
        algorithms: [
            ("bcast", ["binomial", "scatter_ring_allgather"]),
            ("allreduce", ["recursive_doubling", "reduce_scatter_allgather"]),
        ],
        ranks: &[2, 3, RANKS],
    };
    let names = ["MPIR_Barrier_intra_dissemination", "MPIR_Barrier_intra_k_dissemination"];
    let [own, other] = if release < Release::new(5, 0) { names } else { [names[1], names[0]] };
    let limit = |text: &str| text.replacen("msg_size<=", "msg_size<=x", 1);
    let bad: [Bad<'_>; 4] = [
        ("for another release", &|text| text.replace(own, other), other),
        ("truncated", &|text| text[..text.len() / 2].to_owned(), "not JSON"),
        ("one with a wrong limit", &limit, "is read as 0"),
        (
            "one with an unknown algorithm",
            &|text| text.replace("Bcast_intra_binomial", "Bcast_intra_b"),
            "MPIR_Bcast_intra_b",
        ),
    ];
    let launch = |command: &mut Command, preloaded: Option<&Path>| {
        command.args(["-np", &RANKS.to_string()]);
        if let Some(library) = preloaded {
            command.args(["-genv", "LD_PRELOAD"]).arg(library);
        }
    };
    prove(installed, &deployed, &bad, folder, launch)
}
