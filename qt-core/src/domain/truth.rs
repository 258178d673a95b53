//! Detection of the label that means *yes*.

use super::{Axis, Samples};

/// Known pairs of labels, *no* first.
const KNOWN: [[&str; 2]; 7] = [
    ["false", "true"],
    ["no", "yes"],
    ["off", "on"],
    ["0", "1"],
    ["disabled", "enabled"],
    ["n", "y"],
    ["f", "t"],
];

/// Prefixes of a label that negates another.
const NEGATIONS: [&str; 4] = ["not", "non", "no", "un"];

impl Axis {
    /// Returns the position of the label that means *yes*, if the axis has two labels that make this clear: a known pair such as
    /// `no` and `yes`, a word and its negation such as `ordered` and `unordered`, or a label with the name of the axis.
    ///
    /// ```
    /// use qtdec_core::{Axis, Samples};
    /// let truth = |name: &str, labels: [&str; 2]| {
    ///     let samples = Samples::Labels(labels.map(str::to_owned).to_vec());
    ///     Axis { samples, ..Axis::new(name, []) }.true_label()
    /// };
    /// assert_eq!(truth("in_place", ["Yes", "No"]), Some(0));
    /// assert_eq!(truth("commutative", ["non-commutative", "commutative"]), Some(1));
    /// assert_eq!(truth("contiguous", ["contiguous", "strided"]), Some(0));
    /// assert_eq!(truth("datatype", ["contiguous", "strided"]), None);
    /// ```
    pub fn true_label(&self) -> Option<usize> {
        let Samples::Labels(labels) = &self.samples else { return None };
        let [first, second] = &labels[..] else { return None };
        let words = [plain(first), plain(second)];
        let is_true = |position: usize| {
            let (word, other) = (&words[position], &words[1 - position]);
            KNOWN.iter().any(|[no, yes]| word == yes && other == no)
                || NEGATIONS.iter().any(|negation| other.strip_prefix(negation) == Some(word))
                || *word == plain(&self.name)
        };
        (0..2).find(|&position| !words[position].is_empty() && is_true(position) && !is_true(1 - position))
    }
}

pub(super) fn is_negative(label: &str) -> bool {
    let label = plain(label);
    KNOWN.iter().any(|[no, _]| label == *no)
}

/// Returns the letters and digits of a word in lower case.
fn plain(word: &str) -> String {
    let mut plain = String::new();
    for char in word.chars().filter(|char| char.is_alphanumeric()) {
        plain.extend(char.to_lowercase());
    }
    plain
}
