//! How long broadcasts of two ranks on one machine take by our schedules, over the library's own: in pairs of which either comes first by
//! turns.

use qtdec_mpi_library::catalogue;
use qtdec_mpi_schedule::Collective;
use qtdec_study::study::launch_interval::{LEVEL, LaunchMean};
use xtask::files;

use super::super::preloaded::{LIBRARIES, Program, program};
use super::constant;

const PAIRS: u32 = 300;

const SOURCE: &str = "pairs.c";
const PROGRAMS: [Program; 1] = [(SOURCE, "mpicc", &["-O2"])];

const METHODS: [(&str, Option<u64>); 2] = [("binomial", None), ("pipeline", Some(8192))];
const BYTES: [u32; 3] = [8, 1 << 10, 1 << 16];

/// Measures under Open MPI. Nothing is demanded of the ratios.
pub(in super::super) fn measure() -> Result<String, String> {
    let library = &LIBRARIES[0];
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    library.build(folder.path(), "interposer", &PROGRAMS)?;
    let mut told = Vec::new();
    for (name, segment) in METHODS {
        let trees = folder.path().join(name);
        files::folder(&trees)?;
        let tree = constant(Collective::Bcast, &format!("own_{name}"), segment)?;
        files::write(trees.join("bcast.tree.json"), tree)?;
        let number = catalogue::Library::OpenMpi.find("bcast", name).and_then(|known| known.number);
        let number = number.ok_or_else(|| format!("Open MPI has no broadcast {name}"))?;
        let forced = [
            ("OMPI_MCA_coll_tuned_use_dynamic_rules", "1".to_owned()),
            ("OMPI_MCA_coll_tuned_bcast_algorithm", number.to_string()),
            ("OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize", segment.unwrap_or(0).to_string()),
        ];
        for (what, settings) in [("the library's", &forced[..]), ("its choice", &[])] {
            for bytes in BYTES {
                let mut command = library.run(2, &folder.path().join(program(SOURCE)), "");
                command.args([PAIRS.to_string(), bytes.to_string()]).env("QTDEC_TREES", &trees);
                command.env("LD_PRELOAD", folder.path().join("libqtdec_mpi.so"));
                let output = command.envs(settings.iter().map(|(key, value)| (key, value))).output();
                let output = output.map_err(|error| error.to_string())?;
                let said = String::from_utf8_lossy(&output.stdout);
                let ratios: Vec<f64> = said.lines().filter_map(log_of_ratio).collect();
                let mean = LaunchMean::new(&ratios).filter(|_| ratios.len() == PAIRS as usize);
                let mean = mean.ok_or_else(|| {
                    format!(
                        "{SOURCE} ended with {}: {}",
                        output.status,
                        String::from_utf8_lossy(&output.stderr)
                    )
                })?;
                let [low, high] = mean.ends(LEVEL).map(f64::exp);
                let median = qtdec_core::median(&*ratios).unwrap_or(f64::NAN).exp();
                let mean = mean.mean.exp();
                told.push(format!(
                    "\nour {name} of {bytes} bytes over {what}: {mean:.2} (95 %: {low:.2} to {high:.2}; median {median:.2})"
                ));
            }
        }
    }
    Ok(format!("{PAIRS} pairs each{}", told.concat()))
}

/// Returns the logarithm of the ratio of the two times of a line.
fn log_of_ratio(line: &str) -> Option<f64> {
    let (ours, library) = line.split_once(' ')?;
    Some((ours.parse::<f64>().ok()? / library.parse::<f64>().ok()?).ln())
}
