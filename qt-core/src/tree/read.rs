//! The parser of `qtdec-tree/1` files.

mod cuts;

use std::collections::HashMap;

use super::flat_tree::Preorder;
use super::{DecisionTree, FlatTree, MAX_DEPTH, guard};
use crate::borders::Borders;
use crate::domain::{Domain, MethodIndex, Samples};
use crate::json::{Object, PlacedValue};
use crate::listing::in_backticks;
use crate::problem::{Diagnostics, Problem, Problems};
use crate::statistics::Encoding;

const KEYS: [&str; 7] = ["format", "borders", "cuts", "encoding", "fallback", "tree", "source"];

impl DecisionTree {
    pub(crate) fn read(file: &PlacedValue<'_>) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        let known = [&KEYS[..], &Domain::KEYS].concat();
        let tree = file.object(&known, &mut check).and_then(|object| {
            let domain = Domain::read(&object, &mut check);
            let borders = read_borders(&object, &mut check);
            let source = read_source(&object);
            Self::read_own(&object, domain, borders, source, &mut check)
        });
        check.finish(tree)
    }

    /// Reads what a tree has of its own, below the members that say what it is about.
    fn read_own(
        object: &Object<'_>,
        domain: Option<Domain>,
        borders: Option<Borders>,
        source: Option<String>,
        check: &mut Diagnostics,
    ) -> Option<Self> {
        let encoding = object.require("encoding", check).and_then(|value| Encoding::read(value, check));
        let tree = object.require("tree", check);
        let domain = domain?;
        let nodes = read_nodes(tree?, &domain, check);
        let fallback =
            object.optional("fallback", check, |value, check| read_fallback(value, &domain, check))?;
        let nodes = nodes?;
        let thresholds = cuts::read_thresholds(object, borders?, &nodes, &domain, check)?;
        let nodes = nodes.simplified(&domain.shape());
        Some(Self::new(domain, thresholds, nodes, encoding?, source, fallback))
    }
}

fn read_borders(object: &Object<'_>, check: &mut Diagnostics) -> Option<Borders> {
    match object.get("borders") {
        Some(value) => value.one_of("borders", &Borders::ALL, check),
        // Every file of this version that names no borders was written for these.
        None => Some(Borders::Floor),
    }
}

fn read_source(object: &Object<'_>) -> Option<String> {
    object.get("source").map(|source| source.raw().get().to_owned())
}

fn read_fallback(value: &PlacedValue<'_>, domain: &Domain, check: &mut Diagnostics) -> Option<MethodIndex> {
    let label = value.string(check)?;
    match guard::fallback(domain, &label) {
        Ok(method) => Some(method),
        Err(message) => {
            check.refuse(Problem::new(value.path.clone(), message).help(guard::unconditional(domain)))
        }
    }
}

/// Reads the preorder list: `["axis", sample]` for a test, then its lower side, then its upper side; a label or null for a leaf.
fn read_nodes(value: &PlacedValue<'_>, domain: &Domain, check: &mut Diagnostics) -> Option<FlatTree> {
    let mut methods: HashMap<String, usize> = HashMap::new();
    for (index, method) in domain.methods().iter().enumerate() {
        methods.insert(method.label(), index);
    }
    let mut nodes = Preorder::default();
    let mut sound = true;
    for entry in value.elements(check)? {
        if nodes.is_complete() {
            return check.refuse(Problem::new(entry.path, "the tree was complete before this entry"));
        }
        if entry.is_array() {
            if nodes.depth() == MAX_DEPTH {
                return check
                    .refuse(Problem::new(entry.path, format!("the tree is deeper than {MAX_DEPTH} tests")));
            }
            let test = entry.parts("write a test as [\"axis\", sample]", check);
            let cut = test.and_then(|[axis, sample]| read_cut(&axis, &sample, domain, check));
            sound &= cut.is_some();
            // An invalid test still has two sides that can be read.
            let (axis, at) = cut.unwrap_or((0, 1));
            nodes.test(axis, at);
        } else {
            let method = read_leaf(&entry, &methods, check);
            sound &= method.is_some();
            nodes.leaf(method.flatten());
        }
    }
    let depth = nodes.depth();
    let nodes = nodes.finish();
    if nodes.is_none() {
        let message =
            if depth == 0 { "the tree is empty".to_owned() } else { format!("{depth} tests lack a subtree") };
        check.add(Problem::new(value.path.clone(), message).help(
            "a test is followed by the subtree below its sample, then by the subtree from that \
                     sample on",
        ));
    }
    nodes.filter(|_| sound)
}

/// Reads the axis of a cut and the first sample of its upper side.
fn read_cut(
    axis: &PlacedValue<'_>,
    sample: &PlacedValue<'_>,
    domain: &Domain,
    check: &mut Diagnostics,
) -> Option<(usize, usize)> {
    let name = axis.string(check)?;
    let Some(index) = domain.find_axis(&name) else {
        let known: Vec<&str> = domain.axes().iter().map(|axis| &*axis.name).collect();
        let problem = Problem::new(axis.path.clone(), format!("there is no axis `{name}`"));
        return check.refuse(problem.help(format!("the axes are {}", in_backticks(&known))));
    };
    let at = match &domain.axes()[index].samples {
        Samples::Values(values) => values.binary_search(&sample.whole(check)?).ok(),
        Samples::Labels(labels) => {
            let label = sample.string(check)?;
            labels.iter().position(|known| *known == label)
        }
    };
    let at = at.filter(|&at| at > 0);
    if at.is_none() {
        let message = format!("{} is not a sample of `{name}` after the first", sample.shown());
        check.add(
            Problem::new(sample.path.clone(), message)
                .help("a test names the first sample of its upper side"),
        );
    }
    Some((index, at?))
}

fn read_leaf(
    entry: &PlacedValue<'_>,
    methods: &HashMap<String, usize>,
    check: &mut Diagnostics,
) -> Option<Option<MethodIndex>> {
    if entry.is_null() {
        return Some(None);
    }
    let label = entry.string(check)?;
    let method = methods.get(&label).map(|&method| MethodIndex::new(method));
    if method.is_none() {
        check.add_with(|| {
            Problem::new(entry.path.clone(), format!("there is no method `{label}`")).help(
                "a leaf names a method of `methods`, with its segment size as in `pipeline/8192`, or is null",
            )
        });
    }
    method.map(Some)
}
