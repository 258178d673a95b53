//! The quadrants of a quadtree in C, as the papers print it.

use std::fmt::Write as _;

use qtdec_core::DecisionTree;
use qtdec_core::code::{QuadrantBranch, Quartered};

use super::{MAX_REGIONS, Writer, string};

impl Writer<'_> {
    /// Writes the blocks of a quadtree. `error` is the message of the papers' last `else`.
    pub(super) fn quadrants(
        &self,
        tree: &DecisionTree,
        error: Option<&str>,
        indent: usize,
        text: &mut String,
    ) {
        // The tree was one of this layout before its guards replaced methods, which leaves it a smaller quadtree.
        if let Ok(block) = Quartered::from_tree(tree, MAX_REGIONS) {
            self.quartered(&block, error, indent, text);
        }
    }

    fn quartered(&self, block: &Quartered, error: Option<&str>, indent: usize, text: &mut String) {
        let space = "    ".repeat(indent);
        let branches = match block {
            Quartered::Answer(method) => {
                let _ = writeln!(text, "{space}return {};", self.answer(*method));
                return;
            }
            // A tree that was not split has no parts.
            Quartered::Part(_) => return,
            Quartered::Divided(branches) => branches,
        };
        for (place, QuadrantBranch { names, when, then }) in branches.iter().enumerate() {
            let start = if place == 0 { space.clone() } else { " else ".to_owned() };
            if place + 1 < branches.len() || error.is_some() {
                let alternatives = when.iter().map(|bounds| {
                    let bounds: Vec<String> = bounds.iter().map(|bound| self.bound(*bound)).collect();
                    // Compilers warn about `&&` in `||` without parentheses.
                    let all = bounds.join(" && ");
                    if when.len() > 1 && bounds.len() > 1 { format!("({all})") } else { all }
                });
                let any = alternatives.collect::<Vec<_>>().join(" || ");
                let _ = writeln!(text, "{start}if ({any}) {{");
            } else {
                let _ = writeln!(text, "{start}{{");
            }
            let _ = writeln!(text, "{space}    /* {} */", names.join(", "));
            self.quartered(then, error, indent + 1, text);
            let _ = write!(text, "{space}}}");
        }
        if let Some(error) = error {
            let message = string(&format!("{error}\n"));
            let _ = write!(
                text,
                " else {{\n{space}    fputs({message}, stderr);\n{space}    abort();\n{space}}}"
            );
        }
        text.push('\n');
    }
}
