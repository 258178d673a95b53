//! `qtdec-tree/1`: from a tree to text, an outline that a review can follow.

use super::{DecisionTree, FORMAT, Node, Subtree};
use crate::domain::Samples;
use crate::json::quoted;

impl DecisionTree {
    /// The tree as a file.
    pub fn to_json(&self) -> String {
        let mut lines = Vec::new();
        self.outline(self.root(), 0, &mut lines);
        let fallback = self
            .fallback
            .map(|method| format!(",\n  \"fallback\": {}", quoted(&self.domain.method(method).label())));
        let source = self.source.as_ref().map(|source| format!(",\n  \"source\": {source}"));
        format!(
            "{{\n  \"format\": {}{},\n  \"borders\": {},\n  \"encoding\": {}{},\n  \"tree\": [\n{}\n  ]{}\n}}\n",
            quoted(FORMAT),
            self.domain.to_members(),
            quoted(self.borders.name()),
            self.statistics.encoding.to_json(),
            fallback.unwrap_or_default(),
            lines.join(",\n"),
            source.unwrap_or_default()
        )
    }

    fn outline(&self, subtree: Subtree<'_>, depth: usize, lines: &mut Vec<String>) {
        let entry = match subtree.node() {
            Node::Leaf(None) => "null".to_owned(),
            Node::Leaf(Some(method)) => quoted(&self.domain.method(method).label()),
            Node::Test { axis, at, .. } => {
                let axis = &self.domain.axes()[axis];
                let sample = match &axis.samples {
                    Samples::Values(values) => values[at].to_string(),
                    Samples::Labels(labels) => quoted(&labels[at]),
                };
                format!("[{}, {sample}]", quoted(&axis.name))
            }
        };
        lines.push(format!("    {}{entry}", "  ".repeat(depth)));
        if let Node::Test { below, at_or_above, .. } = subtree.node() {
            self.outline(below, depth + 1, lines);
            self.outline(at_or_above, depth + 1, lines);
        }
    }
}
