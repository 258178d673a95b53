//! A simulation that is killed leaves either the old or the new file, and can be restarted. Its output does not depend on the number
//! of threads.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn simulation(folder: &Path, output: &str) -> Command {
    let mut command = Command::new(qtdec_commands::qtdec());
    let arguments =
        "mpi predict grig --collective bcast --comm-size 2..12 --msg-size 1K,64K --segment-size none,1K -o";
    command.args(arguments.split(' ')).arg(output).current_dir(folder).stderr(Stdio::null());
    command
}

#[test]
fn a_file_is_whole_whenever_its_simulation_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("times.csv");
    let start = Instant::now();
    assert!(simulation(folder.path(), "times.csv").status().unwrap().success());
    let took = start.elapsed();
    let whole = fs::read(&path).unwrap();
    let old = b"collective,algorithm\n".to_vec();
    let mut cut = 0;
    for part in 1..=12 {
        fs::write(&path, &old).unwrap();
        let mut child = simulation(folder.path(), "times.csv").spawn().unwrap();
        sleep(took.max(Duration::from_millis(12)) * part / 12);
        // A process that has already ended cannot be killed.
        let _ = child.kill();
        child.wait().unwrap();
        let left = fs::read(&path).unwrap();
        assert!(left == old || left == whole, "killed after {part} of 12 parts: {} bytes", left.len());
        cut += u32::from(left == old);
    }
    assert!(cut > 0, "some were killed in time");
    assert!(simulation(folder.path(), "times.csv").status().unwrap().success());
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let written = |threads: &str| {
        let mut command = simulation(folder.path(), "times.csv");
        command.args(["--noise", "0.1:7", "--algorithms", "linear,binary,pipeline", "--threads", threads]);
        assert!(command.status().unwrap().success());
        fs::read(folder.path().join("times.csv")).unwrap()
    };
    let alone = written("1");
    assert!(alone.starts_with(b"# qtdec-times/1\n") && alone.len() > 1000);
    for threads in ["2", "3", "16"] {
        assert!(written(threads) == alone, "{threads} threads write different bytes than one thread");
    }
}
