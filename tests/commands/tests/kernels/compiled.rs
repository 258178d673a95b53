//! Trees of fitted times as Rust and C: the same answers as the tree's at every breakpoint, and less than 64 KiB of code and data.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use qtdec_build::ItemOptions;
use qtdec_core::DecisionTree;
use qtdec_terminal::c_header::{Shape, header};
use qtdec_testkit::proof;

/// The maximum size of the code and data of a function, in bytes.
const MOST_BYTES: u64 = 64 << 10;

/// Asks at every combination of the sizes in a file, and writes the numbers of the kernels.
const RUST: &str = r#"fn main() {
    let asked = std::fs::read_to_string("asked").unwrap();
    let axes: Vec<Vec<u64>> =
        asked.lines().map(|line| line.split(' ').skip(1).map(|size| size.parse().unwrap()).collect()).collect();
    let mut answers = Vec::new();
    for &m in &axes[0] {
        for &k in &axes[1] {
            for &n in &axes[2] {
                answers.push(decision::kernel(m, k, n) as u8);
            }
        }
    }
    std::fs::write("answers.rust", answers).unwrap();
}
"#;

const C: &str = r#"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int kernel(uint64_t m, uint64_t k, uint64_t n);

int main(void) {
    FILE *asked = fopen("asked", "r"), *answers = fopen("answers.c", "w");
    uint64_t *sizes[3], count[3];
    for (int axis = 0; axis < 3; axis++) {
        if (fscanf(asked, "%" SCNu64, &count[axis]) != 1) return 1;
        sizes[axis] = malloc(count[axis] * sizeof(uint64_t));
        for (uint64_t at = 0; at < count[axis]; at++)
            if (fscanf(asked, "%" SCNu64, &sizes[axis][at]) != 1) return 1;
    }
    for (uint64_t m = 0; m < count[0]; m++)
        for (uint64_t k = 0; k < count[1]; k++)
            for (uint64_t n = 0; n < count[2]; n++)
                putc(kernel(sizes[0][m], sizes[1][k], sizes[2][n]), answers);
    return fclose(answers);
}
"#;

/// The last size below each border of the tree on an axis, the first one above it, and the ends.
fn breakpoints(tree: &DecisionTree) -> Vec<Vec<u64>> {
    let of_axis = |borders: Vec<u64>| {
        let mut sizes: Vec<u64> = borders.iter().flat_map(|border| [border - 1, *border]).collect();
        sizes.extend([0, u64::MAX]);
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    };
    proof::of_tree(tree).into_iter().map(of_axis).collect()
}

fn compiled(command: &mut Command, folder: &Path) {
    let Output { status, stderr, .. } = command.current_dir(folder).output().unwrap();
    assert!(status.success(), "{command:?}: {}", String::from_utf8_lossy(&stderr));
}

/// Checks the sum of the sections with code and data, if there is a program that prints them.
fn check_size(folder: &Path, object: &str) {
    let Ok(printed) = Command::new("size").arg(object).current_dir(folder).output() else { return };
    let printed = String::from_utf8(printed.stdout).unwrap();
    let numbers = printed.lines().nth(1).unwrap().split_whitespace();
    let bytes: u64 = numbers.take(3).map(|number| number.parse::<u64>().unwrap()).sum();
    assert!(bytes <= MOST_BYTES, "{object} has {bytes} bytes");
}

fn rust(tree: &DecisionTree, folder: &Path) {
    let options = ItemOptions { parameter_type: "u64".to_owned(), ..ItemOptions::named("kernel") };
    let text = options.file(tree, "kernels").unwrap();
    // The number of a variant is that of its method.
    let variant = |label: String| text.find(&format!("/// `{label}`.")).unwrap();
    assert!(tree.domain().methods().iter().map(|method| variant(method.label())).is_sorted());
    fs::write(folder.join("decision.rs"), text).unwrap();
    fs::write(folder.join("main.rs"), RUST).unwrap();
    let rustc = || {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args(["--edition=2024", "-Copt-level=2", "-Ccodegen-units=1"]);
        rustc
    };
    compiled(rustc().args(["--crate-type=rlib", "--emit=obj,link", "decision.rs"]), folder);
    check_size(folder, "decision.o");
    compiled(rustc().args(["--extern=decision=libdecision.rlib", "-orust", "main.rs"]), folder);
    compiled(&mut Command::new("./rust"), folder);
}

fn c(tree: &DecisionTree, folder: &Path) {
    fs::write(folder.join("decision.h"), header(tree, "kernel", "kernels", Shape::Branches)).unwrap();
    let function = "#include \"decision.h\"\nint kernel(uint64_t m, uint64_t k, uint64_t n);\n\
                    int kernel(uint64_t m, uint64_t k, uint64_t n) { return kernel_decide(m, k, n); }\n";
    fs::write(folder.join("kernel.c"), function).unwrap();
    fs::write(folder.join("main.c"), C).unwrap();
    let cc = || {
        let mut cc = Command::new("cc");
        cc.args(["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror"]);
        cc
    };
    compiled(cc().args(["-c", "kernel.c"]), folder);
    check_size(folder, "kernel.o");
    compiled(cc().args(["-oask", "main.c", "kernel.o"]), folder);
    compiled(&mut Command::new("./ask"), folder);
}

/// Asks the functions at every combination of the breakpoints of all axes, between which neither the tree's answer nor that of code
/// with the same borders changes.
pub(super) fn check(tree: &DecisionTree) {
    let axes = breakpoints(tree);
    let [of_m, of_k, of_n] = &axes[..] else { panic!("the axes are m, k and n") };
    let mut expected = Vec::with_capacity(of_m.len() * of_k.len() * of_n.len());
    for &m in of_m {
        for &k in of_k {
            expected.extend(of_n.iter().map(|&n| tree.decide(&[m, k, n]).unwrap().get() as u8));
        }
    }
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let mut asked = String::new();
    for sizes in &axes {
        let written: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        writeln!(asked, "{} {}", sizes.len(), written.join(" ")).unwrap();
    }
    fs::write(folder.join("asked"), asked).unwrap();
    rust(tree, folder);
    let mut languages = vec!["rust"];
    let version = Command::new("cc").arg("--version").stdout(Stdio::null()).status();
    if version.is_ok_and(|status| status.success()) {
        c(tree, folder);
        languages.push("c");
    } else {
        eprintln!("skipped: there is no C compiler");
    }
    for language in languages {
        let answers = fs::read(folder.join(format!("answers.{language}"))).unwrap();
        assert_eq!(answers.len(), expected.len(), "{language}");
        let wrong = answers.iter().zip(&expected).filter(|(found, expected)| found != expected).count();
        assert_eq!(wrong, 0, "{language}, at {} combinations of breakpoints", expected.len());
    }
}
