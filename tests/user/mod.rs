//! Packages outside the workspace, built by Cargo as a user builds them.

#![allow(dead_code, unreachable_pub)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A user's package.
pub struct Package {
    folder: TempDir,
    name: &'static str,
}

impl Package {
    pub fn new(name: &'static str, dependencies: &str) -> Self {
        let package = Self { folder: tempfile::tempdir().unwrap(), name };
        let root = env!("CARGO_MANIFEST_DIR");
        package.write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n{}\n[workspace]\n",
                dependencies.replace("ROOT", root)
            ),
        );
        // The versions in the workspace's lock file are already on the machine.
        fs::copy(Path::new(root).join("Cargo.lock"), package.path("Cargo.lock")).unwrap();
        package
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn target() -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside")
    }

    /// Runs Cargo on the package; returns whether it succeeded, its standard output and its standard error.
    pub fn cargo(&self, arguments: &[&str]) -> (bool, String, String) {
        self.cargo_with(arguments, None)
    }

    /// Runs Cargo with the options that the compiler keeps for its next versions.
    pub fn nightly(&self, arguments: &[&str]) -> (bool, String, String) {
        self.cargo_with(arguments, Some(("RUSTC_BOOTSTRAP", "1")))
    }

    fn cargo_with(&self, arguments: &[&str], variable: Option<(&str, &str)>) -> (bool, String, String) {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(arguments)
            .env("CARGO_TARGET_DIR", Self::target())
            .env("CARGO_NET_OFFLINE", "true")
            .current_dir(self.folder.path())
            .env_remove("RUSTFLAGS")
            .envs(variable)
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    }

    pub fn run(&self) -> String {
        let (success, stdout, stderr) = self.cargo(&["run", "--quiet"]);
        assert!(success, "{}: {stderr}", self.name);
        assert_eq!(stderr, "", "{} is built without a warning", self.name);
        stdout
    }

    /// Returns whether Cargo has nothing to do.
    pub fn is_fresh(&self) -> bool {
        let (success, _, stderr) = self.cargo(&["build", "--verbose"]);
        assert!(success, "{stderr}");
        stderr.contains(&format!("Fresh {}", self.name))
    }
}
