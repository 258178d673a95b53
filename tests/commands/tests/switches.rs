//! The settings that `qtdec-mpi emit` prints for a file, run by a shell in another folder.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use qtdec_mpi_library::tuning::switches::PLACEHOLDER;

/// Names that a shell must not interpret.
const NAMES: [&str; 7] =
    ["plain", "x y;touch pwn", "FILE", "it's", "a\n# b\ntouch pwn", "$(touch pwn)", "\"é`\\"];

/// The targets with an input, further options, and the variable that should contain the path of the file, or `None`
/// if the file itself sets the variable.
const TARGETS: [(&str, &str, &[&str], Variable); 4] = [
    ("open-mpi", "bcast.json", &[], Variable::Path("OMPI_MCA_coll_tuned_dynamic_rules_filename")),
    ("open-mpi-json", "bcast.json", &[], Variable::Path("OMPI_MCA_coll_tuned_dynamic_rules_filename")),
    (
        "mpich",
        "gather.json",
        &["--into", "whole.json", "--max-comm-size", "3", "--method", "linear=binomial"],
        Variable::Path("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"),
    ),
    (
        "intel-mpi",
        "small-bcast.json",
        &["--method", "linear=shm_flat", "--method", "pipeline=20"],
        Variable::Set("I_MPI_ADJUST_BCAST"),
    ),
];

#[derive(Clone, Copy)]
enum Variable {
    /// The variable contains the path of the file.
    Path(&'static str),
    /// The file sets the variable.
    Set(&'static str),
}

/// Copies the inputs of the transcripts to a folder.
fn inputs(folder: &Path) {
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands.in");
    for name in ["bcast.json", "gather.json", "small-bcast.json", "whole.json"] {
        fs::copy(inputs.join(name), folder.join(name)).unwrap();
    }
}

/// Runs `qtdec-mpi emit`, and returns the shell lines that it prints after its notes and warnings.
fn emit(folder: &Path, target: &str, input: &str, options: &[&str]) -> String {
    let mut command = Command::new(qtdec_commands::qtdec());
    let output = command
        .args(["mpi", "emit", input, "--target", target])
        .args(options)
        .current_dir(folder)
        .output()
        .unwrap();
    let reported = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{target}: {reported}");
    let is_told = |line: &&str| line.starts_with("note: ") || line.starts_with("warning: ");
    let told_first: usize = reported.split_inclusive('\n').take_while(is_told).map(str::len).sum();
    reported[told_first..].to_owned()
}

#[test]
fn a_shell_in_another_folder_makes_the_settings() {
    for (target, input, options, variable) in TARGETS {
        for name in NAMES {
            let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            inputs(folder.path());
            let script = emit(folder.path(), target, input, &[options, &["-o", name]].concat());
            let (Variable::Path(variable_name) | Variable::Set(variable_name)) = variable;
            let run = Command::new("sh")
                .args(["-c", &format!("{script}\nprintenv {variable_name}")])
                .current_dir(elsewhere.path())
                .output()
                .unwrap();
            let (printed, fault) =
                (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap());
            assert!(run.status.success() && fault.is_empty(), "{target}, {name}: {fault}\n{script}");
            let value = printed.strip_suffix('\n').unwrap();
            match variable {
                Variable::Path(_) => {
                    assert_eq!(Path::new(value), folder.path().join(name), "{target}\n{script}");
                    assert!(fs::metadata(value).unwrap().is_file());
                }
                Variable::Set(_) => assert!(value.contains(['1', '9', '@']), "{target}: {value}\n{script}"),
            }
            assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0, "{target}, {name}: {script}");
            let words = shlex::split(&script).expect("quotes match");
            let is_there = |word: &String| word.ends_with(folder.path().join(name).to_str().unwrap());
            assert!(words.iter().any(is_there), "{target}, {name}: {words:?}");
        }
    }
}

#[test]
fn standard_output_has_a_placeholder() {
    let folder = tempfile::tempdir().unwrap();
    inputs(folder.path());
    for (target, input, options, _) in TARGETS {
        let script = emit(folder.path(), target, input, options);
        let words = shlex::split(&script).expect("quotes match");
        let of_placeholder = words.iter().filter(|word| word.ends_with(PLACEHOLDER)).count();
        assert_eq!(of_placeholder, 1, "{target}: {script}");
        assert!(
            script.starts_with(&format!("# replace {PLACEHOLDER} by the path of the file\n")),
            "{script}"
        );
    }
}
