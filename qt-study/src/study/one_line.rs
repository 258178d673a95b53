//! Rules of one line that cost about as little as a tree.

use qtdec_core::penalty::penalties;
use qtdec_core::{DecisionMap, DecisionTree};

use super::line::Line;
use super::simple_rules::{SimpleRules, Threshold};
use super::unmeasured::Unmeasured;

/// The time in per cent by which a rule may be slower than a tree that it can replace.
pub const WITHIN: f64 = 1.0;

/// A rule that one would rather write by hand than a tree: the best single method, or the best single threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct OneLine {
    /// The rule as an expression of Rust.
    pub code: String,
    /// The time that the rule takes over that of the tree, in per cent, as a geometric mean; negative if it takes less.
    pub longer: f64,
    /// Whether this is so at sizes that were left out, where the rules were chosen from the other sizes, and not over the cells in which
    /// the rule was chosen.
    pub is_held_out: bool,
}

impl OneLine {
    /// Returns the best rule [instead of](Self::instead_of) a tree, chosen over all cells of a map with costs.
    pub fn instead_of_tree(
        tree: &DecisionTree,
        map: &DecisionMap,
        figure: Option<&Unmeasured>,
    ) -> Option<Self> {
        let decisions = tree.cells();
        let rules = SimpleRules::from_decisions(&decisions, map, &penalties(&decisions, map)?)?;
        Self::instead_of(tree.statistics().conditions, &rules, figure, map)
    }

    /// Returns the best rule that is at most 1 % slower than a tree with more conditions, or at least 1 % faster than any, if there is one:
    /// at the sizes left out if that figure is known. A threshold on axes that were measured along a line alone is none. Rules within 1 % of each other are equally good, and the single method is simpler.
    pub fn instead_of(
        conditions: u64,
        rules: &SimpleRules,
        figure: Option<&Unmeasured>,
        map: &DecisionMap,
    ) -> Option<Self> {
        let longer = figure
            .map_or([Some(rules.over_method.percent()), Some(rules.over_threshold.percent())], |found| {
                [found.one_method, found.one_threshold].map(|excess| Some(over(excess?, found)))
            });
        let lines = Line::all(map);
        let is_founded = |threshold: &&Threshold| {
            threshold.expression.axes().iter().all(|&axis| !lines.iter().any(|line| line.has(axis)))
        };
        let threshold = rules.threshold.as_ref().filter(is_founded).map(|threshold| threshold.text(map));
        let codes = [Some(rules.method_text(map)), threshold];
        let known = (0..).zip(codes).zip(longer);
        let known = known.filter_map(|((own, code), longer)| Some((own, code?, longer?)));
        let most = |own: u64| if own < conditions { WITHIN } else { -WITHIN };
        let found = known.filter(|(own, _, longer)| *longer <= most(*own));
        let found: Vec<(String, f64)> = found.map(|(_, code, longer)| (code, longer)).collect();
        let least = found.iter().map(|(_, longer)| *longer).fold(f64::INFINITY, f64::min);
        let (code, longer) = found.into_iter().find(|(_, longer)| *longer <= least + WITHIN)?;
        Some(Self { code, longer, is_held_out: figure.is_some() })
    }
}

/// Returns the time over that of the decisions of a figure, from the time over the best methods, in per cent.
fn over(excess: f64, figure: &Unmeasured) -> f64 {
    100.0 * ((100.0 + excess) / (100.0 + figure.excess.mean) - 1.0)
}

#[cfg(test)]
mod tests {
    use qtdec_core::{Axis, Costs, Document, Domain, Method, MethodIndex, Options};

    use super::super::left_out::LeftOut;
    use super::*;

    const SIZES: [u64; 12] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048];

    /// Returns the best rule instead of the exact tree of a map, at sizes left out and in-sample. `a` is the best method where a condition
    /// is true, and `b` elsewhere; the other one takes this many times as long.
    fn instead_of_tree(is_a: impl Fn(u64, u64) -> bool, slower: f64) -> [Option<OneLine>; 2] {
        let axes = vec![Axis::new("m", SIZES), Axis::new("n", SIZES)];
        let map = DecisionMap::from_costs(axes, ["a", "b"].map(Method::new).to_vec(), |point, method| {
            if is_a(point[0], point[1]) == (method.get() == 0) { 1.0 } else { slower }
        });
        let map = map.unwrap();
        let options = Options::parse::<&str>(&[]).unwrap();
        let tree = options.tree(Document::Map(map.clone())).unwrap();
        let figure = LeftOut::new(&map).unwrap().figure(|rest| options.tree(Document::Map(rest.clone())));
        let cells = penalties(&tree.cells(), &map).unwrap();
        let rules = SimpleRules::from_decisions(&tree.cells(), &map, &cells).unwrap();
        let conditions = tree.statistics().conditions;
        [figure.ok().as_ref(), None].map(|figure| OneLine::instead_of(conditions, &rules, figure, &map))
    }

    #[test]
    fn a_threshold_of_a_product_instead_of_a_tree() {
        let [held_out, in_sample] = instead_of_tree(|m, n| m * n < 1024, 2.0).map(Option::unwrap);
        assert_eq!(held_out.code, "if m.saturating_mul(n) < 1024 { a } else { b }");
        assert!(held_out.is_held_out && held_out.longer < -1.0, "{held_out:?}");
        assert_eq!((&*in_sample.code, in_sample.is_held_out), (&*held_out.code, false));
        assert!(in_sample.longer.abs() < 1e-9, "{in_sample:?}");
    }

    /// A method that is at most 1 % slower everywhere is simpler than the rule that is never slower.
    #[test]
    fn a_method_instead_of_a_tree() {
        let [held_out, in_sample] = instead_of_tree(|m, n| m * n < 16, 1.01).map(Option::unwrap);
        assert_eq!((&*held_out.code, &*in_sample.code), ("b", "b"));
        assert!(in_sample.longer > 0.0, "{in_sample:?}");
    }

    /// Between 16 and 256 another method is best on both axes, which no single comparison says.
    #[test]
    fn a_tree_that_no_line_replaces() {
        let is_inside = |size: u64| (16..256).contains(&size);
        assert_eq!(instead_of_tree(|m, n| is_inside(m) && is_inside(n), 8.0), [None, None]);
    }

    /// Where m = n alone was measured, a threshold on either is a guess, and so is one on both.
    #[test]
    fn no_threshold_along_a_line() {
        let axes = vec![Axis::new("m", SIZES), Axis::new("n", SIZES)];
        let domain = Domain::new(None, axes, ["a", "b"].map(Method::new).to_vec()).unwrap();
        let methods: Vec<MethodIndex> = domain.method_indexes().collect();
        let best = |sizes: &[u64]| usize::from(sizes[0] >= 64);
        let with = |is_measured: fn(&[u64]) -> bool| {
            let all = (0..domain.cells()).map(|cell| domain.sizes(cell));
            let cells = all.clone().map(|sizes| is_measured(&sizes).then(|| methods[best(&sizes)])).collect();
            let costs = all.flat_map(|sizes| {
                [0, 1].map(|way| is_measured(&sizes).then(|| if best(&sizes) == way { 1.0 } else { 2.0 }))
            });
            let map =
                DecisionMap::new(domain.clone(), cells).unwrap().with_costs(Costs::new(2, costs)).unwrap();
            let rules =
                SimpleRules::from_decisions(map.cells(), &map, &penalties(map.cells(), &map).unwrap())
                    .unwrap();
            OneLine::instead_of(20, &rules, None, &map).map(|line| line.code)
        };
        assert_eq!(with(|sizes| sizes[0] == sizes[1]), None);
        assert_eq!(with(|_| true).as_deref(), Some("if m < 64 { a } else { b }"));
    }

    /// The tree is the rule.
    #[test]
    fn a_tree_of_one_line() {
        assert_eq!(instead_of_tree(|m, _| m < 4, 2.0), [None, None]);
    }
}
