//! The parser of `qtdec-tree/1` files.

use super::json::{Kind, Value};
use super::names::{is_identifier, variant};
use super::nodes::{Node, Nodes, simplified, whole};
use super::problem::Problem;
use super::tree::{Method, Tree};
use crate::front::axis::{Axis, listed};
use crate::front::listing::in_backticks;

const KEYS: &str = "format borders cuts encoding fallback tree source collective axes methods $schema";

/// The limits of a tree: its depth, and the samples on an axis.
const MAX_DEPTH: usize = 512;
const MAX_SAMPLES: usize = 1 << 16;

/// Reads the tree in a file of this text.
pub(super) fn read(text: &str) -> Result<Tree, Vec<Problem>> {
    let mut reader = Reader { text, problems: Vec::new() };
    let tree = Value::parse(text).map_err(|problem| vec![problem]).map(|file| reader.tree(&file))?;
    match tree {
        Some(tree) if reader.problems.is_empty() => Ok(tree),
        _ => Err(reader.problems),
    }
}

/// A file with the problems found in it. What cannot be read is `None`, and has its problem.
struct Reader<'t> {
    text: &'t str,
    problems: Vec<Problem>,
}

impl<'t> Reader<'t> {
    fn refuse<T>(&mut self, value: &Value, message: &str, help: &str) -> Option<T> {
        self.problems.push(Problem::new(value.start, value.end, message, help));
        None
    }

    fn raw(&self, value: &Value) -> &'t str {
        &self.text[value.start..value.end]
    }

    fn expected<T>(&mut self, value: &Value, what: &str) -> Option<T> {
        let found = match value.kind {
            Kind::List(_) => "an array".to_owned(),
            Kind::Object(_) => "an object".to_owned(),
            _ => format!("`{}`", self.raw(value)),
        };
        self.refuse(value, &format!("expected {what}, found {found}"), "")
    }

    fn string(&mut self, value: &Value) -> Option<String> {
        if let Kind::Text(text) = &value.kind { Some(text.clone()) } else { self.expected(value, "a string") }
    }

    fn whole(&mut self, value: &Value) -> Option<u64> {
        let raw = self.raw(value);
        if let Ok(number) = raw.parse() {
            return Some(number);
        }
        if raw.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
            let message = format!("`{raw}` is not written as a whole number of 64 bits");
            return self.refuse(value, &message, "");
        }
        self.expected(value, "a whole number")
    }

    fn list<'v>(&mut self, value: &'v Value) -> Option<&'v [Value]> {
        if let Kind::List(values) = &value.kind { Some(values) } else { self.expected(value, "an array") }
    }

    /// Reports a value that is no object, and keys that are unknown or repeated.
    fn check_keys(&mut self, value: &Value, known: &str) {
        if !matches!(value.kind, Kind::Object(_)) {
            return self.expected(value, "an object").unwrap_or_default();
        }
        let mut unseen: Vec<&str> = known.split(' ').collect();
        for (key, _) in value.members() {
            let name = self.string(key).unwrap_or_default();
            match unseen.iter().position(|known| *known == name) {
                Some(place) => {
                    unseen.swap_remove(place);
                }
                None => {
                    let help = format!("the keys here are {}, each once", known.replace(' ', ", "));
                    self.refuse::<()>(key, &format!("unknown or repeated key `{name}`"), &help);
                }
            }
        }
    }

    fn require<'v>(&mut self, value: &'v Value, key: &str) -> Option<&'v Value> {
        let found = value.get(key);
        if found.is_none() {
            self.problems.push(Problem::new(
                value.start,
                value.start + 1,
                &format!("the key `{key}` is missing"),
                "",
            ));
        }
        found
    }

    fn tree(&mut self, file: &Value) -> Option<Tree> {
        self.check_format(file)?;
        if let Some(split) = file.get("split") {
            return self.needs_maps(split, "a tree that begins with a predicate");
        }
        self.check_keys(file, KEYS);
        let (axes, methods) = (self.axes(file), self.methods(file));
        let encoding = self.require(file, "encoding")?;
        let tree = self.require(file, "tree")?;
        let (axes, methods) = (axes?, methods?);
        let mut tree = Tree {
            is_of_collective: file.get("collective").is_some(),
            nodes: self.nodes(tree, &axes, &methods)?,
            axes,
            methods,
            borders: self.borders(file)?,
            cuts: Vec::new(),
            depth: self.depth(encoding),
            is_for_prediction: encoding
                .get("options")
                .and_then(|options| options.get("objective"))
                .is_some_and(
                    |objective| matches!(&objective.kind, Kind::Text(text) if text == "mispredictions"),
                ),
        };
        if tree.borders == "crossing" {
            self.cuts(file, &mut tree)?;
        }
        tree.nodes = simplified(&tree.nodes.0, &mut whole(&tree.shape()));
        self.check_requirements(file, &tree);
        Some(tree)
    }

    fn needs_maps<T>(&mut self, value: &Value, what: &str) -> Option<T> {
        let problem = Problem::needs_maps(what);
        self.problems.push(problem.located(value.start, value.end));
        None
    }

    fn check_format(&mut self, file: &Value) -> Option<()> {
        if !matches!(file.kind, Kind::Object(_)) {
            return self.expected(file, "an object");
        }
        let format = self.require(file, "format")?;
        match &*self.string(format)? {
            "qtdec-tree/1" => Some(()),
            "qtdec-map/1" => self.refuse(
                format,
                "the file holds a map, and only stored trees are read without the feature `maps` of qtdec",
                "name the tree that `qtdec encode` writes, or remove `default-features = false` from qtdec in Cargo.toml",
            ),
            name => self.refuse(format, &format!("unknown format `{name}`"), "this version reads `qtdec-tree/1`"),
        }
    }

    fn axes(&mut self, file: &Value) -> Option<Vec<Axis>> {
        let value = self.require(file, "axes")?;
        let mut axes: Vec<Axis> = Vec::new();
        for value in self.list(value)? {
            self.check_keys(value, "name unit basis values labels");
            let name = self.require(value, "name")?;
            let mut axis = Axis { name: self.string(name)?, values: Vec::new(), labels: Vec::new() };
            if !is_identifier(&axis.name) || axes.iter().any(|other| other.name == axis.name) {
                let message = format!("`{}` cannot be the name of a parameter", axis.name);
                return self.refuse(name, &message, IDENTIFIER);
            }
            let samples = value.get("values").or(value.get("labels"));
            let Some(samples) = samples else {
                return self.refuse(value, "an axis has `values` or `labels`", "");
            };
            for sample in self.list(samples)? {
                let fault = if value.get("values").is_some() {
                    let size = self.whole(sample)?;
                    let fault = axis.values.last().is_some_and(|before| *before >= size);
                    axis.values.push(size);
                    fault
                } else {
                    let label = self.string(sample)?;
                    let fault =
                        label.is_empty() || label.contains(char::is_control) || axis.labels.contains(&label);
                    axis.labels.push(label);
                    fault
                };
                if fault {
                    return self.refuse(sample, "values must increase, and labels must be different", "");
                }
            }
            let least = if axis.is_labelled() { 2 } else { 1 };
            if axis.len() < least || axis.len() > MAX_SAMPLES {
                let message =
                    format!("an axis has at least one value or two labels, and at most {MAX_SAMPLES}");
                return self.refuse(samples, &message, "");
            }
            axes.push(axis);
        }
        if axes.is_empty() || axes.len() > 3 {
            return self.refuse(value, "there must be one, two or three axes", "");
        }
        Some(axes)
    }

    fn methods(&mut self, file: &Value) -> Option<Vec<Method>> {
        let value = self.require(file, "methods")?;
        let mut methods: Vec<Method> = Vec::new();
        for value in self.list(value)? {
            let method = self.method(value)?;
            if methods.iter().any(|other| other.label == method.label) {
                let message = format!("two methods are `{}`", method.label);
                return self.refuse(value, &message, "change the name or segment size of one of them");
            }
            methods.push(method);
        }
        if methods.is_empty() {
            self.refuse(value, "there are no methods to choose from", "")
        } else {
            Some(methods)
        }
    }

    fn method(&mut self, value: &Value) -> Option<Method> {
        self.check_keys(value, "name segment_size id ident baseline requires");
        let name_value = self.require(value, "name")?;
        let name = self.string(name_value)?;
        if name.is_empty() || name.contains(char::is_control) {
            return self.refuse(name_value, "a name is not empty, and has no control characters", "");
        }
        let segment_size = match value.get("segment_size") {
            Some(size) => match self.whole(size)? {
                0 => return self.refuse(size, "a segment cannot have 0 bytes", "omit `segment_size`"),
                size => Some(size),
            },
            None => None,
        };
        let id = match value.get("id") {
            Some(id) => Some(self.whole(id)?),
            None => None,
        };
        let variant = match value.get("ident") {
            Some(ident) => {
                let name = self.string(ident)?;
                if !is_identifier(&name) {
                    return self.refuse(ident, &format!("`{name}` is not an identifier"), IDENTIFIER);
                }
                name
            }
            None => variant(&name, segment_size),
        };
        let requires = match value.get("requires") {
            Some(requires) => !self.list(requires)?.is_empty(),
            None => false,
        };
        let label = segment_size.map_or_else(|| name.clone(), |size| format!("{name}/{size}"));
        Some(Method { name, segment_size, id, label, variant, requires })
    }

    fn borders(&mut self, file: &Value) -> Option<String> {
        // Every file of this version that names no borders was written for these.
        let Some(value) = file.get("borders") else { return Some("floor".to_owned()) };
        let borders = self.string(value)?;
        match &*borders {
            "floor" | "arithmetic" | "geometric" | "ceiling" | "crossing" => Some(borders),
            _ => self.refuse(value, &format!("unknown borders `{borders}`"), ""),
        }
    }

    /// Reads the depth of the tree; `None` if nothing was measured.
    fn depth(&mut self, encoding: &Value) -> Option<u64> {
        let cells = self.require(encoding, "cells")?;
        let depth = self.require(encoding, "depth")?;
        let most = self.require(depth, "max")?;
        let (cells, most) = (self.whole(cells)?, self.whole(most)?);
        (cells > 0).then_some(most)
    }

    /// Reads the nodes in preorder: `["axis", sample]` for a test, then its lower side, then its upper side; a label or null for a leaf.
    fn nodes(&mut self, value: &Value, axes: &[Axis], methods: &[Method]) -> Option<Nodes> {
        let mut nodes = Vec::new();
        // The tests that lack a side, and whether their lower side is complete.
        let mut open: Vec<(usize, bool)> = Vec::new();
        for entry in self.list(value)? {
            if !nodes.is_empty() && open.is_empty() {
                return self.refuse(entry, "the tree was complete before this entry", "");
            }
            if let Kind::List(cut) = &entry.kind {
                let (axis, at) = self.cut(entry, cut, 2, axes)?;
                open.push((nodes.len(), false));
                nodes.push(Node::Test { axis, at, upper: 0 });
                if open.len() > MAX_DEPTH {
                    return self.refuse(entry, &format!("the tree is deeper than {MAX_DEPTH} tests"), "");
                }
                continue;
            }
            nodes.push(Node::Leaf(self.leaf(entry, methods)?));
            while let Some((test, is_lower_complete)) = open.pop() {
                if is_lower_complete {
                    continue;
                }
                let next = nodes.len();
                if let Node::Test { upper, .. } = &mut nodes[test] {
                    *upper = next - test;
                }
                open.push((test, true));
                break;
            }
        }
        if nodes.is_empty() || !open.is_empty() {
            let help =
                "a test is followed by the subtree below its sample, then by the subtree from that sample on";
            return self.refuse(value, &format!("{} tests lack a subtree", open.len()), help);
        }
        Some(Nodes(nodes))
    }

    fn leaf(&mut self, entry: &Value, methods: &[Method]) -> Option<Option<usize>> {
        if self.raw(entry) == "null" {
            return Some(None);
        }
        let label = self.string(entry)?;
        let method = methods.iter().position(|method| method.label == label);
        if method.is_none() {
            return self.refuse(
                entry,
                &format!("there is no method `{label}`"),
                "a leaf names a method, or is null",
            );
        }
        Some(method)
    }

    /// Reads the axis and the first sample of the upper side, of a list of so many entries.
    fn cut(&mut self, entry: &Value, cut: &[Value], len: usize, axes: &[Axis]) -> Option<(usize, usize)> {
        if cut.len() != len {
            return self.refuse(
                entry,
                "write a test as [\"axis\", sample], and a cut as [\"axis\", sample, size]",
                "",
            );
        }
        let name = self.string(&cut[0])?;
        let Some(axis) = axes.iter().position(|axis| axis.name == name) else {
            let help = format!("the axes are {}", listed(axes));
            return self.refuse(&cut[0], &format!("there is no axis `{name}`"), &help);
        };
        let at = if axes[axis].is_labelled() {
            let label = self.string(&cut[1])?;
            axes[axis].labels.iter().position(|known| *known == label)
        } else {
            let size = self.whole(&cut[1])?;
            axes[axis].values.iter().position(|known| *known == size)
        };
        match at {
            Some(at) if at > 0 => Some((axis, at)),
            _ => {
                let message = format!("{} is not a sample of `{name}` after the first", self.raw(&cut[1]));
                self.refuse(&cut[1], &message, "a test names the first sample of its upper side")
            }
        }
    }

    /// Reads the sizes at which methods cross.
    fn cuts(&mut self, file: &Value, tree: &mut Tree) -> Option<()> {
        let value = self.require(file, "cuts")?;
        for entry in self.list(value)? {
            let cut = self.list(entry)?;
            let (axis, at) = self.cut(entry, cut, 3, &tree.axes)?;
            let size = self.whole(&cut[2])?;
            let values = &tree.axes[axis].values;
            let is_between = !values.is_empty() && values[at - 1] < size && size <= values[at];
            if !is_between || tree.cuts.iter().any(|known| (known.0, known.1) == (axis, at)) {
                let help =
                    "the upper side of a cut begins between two samples, at the upper one at the latest";
                return self.refuse(entry, "a cut has one size, which lies between its samples", help);
            }
            tree.cuts.push((axis, at, size));
        }
        for (axis, at) in tree.nodes.cuts() {
            let is_known = tree.cuts.iter().any(|known| (known.0, known.1) == (axis, at));
            if !is_known && !tree.axes[axis].is_labelled() {
                let (name, sample) = (&tree.axes[axis].name, tree.axes[axis].values[at]);
                return self.refuse(value, &format!("the tests of `{name}` at {sample} lack a size"), "");
            }
        }
        Some(())
    }

    /// Refuses a tree whose decisions depend on requirements.
    fn check_requirements(&mut self, file: &Value, tree: &Tree) {
        let mut labels = Vec::new();
        for (index, method) in tree.methods.iter().enumerate() {
            if method.requires && tree.nodes.answers().contains(&Some(index)) {
                labels.push(method.label.clone());
            }
        }
        if let (Some(methods), false) = (file.get("methods"), labels.is_empty()) {
            let what =
                format!("a tree that chooses {}, which may not run everywhere,", in_backticks(&labels));
            self.needs_maps::<()>(methods, &what);
        }
    }
}

/// The help for a name that is no identifier.
const IDENTIFIER: &str = "use letters, digits and `_`, begin with a letter, and avoid Rust keywords";
