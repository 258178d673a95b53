//! Circles of files: files of a crate that use each other in a loop.
//!
//! A file uses another one if it names an item of it, in an import or in a path. What counts is the file that defines the item:
//!
//! - A name that a parent passes on (`mod x; pub use x::Y;`) leads to `x`, whoever imports it from the parent. The parent itself
//!   uses `x` only if it names `Y` anywhere else.
//! - A parent that declares its children uses none of them. It uses a child if it names an item of it, as any other file does.
//! - A child is inside its parent: what it names of a file that contains it does not count, as long as that file itself defines
//!   it. What the parent passes on from a sibling does count.
//! - An inline module is part of its file.
//! - What only tests compile does not count, and neither do calls of methods of a type that is not named.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::modules::Modules;

/// The files that each file uses, with the items.
type Uses = BTreeMap<PathBuf, BTreeMap<PathBuf, BTreeSet<String>>>;

/// The target of a path.
enum Target {
    Module(Vec<String>),
    /// An item, and the module that defines it.
    Item(Vec<String>, String),
}

/// Returns a description of each circle of files of a crate.
pub(super) fn circles(modules: &Modules) -> Vec<String> {
    let uses = uses(modules);
    loops(&uses).iter().map(|files| describe(files, &uses)).collect()
}

fn describe(files: &BTreeSet<PathBuf>, uses: &Uses) -> String {
    let mut lines = vec![format!("{} files use each other in a circle:", files.len())];
    for file in files {
        for (used, items) in uses[file].iter().filter(|(used, _)| files.contains(*used)) {
            let items: Vec<String> = items.iter().map(|item| format!("`{item}`")).collect();
            lines.push(format!("  {} uses {} of {}", file.display(), items.join(", "), used.display()));
        }
    }
    lines.join("\n")
}

/// Returns the sets of files that reach each other.
fn loops(uses: &Uses) -> BTreeSet<BTreeSet<PathBuf>> {
    let reached = |from: &PathBuf| {
        let mut reached = BTreeSet::new();
        let mut next = vec![from];
        while let Some(file) = next.pop() {
            for used in uses.get(file).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(used.clone()) {
                    next.push(used);
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&PathBuf, BTreeSet<PathBuf>> =
        uses.keys().map(|file| (file, reached(file))).collect();
    let of = |file: &PathBuf| {
        let others =
            reached[file].iter().filter(|other| reached.get(other).is_some_and(|back| back.contains(file)));
        others.cloned().collect::<BTreeSet<PathBuf>>()
    };
    uses.keys().map(of).filter(|files| !files.is_empty()).collect()
}

/// Returns the files that each file of a crate uses.
fn uses(modules: &Modules) -> Uses {
    let mut uses = Uses::new();
    for (path, module) in modules {
        let mut add = |target: Option<Target>| {
            let Some(Target::Item(of, item)) = target else { return };
            let used = &modules[&of].file;
            let is_inside = path.starts_with(&of);
            if *used != module.file && !is_inside {
                let uses = uses.entry(module.file.clone()).or_default();
                uses.entry(used.clone()).or_default().insert(item);
            }
        };
        for import in &module.imports {
            match (&import.name, resolve(modules, path, &import.path, DEEPEST)) {
                (None, Some(Target::Module(of))) if !import.is_export => {
                    add(Some(Target::Item(of, "*".to_owned())));
                }
                (Some(name), target) if !import.is_export || module.names.contains(name) => add(target),
                _ => (),
            }
        }
        module.paths.iter().for_each(|parts| add(resolve(modules, path, parts, DEEPEST)));
    }
    uses
}

/// The maximum number of imports through which a name is followed.
const DEEPEST: usize = 16;

/// Returns the target of a path in a module, or `None` if it leads out of the crate or to the module's own items.
fn resolve(modules: &Modules, from: &[String], parts: &[String], depth: usize) -> Option<Target> {
    let (first, rest) = parts.split_first()?;
    match first.as_str() {
        "crate" => member(modules, &[], rest, depth),
        "self" => member(modules, from, rest, depth),
        "super" => {
            let (mut module, mut rest) = (&from[..from.len().checked_sub(1)?], rest);
            while let Some((_, after)) = rest.split_first().filter(|(part, _)| *part == "super") {
                (module, rest) = (&module[..module.len().checked_sub(1)?], after);
            }
            member(modules, module, rest, depth)
        }
        name => {
            let is_here = modules.contains_key(&[from, std::slice::from_ref(first)].concat())
                || modules[from]
                    .imports
                    .iter()
                    .any(|import| import.name.as_deref() == Some(name) && import.path[0] != name);
            is_here.then(|| member(modules, from, parts, depth))?
        }
    }
}

/// Returns the target of a path below a module, following the names that modules pass on.
fn member(modules: &Modules, module: &[String], parts: &[String], depth: usize) -> Option<Target> {
    let depth = depth.checked_sub(1)?;
    let Some((first, rest)) = parts.split_first() else { return Some(Target::Module(module.to_vec())) };
    let child = [module, std::slice::from_ref(first)].concat();
    if modules.contains_key(&child) {
        return member(modules, &child, rest, depth);
    }
    let known = modules.get(module)?;
    let import = known.imports.iter().find(|import| import.name.as_ref() == Some(first));
    if let Some(import) = import {
        return match resolve(modules, module, &import.path, depth)? {
            Target::Module(module) => member(modules, &module, rest, depth),
            item @ Target::Item(..) => Some(item),
        };
    }
    // A name that is not mentioned here is one of those that the module passes on all together.
    let mut passed_on =
        known.imports.iter().filter(|import| import.name.is_none() && !known.names.contains(first));
    let found = passed_on.find_map(|import| match resolve(modules, module, &import.path, depth)? {
        Target::Module(of) if modules[&of].names.contains(first) => member(modules, &of, parts, depth),
        _ => None,
    });
    Some(found.unwrap_or_else(|| Target::Item(module.to_vec(), first.clone())))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::modules::modules;
    use super::*;

    /// Returns the circles of a made-up crate: the name and the text of each file below `src`.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let read = |path: &Path| {
            let file = files.iter().find(|(name, _)| Path::new(name) == path);
            file.map(|(_, text)| (*text).to_owned())
        };
        circles(&modules(Path::new("lib.rs"), &read).unwrap())
    }

    #[test]
    fn a_circle_is_named_with_what_ties_it() {
        let circle =
            "2 files use each other in a circle:\n  a.rs uses `B` of b.rs\n  b.rs uses `A`, `f` of a.rs";
        let a = "use crate::b::B; pub struct A(B); pub fn f() {}";
        for b in [
            "use crate::a::{A, f};",
            "use super::a::A; fn g() { super::a::f() }",
            "use crate::a; fn g(a: a::A) { a::f() }",
            "use crate::{a as other}; fn g() -> other::A { other::f() }",
            "mod inner { use super::super::a::{self, A}; fn g() { a::f() } }",
            "#[arg(value_parser = crate::a::f)] struct B(crate::a::A);",
            "use crate::a; fn g() -> B { B { x: a::f(), ..a::A::default() } }",
        ] {
            assert_eq!(found(&[("lib.rs", "mod a; mod b;"), ("a.rs", a), ("b.rs", b)]), [circle], "{b}");
        }
    }

    #[test]
    fn a_circle_may_be_long_and_there_may_be_several() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod d; mod e; mod f; use f::F;"),
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "use crate::c::C;"),
            ("c.rs", "use crate::a::A; use crate::f::F;"),
            ("d.rs", "use crate::e::E; use crate::a::A;"),
            ("e.rs", "use crate::d::D;"),
            ("f.rs", "use std::fmt;"),
        ];
        let circles = found(&files);
        let circle = "3 files use each other in a circle:\n  a.rs uses `B` of b.rs\n  b.rs uses `C` of c.rs\n  c.rs uses `A` of a.rs";
        assert_eq!(circles.len(), 2, "{circles:?}");
        assert_eq!(circles[0], circle);
        assert!(
            circles[1].contains("d.rs uses `E` of e.rs") && !circles[1].contains("a.rs"),
            "{}",
            circles[1]
        );
    }

    #[test]
    fn a_name_that_a_parent_passes_on_leads_to_the_child_that_defines_it() {
        let files = |parent: &'static str| {
            let child = "use super::Y; pub struct X(Y);";
            let other = "pub struct Y; use super::Z;";
            let lib = ("lib.rs", "mod p;");
            [lib, ("p.rs", parent), ("p/x.rs", child), ("p/y.rs", other), ("p/z.rs", "pub struct Z;")]
        };
        // The parent passes names on, and uses nothing.
        assert!(
            found(&files("mod x; mod y; mod z; pub use x::X; pub(crate) use y::Y; use z::*;")).is_empty()
        );
        let circles = found(&files("mod x; mod y; mod z; pub use x::X as Z; use y::Y;"));
        assert_eq!(circles.len(), 1, "{circles:?}");
        assert!(circles[0].contains("p/x.rs uses `Y` of p/y.rs"), "{}", circles[0]);
        assert!(circles[0].contains("p/y.rs uses `X` of p/x.rs"), "{}", circles[0]);
    }

    #[test]
    fn a_child_is_inside_its_parent_and_not_inside_a_sibling() {
        let files = |parent: &'static str, child: &'static str, other: &'static str| {
            found(&[("lib.rs", "mod p; mod q;"), ("p.rs", parent), ("p/x.rs", child), ("q.rs", other)])
        };
        let parent = "mod x; use x::X; use crate::q::Q; pub struct P(X, Q);";
        assert!(files(parent, "use super::P; pub struct X(P);", "pub struct Q;").is_empty());
        // The parent's sibling is not inside it, and neither is what the child takes from there.
        let circle = "2 files use each other in a circle:\n  p.rs uses `Q` of q.rs\n  q.rs uses `P` of p.rs";
        assert_eq!(files(parent, "pub struct X;", "use super::p::P; pub struct Q(P);"), [circle]);
        let through_child =
            files("mod x; use x::X; pub struct P(X);", "use crate::q::Q;", "use super::p::P;");
        assert_eq!(through_child.len(), 1);
        let circle = "3 files use each other in a circle:\n  p/x.rs uses `Q` of q.rs\n  p.rs uses `X` of p/x.rs\n  q.rs uses `P` of p.rs";
        assert_eq!(through_child, [circle]);
    }

    #[test]
    fn tests_fields_and_visibilities_are_not_uses() {
        let files = [
            ("lib.rs", "mod a; mod b; #[cfg(test)] mod tests;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            (
                "b.rs",
                "pub(in crate::a) struct B; /// [`crate::a::A`]\nfn f(x: X) { x.a.b() }
                 #[cfg(test)] mod tests { use super::*; use crate::a::A; } #[cfg(test)] use crate::a::A;",
            ),
        ];
        assert!(found(&files).is_empty());
    }

    #[test]
    fn a_missing_file_is_an_error() {
        let read = |path: &Path| (path == Path::new("lib.rs")).then(|| "mod gone;".to_owned());
        let error = modules(Path::new("lib.rs"), &read).err().unwrap();
        assert!(error.contains("gone"), "{error}");
    }
}
