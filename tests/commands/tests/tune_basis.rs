//! `qtdec-mpi tune` names the bytes that message sizes should count, so that the tuning file has the fewest rules.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

/// Returns times of alltoall on 3 to 24 ranks. `pairwise` is the fastest from `border` bytes on, counted by one peer or by all ranks.
fn times(border: u64, counts_total: bool) -> String {
    let mut text = "comm_size,msg_size,algorithm,time\n".to_owned();
    for comm_size in [3, 6, 12, 24] {
        for exponent in 6..18 {
            let block = (1_u64 << exponent) / 24 * 24;
            let counted = if counts_total { block * comm_size } else { block };
            let pairwise = if counted >= border { 1.0 } else { 3.0 };
            for (method, time) in [("default", 4.0), ("pairwise", pairwise), ("modified_bruck", 2.0)] {
                let _ = writeln!(text, "{comm_size},{block},{method},{time}");
            }
        }
    }
    text
}

/// Returns what is said, and the number of rules in the file, for message sizes in `basis`.
fn tuned(times: &str, basis: &str) -> (String, usize) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("times.csv"), times).unwrap();
    let run = |arguments: String| {
        let mut command = Command::new(qtdec_commands::qtdec());
        let output = command.args(arguments.split(' ')).current_dir(folder.path()).output().unwrap();
        let told = String::from_utf8([output.stderr, output.stdout].concat()).unwrap();
        assert!(output.status.success(), "{told}");
        told
    };
    let reading = "--columns method=algorithm --time-unit us --collective alltoall --basis-in block";
    run(format!("read times.csv {reading} --basis {basis} -o canonical.csv"));
    let told = run("mpi tune canonical.csv --library open-mpi -o tuned --verbose".to_owned());
    let file = fs::read_to_string(folder.path().join("tuned/open-mpi.conf")).unwrap();
    let numbers = |line: &&str| line.split('#').next().unwrap_or_default().split_whitespace().count() == 4;
    (told, file.lines().filter(numbers).count())
}

/// Open MPI compares totals, so that a border at a number of blocks is another number for each communicator size.
#[test]
fn the_basis_with_the_fewest_rules_is_named() {
    let times = times(24_000, true);
    let ((said_of_blocks, with_blocks), (said_of_totals, with_totals)) =
        (tuned(&times, "block"), tuned(&times, "total"));
    // Two for the sizes, and one that leaves larger communicators to the library.
    assert_eq!(with_totals, 3, "{said_of_totals}");
    assert!(with_blocks > 20, "{with_blocks}");
    let expected = format!(
        "the tuning file has {with_blocks} rules for it: with message sizes that count the total instead of the block, a tree within the \
         same limits needs {with_totals} (qtdec read --basis total)"
    );
    assert!(said_of_blocks.contains(&expected), "{said_of_blocks}");
    assert!(!said_of_totals.contains("--basis"), "{said_of_totals}");
}
