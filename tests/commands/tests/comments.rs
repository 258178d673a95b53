//! Comments at the head of tuning files, read as the libraries read the files: they change nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn qtdec(arguments: &[&str], folder: &Path) -> Output {
    Command::new(qtdec_commands::qtdec()).args(arguments).current_dir(folder).output().unwrap()
}

/// A machine with a name that a reader might take for something else.
fn machine(row: &str) -> String {
    format!("{row} ' \" `touch pwned` $(touch pwned) \\ {}", "long ".repeat(80))
}

/// Tunes times of three launches of two collectives, in which the second method takes half of the default's time, and returns the folder of the set.
fn tuned(library: &str, methods: [&str; 2], row: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut times = format!(
        "# qtdec-times/1\n# machine: {}\n# library: Any 1.3.0\n# axis comm_size: ranks\n# axis msg_size: bytes\n\
         comm_size,msg_size,method,collective,basis,launch,repeat,time_us\n",
        machine(row)
    );
    for (collective, method) in [("allreduce", methods[0]), ("bcast", methods[1])] {
        for (launch, noise) in [(1, 0.0), (2, 0.03), (3, 0.01)] {
            for (size, factor) in [(64, 0.5), (1024, 2.0), (65536, 0.5)] {
                for (method, time) in [("default", 10.0 + noise), (method, 10.0 * factor - noise)] {
                    let _ = writeln!(times, "4,{size},{method},{collective},buffer,{launch},1,{time}");
                }
            }
        }
    }
    fs::write(folder.path().join("times.csv"), times).unwrap();
    let tune = ["mpi", "tune", "times.csv", "--library", library, "-o", "tuned", "--baseline", "default"];
    let output = qtdec(&tune, folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

/// Returns the text without the lines that begin with `#`, and asserts that there are comments at its head.
fn without_comments(text: &str) -> String {
    assert!(text.starts_with("# machine: ") && text.contains("\n# bcast: measured at "), "{text}");
    text.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect()
}

/// Returns the variables that a shell has after it has read a file.
fn variables(file: &Path, prefix: &str) -> BTreeMap<String, String> {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", ". \"$0\" && env -0"])
        .arg(file)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap());
    let output = shell.current_dir(file.parent().unwrap()).output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let all = String::from_utf8(output.stdout).unwrap();
    let all = all.split('\0').filter_map(|variable| variable.split_once('='));
    all.filter(|(name, _)| name.starts_with(prefix))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Intel MPI has no file of this kind: a shell sets its variables.
#[test]
fn a_shell_sets_the_same_variables() {
    for row in ["\"; export I_MPI_ADJUST_BCAST=9", "'; export I_MPI_ADJUST_BCAST=9"] {
        let folder = tuned("intel-mpi", ["recursive_doubling", "binomial"], row);
        let file = folder.path().join("tuned/intel-mpi.sh");
        let text = fs::read_to_string(&file).unwrap();
        let plain = folder.path().join("plain.sh");
        fs::write(&plain, without_comments(&text)).unwrap();
        let found = variables(&file, "I_MPI_");
        assert!(!found.is_empty() && found.values().all(|value| value.contains("257")), "{found:?}");
        assert_eq!(found, variables(&plain, "I_MPI_"), "{text}");
        assert!(!folder.path().join("pwned").exists() && !folder.path().join("tuned/pwned").exists());
        // Our own reader finds what the shell sets.
        let quoted: Vec<String> =
            found.iter().map(|(name, value)| format!("export {name}='{value}'\n")).collect();
        assert!(quoted.iter().all(|line| text.contains(line)), "{quoted:?} {text}");
    }
}

/// A format is recognised by what follows the comments, however many there are and whatever they name.
#[test]
fn comments_do_not_hide_the_format() {
    for (library, methods, file, row) in [
        ("intel-mpi", ["recursive_doubling", "binomial"], "intel-mpi.sh", "1 # collectives"),
        ("open-mpi", ["ring", "binomial"], "open-mpi.conf", "I_MPI_ADJUST_BCAST"),
    ] {
        let folder = tuned(library, methods, row);
        let path = folder.path().join("tuned").join(file);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{}{text}", format!("# {row} {}\n", "x".repeat(100)).repeat(60))).unwrap();
        let imported =
            qtdec(&["mpi", "import", &format!("tuned/{file}"), "--collective", "bcast"], folder.path());
        let map = String::from_utf8_lossy(&imported.stdout).into_owned();
        let error = String::from_utf8_lossy(&imported.stderr).into_owned();
        assert!(imported.status.success() && map.contains(methods[1]), "{library}: {error} {map}");
    }
}

/// JSON has no comments, so they stand in the script beside the file.
#[test]
fn the_release_of_a_json_file_is_that_of_its_script() {
    let folder = tuned("open-mpi-json", ["ring", "binomial"], "grig");
    let check = || {
        let output = qtdec(&["mpi", "check", "tuned/open-mpi-json.json"], folder.path());
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let script = folder.path().join("tuned/switches.sh");
    let written = fs::read_to_string(&script).unwrap();
    let told = "was made from times of Any 1.3.0, and is checked for Open MPI 6.0";
    assert!(check().contains(told), "{}", check());
    fs::write(&script, written.replace("Any 1.3.0", "Open MPI 6.0.1")).unwrap();
    assert!(!check().contains("was made from times"), "{}", check());
    // The script of another file says nothing about this one.
    fs::write(&script, written.replace("open-mpi-json.json", "other.json")).unwrap();
    assert!(!check().contains("was made from times"), "{}", check());
    fs::remove_file(&script).unwrap();
    assert!(!check().contains("was made from times"), "{}", check());
}
