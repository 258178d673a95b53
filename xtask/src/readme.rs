//! The console blocks of the READMEs, run as they are printed: `cargo xtask readme`.
//!
//! They are run in a fresh clone, where nothing has been built. What needs a cluster runs with stubs.

mod console;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use xtask::outcome::Outcome;
use xtask::run::root;

/// The READMEs with console blocks. Commands of those of published packages are run in another folder than the sources.
const READMES: [&str; 5] = [
    "README.md",
    "examples/general/README.md",
    "examples/kernels/README.md",
    "qt-cli/README.md",
    "mpi/command/README.md",
];

/// Commands that are not repeated here: the tests themselves, which `.ci/run` runs.
const ELSEWHERE: [&str; 1] = ["cargo xtask test"];

/// The installation of the command, which needs no other build than the demo.
const INSTALL: &str = "cargo install --path qt-cli --locked";

/// The programs have little to do, and other steps build them as they are released. Benchmarks refuse times that are disturbed, and the
/// longer they take, the more are.
const BUILT_QUICKLY: [(&str, &str); 2] =
    [("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"), ("CARGO_PROFILE_BENCH_OPT_LEVEL", "1")];

/// What a benchmark says if other programs had the processor, and how often and after what time it is repeated then.
const BUSY: &str = "the machine was busy";
const PATIENCE: usize = 5;
const PAUSE: Duration = Duration::from_secs(20);

const OSU: &str = include_str!("readme/stubs/osu");

/// Programs of a cluster, and one that installs packages.
const STUBS: [(&str, &str); 6] = [
    ("sbatch", include_str!("readme/stubs/sbatch")),
    ("srun", include_str!("readme/stubs/srun")),
    ("mpirun", include_str!("readme/stubs/mpirun")),
    ("sudo", include_str!("readme/stubs/sudo")),
    ("osu_bcast", OSU),
    ("osu_allreduce", OSU),
];

/// Runs the commands of every README.
pub(crate) fn check() -> Result<Outcome, String> {
    let clone = Clone::new().map_err(|error| format!("the sources cannot be cloned: {error}"))?;
    let mut count = 0;
    for readme in READMES {
        let text = fs::read_to_string(root().join(readme)).map_err(|error| format!("{readme}: {error}"))?;
        let commands = console::commands(&text).map_err(|fault| format!("{readme}: {fault}"))?;
        let is_published = readme.starts_with("qt-") || readme.starts_with("mpi/");
        let folder = if is_published { clone.elsewhere(readme) } else { Ok(clone.sources()) };
        let folder = folder.map_err(|error| error.to_string())?;
        for command in commands.iter().filter(|command| !ELSEWHERE.contains(&command.as_str())) {
            println!("$ {command}");
            clone.run(&folder, command).map_err(|fault| format!("{readme}: `{command}` {fault}"))?;
            count += 1;
        }
    }
    Ok(Outcome::Held(format!("{count} commands of {} READMEs run in a fresh clone", READMES.len())))
}

/// A fresh clone, and the stubs, in a temporary folder.
struct Clone {
    folder: PathBuf,
}

impl Drop for Clone {
    fn drop(&mut self) {
        // What cannot be removed is in the system's folder for temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Clone {
    /// Copies what git would commit now.
    fn new() -> std::io::Result<Self> {
        let name = format!("qtdec-readme-{}", std::process::id());
        let clone = Self { folder: std::env::temp_dir().join(name) };
        fs::create_dir(&clone.folder)?;
        for file in sources()? {
            let target = clone.sources().join(&file);
            fs::create_dir_all(target.parent().expect("it lies in the clone"))?;
            fs::copy(root().join(&file), target)?;
        }
        let stubs = clone.stubs();
        fs::create_dir(&stubs)?;
        for (name, text) in STUBS {
            fs::write(stubs.join(name), text)?;
            #[cfg(unix)]
            fs::set_permissions(stubs.join(name), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        }
        Ok(clone)
    }

    fn sources(&self) -> PathBuf {
        self.folder.join("qtdec")
    }

    /// Makes an empty folder.
    fn elsewhere(&self, readme: &str) -> std::io::Result<PathBuf> {
        let folder = self.folder.join(readme.replace('/', "-"));
        fs::create_dir(&folder)?;
        Ok(folder)
    }

    fn stubs(&self) -> PathBuf {
        self.folder.join("stubs")
    }

    /// Runs a command, and again if it is a benchmark that the steps beside this one disturbed: it says so, and writes no map.
    fn run(&self, folder: &Path, command: &str) -> Result<(), String> {
        let mut done = self.run_once(folder, command);
        for _ in 0..PATIENCE {
            if !done.as_ref().is_err_and(|fault| fault.contains(BUSY)) {
                break;
            }
            println!("{BUSY}");
            std::thread::sleep(PAUSE);
            done = self.run_once(folder, command);
        }
        done
    }

    /// Runs a command, which may use the stubs and what was installed before.
    fn run_once(&self, folder: &Path, command: &str) -> Result<(), String> {
        let installed = self.folder.join("installed");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = [installed.join("bin"), self.stubs()].into_iter().chain(std::env::split_paths(&path));
        let mut bash = Command::new("bash");
        bash.args(["-e", "-c", &self.with_own_packages(command)]).current_dir(folder).stdin(Stdio::null());
        bash.env("PATH", std::env::join_paths(path).map_err(|error| error.to_string())?);
        bash.envs(BUILT_QUICKLY);
        bash.env("CARGO_INSTALL_ROOT", installed).env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS");
        let output = bash.output().map_err(|error| format!("does not start: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            let _ = std::io::stdout().write_all(&output.stdout);
            return Err(format!("ends with {}\n{said}", output.status));
        }
        if command == INSTALL && said.contains("Compiling") {
            return Err(format!("compiles again what was built for the command before\n{said}"));
        }
        Ok(())
    }

    /// Replaces packages of the registry by those of the clone, which are newer.
    fn with_own_packages(&self, command: &str) -> String {
        let Some(installed) = command.strip_prefix("cargo install --locked ") else {
            return command.to_owned();
        };
        let (package, options) = installed.split_once(' ').unwrap_or((installed, ""));
        let folder = match package {
            "qtdec-mpi" => "mpi/command".to_owned(),
            _ => package.replacen("qtdec-mpi-", "mpi/", 1).replacen("qtdec-", "qt-", 1),
        };
        format!("cargo install --locked --path {}/{folder} {options}", self.sources().display())
    }
}

/// Returns the files that git has or would add, except deleted ones.
fn sources() -> std::io::Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    // The sources of a container may belong to another user.
    git.args(["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = git.current_dir(root()).output()?;
    if !output.status.success() {
        return Err(std::io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let files = names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from);
    Ok(files.filter(|file| root().join(file).is_file()).collect())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::fs;
    use std::path::Path;

    use serde_json::Value;

    use super::{READMES, console};
    use xtask::run::{cargo, root};

    #[test]
    fn every_console_block_can_be_run_as_it_is_printed() {
        for readme in READMES {
            let text = fs::read_to_string(root().join(readme)).unwrap();
            assert!(!console::commands(&text).unwrap().is_empty(), "{readme}");
        }
        for package in packages() {
            let readme = package["readme"].as_str().unwrap_or_default();
            let Ok(text) = fs::read_to_string(folder(&package).join(readme)) else { continue };
            if text.contains("```console") {
                let name = folder(&package).join(readme);
                let name = name.strip_prefix(root()).unwrap().display().to_string();
                assert!(READMES.contains(&&*name), "{name} has console blocks and is not in the list");
            }
        }
    }

    /// Runs `cargo run` in a workspace with the same default members, each with one binary more than it has.
    #[test]
    fn cargo_run_is_the_command_whatever_binaries_are_added() {
        let copy = tempfile::tempdir().unwrap();
        let members: Vec<Value> = packages();
        let defaults = default_members();
        let mut listed = String::new();
        for package in members.iter().filter(|package| defaults.contains(&package["id"])) {
            let name = package["name"].as_str().unwrap();
            let folder = copy.path().join(name);
            fs::create_dir_all(folder.join("src")).unwrap();
            let mut manifest = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n");
            if let Some(run) = package["default_run"].as_str() {
                writeln!(manifest, "default-run = \"{run}\"").unwrap();
            }
            let targets = package["targets"].as_array().unwrap().iter();
            let own =
                targets.filter(|target| target["kind"][0] == "bin").map(|target| target["name"].as_str());
            let added = format!("{name}-added");
            for binary in own.flatten().chain([&*added]) {
                write!(manifest, "[[bin]]\nname = \"{binary}\"\npath = \"src/{binary}.rs\"\n").unwrap();
                let source = format!("fn main() {{ println!(\"{binary}\") }}");
                fs::write(folder.join(format!("src/{binary}.rs")), source).unwrap();
            }
            fs::write(folder.join("Cargo.toml"), manifest).unwrap();
            write!(listed, "\"{name}\", ").unwrap();
        }
        let manifest = format!("[workspace]\nmembers = [{listed}]\nresolver = \"3\"\n");
        fs::write(copy.path().join("Cargo.toml"), manifest).unwrap();
        let mut run = cargo(["run", "--quiet", "--offline", "--target-dir", "target"]);
        let output = run.current_dir(copy.path()).output().unwrap();
        let (said, fault) = (String::from_utf8(output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(said.as_deref(), Ok("qtdec\n"), "{fault}");
    }

    fn metadata() -> Value {
        let output = cargo(["metadata", "--format-version=1", "--no-deps"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn packages() -> Vec<Value> {
        metadata()["packages"].as_array().unwrap().clone()
    }

    fn default_members() -> Vec<Value> {
        metadata()["workspace_default_members"].as_array().unwrap().clone()
    }

    fn folder(package: &Value) -> &Path {
        Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap()
    }
}
