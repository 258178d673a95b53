//! Weka, with whose J48 the C4.5 encoder is compared.

use xtask::machine;

/// The files of Debian's package `weka` that its J48 needs.
const JARS: [&str; 2] = ["/usr/share/java/weka.jar", "/usr/share/java/cup_runtime.jar"];

/// Returns the class path of Weka, or what is missing.
pub(crate) fn class_path() -> Result<String, String> {
    if let Ok(given) = std::env::var("WEKA") {
        return Ok(given);
    }
    machine::command("java")?;
    machine::files(&JARS)?;
    Ok(JARS.join(":"))
}
