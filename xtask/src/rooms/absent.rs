//! What is deliberately absent from rooms, by the second table of ARCHITECTURE.md.

use std::path::{Path, PathBuf};

use super::modules::{Modules, Parts};

/// The head of the table.
const HEAD: &str = "| room | absent |";

/// A room, and the paths and macros that its files do not name.
pub(super) struct Absent {
    room: String,
    paths: Vec<Parts>,
}

/// Reads the table with the head `| room | absent |`. A path may be that of a module, such as `std::fs`, or the name of a macro;
/// a `*` at its end stands for any rest of its last name. A row may list several rooms.
pub(super) fn parse(text: &str) -> Result<Vec<Absent>, String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(HEAD));
    lines.next().ok_or_else(|| format!("ARCHITECTURE.md has no table that begins `{HEAD}`"))?;
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    Ok(rows.flat_map(row).collect())
}

fn row(line: &str) -> Vec<Absent> {
    let mut columns = line.trim_matches('|').split('|').map(|column| column.split('`').skip(1).step_by(2));
    let rooms = columns.next().into_iter().flatten();
    let parts = |path: &str| path.split("::").map(str::to_owned).collect();
    let paths: Vec<Parts> = columns.next().into_iter().flatten().map(parts).collect();
    rooms.map(|room| Absent { room: room.to_owned(), paths: paths.clone() }).collect()
}

impl Absent {
    /// Returns whether a file belongs to the room, such as `qt-study/src/study/claim.rs` to `qt-study/study`.
    fn contains(&self, file: &Path) -> bool {
        let module: PathBuf = file.with_extension("").iter().filter(|part| *part != "src").collect();
        module.starts_with(&self.room)
    }

    /// Returns what the modules of a crate name although it is to be absent. `is_used` learns that the room has a file.
    pub(super) fn faults(&self, modules: &Modules, is_used: &mut bool) -> Vec<String> {
        let mut faults = Vec::new();
        for module in modules.values().filter(|module| self.contains(&module.file)) {
            *is_used = true;
            let imports = module.imports.iter().map(|import| &import.path);
            for absent in &self.paths {
                let names = |path: &Parts| is_inside(path, absent);
                let is_named = imports.clone().chain(&module.paths).any(names)
                    || matches!(&absent[..], [name] if module.names.contains(name));
                if is_named {
                    let file = module.file.display();
                    let (room, absent) = (&self.room, absent.join("::"));
                    faults.push(format!(
                        "{file}: `{room}` has `{absent}`, which ARCHITECTURE.md says is absent from it"
                    ));
                }
            }
        }
        faults
    }

    pub(super) fn room(&self) -> &str {
        &self.room
    }
}

/// Returns whether a path leads to what is to be absent, or into it.
fn is_inside(path: &[String], absent: &[String]) -> bool {
    let is_part = |(part, absent): (&String, &String)| match absent.strip_suffix('*') {
        Some(beginning) => part.starts_with(beginning),
        None => part == absent,
    };
    path.len() >= absent.len() && path.iter().zip(absent).all(is_part)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::parse;
    use crate::rooms::modules::modules;

    const TABLE: &str = "| room | absent | because |\n|---|---|---|\n| `a/pure` | `std::fs`, `println`, `gauge*` | it is pure |\n";

    /// Returns the faults of a crate whose module `pure` has this text, and whether the room has a file.
    fn faults(text: &str) -> (Vec<String>, bool) {
        let read = |path: &Path| match path.to_str() {
            Some("a/src/lib.rs") => Some("mod pure; mod rim;".to_owned()),
            Some("a/src/pure.rs") => Some(text.to_owned()),
            Some("a/src/rim.rs") => Some("use std::fs; fn f() { println!(); }".to_owned()),
            _ => None,
        };
        let modules = modules(Path::new("a/src/lib.rs"), &read).unwrap();
        let mut is_used = false;
        let rooms = parse(TABLE).unwrap();
        assert_eq!(rooms.len(), 1);
        let faults = rooms[0].faults(&modules, &mut is_used);
        (faults, is_used)
    }

    #[test]
    fn what_is_absent_is_found_in_imports_paths_and_macros() {
        let clean = "/// Not `std::fs`.\nuse std::io; #[cfg(test)] mod tests { use std::fs; }";
        assert_eq!(faults(clean), (Vec::new(), true));
        let fault = |absent: &str| {
            format!("a/src/pure.rs: `a/pure` has `{absent}`, which ARCHITECTURE.md says is absent from it")
        };
        for text in ["use std::fs;", "use std::{io, fs::File};", "fn f() { std::fs::read(\"\"); }"] {
            assert_eq!(faults(text).0, [fault("std::fs")], "{text}");
        }
        assert_eq!(faults("fn f() { println!(\"\"); }").0, [fault("println")]);
        assert_eq!(faults("use gauge_wide::Gauge;").0, [fault("gauge*")]);
    }

    #[test]
    fn a_table_is_required() {
        assert!(parse("no table").is_err());
    }
}
