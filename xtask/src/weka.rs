//! Weka, whose J48 the C4.5 encoder is compared with.

use std::path::Path;
use std::process::{Command, Stdio};

/// Where Debian's package `weka` puts what its J48 needs.
const JARS: [&str; 2] = ["/usr/share/java/weka.jar", "/usr/share/java/cup_runtime.jar"];

/// The class path of Weka, if Java and Weka are here or can be installed: as root, on Debian and its kin.
pub(crate) fn class_path() -> Result<String, String> {
    if let Ok(given) = std::env::var("WEKA") {
        return Ok(given);
    }
    let is_root = output("id", &["-u"]).is_some_and(|user| user.trim() == "0");
    if !is_here() && is_root && output("apt-get", &["--version"]).is_some() {
        let install = ["install", "--yes", "--no-install-recommends", "default-jre-headless", "weka", "cup"];
        // What went wrong shows below: it is not here then.
        let _ = output("apt-get", &install);
    }
    if is_here() {
        Ok(JARS.join(":"))
    } else {
        Err("Java or Weka is missing; Debian has them as `default-jre-headless`, `weka` and `cup`".to_owned())
    }
}

fn is_here() -> bool {
    JARS.iter().all(|jar| Path::new(jar).exists()) && output("java", &["-version"]).is_some()
}

/// What a command prints, if it is there and goes well.
fn output(command: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(command).args(arguments).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
