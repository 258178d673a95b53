//! The quadtree compared with the papers: with an independent, plain implementation of its definition, with the
//! closed forms, and with the published tables.

use proptest::prelude::*;
use qtdec_core::encode::{self, Fill, LeafRule, MAX_BLOCKS, Quadrant, Quadtree};
use qtdec_core::statistics::Depth;
use qtdec_core::tree::{Block, Condition};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Domain, Method, MethodIndex};
use qtdec_testkit::maps::{Pattern, Plan, hundredths, plans};
use qtdec_testkit::sample::one_in;

fn encode(map: &DecisionMap, quadtree: &Quadtree) -> DecisionTree {
    encode::encode(map, quadtree, Borders::Floor).expect("the options fit the map")
}

fn exact() -> Quadtree {
    Quadtree::default()
}

/// The papers' quadtree on a grid that is really filled in.
mod plain {
    use super::*;

    pub(super) struct Tree<'m> {
        map: &'m DecisionMap,
        options: &'m Quadtree,
        shape: Vec<usize>,
        size: usize,
    }

    pub(super) enum Node {
        Leaf(Option<MethodIndex>),
        Quadrants(Vec<Node>),
    }

    impl<'m> Tree<'m> {
        pub(super) fn new(map: &'m DecisionMap, options: &'m Quadtree) -> Self {
            let shape: Vec<usize> = map.domain().axes().iter().map(Axis::len).collect();
            let size = shape.iter().map(|len| len.next_power_of_two()).max().unwrap();
            Self { map, options, shape, size }
        }

        fn sample(&self, axis: usize, index: usize) -> usize {
            match self.options.fill {
                Fill::Stretch => index * self.shape[axis] / self.size,
                Fill::Last => index.min(self.shape[axis] - 1),
                other => panic!("the papers have no {other:?}"),
            }
        }

        fn cell(&self, indexes: &[usize]) -> usize {
            indexes
                .iter()
                .enumerate()
                .fold(0, |cell, (axis, &index)| cell * self.shape[axis] + self.sample(axis, index))
        }

        /// Returns every filled-in cell of a block.
        fn cells(&self, corner: &[usize], size: usize) -> Vec<usize> {
            let empty = vec![Vec::new()];
            let indexes = corner.iter().fold(empty, |points, &start| {
                points
                    .iter()
                    .flat_map(|point| (start..start + size).map(move |index| [&point[..], &[index]].concat()))
                    .collect()
            });
            indexes.iter().map(|indexes| self.cell(indexes)).collect()
        }

        pub(super) fn root(&self) -> Node {
            self.block(&vec![0; self.shape.len()], self.size, 0)
        }

        fn block(&self, corner: &[usize], size: usize, depth: u32) -> Node {
            let cells = self.cells(corner, size);
            let domain = self.map.domain();
            let runs =
                |method: MethodIndex| cells.iter().all(|&cell| domain.may_run(method, &domain.sizes(cell)));
            let measured: Vec<usize> =
                cells.iter().copied().filter(|&cell| self.map.cells()[cell].is_some()).collect();
            let right =
                |cell: usize, method: MethodIndex| self.map.acceptable_methods(cell).contains(&method);
            let votes = |method: MethodIndex| measured.iter().filter(|&&cell| right(cell, method)).count();
            // Cells are weighted by their calls; in a block that is never called, all have the same weight.
            let called: f64 = measured.iter().map(|&cell| self.map.weight(cell)).sum();
            let weight = |cell: usize| if called == 0.0 { 1.0 } else { self.map.weight(cell) };
            let weighed = |method: MethodIndex| {
                measured.iter().filter(|&&cell| right(cell, method)).map(|&cell| weight(cell)).sum::<f64>()
            };
            if measured.is_empty() {
                return Node::Leaf(None);
            }
            let methods: Vec<MethodIndex> = self.map.domain().method_indexes().collect();
            let common: Vec<MethodIndex> = methods
                .iter()
                .copied()
                .filter(|&method| votes(method) == measured.len() && runs(method))
                .collect();
            if !common.is_empty() {
                let cost = |method: MethodIndex| match self.map.costs() {
                    Some(costs) => measured
                        .iter()
                        .map(|&cell| {
                            self.map.weight(cell) as u64 * hundredths(costs.get(cell, method).unwrap())
                        })
                        .sum(),
                    None => 0,
                };
                return Node::Leaf(common.into_iter().min_by_key(|&method| cost(method)));
            }
            let voted: Vec<MethodIndex> =
                methods.iter().copied().filter(|&method| runs(method) && votes(method) > 0).collect();
            let most = voted.iter().map(|&method| weighed(method)).fold(0.0, f64::max);
            let share = if called == 0.0 { 100.0 } else { 100.0 * most / called };
            let limit = self.options.max_depth.is_some_and(|limit| depth >= limit);
            if !voted.is_empty()
                && (limit || (self.options.threshold < 100.0 && share >= self.options.threshold))
            {
                let commonest = voted.iter().copied().find(|&method| weighed(method) == most);
                return Node::Leaf(match self.options.leaf {
                    LeafRule::Majority => commonest,
                    LeafRule::Cheapest => self.cheapest(&measured, &runs).or(commonest),
                    other => panic!("the papers have no {other:?}"),
                });
            }
            let half = size / 2;
            let quadrants = 0..1_usize << corner.len();
            Node::Quadrants(
                quadrants
                    .map(|quadrant| {
                        let corner: Vec<usize> = corner
                            .iter()
                            .enumerate()
                            .map(|(axis, &start)| start + half * (quadrant >> axis & 1))
                            .collect();
                        self.block(&corner, half, depth + 1)
                    })
                    .collect(),
            )
        }

        fn cheapest(&self, measured: &[usize], runs: &dyn Fn(MethodIndex) -> bool) -> Option<MethodIndex> {
            let costs = self.map.costs().unwrap();
            let candidates = self.map.candidates();
            let cost = |cell, method| costs.get(cell, method).map(hundredths);
            let best = |cell| candidates.iter().filter_map(|&method| cost(cell, method)).min();
            assert!(
                measured.iter().all(|&cell| best(cell) == Some(100)),
                "a penalty is a whole number of per cents"
            );
            let penalty = |method: MethodIndex| {
                let of = |&cell: &usize| Some(self.map.weight(cell) as u64 * (cost(cell, method)? - 100));
                measured.iter().map(of).sum::<Option<u64>>()
            };
            let runnable = candidates.iter().filter(|&&method| runs(method));
            let priced = runnable.filter_map(|&method| Some((method, penalty(method)?)));
            priced.min_by_key(|(_, penalty)| *penalty).map(|(method, _)| method)
        }

        /// Returns the tree's decision for a sample, which is that of its first copy.
        pub(super) fn decide(&self, root: &Node, samples: &[usize]) -> Option<MethodIndex> {
            let first = |axis: usize, sample: usize| {
                (0..self.size).find(|&index| self.sample(axis, index) == sample).unwrap()
            };
            let copy: Vec<usize> =
                samples.iter().enumerate().map(|(axis, &sample)| first(axis, sample)).collect();
            let (mut node, mut corner, mut size) = (root, vec![0; copy.len()], self.size);
            while let Node::Quadrants(quadrants) = node {
                size /= 2;
                let mut quadrant = 0;
                for axis in 0..copy.len() {
                    if copy[axis] >= corner[axis] + size {
                        quadrant |= 1 << axis;
                        corner[axis] += size;
                    }
                }
                node = &quadrants[quadrant];
            }
            let Node::Leaf(method) = node else { unreachable!() };
            *method
        }

        /// Joins sibling leaves with the same method, bottom-up.
        pub(super) fn collapsed(node: Node) -> Node {
            let Node::Quadrants(quadrants) = node else { return node };
            let quadrants: Vec<Node> = quadrants.into_iter().map(Self::collapsed).collect();
            let leaf = |node: &Node| if let Node::Leaf(method) = node { Some(*method) } else { None };
            match leaf(&quadrants[0]) {
                Some(method) if quadrants.iter().all(|node| leaf(node) == Some(method)) => Node::Leaf(method),
                _ => Node::Quadrants(quadrants),
            }
        }
    }

    /// Collects the depth of every leaf, and counts the nodes.
    pub(super) fn count(node: &Node, depth: u64, depths: &mut Vec<u64>) -> u64 {
        match node {
            Node::Leaf(_) => {
                depths.push(depth);
                1
            }
            Node::Quadrants(quadrants) => {
                1 + quadrants.iter().map(|node| count(node, depth + 1, depths)).sum::<u64>()
            }
        }
    }
}

fn options() -> impl Strategy<Value = Quadtree> {
    let max_depth = prop_oneof![Just(None), (0..6_u32).prop_map(Some)];
    let threshold = prop_oneof![Just(100.0), 0.0..100.0_f64];
    let fill = prop_oneof![Just(Fill::Stretch), Just(Fill::Last)];
    let leaf = prop_oneof![Just(LeafRule::Majority), Just(LeafRule::Cheapest)];
    (max_depth, threshold, fill, leaf, any::<bool>()).prop_map(
        |(max_depth, threshold, fill, leaf, collapse)| Quadtree {
            max_depth,
            threshold,
            fill,
            leaf,
            collapse,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400 / one_in::<u32>(8), ..ProptestConfig::default() })]

    #[test]
    fn the_tree_is_the_one_the_papers_define(plan in plans(11), options in options()) {
        let map = Plan { costs: true, ..plan }.map();
        let tree = encode(&map, &options);
        let plain = plain::Tree::new(&map, &options);
        let root = plain.root();
        for (cell, decision) in tree.cells().into_iter().enumerate() {
            let mut rest = cell;
            let mut samples: Vec<usize> = map.domain().axes().iter().rev().map(|axis| {
                let sample = rest % axis.len();
                rest /= axis.len();
                sample
            }).collect();
            samples.reverse();
            prop_assert_eq!(decision, plain.decide(&root, &samples), "cell {:?}", samples);
        }
        let root = if options.collapse { plain::Tree::collapsed(root) } else { root };
        let mut depths = Vec::new();
        let nodes = plain::count(&root, 0, &mut depths);
        let encoding = &tree.statistics().encoding;
        prop_assert_eq!((encoding.leaves, encoding.nodes), (depths.len() as u64, nodes));
        let mean = depths.iter().sum::<u64>() as f64 / depths.len() as f64;
        let expected = Depth { min: *depths.iter().min().unwrap(), mean, max: *depths.iter().max().unwrap() };
        prop_assert_eq!(encoding.depth, expected);
    }

    #[test]
    fn the_quadrants_are_those_of_the_papers(plan in plans(11), options in options()) {
        /// There the halves of the first axis are the lowest bit of a part's number, here the highest.
        fn same(one: &plain::Node, other: &Quadrant) -> bool {
            match (one, other) {
                (plain::Node::Leaf(one), Quadrant::Leaf(other)) => one == other,
                (plain::Node::Quadrants(one), Quadrant::Divided(other)) => {
                    let unused = usize::BITS - one.len().ilog2();
                    let part = |part: usize| part.reverse_bits() >> unused;
                    one.len() == other.len() && (0..one.len()).all(|at| same(&one[at], &other[part(at)]))
                }
                _ => false,
            }
        }
        let map = Plan { costs: true, ..plan }.map();
        let quadrants = options.quadrants(&map).unwrap();
        let plain = plain::Tree::new(&map, &options);
        let root = plain.root();
        let root = if options.collapse { plain::Tree::collapsed(root) } else { root };
        prop_assert!(same(&root, &quadrants.root), "{:?}", quadrants.root);
        let tree = encode(&map, &options);
        let encoding = &tree.statistics().encoding;
        prop_assert_eq!((quadrants.root.leaves(), quadrants.root.nodes()), (encoding.leaves, encoding.nodes));
        for (cell, decision) in tree.cells().into_iter().enumerate() {
            let shape = map.domain().shape();
            let samples = shape.iter().rev().scan(cell, |rest, len| {
                let sample = *rest % len;
                *rest /= len;
                Some(sample)
            });
            let mut samples: Vec<usize> = samples.collect();
            samples.reverse();
            let (reached, depth) = quadrants.leaf(&samples);
            prop_assert_eq!(decision, reached, "cell {:?}", samples);
            prop_assert!((encoding.depth.min..=encoding.depth.max).contains(&u64::from(depth)));
        }
    }

    #[test]
    fn empty_cells_are_the_only_ones_without_a_decision(plan in plans(40)) {
        let map = plan.map();
        let tree = encode(&map, &exact());
        for (cell, decision) in tree.cells().into_iter().enumerate() {
            match map.cells()[cell] {
                Some(_) => prop_assert!(decision.is_some_and(|method| map.acceptable_methods(cell).contains(&method))),
                None => prop_assert!(decision.is_none_or(|method| map.cells().contains(&Some(method)) || map.ties().is_some())),
            }
        }
    }

    #[test]
    fn every_internal_node_has_four_children(plan in plans(40), options in options()) {
        let map = Plan { costs: true, ..plan }.map();
        let encoding = encode(&map, &options).statistics().encoding.clone();
        let children = 1_u64 << map.domain().axes().len();
        let internal = encoding.nodes - encoding.leaves;
        prop_assert_eq!(encoding.leaves, internal * (children - 1) + 1);
    }
}

/// A full tree of depth k has 4^k leaves and (4^(k+1) − 1) / 3 nodes; without merging, each inner node has 4
/// conditions (2006 paper, section 3.4).
#[test]
fn a_full_tree_has_the_closed_forms() {
    for k in 0..6_u32 {
        let side = 1 << k;
        let map = Plan::new(&[side, side], Pattern::Different, 1).map();
        let statistics = encode(&map, &exact()).statistics().clone();
        let (leaves, nodes) = (4_u64.pow(k), (4_u64.pow(k + 1) - 1) / 3);
        assert_eq!((statistics.encoding.leaves, statistics.encoding.nodes), (leaves, nodes));
        assert_eq!(statistics.encoding.depth, Depth { min: k.into(), mean: k.into(), max: k.into() });
        assert_eq!(statistics.regions, leaves);
        // With merging, the fourth condition of each node is the `else`.
        assert_eq!(statistics.conditions, 3 * (nodes - leaves));
    }
}

/// Computes Table 3 of the 2006 paper: the leaves of each truncated tree determine how many blocks of each level were
/// divided, and these determine the mean depth.
#[test]
fn the_mean_depths_of_the_papers_table_3() {
    let published =
        [(4, "1.0000"), (16, "2.0000"), (58, "2.9655"), (166, "3.8554"), (442, "4.7783"), (973, "5.6269")];
    let map = cut_as(&published.map(|(leaves, _)| leaves));
    for (depth, (leaves, mean)) in (1..).zip(published) {
        let tree = encode(&map, &Quadtree { max_depth: Some(depth), ..exact() });
        let encoding = &tree.statistics().encoding;
        assert_eq!(encoding.leaves, leaves);
        assert_eq!(format!("{:.4}", encoding.depth.mean), mean);
        assert_eq!((encoding.depth.min, encoding.depth.max), (u64::from(depth.min(2)), depth.into()));
    }
    assert_eq!(encode(&map, &exact()).statistics().encoding.leaves, 973);
}

/// Returns a 64 × 64 map whose quadtree has these numbers of leaves when it is cut off at each depth.
fn cut_as(leaves: &[u64]) -> DecisionMap {
    let side = 1_usize << leaves.len();
    let mut colours = vec![0_usize; side * side];
    let mut next = 1;
    // Of the blocks of each level, the first ones are divided further, as many as the next level needs.
    let mut blocks = vec![(0, 0)];
    let mut before = 1;
    for (level, &after) in leaves.iter().enumerate() {
        let cut = ((after - before) / 3) as usize;
        let half = side >> (level + 1);
        let children = blocks[..cut]
            .iter()
            .flat_map(|&(y, x)| [(y, x), (y, x + half), (y + half, x), (y + half, x + half)]);
        blocks = children.collect();
        for &(y, x) in &blocks {
            for row in y..y + half {
                colours[row * side + x..][..half].fill(next);
            }
            next += 1;
        }
        before = after;
    }
    let values: Vec<u64> = (0..side as u64).collect();
    let axes = vec![Axis::new("comm_size", values.clone()), Axis::new("msg_size", values)];
    let methods = (0..next).map(|colour| Method::new(format!("colour {colour}"))).collect();
    let domain = Domain::new(None, axes, methods).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    DecisionMap::new(domain, colours.into_iter().map(|colour| Some(indexes[colour])).collect()).unwrap()
}

/// The order of the quadrants is the one whose tests leave fewer regions: if the upper two are equal, rows are
/// separated first.
#[test]
fn a_node_takes_the_order_of_fewer_regions() {
    let tree = |cells: [usize; 4]| {
        let axes = vec![Axis::new("comm_size", [1, 2]), Axis::new("msg_size", [1, 2])];
        let methods = (0..4).map(|index| Method::new(format!("method {index}"))).collect();
        let domain = Domain::new(None, axes, methods).unwrap();
        let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
        let map = DecisionMap::new(domain, cells.iter().map(|&cell| Some(indexes[cell])).collect()).unwrap();
        let statistics = encode(&map, &exact()).statistics().clone();
        (statistics.regions, statistics.conditions)
    };
    assert_eq!(tree([0, 0, 1, 2]), (3, 2), "NW = NE");
    assert_eq!(tree([0, 1, 0, 2]), (3, 2), "NW = SW");
    assert_eq!(tree([0, 0, 1, 1]), (2, 1), "a horizontal border");
    assert_eq!(tree([0, 1, 0, 1]), (2, 1), "a vertical border");
    assert_eq!(tree([1, 0, 0, 0]), (3, 1), "one corner");
    assert_eq!(tree([0, 1, 2, 0]), (4, 2), "one diagonal");
    assert_eq!(tree([0, 1, 1, 0]), (4, 1), "both diagonals");
    assert_eq!(tree([0, 1, 2, 3]), (4, 3), "four methods");
}

/// A test between two answers is compiled without a branch, so quadrants are paired such that there are more of
/// these.
#[test]
fn quadrants_go_by_columns_where_that_pairs_more_answers() {
    /// Returns the axes in the order of the topmost condition.
    fn order(cells: [u32; 16]) -> [usize; 2] {
        let axes = ["comm_size", "msg_size"].map(|name| Axis::new(name, [1, 2, 3, 4]));
        let methods = (0..5).map(|index| Method::new(format!("method {index}"))).collect();
        let domain = Domain::new(None, axes.into(), methods).unwrap();
        let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
        let cells = cells.iter().map(|&cell| Some(indexes[cell as usize])).collect();
        let tree = encode(&DecisionMap::new(domain, cells).unwrap(), &exact());
        let Block::Branches { arms, .. } = tree.block() else { panic!("a leaf") };
        let first = |block: &Block| match block {
            Block::Branches { arms, .. } => match arms[0].when {
                Condition::Side(bound) => bound.axis,
                ref other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        [first(tree.block()), first(&arms[0].then)]
    }
    assert_eq!(order([0, 0, 1, 1, 0, 0, 1, 1, 2, 3, 4, 3, 3, 2, 3, 4]), [0, 1], "answers above");
    assert_eq!(order([0, 0, 2, 3, 0, 0, 3, 2, 1, 1, 4, 3, 1, 1, 3, 4]), [1, 0], "answers to the left");
    assert_eq!(order([0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 4, 3, 2, 2, 3, 4]), [0, 1], "one pair of each");
}

/// Filled in to 65 536 × 65 536, the map has four billion leaves, which are counted without being visited.
#[test]
fn too_many_quadrants_are_refused() {
    let long = Axis::new("n", (1..=4096).collect::<Vec<u64>>());
    let short = Axis::new("m", [1, 2]);
    let methods = ["a", "b"].map(Method::new).to_vec();
    let map = DecisionMap::from_costs(vec![short, long], methods, |sizes, method| {
        Some(if (sizes[1] % 2 == 1) == (method.get() == 0) { 1.0 } else { 2.0 })
    });
    let problem = exact().quadrants(&map.unwrap()).unwrap_err();
    let blocks = (4_u64.pow(13) - 1) / 3;
    assert!(
        problem.to_string().contains(&format!("{blocks} blocks, and {MAX_BLOCKS} is the limit")),
        "{problem}"
    );
}

#[test]
fn a_long_alternating_map_is_counted_not_visited() {
    let map = Plan::new(&[1, 65_536], Pattern::Checkerboard, 1).map();
    let statistics = encode(&map, &exact()).statistics().clone();
    assert_eq!(statistics.encoding.leaves, 1 << 32);
    assert_eq!(statistics.regions, 65_536);
    assert_eq!(statistics.encoding.quality.mismatches, 0);
}
