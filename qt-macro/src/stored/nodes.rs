//! The nodes of a tree as a list in preorder, with borders as sample indexes.

/// A node: a leaf with its method, or a test.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Node {
    /// The decision; `None` where there is none.
    Leaf(Option<usize>),
    /// A test. The lower side begins with the next node, the upper side `upper` nodes after this one.
    Test { axis: usize, at: usize, upper: usize },
}

/// One side of a cut.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Bound {
    pub(super) axis: usize,
    /// The first sample of the upper side.
    pub(super) at: usize,
    /// Whether the size is on the lower side.
    pub(super) below: bool,
}

impl Bound {
    pub(super) fn other(self) -> Self {
        Self { below: !self.below, ..self }
    }
}

/// A tree.
#[derive(Clone, PartialEq)]
pub(super) struct Nodes(pub(super) Vec<Node>);

/// A tree or a part of one.
pub(super) type Subtree<'t> = &'t [Node];

/// Returns the top test of a subtree with its two sides; `None` for a leaf.
pub(super) fn split(subtree: Subtree<'_>) -> Option<(Bound, Subtree<'_>, Subtree<'_>)> {
    match subtree[0] {
        Node::Leaf(_) => None,
        Node::Test { axis, at, upper } => {
            Some((Bound { axis, at, below: true }, &subtree[1..upper], &subtree[upper..]))
        }
    }
}

impl Nodes {
    /// Creates a test, or returns the remaining side if both are equal, or one is a leaf that merely extends the other one across the border.
    pub(super) fn test(axis: usize, at: usize, below: Self, above: Self) -> Self {
        if below == above || extends(&above.0, &below.0, axis, at) {
            return below;
        }
        if extends(&below.0, &above.0, axis, at) {
            return above;
        }
        let mut nodes = vec![Node::Test { axis, at, upper: below.0.len() + 1 }];
        nodes.extend_from_slice(&below.0);
        nodes.extend_from_slice(&above.0);
        Self(nodes)
    }

    /// Returns the decisions of the leaves.
    pub(super) fn answers(&self) -> Vec<Option<usize>> {
        let mut answers = Vec::new();
        for node in &self.0 {
            if let Node::Leaf(answer) = *node {
                answers.push(answer);
            }
        }
        answers
    }

    /// Returns the axis and sample of every test.
    pub(super) fn cuts(&self) -> Vec<(usize, usize)> {
        let mut cuts = Vec::new();
        for node in &self.0 {
            if let Node::Test { axis, at, .. } = *node {
                cuts.push((axis, at));
            }
        }
        cuts
    }

    /// Returns the tree with other methods.
    pub(super) fn with_methods(mut self, methods: &[usize]) -> Self {
        for node in &mut self.0 {
            if let Node::Leaf(Some(method)) = node {
                *method = methods[*method];
            }
        }
        self
    }
}

/// Returns whether a leaf only goes on with the decision on the other side of a border.
fn extends(leaf: Subtree<'_>, side: Subtree<'_>, axis: usize, at: usize) -> bool {
    match split(side) {
        Some((bound, below, above)) if bound.axis == axis => {
            leaf == (if at < bound.at { below } else { above }) && leaf.len() == 1
        }
        _ => false,
    }
}

/// The samples of a box: on each axis, the first one and the end.
pub(super) type Samples = Vec<(usize, usize)>;

/// Returns the box of all samples.
pub(super) fn whole(shape: &[usize]) -> Samples {
    shape.iter().map(|&len| (0, len)).collect()
}

/// Removes every test that an enclosing one decides, or that separates equal answers.
pub(super) fn simplified(subtree: Subtree<'_>, within: &mut Samples) -> Nodes {
    let Some((Bound { axis, at, .. }, below, above)) = split(subtree) else { return Nodes(subtree.to_vec()) };
    let (lowest, end) = within[axis];
    if at <= lowest {
        return simplified(above, within);
    }
    if at >= end {
        return simplified(below, within);
    }
    within[axis] = (lowest, at);
    let below = simplified(below, within);
    within[axis] = (at, end);
    let above = simplified(above, within);
    within[axis] = (lowest, end);
    Nodes::test(axis, at, below, above)
}
