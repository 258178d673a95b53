//! Rates of what `qtdec verify` answers.

use std::ops::RangeInclusive;

use qtdec_core::MethodIndex;
use qtdec_tune::measure::measurements::Measurements;
use qtdec_tune::measure::notes::Notes;
use qtdec_tune::measure::selection::Recipe;
use qtdec_tune::study::change::Change;
use qtdec_tune::study::following::{Answer, Following, held_out};
use qtdec_tune::study::launch_times::LaunchTimes;
use qtdec_tune::study::recommend::{RecommendOptions, recommended};

use super::noise::{Campaign, Common, Noise, sizes};
use super::{SEEDS, rate};

/// Launches before and after, sigma, tau and cells of deployments after which nothing changed.
const UNCHANGED: [(u16, u16, f64, f64, u64); 10] = [
    (3, 3, 0.1, 0.0, 6),
    (3, 3, 0.05, 0.1, 40),
    (3, 3, 0.8, 0.0, 40),
    (10, 3, 0.05, 0.0, 40),
    (10, 3, 0.1, 0.05, 6),
    (10, 3, 0.4, 0.1, 40),
    (10, 10, 0.1, 0.0, 6),
    (10, 10, 0.1, 0.05, 40),
    (10, 10, 0.8, 0.1, 6),
    (3, 10, 0.1, 0.05, 6),
];

/// Tau, cells, and how many of the deployments that became a tenth slower are to be seen, in per cent.
const SLOWER: [(f64, u64, f64); 4] = [(0.0, 40, 95.0), (0.05, 40, 95.0), (0.0, 6, 85.0), (0.05, 6, 85.0)];

fn only_default(launches: u16, sigma: f64, tau: f64, cells: u64) -> Campaign {
    Campaign { sigma, tau, common: Common::Launch, launches, cells, methods: 1 }
}

/// Returns the change between two campaigns of the default, the second one slower by a factor.
fn change(before: Campaign, after: Campaign, factor: f64, seed: u64) -> Change {
    let mut noise = Noise::of_seed(seed);
    let before = LaunchTimes::of(&before.measure(&mut noise, |_, _| 1.0), 0);
    let after = LaunchTimes::of(&after.measure(&mut noise, |_, _| factor), 0);
    let points = before.points().map(<[u64]>::to_vec).collect();
    Change::of(&before, &after, &points).unwrap()
}

/// Returns how often the interval excludes no change, and how often the gate at 0 % fails.
fn unchanged(setting: (u16, u16, f64, f64, u64), seeds: RangeInclusive<u64>) -> [f64; 2] {
    let (before, after, sigma, tau, cells) = setting;
    let change = |seed| {
        change(only_default(before, sigma, tau, cells), only_default(after, sigma, tau, cells), 1.0, seed)
    };
    let excludes = |seed| change(seed).ends.is_some_and(|[low, high]| low > 1.0 || high < 1.0);
    [rate(seeds.clone(), excludes), rate(seeds, |seed| change(seed).is_slower_than(0.0))]
}

/// Returns how often a slowdown of a tenth is seen with ten launches on each side.
fn slower((tau, cells, _): (f64, u64, f64), seeds: RangeInclusive<u64>) -> f64 {
    let campaign = only_default(10, 0.1, tau, cells);
    rate(seeds, |seed| change(campaign, campaign, 1.1, seed).is_slower_than(0.0))
}

/// Which methods differ from the default.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Truth {
    /// One, everywhere, by this factor.
    One(f64),
    /// All, everywhere, by this factor.
    All(f64),
    /// One in half of the cells, by this factor.
    Half(f64),
}

impl Truth {
    fn factor(self, cell: u64, method: usize) -> f64 {
        match self {
            Self::One(factor) if method == 1 => factor,
            Self::All(factor) if method > 0 => factor,
            Self::Half(factor) if method == 1 && cell.is_multiple_of(2) => factor,
            _ => 1.0,
        }
    }
}

/// Launches before and after, sigma, tau, cells, methods.
type Setting = (u16, u16, f64, f64, u64, usize);

/// Returns the answer for a deployment of the recommended tree that is obeyed or ignored. `None` means that the tree keeps the
/// default everywhere, so that nothing is deployed.
fn answer(setting: Setting, truth: Truth, is_obeyed: bool, seed: u64) -> Option<Answer> {
    let (launches, after, sigma, tau, cells, methods) = setting;
    let campaign = Campaign { sigma, tau, common: Common::Launch, launches, cells, methods };
    let mut noise = Noise::of_seed(seed);
    let before: Measurements = campaign.measure(&mut noise, |cell, method| truth.factor(cell, method));
    let recipe = Recipe { baseline: vec!["default".to_owned()], ..Recipe::default() };
    let map = recipe.map(&before, &mut Notes::default()).unwrap();
    let tree = recommended(&map, &RecommendOptions::default()).unwrap().tree;
    let decided = |sizes: &[u64]| tree.decide(sizes).map_or(0, MethodIndex::get);
    if sizes(cells).all(|sizes| decided(&sizes) == 0) {
        return None;
    }
    let all: Vec<[u64; 2]> = sizes(cells).collect();
    let ran = |cell: u64| if is_obeyed { decided(&all[cell as usize]) } else { 0 };
    let campaign = Campaign { launches: after, methods: 1, ..campaign };
    let after = campaign.measure(&mut noise, |cell, _| truth.factor(cell, ran(cell)));
    let found = Following::of(
        &LaunchTimes::of(&before, 0),
        &held_out(&before, "default", &tree).unwrap(),
        &LaunchTimes::of(&after, 0),
        |sizes| decided(sizes) == 0,
    );
    Some(found.answer)
}

/// Deployments that are obeyed, of which at most 1 % may be accused.
const OBEYED: [(Setting, Truth); 12] = [
    ((10, 10, 0.1, 0.05, 6, 6), Truth::One(1.0)),
    ((10, 10, 0.1, 0.05, 6, 6), Truth::One(0.95)),
    ((10, 10, 0.1, 0.05, 6, 6), Truth::One(0.83)),
    ((10, 10, 0.1, 0.0, 30, 6), Truth::One(0.83)),
    ((10, 10, 0.1, 0.05, 6, 6), Truth::All(0.83)),
    ((10, 10, 0.1, 0.05, 12, 6), Truth::Half(0.8)),
    ((10, 10, 0.8, 0.1, 12, 6), Truth::All(0.8)),
    ((10, 10, 0.8, 0.0, 6, 6), Truth::One(1.0)),
    ((10, 3, 0.3, 0.05, 6, 6), Truth::All(0.9)),
    ((3, 3, 0.1, 0.05, 6, 6), Truth::One(1.0)),
    ((3, 3, 0.3, 0.05, 6, 6), Truth::All(0.83)),
    ((5, 5, 0.1, 0.1, 30, 6), Truth::One(0.95)),
];

/// Deployments with a promise of a fifth that are ignored, of which at least 90 % are to be named.
const IGNORED: [(Setting, Truth); 5] = [
    ((10, 10, 0.1, 0.0, 6, 6), Truth::One(1.0 / 1.2)),
    ((10, 10, 0.1, 0.05, 6, 6), Truth::One(1.0 / 1.2)),
    ((10, 10, 0.1, 0.05, 40, 6), Truth::One(1.0 / 1.2)),
    ((10, 10, 0.1, 0.05, 12, 6), Truth::Half(1.0 / 1.44)),
    ((10, 10, 0.1, 0.05, 6, 6), Truth::All(1.0 / 1.2)),
];

fn of_answer(
    setting: Setting,
    truth: Truth,
    is_obeyed: bool,
    wanted: Answer,
    seeds: RangeInclusive<u64>,
) -> f64 {
    rate(seeds, |seed| answer(setting, truth, is_obeyed, seed) == Some(wanted))
}

#[test]
#[ignore = "many campaigns: the step rates of cargo xtask test --all"]
fn where_nothing_changed_intervals_and_gates_are_right() {
    let mut wrong = Vec::new();
    for setting in UNCHANGED {
        let [interval, gate] = unchanged(setting, SEEDS);
        println!(
            "{interval:5.2} % of intervals, {gate:5.2} % of gates wrong, (before, after, sigma, tau, cells) = {setting:?}"
        );
        wrong.extend((interval.max(gate) > 6.5).then_some(setting));
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
#[ignore = "many campaigns: the step rates of cargo xtask test --all"]
fn a_slowdown_of_a_tenth_is_seen() {
    let mut missed = Vec::new();
    for setting in SLOWER {
        let found = slower(setting, SEEDS);
        println!("{found:5.2} % seen, (tau, cells, wanted) = {setting:?}, sigma 0.1, 10 and 10 launches");
        missed.extend((found < setting.2).then_some(setting));
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
#[ignore = "many campaigns: the step rates of cargo xtask test --all"]
fn libraries_that_follow_are_accused_in_at_most_one_per_cent() {
    let mut wrong = Vec::new();
    for (setting, truth) in OBEYED {
        let accused = of_answer(setting, truth, true, Answer::DoesNotFollow, SEEDS);
        let follows = of_answer(setting, truth, true, Answer::Follows, SEEDS);
        println!(
            "{accused:5.2} % accused, {follows:5.2} % follow, obeyed: (before, after, sigma, tau, cells, methods) = {setting:?}, {truth:?}"
        );
        wrong.extend((accused > 1.0).then_some((setting, truth)));
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
#[ignore = "many campaigns: the step rates of cargo xtask test --all"]
fn ignored_files_with_a_promise_of_a_fifth_are_named() {
    let mut missed = Vec::new();
    for (setting, truth) in IGNORED {
        let named = of_answer(setting, truth, false, Answer::DoesNotFollow, SEEDS);
        let follows = of_answer(setting, truth, false, Answer::Follows, SEEDS);
        println!(
            "{named:5.2} % named, {follows:5.2} % called followed, ignored: (before, after, sigma, tau, cells, methods) = {setting:?}, {truth:?}"
        );
        missed.extend((named < 90.0 || follows > 5.0).then_some((setting, truth)));
    }
    assert!(missed.is_empty(), "{missed:?}");
}

/// With forty trials, the least numbers that would contradict the rates.
#[test]
fn few_trials_agree_with_the_rates() {
    let [interval, gate] = unchanged(UNCHANGED[0], 1..=100);
    assert!(interval <= 15.0 && gate <= 15.0, "{interval} {gate}");
    let found = slower(SLOWER[3], 1..=40);
    assert!(found >= 65.0, "{found}");
    let (setting, truth) = OBEYED[2];
    let accused = of_answer(setting, truth, true, Answer::DoesNotFollow, 1..=40);
    assert!(accused <= 7.5, "{accused}");
    let (setting, truth) = IGNORED[1];
    let named = of_answer(setting, truth, false, Answer::DoesNotFollow, 1..=40);
    assert!(named >= 70.0, "{named}");
}
