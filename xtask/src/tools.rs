//! Programs that some tests need and Rust does not bring.

use std::process::{Command, Stdio};

/// Whether a program can be called. Where it cannot, root on Debian or Ubuntu has its package installed.
pub(crate) fn is_there(program: &str, package: &str) -> bool {
    runs(Command::new(program).arg("--version"))
        || is_root() && install(package) && runs(Command::new(program).arg("--version"))
}

fn install(package: &str) -> bool {
    let apt = |arguments: &[&str]| {
        println!("apt-get {}", arguments.join(" "));
        runs(Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    // The list of packages may be old or not there at all.
    let install = ["install", "--yes", "--no-install-recommends", package];
    apt(&install) || apt(&["update"]) && apt(&install)
}

fn is_root() -> bool {
    let user = Command::new("id").arg("--user").stderr(Stdio::null()).output();
    user.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn runs(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
