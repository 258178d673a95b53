//! Finds out whether the compiler has `as_chunks`, which came with Rust 1.88.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(as_chunks)");
    if minor().is_some_and(|minor| minor >= 88) {
        println!("cargo::rustc-cfg=as_chunks");
    }
}

/// Returns the second number of the compiler's version, as in `rustc 1.85.1 (4eb161250 2025-03-15)`.
fn minor() -> Option<u32> {
    let rustc = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let version = String::from_utf8(rustc.stdout).ok()?;
    version.split('.').nth(1)?.parse().ok()
}
