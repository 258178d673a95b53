//! How often the rule for borders that is preferred costs least at the sizes between the samples.
//!
//! The methods of a world take a latency and a time for each unit of size, with waves. In a quarter of the worlds there is nothing else;
//! in the others, methods jump at powers of two or at any size, or work in tiles.

use std::ops::RangeInclusive;

use qtdec_core::{Axis, Borders, DecisionMap, Method};
use qtdec_study::study::border_choice::BorderChoice;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::findings::Findings;
use super::trials::counts;
use super::unmeasured::{FIRST, METHODS, World, excess, left_out, tree};

/// The number of worlds of each row.
const WORLDS: u64 = 500;

/// The sizes of each axis.
const LENS: [&[usize]; 3] = [&[12], &[24], &[6, 12]];

/// The sizes between two neighbouring samples at which a world is asked.
const PHASES: usize = 6;

/// By how many points a rule may cost more than the best one, or differ from another one that costs as much.
const CLOSE: f64 = 0.1;

/// The chance of a method to jump on an axis, and the logarithm of the greatest ratio of times at a jump.
type Jumps = (f64, f64);

const JUMPS: Jumps = (0.5, 0.4);

/// The tiles of methods.
const TILES: [u64; 8] = [128, 192, 256, 384, 512, 768, 1024, 1536];

const RULES: usize = Borders::ALL.len();

/// What changes in a world apart from what grows with the size.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Smooth,
    /// Jumps at powers of two.
    Steps,
    /// Sizes are rounded up to whole tiles.
    Tiles,
    /// Jumps at any size.
    Cliffs,
}

const KINDS: [Kind; 4] = [Kind::Smooth, Kind::Steps, Kind::Tiles, Kind::Cliffs];

/// The sizes at which a world is measured.
#[derive(Clone, Copy)]
enum Grid {
    Doubled,
    /// Powers of two, and the sizes halfway between them.
    Halves,
    /// Each size is 1.3 to 2.6 times the one before.
    Uneven,
    /// The same difference between neighbours.
    Even,
}

/// The names of the rows, and the least share of worlds in which the preferred rule is close to the best one, in per cent. Where sizes are
/// evenly spaced, tiles end at the samples or next to them, which no sample shows, and so do jumps.
const ROWS: [(&str, Grid, Jumps, f64); 5] = [
    ("powers of two", Grid::Doubled, JUMPS, 90.0),
    ("powers of two, twice the jumps", Grid::Doubled, (2.0 * JUMPS.0, 2.0 * JUMPS.1), 85.0),
    ("ratios of 1.3 to 2.6", Grid::Uneven, JUMPS, 90.0),
    ("powers of two and halfway", Grid::Halves, JUMPS, 90.0),
    ("evenly spaced", Grid::Even, JUMPS, 70.0),
];

impl Grid {
    fn sizes(self, len: usize, chance: &mut Pcg64) -> Vec<u64> {
        let mut place = 0.0;
        let size = |at: usize| match self {
            Self::Doubled => FIRST * libm::exp2(at as f64),
            Self::Halves => FIRST * libm::exp2((at / 2) as f64) * [1.0, 1.5][at % 2],
            Self::Even => FIRST * (4 + at) as f64 / 4.0,
            Self::Uneven => {
                place += chance.random_range(0.4..1.4);
                FIRST * libm::exp2(place)
            }
        };
        (0..len).map(size).map(|size| size.round() as u64).collect()
    }
}

/// A jump of a method's time from a place of an axis on.
struct Jump {
    axis: usize,
    place: f64,
    log: f64,
}

/// The times of methods at all sizes, and the sizes at which they are measured.
struct Worlds {
    axes: Vec<Vec<u64>>,
    smooth: World,
    jumps: Vec<Vec<Jump>>,
    tiles: Vec<Vec<u64>>,
}

impl Worlds {
    fn new(kind: Kind, grid: Grid, jumps: Jumps, lens: &[usize], chance: &mut Pcg64) -> Self {
        let axes: Vec<Vec<u64>> = lens.iter().map(|&len| grid.sizes(len, chance)).collect();
        let spans: Vec<f64> = axes.iter().map(|sizes| place(sizes[sizes.len() - 1])).collect();
        let smooth = World::new(spans[spans.len() - 1], METHODS, chance);
        let mut jump = |(axis, &span): (usize, &f64)| {
            let (is_there, place) = (chance.random_bool(jumps.0), chance.random_range(0.0..span));
            let place = if kind == Kind::Steps { place.floor() } else { place };
            let log = chance.random_range(-jumps.1..jumps.1);
            (is_there && matches!(kind, Kind::Steps | Kind::Cliffs)).then_some(Jump { axis, place, log })
        };
        let jumps = (0..METHODS).map(|_| spans.iter().enumerate().filter_map(&mut jump).collect()).collect();
        let mut tile = || if kind == Kind::Tiles { TILES[chance.random_range(0..TILES.len())] } else { 1 };
        let tiles = (0..METHODS).map(|_| spans.iter().map(|_| tile()).collect()).collect();
        Self { axes, smooth, jumps, tiles }
    }

    fn time(&self, method: usize, point: &[u64]) -> f64 {
        let tiled =
            point.iter().zip(&self.tiles[method]).map(|(size, tile)| place(size.div_ceil(*tile) * tile));
        let jumps = self.jumps[method].iter().filter(|jump| place(point[jump.axis]) >= jump.place);
        let log: f64 = jumps.map(|jump| jump.log).sum();
        self.smooth.time(method, &tiled.collect::<Vec<_>>()) * libm::exp(log)
    }

    fn map(&self) -> DecisionMap {
        let axes = self.axes.iter().enumerate();
        let axes = axes.map(|(axis, sizes)| Axis::new(format!("axis{axis}"), sizes.clone())).collect();
        let methods = (0..METHODS).map(|method| Method::new(format!("method{method}"))).collect();
        DecisionMap::from_costs(axes, methods, |point, method| self.time(method.get(), point))
            .expect("the sizes increase")
    }

    /// Returns what decisions of the map with each rule cost at the sizes between its samples, in per cent.
    fn truth(&self, map: &DecisionMap) -> [f64; RULES] {
        let trees = Borders::ALL.map(|(_, rule)| tree(map, rule).expect("a quadtree needs nothing"));
        let cells = trees[0].cells();
        let axes: Vec<Vec<(u64, f64)>> = self.axes.iter().map(|sizes| between(sizes)).collect();
        let (mut sums, mut weights) = ([0.0; RULES], 0.0);
        for number in 0..axes.iter().map(Vec::len).product() {
            let (mut rest, mut point, mut weight) = (number, vec![0; axes.len()], 1.0);
            for (size, axis) in point.iter_mut().zip(&axes).rev() {
                let (at, length) = axis[rest % axis.len()];
                (*size, weight, rest) = (at, weight * length, rest / axis.len());
            }
            let times: [f64; METHODS] = std::array::from_fn(|method| self.time(method, &point));
            let best = times.iter().copied().fold(f64::INFINITY, f64::min);
            for (sum, tree) in sums.iter_mut().zip(&trees) {
                let cell = point
                    .iter()
                    .enumerate()
                    .fold(0, |cell, (axis, size)| cell * self.axes[axis].len() + tree.sample_of(axis, *size));
                *sum +=
                    weight * libm::log(times[cells[cell].expect("each cell has a decision").get()] / best);
            }
            weights += weight;
        }
        sums.map(|sum| 100.0 * libm::expm1(sum / weights))
    }
}

/// Returns the logarithm to the base 2 of a size relative to the first one.
fn place(size: u64) -> f64 {
    libm::log2(size as f64 / FIRST)
}

/// Returns sizes between each two neighbours, each with the length that it stands for.
fn between(sizes: &[u64]) -> Vec<(u64, f64)> {
    let pairs = sizes.windows(2).flat_map(|pair| (0..PHASES).map(move |phase| (pair, phase)));
    let size = |(pair, phase): (&[u64], usize)| {
        let length = place(pair[1]) - place(pair[0]);
        let share = (phase as f64 + 0.5) / PHASES as f64;
        ((FIRST * libm::exp2(place(pair[0]) + share * length)).round() as u64, length)
    };
    pairs.map(size).collect()
}

/// What is counted in the worlds of a row.
const COUNTS: usize = KINDS.len() + 9;

/// Returns whether the preferred rule is close to the best one, by kind; the same for `crossing` and for the rule with the least figure of
/// every other size left out; the number of pairs of rules that are not close, and of those that either figure has in their order; whether
/// the costs of `crossing` are in their interval; and these costs, as they are and by either figure, in millionths of a point.
fn trial(grid: Grid, jumps: Jumps, seed: u64) -> [u64; COUNTS] {
    let mut chance = Pcg64::seed_from_u64(seed);
    let kind = seed as usize % KINDS.len();
    let lens = LENS[seed as usize / KINDS.len() % LENS.len()];
    let world = Worlds::new(KINDS[kind], grid, jumps, lens, &mut chance);
    let map = world.map();
    let truth = world.truth(&map);
    let choice =
        BorderChoice::new(&map, |rest| tree(rest, Borders::Crossing)).expect("all times are measured");
    let found = choice.rules.map(|(_, excess)| excess.mean);
    let without = left_out(&map);
    let halves = Borders::ALL.map(|(_, rule)| excess(&without, rule));
    let best = truth.iter().copied().fold(f64::INFINITY, f64::min);
    let is_close = |rule: Borders| truth[position(rule)] <= best + CLOSE;
    let least = (0..RULES).min_by(|one, other| halves[*one].total_cmp(&halves[*other])).unwrap_or_default();
    let mut answer = [0; COUNTS];
    answer[kind] = u64::from(is_close(choice.preferred));
    let pairs: Vec<[usize; 2]> = (0..RULES).flat_map(|one| (0..one).map(move |other| [one, other])).collect();
    let apart = pairs.iter().filter(|[one, other]| (truth[*one] - truth[*other]).abs() > CLOSE);
    let in_order = |costs: &[f64; RULES]| {
        let is_in_order = |[one, other]: &&[usize; 2]| {
            costs[*one] != costs[*other] && (costs[*one] > costs[*other]) == (truth[*one] > truth[*other])
        };
        apart.clone().filter(|pair| is_in_order(pair)).count() as u64
    };
    let crossing = choice.rules[position(Borders::Crossing)].1;
    let own = truth[position(Borders::Crossing)];
    answer[KINDS.len()..].copy_from_slice(&[
        u64::from(is_close(Borders::Crossing)),
        u64::from(is_close(Borders::ALL[least].1)),
        apart.clone().count() as u64,
        in_order(&found),
        in_order(&halves),
        u64::from((crossing.low..=crossing.high).contains(&own)),
        (1e6 * own) as u64,
        (1e6 * crossing.mean) as u64,
        (1e6 * halves[position(Borders::Crossing)]) as u64,
    ]);
    answer
}

fn position(rule: Borders) -> usize {
    Borders::ALL.iter().position(|(_, known)| *known == rule).expect("it is one of all rules")
}

/// Returns the table of the rules that are preferred.
pub(super) fn of_borders(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| sizes | smooth | steps | tiles | cliffs | all | always `crossing` | halves | pairs in order | halves | in the interval | `crossing` costs | estimated | halves |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let seeds = *seeds.start()..=WORLDS.min(*seeds.end());
    let worlds = (*seeds.end() - *seeds.start() + 1) as f64;
    for (name, grid, jumps, least) in ROWS {
        let found = counts(seeds.clone(), |seed| trial(grid, jumps, seed));
        let share = |hits: u64, all: f64| format!("{:.1} %", 100.0 * hits as f64 / all);
        let (kinds, rest) = found.split_at(KINDS.len());
        let all: u64 = kinds.iter().sum();
        let pairs = rest[2] as f64;
        let mut cells: Vec<String> =
            kinds.iter().map(|hits| share(*hits, worlds / KINDS.len() as f64)).collect();
        cells.extend([all, rest[0], rest[1]].map(|hits| share(hits, worlds)));
        cells.extend([rest[3], rest[4]].map(|hits| share(hits, pairs)));
        cells.push(share(rest[5], worlds));
        cells.extend([rest[6], rest[7], rest[8]].map(|sum| format!("{:.2} %", sum as f64 / 1e6 / worlds)));
        findings.add(format!("| {name} | {} |", cells.join(" | ")), 100.0 * all as f64 / worlds >= least);
    }
    findings
}
