//! The writer of `qtdec-tree/1` files, as an outline that can be reviewed.

use std::fmt::Write as _;

use super::{DecisionTree, FORMAT, Node, Subtree};
use crate::borders::Borders;
use crate::domain::Samples;
use crate::json::{Limited, array, quoted};
use crate::message::Message;
use crate::problem::Problem;

/// The maximum number of bytes of indentation in an outline. A larger tree is written without indentation: nobody reads it, and a chain of
/// tests would be nothing but spaces.
const MAX_SPACES: usize = 1 << 20;

impl DecisionTree {
    /// Returns the tree as a file.
    pub fn to_json(&self) -> String {
        self.written(Limited::default()).into_text()
    }

    /// Returns the tree as a file that can be read again.
    ///
    /// # Errors
    ///
    /// Returns an error for a tree whose file would exceed the maximum size.
    pub fn to_file(&self) -> Result<String, Problem> {
        self.written(Limited::for_reading_back()).into_file("the tree").map_err(|problem| {
            problem
                .help(Message::set("budget", "mean 1%"))
                .help("measure at fewer sizes, or use the map, which is smaller")
        })
    }

    fn written(&self, mut text: Limited) -> Limited {
        let _ = write!(
            text,
            "{{\n  \"format\": {}{},\n  \"borders\": {}{},\n  \"encoding\": {}{},\n",
            quoted(FORMAT),
            self.domain.to_members(),
            quoted(self.borders().name()),
            self.written_cuts(),
            self.encoding.to_json(),
            self.written_fallback(),
        );
        let written = self.write_nodes(&mut text);
        let source = self.source().map_or_else(String::new, |source| format!(",\n  \"source\": {source}"));
        let _ = written.and_then(|()| write!(text, "{source}\n}}\n"));
        text
    }

    fn write_nodes(&self, text: &mut Limited) -> std::fmt::Result {
        text.write_str("  \"tree\": [\n")?;
        let indent = if spaces(self.root(), 0) > MAX_SPACES { 0 } else { 2 };
        Outline { tree: self, labels: self.labels(), indent }.write(self.root(), 0, text)?;
        text.write_str("\n  ]")
    }

    /// Returns the member `fallback`, preceded by a comma and a line break.
    fn written_fallback(&self) -> String {
        let label = self.fallback.map(|method| quoted(&self.domain.method(method).label()));
        label.map_or_else(String::new, |label| format!(",\n  \"fallback\": {label}"))
    }

    /// Returns the member `cuts` with the sizes at which methods cross, preceded by a comma and a line break.
    fn written_cuts(&self) -> String {
        if self.borders() != Borders::Crossing {
            return String::new();
        }
        let axes = self.domain.axes();
        let cuts = self.root().sized_cuts(&self.domain).into_iter().map(|(axis, at)| {
            let (name, size) = (quoted(&axes[axis].name), self.threshold(axis, at));
            format!("[{name}, {}, {size}]", axes[axis].sample(at))
        });
        format!(",\n  \"cuts\": {}", array(cuts))
    }

    fn labels(&self) -> Vec<String> {
        self.domain.methods().iter().map(|method| quoted(&method.label())).collect()
    }
}

/// Returns the bytes of indentation of a subtree.
fn spaces(subtree: Subtree<'_>, depth: usize) -> usize {
    2 * depth
        + match subtree.node() {
            Node::Leaf(_) => 0,
            Node::Test { below, at_or_above, .. } => {
                spaces(below, depth + 1) + spaces(at_or_above, depth + 1)
            }
        }
}

struct Outline<'t> {
    tree: &'t DecisionTree,
    labels: Vec<String>,
    /// The number of spaces for each level.
    indent: usize,
}

impl Outline<'_> {
    fn write(&self, subtree: Subtree<'_>, depth: usize, text: &mut Limited) -> std::fmt::Result {
        let Node::Test { axis, at, below, at_or_above } = subtree.node() else {
            let Node::Leaf(Some(method)) = subtree.node() else {
                return self.entry(depth, &"null", text);
            };
            return self.entry(depth, &self.labels[method.get()], text);
        };
        let axis = &self.tree.domain.axes()[axis];
        let sample = match &axis.samples {
            Samples::Values(values) => values[at].to_string(),
            Samples::Labels(labels) => quoted(&labels[at]),
        };
        self.entry(depth, &format_args!("[{}, {sample}]", quoted(&axis.name)), text)?;
        for side in [below, at_or_above] {
            text.write_str(",\n")?;
            self.write(side, depth + 1, text)?;
        }
        Ok(())
    }

    fn entry(&self, depth: usize, entry: &dyn std::fmt::Display, text: &mut Limited) -> std::fmt::Result {
        write!(text, "    {:width$}{entry}", "", width = self.indent * depth)
    }
}
