//! The modules of its own crate that a source file uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use xtask::files;

/// A source file and its module.
pub(super) struct File {
    /// The path of the file.
    pub(super) path: PathBuf,
    /// The path of its module from the root of the crate; empty for the root.
    pub(super) module: Vec<String>,
}

/// Returns every source file below a folder `src`, in the order of their paths.
pub(super) fn files(source: &Path) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    let mut folders = vec![(source.to_owned(), Vec::new())];
    while let Some((folder, module)) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let own = if name == "lib" { Vec::new() } else { [&*module, &[name]].concat() };
            if path.is_dir() {
                folders.push((path, own));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(File { path, module: own });
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

impl File {
    /// Returns the names at the root of the crate that the file uses, whether by `crate::` or by `super::`.
    pub(super) fn uses(&self) -> Result<BTreeSet<String>, String> {
        let text = files::read(&self.path)?;
        let tokens: TokenStream = text.parse().map_err(|error| format!("{error}"))?;
        let mut names = BTreeSet::new();
        walk(tokens, &self.module, &mut names);
        Ok(names)
    }
}

/// Returns the items that the root of a crate re-exports from its modules (`pub use map::DecisionMap`), each with its module.
pub(super) fn exports(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let text = files::read(root)?;
    let tokens: TokenStream = text.parse().map_err(|error| format!("{}: {error}", root.display()))?;
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut exports = BTreeMap::new();
    for (position, token) in tokens.iter().enumerate() {
        if let (TokenTree::Ident(keyword), Some(TokenTree::Ident(module))) = (token, tokens.get(position + 1))
            && keyword == "use"
        {
            let rest = tokens[position + 2..].iter();
            let rest =
                rest.take_while(|token| !matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'));
            for item in idents(rest.cloned().collect()) {
                exports.insert(item, module.to_string());
            }
        }
    }
    Ok(exports)
}

/// Returns every identifier of a token stream, groups included.
fn idents(tokens: TokenStream) -> Vec<String> {
    let of = |token| match token {
        TokenTree::Ident(ident) => vec![ident.to_string()],
        TokenTree::Group(group) => idents(group.stream()),
        _ => Vec::new(),
    };
    tokens.into_iter().flat_map(of).collect()
}

/// Collects the names at the root that tokens in a module lead to.
fn walk(tokens: TokenStream, module: &[String], names: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut position = 0;
    while position < tokens.len() {
        match &tokens[position] {
            TokenTree::Ident(ident) if ident == "crate" => position = path(&tokens, position + 1, &[], names),
            TokenTree::Ident(ident) if ident == "super" => {
                let parent = &module[..module.len().saturating_sub(1)];
                position = path(&tokens, position + 1, parent, names);
            }
            TokenTree::Group(group) => {
                walk(group.stream(), &inside(&tokens[..position], module), names);
                position += 1;
            }
            _ => position += 1,
        }
    }
}

/// Returns the module of a group: an inline one, if `mod name` stands before it.
fn inside(before: &[TokenTree], module: &[String]) -> Vec<String> {
    match before {
        [.., TokenTree::Ident(keyword), TokenTree::Ident(name)] if keyword == "mod" => {
            [module, &[name.to_string()]].concat()
        }
        _ => module.to_vec(),
    }
}

/// Follows a path whose first part led to `module`, and returns the position after it.
fn path(tokens: &[TokenTree], position: usize, module: &[String], names: &mut BTreeSet<String>) -> usize {
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    if !(is_colon(position) && is_colon(position + 1)) {
        return position;
    }
    let next = position + 2;
    match tokens.get(next) {
        Some(TokenTree::Ident(ident)) if ident == "super" => {
            path(tokens, next + 1, &module[..module.len().saturating_sub(1)], names)
        }
        Some(TokenTree::Ident(ident)) => {
            names.insert(module.first().map_or_else(|| ident.to_string(), Clone::clone));
            next + 1
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            match module.first() {
                Some(room) => {
                    names.insert(room.clone());
                }
                None => heads(group.stream(), names),
            }
            next + 1
        }
        _ => next,
    }
}

/// Collects the first name of each path between the braces of `use crate::{…}`.
fn heads(tokens: TokenStream, names: &mut BTreeSet<String>) {
    let mut is_head = true;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if is_head => {
                names.insert(ident.to_string());
                is_head = false;
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => is_head = true,
            _ => is_head = false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(module: &[&str], text: &str) -> Vec<String> {
        let module: Vec<String> = module.iter().map(ToString::to_string).collect();
        let mut names = BTreeSet::new();
        walk(text.parse().unwrap(), &module, &mut names);
        names.into_iter().collect()
    }

    #[test]
    fn every_way_to_name_a_module_is_found() {
        let inner = ["study", "sweep"];
        let cases: [(&str, &[&str]); 7] = [
            ("use crate::report::Table;", &["report"]),
            ("use crate::{measure::{a, b}, report};", &["measure", "report"]),
            ("fn f() -> crate::tuning::Rule { crate::emit::new() }", &["emit", "tuning"]),
            ("use super::against; use super::super::measure::X;", &["measure", "study"]),
            ("mod tests { use super::super::against; }", &["study"]),
            ("pub(crate) fn f() {} pub(super) fn g() {}", &[]),
            ("/// [`crate::cli::run`]\nconst A: &str = \"crate::cli\";", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(uses(&inner, text), expected, "{text}");
        }
    }
}
