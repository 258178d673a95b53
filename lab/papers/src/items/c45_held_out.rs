//! C4.5 against quadtrees on times that neither of them saw.

use qtdec_core::encode::{self, C45, Encoder, Quadtree};
use qtdec_core::{Basis, Borders, DecisionMap};
use qtdec_study::hold_out::Splits;
use qtdec_study::measurements::{Cleaning, Measurements};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions};
use qtdec_study::selection::Recipe;
use qtdec_study::study::assess::{LeaveOut, Unpriced};
use qtdec_study::study::held_out::{HeldOut, Split};
use xtask::run::root;

use crate::data;
use crate::fit::with_noise;
use crate::item::{Item, Shown};
use crate::table::{NOTHING, Table, number};

pub(super) const ITEM: Item = Item {
    id: "c45-held-out",
    title: "C4.5 against quadtrees on held-out times, on every archive with repeats",
    about: "Not in the paper, which prices trees with the times that they were built from; the 2006 paper announces the comparison. Polaris: ten random \
            halves of its repeats, which is optimistic, since both halves are of one run. The emulated clusters: one campaign builds, another one \
            prices, where a method without a time counts as the slowest. Grig and Frodo are **simulated**: times with 2 % of noise build, times with other noise \
            price, five times. *Points* are 100 · mean ln(t / t of the best); *to the exact tree* has a 95 % interval over the sizes, and above 0 the \
            exact quadtree is faster. The archive of Fugaku has no repeats.",
    make,
};

/// The random halves of the repeats on Polaris.
const HALVES: u64 = 10;

/// The standard deviation of ln t in simulated times.
const NOISE: f64 = 0.02;

/// The pairs of simulated times.
const PAIRS: u64 = 5;

fn contenders() -> Vec<(&'static str, Box<dyn Encoder>)> {
    let quadtree = |max_depth| Box::new(Quadtree { max_depth, ..Quadtree::default() });
    let c45 = |weight, confidence| Box::new(C45 { weight, confidence, ..C45::default() });
    vec![
        ("quadtree, exact", quadtree(None)),
        ("quadtree, depth 3", quadtree(Some(3))),
        ("quadtree, depth 2", quadtree(Some(2))),
        ("C4.5 -m 2 -c 25", c45(2, 25.0)),
        ("C4.5 -m 4 -c 25", c45(4, 25.0)),
        ("C4.5 -m 8 -c 5", c45(8, 5.0)),
    ]
}

/// Maps to build from, each with one to price with.
type Pairs = Vec<(DecisionMap, DecisionMap)>;

fn read(file: &str, options: &ReadOptions) -> Result<Measurements, String> {
    let file = root().join(file).display().to_string();
    let read = readers::read(std::slice::from_ref(&file), options, &mut |_, input| input);
    read.map(|(measurements, _)| measurements).map_err(|_| format!("{file} cannot be read"))
}

fn polaris() -> Result<Pairs, String> {
    let options = ReadOptions { element_size: Some(8), basis: Some(Basis::Block), ..ReadOptions::default() };
    let all = read("qt-cli/data/polaris-reduce-scatter/raw.tar.xz", &options)?;
    let all = Cleaning { drop_first: 1, ..Cleaning::default() }.apply(all);
    let splits =
        Splits::best_of(&all, &Recipe::default(), HALVES).map_err(|problems| problems.to_string())?;
    Ok(splits.parts)
}

fn campaigns(name: &str) -> Result<Pairs, String> {
    let recipe = Recipe { baseline: vec!["default".to_owned()], ..Recipe::default() };
    let map = |campaign: u8| {
        let all = read(&format!("lab/rates/reruns/{name}-{campaign}.csv.xz"), &ReadOptions::default())?;
        recipe.map(&all, &mut Notes::default()).map_err(|problems| problems.to_string())
    };
    let (first, second) = (map(1)?, map(2)?);
    Ok(vec![(first.clone(), second.clone()), (second, first)])
}

fn simulated(map: &DecisionMap) -> Pairs {
    (0..PAIRS)
        .map(|pair| (with_noise(map, NOISE, 2 * pair + 1), with_noise(map, NOISE, 2 * pair + 2)))
        .collect()
}

fn make() -> Result<Shown, String> {
    let mut archives = vec![
        ("reduce_scatter_block on Polaris", polaris()?),
        ("broadcasts on the emulated cluster", campaigns("emulated-bcast")?),
        ("allreduces on the emulated cluster", campaigns("emulated-allreduce")?),
    ];
    let maps = data::all()?;
    archives.extend(maps.iter().map(|(name, map)| (*name, simulated(map))));
    let numbers = [
        "splits",
        "leaves",
        "mean penalty %: own times",
        "mean penalty %: held out",
        "median penalty %: held out",
        "points: own times",
        "points: held out",
        "to the exact tree: points",
        "to the exact tree: from",
        "to the exact tree: to",
    ];
    let mut table = Table::of(&["archive", "tree"], numbers);
    for (archive, pairs) in &archives {
        for (name, encoder) in contenders() {
            let held_out = judged(pairs, &*encoder)?;
            table.row([(*archive).to_owned(), name.to_owned()].into_iter().chain(row(&held_out)));
        }
    }
    Ok(Shown::table(table))
}

fn judged(pairs: &Pairs, encoder: &dyn Encoder) -> Result<HeldOut, String> {
    let leave_out = LeaveOut { unpriced: Unpriced::Worst, ..LeaveOut::default() };
    let mut held_out = HeldOut::default();
    for (train, test) in pairs {
        let tree = encode::encode(train, encoder, Borders::Floor).map_err(|problem| problem.to_string())?;
        let split = Split::new(train, test).map_err(|problems| problems.to_string())?;
        let judged = split.judge(tree, [&leave_out; 2], &mut held_out);
        judged.map_err(|problems| problems.to_string())?;
    }
    Ok(held_out)
}

fn row(held_out: &HeldOut) -> Vec<String> {
    let mean = |of: &dyn Fn(usize) -> f64| {
        let count = held_out.judged.len();
        number(Some((0..count).map(of).sum::<f64>() / count as f64), 2)
    };
    let leaves = |at: usize| held_out.trees[at].statistics().encoding.leaves as f64;
    let to_exact = held_out.to_exact();
    let interval = to_exact.map_or([NOTHING; 3].map(str::to_owned), |to_exact| {
        [to_exact.mean, to_exact.low, to_exact.high].map(|points| number(Some(points), 2))
    });
    let mut cells = vec![
        held_out.judged.len().to_string(),
        mean(&leaves),
        mean(&|at| held_out.own[at].penalty.mean),
        mean(&|at| held_out.judged[at].penalty.mean),
        mean(&|at| held_out.judged[at].penalty.median),
        mean(&|at| held_out.own[at].points),
        mean(&|at| held_out.judged[at].points),
    ];
    cells.extend(interval);
    cells
}
