//! `qtdec-mpi tune --each`: a folder for each value of a column, of which a job takes its own.

#![cfg(unix)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Returns times at two values of a column, at which different methods are fastest.
fn times(column: &str, [one, other]: [&str; 2]) -> String {
    let mut text = format!(
        "# qtdec-times/1\n# axis msg_size: bytes\n# axis comm_size\n# axis {column}\n\
         msg_size,comm_size,{column},method,collective,basis,launch,repeat,time_us\n"
    );
    for (value, slow) in [(one, "binomial"), (other, "chain")] {
        for (comm_size, launch) in [(16, 1), (32, 1), (16, 2), (32, 2), (16, 3), (32, 3)] {
            for bytes in [64, 4096, 65536] {
                for method in ["default", "binomial", "chain"] {
                    let factor = if method == slow { 1.5 } else { 1.0 };
                    let time =
                        f64::from(launch) / 100.0 + if method == "default" { 40.0 } else { 20.0 * factor };
                    let _ =
                        writeln!(text, "{bytes},{comm_size},{value},{method},bcast,buffer,{launch},1,{time}");
                }
            }
        }
    }
    text
}

fn tune(folder: &Path, each: &str) -> Output {
    let arguments = ["mpi", "tune", "times.csv", "--library", "open-mpi", "--each", each, "-o", "a site"];
    Command::new(qtdec_commands::qtdec()).args(arguments).current_dir(folder).output().unwrap()
}

/// Returns the folder of the rules that a job with these variables takes, and what the script says.
fn taken(folder: &Path, job: &[(&str, &str)]) -> (String, String) {
    let script = ". './a site/switches.sh' && printf %s \"${OMPI_MCA_coll_tuned_dynamic_rules_filename:-}\"";
    let mut shell = Command::new("sh");
    shell.args(["-u", "-c", script]).current_dir(folder).env_clear().envs(job.iter().copied());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let file = String::from_utf8(output.stdout).unwrap();
    let folder = Path::new(&file).parent().and_then(Path::file_name).unwrap_or_default();
    (folder.to_str().unwrap().to_owned(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_job_takes_the_settings_of_its_own_value() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("times.csv"), times("ppn", ["4", "8"])).unwrap();
    let output = tune(folder, "ppn=4,8");
    assert!(output.status.success(), "{output:?}");
    for (ppn, method) in [(4, "chain"), (8, "binomial")] {
        let tree = fs::read_to_string(folder.join(format!("a site/ppn={ppn}/bcast.rs"))).unwrap();
        assert!(tree.contains(method), "{tree}");
    }
    let seen: [(&[(&str, &str)], &str); 6] = [
        (&[("SLURM_NTASKS_PER_NODE", "4")], "ppn=4"),
        (&[("SLURM_TASKS_PER_NODE", "8(x3)")], "ppn=8"),
        (&[("PBS_NUM_PPN", "8")], "ppn=8"),
        (&[("SLURM_NTASKS_PER_NODE", "4"), ("QTDEC_PPN", "8")], "ppn=8"),
        (&[("SLURM_TASKS_PER_NODE", "8(x3),4")], ""),
        (&[], ""),
    ];
    for (job, expected) in seen {
        let (found, said) = taken(folder, job);
        assert_eq!(found, expected, "{job:?}");
        assert_eq!(said.is_empty(), !found.is_empty(), "{said}");
    }
}

#[test]
fn nothing_is_written_if_a_value_has_no_times() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("times.csv"), times("ppn", ["4", "8"])).unwrap();
    let output = tune(folder, "ppn=4,9");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("--where ppn=9 matches no row") && said.contains("are 4, 8"), "{said}");
    assert!(!folder.join("a site").exists());
}

#[test]
fn a_part_with_one_label_has_no_axis_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = times("partition", ["cpu", "gpu"]);
    fs::write(
        folder.join("times.csv"),
        text.replace("# axis partition", "# axis partition\n# label partition: cpu\n# label partition: gpu"),
    )
    .unwrap();
    let output = tune(folder, "partition=cpu,gpu");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(taken(folder, &[("SLURM_JOB_PARTITION", "gpu")]).0, "partition=gpu");
}
