//! The parser of `qtdec-tree/1` files whose outermost test is a predicate.

use super::{read_borders, read_source};
use crate::borders::Borders;
use crate::domain::Domain;
use crate::json::PlacedValue;
use crate::listing::in_backticks;
use crate::problem::{Diagnostics, Problem, Problems};
use crate::tree::{DecisionTree, Predicate, SplitTree};

const KEYS: [&str; 5] = ["format", "borders", "split", "halves", "source"];

const OWN: [&str; 4] = ["cuts", "encoding", "fallback", "tree"];

impl SplitTree {
    /// The member that only a file with a predicate has.
    pub(crate) const MEMBER: &str = "split";

    /// Parses a file whose `format` is that of a tree, and which has the member [`MEMBER`](Self::MEMBER).
    pub(crate) fn read(file: &PlacedValue<'_>) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        let known = [&KEYS[..], &Domain::KEYS].concat();
        let tree = file.object(&known, &mut check).and_then(|object| {
            let domain = Domain::read(&object, &mut check);
            let borders = read_borders(&object, &mut check);
            let split = object.require(Self::MEMBER, &mut check);
            let halves = object.require("halves", &mut check);
            let domain = domain?;
            let split = read_split(split?, &domain, &mut check)?;
            let halves = read_halves(halves?, &domain, split, borders, &mut check)?;
            Some(Self::new(domain, split, halves, read_source(&object)))
        });
        check.finish(tree)
    }
}

/// Reads `["axis", "predicate"]`.
fn read_split(
    value: &PlacedValue<'_>,
    domain: &Domain,
    check: &mut Diagnostics,
) -> Option<(usize, Predicate)> {
    let [axis, predicate] = value.parts("write a split as [\"axis\", \"predicate\"]", check)?;
    let (name, text) = (axis.string(check)?, predicate.string(check)?);
    let sized = domain.axes().iter().filter(|axis| axis.values().is_some());
    let sized: Vec<&str> = sized.map(|axis| &*axis.name).collect();
    if !sized.contains(&&*name) {
        let problem = Problem::new(axis.path.clone(), format!("there is no axis `{name}` with sizes"));
        return check.refuse(problem.help(format!("the axes with sizes are {}", in_backticks(&sized))));
    }
    let Some(parsed) = Predicate::parse(&text) else {
        let problem = Problem::new(predicate.path.clone(), format!("unknown predicate `{text}`"));
        return check.refuse(problem.help(format!(
            "a size may be {}, with a number from 3 to {}",
            in_backticks(&Predicate::FORMS),
            Predicate::MAX_DIVISOR
        )));
    };
    Some((domain.find_axis(&name)?, parsed))
}

/// Reads the tree where the predicate holds, and the one where it fails.
fn read_halves(
    value: &PlacedValue<'_>,
    domain: &Domain,
    (axis, predicate): (usize, Predicate),
    borders: Option<Borders>,
    check: &mut Diagnostics,
) -> Option<[DecisionTree; 2]> {
    let needed = "two trees are needed: where the predicate holds, and where it fails";
    let [holding, failing] = value.parts(needed, check)?;
    let [holding, failing] = [(holding, true), (failing, false)]
        .map(|(half, holds)| read_half(&half, domain.part(axis, predicate, holds), borders, check));
    Some([holding?, failing?])
}

fn read_half(
    half: &PlacedValue<'_>,
    part: Result<Domain, Problems>,
    borders: Option<Borders>,
    check: &mut Diagnostics,
) -> Option<DecisionTree> {
    let add = |problem: &Problem| check.add(Problem::new(half.path.clone(), problem.message.clone()));
    let part = part.map_err(|problems| problems.iter().for_each(add)).ok()?;
    let object = half.object(&OWN, check)?;
    DecisionTree::read_own(&object, Some(part), borders, None, check)
}
