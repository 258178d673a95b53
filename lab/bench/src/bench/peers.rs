//! Other tools that compile trees, given a tree of the same map: tl2cgen, m2cgen and emlearn, from Python's package index.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use qtdec_core::{Borders, DecisionMap};

use super::forms::{Form, Linked};
use super::program::{compile, sizes};
use xtask::files;
use xtask::run::{root, target};

/// The measured versions.
const PACKAGES: [&str; 5] =
    ["tl2cgen==1.0.0", "treelite==4.8.1", "m2cgen==0.10.0", "emlearn==0.23.2", "scikit-learn==1.9.1"];

const NAMES: [&str; 3] = ["tl2cgen", "m2cgen", "emlearn"];

/// Returns the Python that has the tools, or `None` if they are not available.
pub(super) fn python() -> Option<PathBuf> {
    let folder = target().join("bench-python");
    let python = folder.join("bin/python");
    let installed = folder.join("installed");
    let wanted = PACKAGES.join(" ");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Some(python);
    }
    let run =
        |command: &mut Command| command.stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    let made = run(Command::new("python3").args(["-m", "venv"]).arg(&folder))
        && run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(PACKAGES));
    (made && fs::write(&installed, wanted).is_ok()).then_some(python)
}

/// Returns the code of each tool for this map, compiled by gcc.
pub(super) fn forms(map: &DecisionMap, python: &Path, folder: &Path) -> Result<Vec<Form>, String> {
    files::folder(folder)?;
    let script = root().join("lab/bench/src/bench/peers.py");
    let mut child = Command::new(python)
        .arg(script)
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(rows(map).as_bytes()).map_err(|error| error.to_string())?;
    drop(stdin);
    if !child.wait().is_ok_and(|status| status.success()) {
        return Err("peers.py failed".to_owned());
    }
    NAMES.into_iter().map(|name| form(name, folder)).collect()
}

/// Returns every sample with the size below the next one, so that a threshold half-way between two rows agrees with the map.
fn rows(map: &DecisionMap) -> String {
    let sizes = map.domain().axes().iter().map(|axis| {
        let values = axis.values().expect("the maps have sizes");
        let below = values.iter().skip(1).map(|value| value - 1);
        let mut sizes: Vec<u64> = values.iter().copied().chain(below).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    });
    let sizes: Vec<Vec<u64>> = sizes.collect();
    let mut rows = String::new();
    for &comm_size in &sizes[0] {
        for &msg_size in &sizes[1] {
            let method = map.decide(&[comm_size, msg_size], Borders::Floor).expect("the maps are full");
            writeln!(rows, "{comm_size} {msg_size} {}", method.get())
                .expect("writing to a string cannot fail");
        }
    }
    rows
}

fn form(name: &str, folder: &Path) -> Result<Form, String> {
    let own = folder.join(name);
    let include = files::read(folder.join("emlearn/include"))?;
    let entries = fs::read_dir(&own).map_err(|error| error.to_string())?;
    let mut sources: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    let mut archive = Command::new("ar");
    archive.arg("rcs").arg(own.join(format!("libpeer_{name}.a")));
    let (mut seconds, mut text, mut data) = (0.0, 0, 0);
    for source in sources {
        let object = source.with_extension("o");
        seconds += compile(
            Command::new("gcc").args(["-O3", "-c", "-I", include.trim(), "-o"]).arg(&object).arg(&source),
        )?;
        let (own_text, own_data) = sizes(&object).unwrap_or_default();
        text += own_text;
        data += own_data;
        archive.arg(object);
    }
    compile(&mut archive)?;
    let source = format!(
        "unsafe extern \"C\" {{ fn peer_{name}(comm_size: u64, msg_size: u64) -> u32; }}\n\
         #[inline(never)]\npub fn decide(comm_size: u64, msg_size: u64) -> u32 {{\n    \
         unsafe {{ peer_{name}(comm_size, msg_size) }}\n}}\n"
    );
    let linked = Linked {
        folder: own,
        library: format!("peer_{name}"),
        compiler_seconds: seconds,
        text_bytes: text,
        table_bytes: data,
    };
    let name = name.to_owned();
    Ok(Form { name, source, data: Vec::new(), is_exact: true, linked: Some(linked) })
}
