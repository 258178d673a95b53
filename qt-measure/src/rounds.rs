//! The order of measurements: rounds over the whole grid, with a budget and a race at each point.

use std::time::Duration;

use qtdec_core::racing::drop_slow;

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The number of repeats of a method at a point, unless it is dropped.
    pub(crate) rounds: usize,
    /// The maximum number of repeats where a race is not decided.
    pub(crate) most: usize,
    pub(crate) budget: Duration,
    pub(crate) race: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Repeat {
    /// The time of a call in nanoseconds.
    pub(crate) time: f64,
    /// The share of the repeat in which the thread lacked a processor.
    pub(crate) without_processor: f64,
}

/// The repeats of every method at every point.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Repeats {
    /// The times in nanoseconds, for each point and then each method.
    pub(crate) times: Vec<Vec<Vec<f64>>>,
    /// The share of each repeat in which the thread lacked a processor.
    pub(crate) without_processor: Vec<Vec<Vec<f64>>>,
    /// The number of rounds that were begun.
    pub(crate) rounds: usize,
}

/// Where a measurement stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) round: usize,
    pub(crate) point: usize,
    pub(crate) method: usize,
}

/// Measures rounds until the plan is fulfilled. `running` says for each point which methods are measured there, `measure` measures one
/// repeat, and `elapsed` returns the time since the beginning.
pub(crate) fn run(
    plan: Plan,
    mut running: Vec<Vec<bool>>,
    mut measure: impl FnMut(Step) -> Repeat,
    mut elapsed: impl FnMut() -> Duration,
) -> Repeats {
    let (points, methods) = (running.len(), running.first().map_or(0, Vec::len));
    let mut times = vec![vec![Vec::new(); methods]; points];
    let mut without_processor = times.clone();
    let most = if plan.race { plan.most } else { plan.rounds }.max(1);
    for round in 0..most {
        // A method that won its race has nobody to be compared with.
        let is_open = |running: &Vec<bool>| running.iter().filter(|running| **running).count() > 1;
        let open: Vec<bool> = running.iter().map(is_open).collect();
        if plan.race && round > 1 && !open.contains(&true) {
            return Repeats { times, without_processor, rounds: round };
        }
        for point in (0..points).filter(|&point| round < plan.rounds.max(1) || open[point]) {
            for turn in 0..methods {
                // Each method follows each other one in some round, or nearly so.
                let method = (turn + round) % methods;
                if round > 0 && elapsed() >= plan.budget {
                    return Repeats { times, without_processor, rounds: round };
                }
                if running[point][method] {
                    let repeat = measure(Step { round, point, method });
                    times[point][method].push(repeat.time);
                    without_processor[point][method].push(repeat.without_processor);
                }
            }
            if plan.race {
                drop_slow(&times[point], &mut running[point], round + 1);
            }
        }
    }
    Repeats { times, without_processor, rounds: most }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const PLAN: Plan = Plan { rounds: 4, most: 4, budget: Duration::MAX, race: false };

    fn all(points: usize, methods: usize) -> Vec<Vec<bool>> {
        vec![vec![true; methods]; points]
    }

    fn quiet(time: f64) -> Repeat {
        Repeat { time, without_processor: 0.0 }
    }

    #[test]
    fn methods_take_turns() {
        let mut order = Vec::new();
        let time = |step: Step| {
            order.push((step.round, step.point, step.method));
            quiet(1.0)
        };
        run(Plan { rounds: 2, ..PLAN }, all(2, 2), time, || Duration::ZERO);
        let expected =
            [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 1), (1, 0, 0), (1, 1, 1), (1, 1, 0)];
        assert_eq!(order, expected);
    }

    #[test]
    fn a_part_is_measured_alone() {
        let plan = Plan { rounds: 3, ..PLAN };
        let part = vec![vec![false, true], vec![false, false]];
        let repeats = run(plan, part, |_| quiet(1.0), || Duration::ZERO);
        assert_eq!(repeats.times, [[vec![], vec![1.0; 3]], [vec![], vec![]]]);
    }

    #[test]
    fn the_first_round_is_finished_whatever_the_budget() {
        let repeats = run(
            Plan { budget: Duration::ZERO, ..PLAN },
            all(3, 2),
            |_| quiet(1.0),
            || Duration::from_secs(9),
        );
        assert_eq!(repeats.times, vec![vec![vec![1.0]; 2]; 3]);
        assert_eq!(repeats.rounds, 1);
    }

    #[test]
    fn the_budget_ends_a_later_round() {
        let mut steps = 0;
        let mut clock = 0;
        let repeats = run(
            Plan { budget: Duration::from_secs(5), ..PLAN },
            all(2, 2),
            |_| {
                steps += 1;
                quiet(1.0)
            },
            || {
                clock += 1;
                Duration::from_secs(clock)
            },
        );
        assert_eq!((steps, repeats.rounds), (8, 2));
    }

    #[test]
    fn slow_methods_are_dropped_and_a_decided_race_ends() {
        let cost = [1.0, 1.0, 5.0];
        let repeats = run(
            Plan { rounds: 9, most: 9, race: true, ..PLAN },
            all(1, 3),
            |step| quiet(cost[step.method]),
            || Duration::ZERO,
        );
        let counts: Vec<usize> = repeats.times[0].iter().map(Vec::len).collect();
        assert_eq!(counts, [9, 9, 3]);
        let cost = [1.0, 1.3];
        let repeats = run(
            Plan { rounds: 9, most: 9, race: true, ..PLAN },
            all(1, 2),
            |step| quiet(cost[step.method]),
            || Duration::ZERO,
        );
        assert_eq!(repeats.rounds, 3);
    }

    /// At the first point two methods take the same time, at the second one the race is decided.
    #[test]
    fn time_that_is_left_is_for_points_where_methods_are_close() {
        let plan = Plan { rounds: 4, most: 50, race: true, ..PLAN };
        let counts = |plan: Plan| -> Vec<Vec<usize>> {
            let spent = Cell::new(Duration::ZERO);
            let cost = [[1.0, 1.0, 2.0], [1.0, 2.0, 2.0]];
            let measure = |step: Step| {
                spent.set(spent.get() + Duration::from_secs(1));
                quiet(cost[step.point][step.method])
            };
            let repeats = run(plan, all(2, 3), measure, || spent.get());
            repeats.times.iter().map(|point| point.iter().map(Vec::len).collect()).collect()
        };
        assert_eq!(counts(plan), [[50, 50, 3], [4, 3, 3]]);
        assert_eq!(counts(Plan { budget: Duration::from_secs(41), ..plan }), [[14, 14, 3], [4, 3, 3]]);
        assert_eq!(counts(Plan { race: false, ..plan }), [[4; 3]; 2]);
    }
}
