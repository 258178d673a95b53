//! Weka, with whose J48 the C4.5 encoder is compared.

use std::path::Path;

use xtask::packages::Machine;

/// The files of Debian's package `weka` that its J48 needs.
const JARS: [&str; 2] = ["/usr/share/java/weka.jar", "/usr/share/java/cup_runtime.jar"];

/// Returns the class path of Weka, or what is missing.
pub(crate) fn class_path(machine: Machine) -> Result<String, String> {
    if let Ok(given) = std::env::var("WEKA") {
        return Ok(given);
    }
    machine.command("java", &["default-jre-headless"])?;
    let all_there = || JARS.iter().all(|jar| Path::new(jar).exists());
    machine.packages(&["weka", "cup"], || all_there().then(|| JARS.join(":")))
}
