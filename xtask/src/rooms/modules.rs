//! The modules of a crate: what each imports, names and declares.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The parts of a path, such as `crate`, `map` and `DecisionMap`.
pub(super) type Parts = Vec<String>;

/// The modules of a crate by their paths from its root, which is the empty path.
pub(super) type Modules = BTreeMap<Parts, Module>;

/// A module, which may be only a part of its file.
#[derive(Default)]
pub(super) struct Module {
    /// The file that contains the module.
    pub(super) file: PathBuf,
    pub(super) imports: Vec<Import>,
    /// The paths of at least two parts outside of imports.
    pub(super) paths: BTreeSet<Parts>,
    /// Every name outside of imports.
    pub(super) names: BTreeSet<String>,
    /// The modules that it declares in files of their own.
    children: Vec<String>,
}

/// A name that a `use` brings into a module.
pub(super) struct Import {
    pub(super) path: Parts,
    /// The name in the module, or `None` for all names of the path.
    pub(super) name: Option<String>,
    /// Whether other modules may import it from here.
    pub(super) is_export: bool,
}

/// Reads the modules of a crate, following `mod name;` from its root. `read` returns the text of a file, or `None` if there is none.
///
/// What only tests compile is left out.
pub(super) fn modules(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<Modules, String> {
    let mut modules = Modules::new();
    let folder = root.parent().unwrap_or(Path::new("")).to_owned();
    let mut files = vec![(Parts::new(), root.to_owned(), folder)];
    while let Some((path, file, folder)) = files.pop() {
        let text = read(&file).ok_or_else(|| format!("{}: cannot be read", file.display()))?;
        let tokens: TokenStream = text.parse().map_err(|error| format!("{}: {error}", file.display()))?;
        let mut own = Modules::new();
        parse(tokens, &path, &file, &mut own);
        for (declaring, module) in &own {
            // An inline module has its children in a folder of its own.
            let folder =
                declaring[path.len()..].iter().fold(folder.clone(), |folder, name| folder.join(name));
            for name in &module.children {
                let beside = folder.join(format!("{name}.rs"));
                let file = if read(&beside).is_some() { beside } else { folder.join(name).join("mod.rs") };
                files.push(([&**declaring, std::slice::from_ref(name)].concat(), file, folder.join(name)));
            }
        }
        modules.extend(own);
    }
    Ok(modules)
}

/// Adds the module of these tokens, and the inline modules in it.
fn parse(tokens: TokenStream, path: &[String], file: &Path, modules: &mut Modules) {
    let module = Module { file: file.to_owned(), ..Module::default() };
    modules.entry(path.to_vec()).or_insert(module);
    walk(&tokens.into_iter().collect::<Vec<_>>(), path, file, modules);
}

fn walk(tokens: &[TokenTree], path: &[String], file: &Path, modules: &mut Modules) {
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        let Some(module) = modules.get_mut(path) else { return };
        at += match rest {
            [TokenTree::Punct(hash), TokenTree::Group(attribute), item @ ..]
                if hash.as_char() == '#' && is_of_tests(attribute) =>
            {
                2 + item_length(item)
            }
            [TokenTree::Ident(keyword), TokenTree::Ident(name), TokenTree::Group(inside), ..]
                if keyword == "mod" =>
            {
                parse(inside.stream(), &[path, &[name.to_string()]].concat(), file, modules);
                3
            }
            [TokenTree::Ident(keyword), TokenTree::Ident(name), ..] if keyword == "mod" => {
                module.children.push(name.to_string());
                2
            }
            // `use<'a>` lists the lifetimes of an opaque type.
            [TokenTree::Ident(keyword), next, ..] if keyword == "use" && !is(next, '<') => {
                let length = rest.iter().take_while(|token| !is(token, ';')).count();
                tree(&rest[1..length], &[], is_visible(&tokens[..at]), &mut module.imports);
                length
            }
            [TokenTree::Ident(_), ..] => {
                let parts = parts(rest);
                let length = 3 * parts.len() - 2;
                // A field, or the rest of a path that began with a type.
                let before = &tokens[..at];
                let is_field = |before: &[TokenTree]| matches!(before, [.., dot] if is(dot, '.'));
                let is_range = at > 0 && is_field(&before[..at - 1]);
                let continues = is_field(before) && !is_range
                    || matches!(before, [.., one, two] if is(one, ':') && is(two, ':'));
                if !continues {
                    module.names.insert(parts[0].clone());
                    if parts.len() > 1 {
                        module.paths.insert(parts);
                    }
                }
                length
            }
            [TokenTree::Group(group), ..] => {
                walk(&group.stream().into_iter().collect::<Vec<_>>(), path, file, modules);
                1
            }
            _ => 1,
        };
    }
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Returns whether an attribute is `cfg(test)`.
fn is_of_tests(attribute: &Group) -> bool {
    attribute.stream().to_string().replace(' ', "") == "cfg(test)"
}

/// Returns the number of tokens up to the end of an item: its `;` or its body.
fn item_length(tokens: &[TokenTree]) -> usize {
    let is_end = |token: &TokenTree| {
        is(token, ';') || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
    };
    tokens.iter().position(is_end).map_or(tokens.len(), |end| end + 1)
}

/// Returns whether `pub` or `pub(…)` stands at the end.
fn is_visible(before: &[TokenTree]) -> bool {
    let is_pub = |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident == "pub");
    match before {
        [.., public, TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
            is_pub(public)
        }
        [.., public] => is_pub(public),
        [] => false,
    }
}

/// Returns the parts of the path at the beginning: at least one.
fn parts(tokens: &[TokenTree]) -> Parts {
    let mut parts = Parts::new();
    let mut rest = tokens;
    while let [TokenTree::Ident(part), after @ ..] = rest {
        parts.push(part.to_string());
        match after {
            [one, two, TokenTree::Ident(_), ..] if is(one, ':') && is(two, ':') => rest = &after[2..],
            _ => break,
        }
    }
    parts
}

/// Adds the names of a `use` tree below a path.
fn tree(tokens: &[TokenTree], above: &[String], is_export: bool, imports: &mut Vec<Import>) {
    for tokens in tokens.split(|token| is(token, ',')) {
        let mut path = above.to_vec();
        let mut name = None;
        let mut rest = tokens;
        loop {
            match rest {
                [TokenTree::Ident(keyword), TokenTree::Ident(alias), ..] if keyword == "as" => {
                    name = Some(alias.to_string());
                    break;
                }
                [TokenTree::Ident(part), after @ ..] => {
                    // `map::{self, read}` names `map` itself.
                    if part != "self" || path.is_empty() {
                        path.push(part.to_string());
                    }
                    name = path.last().cloned();
                    rest = after;
                }
                [TokenTree::Group(group), ..] => {
                    tree(&group.stream().into_iter().collect::<Vec<_>>(), &path, is_export, imports);
                    path.clear();
                    break;
                }
                [token, ..] if is(token, '*') => {
                    name = None;
                    break;
                }
                [_, after @ ..] => rest = after,
                [] => break,
            }
        }
        if !path.is_empty() {
            imports.push(Import { path, name, is_export });
        }
    }
}
