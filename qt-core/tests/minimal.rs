//! The branches against every way to write them with fewer comparisons.

use std::collections::HashSet;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::tree::{Arm, Block, Bound, Condition};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Domain, Method, MethodIndex};

/// Branches whose conditions are conjunctions of comparisons, for cells that are bits of a word.
#[derive(Clone)]
enum Code {
    Answer(usize),
    /// Conditions with their comparisons, what they lead to, and what holds otherwise.
    Chain(Vec<(When, Code)>, Box<Code>),
}

#[derive(Clone)]
struct When {
    /// The cells for which each comparison holds.
    comparisons: Vec<u64>,
    /// Whether both must hold or none.
    is_diagonal: bool,
}

impl When {
    fn holds(&self, all: u64) -> u64 {
        match self.comparisons[..] {
            [one, other] if self.is_diagonal => all & !(one ^ other),
            _ => self.comparisons.iter().fold(all, |holds, comparison| holds & comparison),
        }
    }
}

/// The cells of a tree's grid, and which of them lie where.
struct Grid<'t> {
    tree: &'t DecisionTree,
    cells: usize,
}

impl Grid<'_> {
    fn all(&self) -> u64 {
        u64::MAX >> (64 - self.cells)
    }

    fn comparison(&self, bound: Bound) -> u64 {
        let domain = self.tree.domain();
        let holds = |cell: &usize| {
            (domain.sizes(*cell)[bound.axis] < self.tree.threshold(bound.axis, bound.at)) == bound.below
        };
        (0..self.cells).filter(holds).fold(0, |mask, cell| mask | 1 << cell)
    }

    fn code(&self, block: &Block) -> Code {
        match block {
            Block::Answer(method) => Code::Answer(method.map_or(usize::MAX, MethodIndex::get)),
            Block::Part(_) => unreachable!("the tree was not cut up"),
            Block::Branches { arms, otherwise } => {
                let arm = |Arm { when, then }: &Arm| {
                    let (bounds, is_diagonal) = match *when {
                        Condition::Side(bound) => (vec![bound], false),
                        Condition::Corner(first, second) => (vec![first, second], false),
                        Condition::Diagonal(first, second) => (vec![first, second], true),
                    };
                    let comparisons = bounds.into_iter().map(|bound| self.comparison(bound)).collect();
                    (When { comparisons, is_diagonal }, self.code(then))
                };
                Code::Chain(arms.iter().map(arm).collect(), Box::new(self.code(otherwise)))
            }
        }
    }

    fn decides(&self, code: &Code) -> Vec<usize> {
        let mut decided = vec![usize::MAX; self.cells];
        paint(code, self.all(), &mut decided);
        decided
    }
}

fn paint(code: &Code, mut cells: u64, decided: &mut [usize]) {
    match code {
        Code::Answer(method) => {
            (0..decided.len()).filter(|cell| cells >> cell & 1 == 1).for_each(|cell| decided[cell] = *method);
        }
        Code::Chain(arms, otherwise) => {
            for (when, then) in arms {
                let taken = when.holds(cells) & cells;
                paint(then, taken, decided);
                cells &= !taken;
            }
            paint(otherwise, cells, decided);
        }
    }
}

/// Every comparison of the code.
fn comparisons(code: &mut Code) -> Vec<&mut u64> {
    match code {
        Code::Answer(_) => Vec::new(),
        Code::Chain(arms, otherwise) => {
            let arms = arms.iter_mut().flat_map(|(when, then)| {
                when.comparisons.iter_mut().chain(comparisons(then)).collect::<Vec<_>>()
            });
            arms.collect::<Vec<_>>().into_iter().chain(comparisons(otherwise)).collect()
        }
    }
}

/// The most comparisons for which all ways are tried.
const TRIED: usize = 8;

/// Tries every set of comparisons, each held true or false; returns whether there were few enough to try.
fn check_minimal(tree: &DecisionTree) -> bool {
    let grid = Grid { tree, cells: tree.domain().cells() };
    let code = grid.code(tree.block());
    let decided = grid.decides(&code);
    let expected: Vec<usize> =
        tree.cells().iter().map(|method| method.map_or(usize::MAX, MethodIndex::get)).collect();
    assert_eq!(decided, expected);
    if tree.block().comparisons() > TRIED as u64 {
        return false;
    }
    {
        let mut form = code.clone();
        let kept: Vec<u64> = comparisons(&mut form).into_iter().map(|comparison| *comparison).collect();
        for mut set in 1..3_usize.pow(kept.len() as u32) {
            for (comparison, kept) in comparisons(&mut form).into_iter().zip(&kept) {
                *comparison = [*kept, u64::MAX, 0][set % 3];
                set /= 3;
            }
            if grid.decides(&form) == decided {
                let left: Vec<&u64> =
                    comparisons(&mut form).into_iter().map(|comparison| &*comparison).collect();
                panic!("{:?} of {:?} with {left:x?}", tree.block(), tree.cells());
            }
        }
    }
    true
}

fn map(shape: [u64; 2], cells: &[usize]) -> DecisionMap {
    let axes = ["comm_size", "msg_size"].into_iter().zip(shape);
    let axes = axes.map(|(name, len)| Axis::new(name, (1..=len).collect::<Vec<u64>>())).collect();
    let methods = (0..4).map(|index| Method::new(format!("method {index}"))).collect();
    let domain = Domain::new(None, axes, methods).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    DecisionMap::new(domain, cells.iter().map(|&cell| Some(indexes[cell])).collect()).unwrap()
}

/// All colourings of so many cells in which a new colour is the next one.
fn colourings(cells: usize, colours: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..cells {
        let next = |colouring: &Vec<usize>| {
            let known = colouring.iter().max().map_or(0, |most| most + 1);
            (0..=known.min(colours - 1))
                .map(|colour| [&colouring[..], &[colour]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(next).collect();
    }
    all
}

/// Checks the trees that every encoder makes of these maps; returns how many different ones were small enough.
fn check_all(shape: [u64; 2], maps: impl IntoIterator<Item = Vec<usize>>) -> usize {
    let mut checked = HashSet::new();
    for cells in maps {
        let map = map(shape, &cells);
        for encoder in encode::encoders() {
            let tree = encode::encode(&map, &*encoder, Borders::Floor).unwrap();
            let key = format!("{:?}", tree.block());
            if !checked.contains(&key) && check_minimal(&tree) {
                checked.insert(key);
            }
        }
    }
    checked.len()
}

#[test]
fn nothing_can_be_left_out_of_the_branches_of_rows() {
    assert!(check_all([1, 7], colourings(7, 3)) > 500);
}

#[test]
fn nothing_can_be_left_out_of_the_branches_of_small_grids() {
    assert!(check_all([3, 3], colourings(9, 3).into_iter().step_by(9)) > 600);
}

/// Grids whose quadtrees cut twice, coloured at random in patches.
#[test]
fn nothing_can_be_left_out_of_the_branches_of_grids() {
    let mut state = 1_u64;
    let mut random = move |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % end
    };
    let mut map = move |shape: [usize; 2]| {
        let mut cells = vec![0; shape[0] * shape[1]];
        for _ in 0..3 {
            let (from, colour) = ([random(shape[0]), random(shape[1])], random(4));
            let to = [from[0] + 1 + random(shape[0]), from[1] + 1 + random(shape[1])];
            for row in from[0]..to[0].min(shape[0]) {
                for column in from[1]..to[1].min(shape[1]) {
                    cells[row * shape[1] + column] = colour;
                }
            }
        }
        cells
    };
    let maps: Vec<Vec<usize>> = (0..900).map(|_| map([4, 4])).collect();
    assert!(check_all([4, 4], maps) > 1500);
    let maps: Vec<Vec<usize>> = (0..400).map(|_| map([6, 5])).collect();
    assert!(check_all([6, 5], maps) > 700);
}

/// What quadtrees gave a redundant comparison for: `if n < 3 && m >= 2 { if n < 2 { … } else { … } } else …`.
#[test]
fn a_corner_that_is_cut_again_is_one_condition() {
    let branches = |shape, cells: &[usize]| {
        let tree = encode::encode(&map(shape, cells), &Quadtree::default(), Borders::Floor).unwrap();
        assert!(check_minimal(&tree));
        (tree.block().comparisons(), tree.block().conditions())
    };
    assert_eq!(
        branches([4, 2], &[0, 1, 0, 0, 0, 0, 0, 0]),
        (2, 1),
        "the corner goes on as what is around it"
    );
    assert_eq!(branches([4, 2], &[0, 1, 0, 0, 0, 0, 2, 0]), (3, 3), "and has a corner opposite");
    assert_eq!(branches([4, 1], &[0, 1, 1, 2]), (2, 2), "a band across the middle");
    assert_eq!(
        branches([4, 2], &[3, 1, 1, 1, 0, 2, 0, 2]),
        (4, 3),
        "a corner in the first of four quadrants"
    );
}
