//! Trees whose outermost test is a predicate: when one is taken, and that its halves decide as the map.

use qtdec_core::encode::{self, EncodeSettings, Quadtree};
use qtdec_core::tree::{AnyTree, Predicate, SplitTree, TreeRef};
use qtdec_core::{Axis, Borders, DecisionMap, Document, Domain, Method, MethodIndex, Options};
use qtdec_testkit::maps::TestRng;

const METHODS: [&str; 4] = ["doubling", "halving", "bruck", "ring"];

/// Returns a map of these numbers of ranks and six message sizes, whose best methods `best` gives by their positions.
fn map(ranks: &[u64], best: impl Fn(u64, u64) -> usize) -> DecisionMap {
    let bytes = [1, 64, 1024, 4096, 65_536, 1 << 20];
    let axes = vec![Axis::new("comm_size", ranks), Axis::new("msg_size", bytes)];
    let domain = Domain::new(None, axes, METHODS.map(Method::new).to_vec()).unwrap();
    let methods: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells = (0..domain.cells()).map(|cell| {
        let sizes = domain.sizes(cell);
        Some(methods[best(sizes[0], sizes[1])])
    });
    let cells = cells.collect();
    DecisionMap::new(domain, cells).unwrap()
}

fn by_powers(ranks: u64, bytes: u64) -> usize {
    match (ranks.is_power_of_two(), bytes < 4096) {
        (true, true) => 0,
        (true, false) => 1,
        (false, true) => 2,
        (false, false) => 3,
    }
}

/// Encodes a map with predicates.
fn predicated(map: &DecisionMap) -> (AnyTree, String) {
    let options = Options::parse(&[("predicates", "true")]).unwrap();
    let made = options.predicated(Document::Map(map.clone())).unwrap();
    (made.tree, made.note.unwrap())
}

fn split(map: &DecisionMap) -> SplitTree {
    match predicated(map) {
        (AnyTree::Split(tree), _) => tree,
        (AnyTree::Boxes(_), note) => panic!("{note}"),
    }
}

#[test]
fn a_power_of_two_takes_four_regions_and_is_right_where_nothing_was_measured() {
    let ranks: Vec<u64> = (2..=64).chain([96, 100, 128, 192, 200, 256, 300]).collect();
    let whole = map(&ranks, by_powers);
    let left_out: Vec<usize> = (0..ranks.len()).filter(|&at| ![128, 256].contains(&ranks[at])).collect();
    let rest = whole.at_samples(0, &left_out).unwrap();
    let boxes = encode::encode(&rest, &Quadtree::default(), Borders::default()).unwrap();
    let (tree, note) = predicated(&rest);
    let AnyTree::Split(tree) = tree else { panic!("{note}") };
    let regions = boxes.statistics().regions;
    assert_eq!(note, format!("split by `comm_size is a power of two`: 4 instead of {regions} regions"));
    assert!(tree.regions() <= 4 && regions > 20, "{regions}");
    for cell in 0..whole.cells().len() {
        let sizes = whole.domain().sizes(cell);
        assert_eq!(tree.decide(&sizes), whole.cells()[cell], "{sizes:?}");
    }
    assert_ne!(boxes.decide(&[128, 1]), tree.decide(&[128, 1]), "a tree of boxes cannot know");
}

/// With fewer regions, decisions at sizes that were left out would cost more.
#[test]
fn a_predicate_that_fits_by_accident_is_not_taken() {
    let counts = [10, 11, 22, 23, 26, 29, 34, 37];
    let methods = ["one", "other"].map(Method::new).to_vec();
    let map = DecisionMap::from_costs(vec![Axis::new("count", counts)], methods, |sizes, method| {
        let of_other = match sizes[0] {
            10 | 22 => 99.9,
            11 | 23 => 100.1,
            _ => 150.0,
        };
        [100.0, of_other][method.get()]
    })
    .unwrap();
    let settings = EncodeSettings { borders: Borders::Floor, ..EncodeSettings::default() };
    let made = encode::encode_split(&map, &Quadtree::default(), &settings).unwrap();
    assert_eq!(
        made.note.unwrap(),
        "not split: `count is even` makes 3 instead of 5 regions, but decides worse at sizes that are left out"
    );
    assert_eq!(
        made.tree,
        AnyTree::Boxes(encode::encode_with(&map, &Quadtree::default(), &settings).unwrap())
    );
}

#[test]
fn a_map_without_a_pattern_is_not_split() {
    let ranks: Vec<u64> = (2..=20).collect();
    let (tree, note) = predicated(&map(&ranks, |ranks, bytes| usize::from(ranks * bytes > 10_000)));
    assert!(matches!(tree, AnyTree::Boxes(_)));
    assert!(note.starts_with("not split: no predicate makes the tree of "), "{note}");
}

/// Both sides of every predicate, with decisions that change with the other size at random places.
#[test]
fn halves_decide_as_their_map_and_are_read_again() {
    let mut rng = TestRng(7);
    let predicates =
        (3..=8).map(Predicate::MultipleOf).chain([Predicate::PowerOfTwo, Predicate::MultipleOf(2)]);
    for predicate in predicates {
        let ranks: Vec<u64> = (1..=40).collect();
        let steps = [true, false].map(|_| 1 << rng.below(20));
        let best = |ranks: u64, bytes: u64| {
            let holds = predicate.holds(ranks);
            2 * usize::from(holds) + usize::from(bytes < steps[usize::from(holds)])
        };
        let map = map(&ranks, best);
        let tree = split(&map);
        assert_eq!(tree.predicate(), predicate);
        assert_eq!(tree.cells(), map.cells());
        for ranks in (0..1000).chain([u64::from(u32::MAX), 1 << 40, u64::MAX - 1, u64::MAX]) {
            let half = &tree.halves()[usize::from(!predicate.holds(ranks))];
            assert_eq!(tree.decide(&[ranks, 1000]), half.decide(&[ranks, 1000]));
        }
        let written = tree.to_json();
        let Ok(Document::Split(again)) = Document::from_json(written.as_bytes()) else { panic!("{written}") };
        assert_eq!((again.to_json(), &again), (written, &tree));
        assert_eq!(TreeRef::Split(&again).domain(), map.domain());
    }
}

#[test]
fn what_takes_trees_of_boxes_says_why_it_does_not_take_half_of_one() {
    let ranks: Vec<u64> = (2..=20).collect();
    let map = map(&ranks, by_powers);
    let options = Options::parse::<&str>(&[]).unwrap();
    assert_eq!(
        options.tree(Document::Split(split(&map))).unwrap_err().to_string(),
        "only trees whose tests all compare sizes with borders can be used here, and the outermost test of this tree is \
         `comm_size is a power of two` (encode the map without `predicates`)"
    );
    let options = Options::parse(&[("predicates", "true")]).unwrap();
    assert_eq!(
        options.tree(Document::Map(map.clone())).unwrap_err().to_string(),
        "`predicates` has no effect here: only trees whose tests all compare sizes with borders can be used here (remove it)"
    );
    assert_eq!(
        options.any_tree(Document::Split(split(&map))).unwrap_err().to_string(),
        "the file holds a tree: `predicates` cannot change it (remove them, or use the map)"
    );
    assert_eq!(
        split(&map).refused("a lookup table divides sizes at borders").to_string(),
        "a lookup table divides sizes at borders, and the outermost test of this tree is `comm_size is a power of two` (encode the \
         map without `predicates`)"
    );
}
