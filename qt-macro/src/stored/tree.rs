//! A stored tree.

use super::nodes::Nodes;
use crate::front::axis::Axis;

/// A method.
pub(super) struct Method {
    pub(super) name: String,
    pub(super) segment_size: Option<u64>,
    pub(super) id: Option<u64>,
    /// The name with the segment size.
    pub(super) label: String,
    /// The name as an enum variant, which need not be an identifier.
    pub(super) variant: String,
    /// Whether the method has requirements.
    pub(super) requires: bool,
}

/// A stored tree.
pub(super) struct Tree {
    pub(super) is_of_collective: bool,
    pub(super) axes: Vec<Axis>,
    pub(super) methods: Vec<Method>,
    pub(super) nodes: Nodes,
    /// The name of the rule for borders.
    pub(super) borders: String,
    /// The axis and sample of cuts, each with the smallest size of the upper side.
    pub(super) cuts: Vec<(usize, usize, u64)>,
    /// The depth of the tree as the encoder built it; `None` if nothing was measured.
    pub(super) depth: Option<u64>,
    /// Whether the tree has the fewest mispredictions of a processor, for which it keeps all tests.
    pub(super) is_for_prediction: bool,
}

impl Axis {
    pub(super) fn len(&self) -> usize {
        self.values.len() + self.labels.len()
    }

    pub(super) fn is_labelled(&self) -> bool {
        !self.labels.is_empty()
    }

    /// Returns the position of the label that means *yes*, as `qtdec_core::Axis::true_label` does.
    pub(super) fn true_label(&self) -> Option<usize> {
        let [first, second] = &self.labels[..] else { return None };
        let words = [plain(first), plain(second)];
        let is_true = |position: usize| {
            let (word, other) = (&words[position], &words[1 - position]);
            PAIRS.contains(&format!(" {other}/{word} ")) && !word.is_empty() && !other.is_empty()
                || ["not", "non", "no", "un"].iter().any(|negation| *other == format!("{negation}{word}"))
                || *word == plain(&self.name)
        };
        (0..2).find(|&position| !words[position].is_empty() && is_true(position) && !is_true(1 - position))
    }
}

/// Known pairs of labels, *no* first.
const PAIRS: &str = " false/true no/yes off/on 0/1 disabled/enabled n/y f/t ";

/// Returns the letters and digits of a word in lower case.
fn plain(word: &str) -> String {
    let mut plain = String::new();
    for char in word.chars().filter(|char| char.is_alphanumeric()) {
        plain.extend(char.to_lowercase());
    }
    plain
}

impl Tree {
    /// Returns the number of samples on each axis.
    pub(super) fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(Axis::len).collect()
    }

    /// Returns the smallest size on the upper side of a cut; on a labelled axis, the position of its first label.
    pub(super) fn threshold(&self, axis: usize, at: usize) -> u64 {
        for cut in &self.cuts {
            if (cut.0, cut.1) == (axis, at) {
                return cut.2;
            }
        }
        let values = &self.axes[axis].values;
        if values.is_empty() {
            return at as u64;
        }
        let (lower, upper) = (values[at - 1], values[at]);
        match &*self.borders {
            "arithmetic" => lower + (upper - lower).div_ceil(2),
            "ceiling" => lower + 1,
            "geometric" => {
                let product = u128::from(lower) * u128::from(upper);
                let root = product.isqrt();
                let least = root + u128::from(root * root < product);
                (least as u64).max(lower + 1)
            }
            _ => upper,
        }
    }

    /// Returns whether the tree has a decision everywhere.
    pub(super) fn is_total(&self) -> bool {
        !self.nodes.answers().contains(&None)
    }

    /// Returns the size of the function: "42 regions, depth 4".
    pub(super) fn size(&self) -> String {
        let regions = self.nodes.answers().len();
        match self.depth {
            None => "a placeholder, nothing was measured".to_owned(),
            Some(depth) => format!("{regions} region{}, depth {depth}", if regions == 1 { "" } else { "s" }),
        }
    }
}
