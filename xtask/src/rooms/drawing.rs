//! The drawing of the packages in ARCHITECTURE.md.

use std::collections::BTreeSet;

/// The first line of the drawing, which Mermaid renders.
const HEAD: &str = "```mermaid";

/// The arrows of the drawing: a package, and one that it uses.
pub(super) struct Drawing(BTreeSet<(String, String)>);

impl Drawing {
    /// Reads the lines `user --> used` of the drawing.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().skip_while(|line| *line != HEAD);
        lines.next().ok_or_else(|| format!("ARCHITECTURE.md has no drawing that begins `{HEAD}`"))?;
        let lines = lines.take_while(|line| *line != "```");
        let arrows = lines.filter_map(|line| line.split_once("-->"));
        Ok(Self(arrows.map(|(user, used)| (user.trim().to_owned(), used.trim().to_owned())).collect()))
    }

    /// Returns the differences from the arrows of the packages. What drawn arrows imply need not be drawn.
    pub(super) fn faults<'e>(&self, arrows: impl IntoIterator<Item = (&'e str, &'e str)>) -> Vec<String> {
        let found: BTreeSet<(String, String)> =
            arrows.into_iter().map(|(user, used)| (user.to_owned(), used.to_owned())).collect();
        let right: BTreeSet<_> = self.0.intersection(&found).collect();
        let missing = found.iter().filter(|(user, used)| !leads(&right, user, used)).map(|(user, used)| {
            format!("the drawing of ARCHITECTURE.md lacks an arrow: add `{user} --> {used}`")
        });
        let wrong = self.0.difference(&found).map(|(user, used)| {
            format!(
                "the drawing of ARCHITECTURE.md has `{user} --> {used}`, and nothing there does: delete it"
            )
        });
        missing.chain(wrong).collect()
    }
}

/// Returns whether arrows lead from one package to another, directly or through others. Those of packages form no circle.
fn leads(arrows: &BTreeSet<&(String, String)>, user: &str, used: &str) -> bool {
    arrows.iter().any(|(from, to)| from == user && (to == used || leads(arrows, to, used)))
}

#[cfg(test)]
mod tests {
    use super::Drawing;

    #[test]
    fn every_arrow_is_drawn() {
        let text = "x --> y\n```mermaid\nflowchart TD\n  a[\"the a\"]\n  a --> b\n  a --> c\n```\nb --> z\n";
        let drawing = Drawing::parse(text).unwrap();
        assert_eq!(drawing.faults([("a", "b"), ("a", "c")]), Vec::<String>::new());
        let chain = Drawing::parse("```mermaid\n  a --> b\n  b --> c\n```\n").unwrap();
        assert_eq!(chain.faults([("a", "b"), ("a", "c"), ("b", "c")]), Vec::<String>::new());
        let faults = drawing.faults([("a", "b"), ("b", "c")]);
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].contains("add `b --> c`") && faults[1].contains("has `a --> c`"));
        assert!(Drawing::parse("no drawing").is_err());
    }
}
