//! What is learned of the calls of one class on one communicator: times in, choices out.
//!
//! Every rank has the same state, as it counts the same calls and learns from times that all ranks agreed about.

use std::collections::VecDeque;

use super::evidence::{Evidence, Shown, Verdict};
use super::level::{Level, WATCHED};
use super::pace::Pace;
use super::spending::Spending;
use super::window::{Agreed, PAIRS, Sizes, Slot, Values, Window};

/// The number of calls for which the second half of a pair waits for the sizes of the first one.
const PATIENCE: u32 = 8;

/// A candidate whose first call takes more than so many times the incumbent's time is cut off.
const CUT: f64 = 2.0;

/// How often it may be, until something changes.
const CHANCES: u8 = 2;

/// The number of calls during which the ranks agree: a nonblocking allreduce goes on in calls of MPI only, and takes as many steps as about
/// two calls.
const AGREEING: u64 = 3;

/// The least and the largest number of calls between two agreements once all is decided, and the share of time that these may take.
const CYCLE: (u64, u64) = (50, 1600);
const OF_AGREEMENTS: f64 = 0.003;

/// The pairs after which the test of a guard begins anew: it forgets.
const MEMORY: u32 = 64;

/// After an alarm no other is heeded for so many calls, until all is decided. If it changed nothing, no other is heeded for so many calls
/// after that, and for twice as many after the next.
const QUIET: u64 = 1000;

/// The maximum number of pairs of times that are kept for the file.
const KEPT: usize = 256;

/// The position of a method among those of a class. The first is what trees or the library choose.
pub(super) type Position = usize;

pub(super) const DEFAULT: Position = 0;

/// What is done with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) method: Position,
    /// Where its time goes, if it is measured.
    pub(super) slot: Option<Slot>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Known {
    pub(super) state: State,
    /// How often it was cut off.
    cuts: u8,
    /// What pairs showed, without those of a test that goes on.
    shown: Option<Shown>,
}

impl Known {
    pub(super) fn found(state: State) -> Self {
        Self { state, cuts: CHANCES, ..Self::default() }
    }

    pub(super) fn open(shown: Shown) -> Self {
        Self { shown: Some(shown), ..Self::default() }
    }
}

/// What a run leaves of a class with candidates that it did not decide about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) calls: u64,
    /// The number of calls that the next run waits before it tries anything.
    pub(super) wait: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    #[default]
    Open,
    /// It was much slower at its first call, and gets another one: that opened connections.
    Cut,
    /// It was tested.
    Dropped,
    /// It cannot carry out calls of the class.
    Unable,
}

/// A pair of times, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) methods: [Position; 2],
    pub(super) times: [u64; 2],
}

#[derive(Clone, Debug)]
enum Stage {
    /// One pair with each of these.
    Screening(VecDeque<Position>),
    Trial(Position, Evidence),
    Watching(Option<(Position, Evidence)>),
}

impl Default for Stage {
    fn default() -> Self {
        Self::Watching(None)
    }
}

/// The half of a pair that comes next.
#[derive(Clone, Copy, Debug)]
struct Half {
    turn: Turn,
    sizes: Sizes,
    waited: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Class {
    seed: u64,
    known: Vec<Known>,
    /// Whether the first candidate, which has had no pair yet, is expected to be the best.
    is_in_order: bool,
    pub(super) incumbent: Position,
    former: Option<Position>,
    stage: Stage,
    pace: Pace,
    window: Window,
    half: Option<Half>,
    /// Whether the ranks are agreeing: meanwhile, nothing is measured.
    is_agreeing: bool,
    /// Whether this has just ended, where ranks may have waited for each other: the next call is unlike others.
    has_just_agreed: bool,
    cycle: u64,
    level: Level,
    guards: usize,
    pub(super) calls: u64,
    /// The number of calls of the run before, if that left anything open.
    before: Option<u64>,
    /// Alarms are heeded from this call on; the next quiet time; the incumbent at the last alarm.
    alarms: (u64, u64, Option<Position>),
    coins: u64,
    kept: VecDeque<Pair>,
}

impl Class {
    /// Creates a class of methods, with the one to begin with, and what was found of those that were tried before.
    pub(super) fn new(methods: usize, first: Position, before: &[(Position, Known)], seed: u64) -> Self {
        let mut known = vec![Known::default(); methods];
        let default = (first != DEFAULT).then_some((DEFAULT, Known::found(State::Dropped)));
        for (position, found) in before.iter().copied().chain(default) {
            known[position] = found;
        }
        let mut class = Self {
            seed,
            known,
            incumbent: first,
            former: (first != DEFAULT).then_some(DEFAULT),
            cycle: CYCLE.0,
            ..Self::default()
        };
        class.stage = Stage::Screening(class.new_ones());
        class
    }

    /// Returns the class with what the run before left.
    pub(super) fn after(self, run: Run) -> Self {
        Self { before: Some(run.calls), pace: Pace::after(run.wait), ..self }
    }

    /// Returns the class with a first candidate that is expected to be the best: it is tested before others have a pair, unless it is slower
    /// in its own.
    pub(super) fn in_order(self) -> Self {
        Self { is_in_order: true, ..self }
    }

    pub(super) fn state(&self, position: Position) -> State {
        self.known[position].state
    }

    /// Returns what this run leaves, if a candidate is open that had a pair, or can have one in a run of so many calls.
    pub(super) fn run(&self) -> Option<Run> {
        let is_left = |position: Position| self.calls > 2 || self.known[position].shown.is_some();
        let is_open = !matches!(self.stage, Stage::Watching(_)) && self.of_state(State::Open).any(is_left);
        is_open.then(|| Run { calls: self.calls, wait: self.pace.wait() })
    }

    /// Returns what is known of a candidate that had a pair.
    pub(super) fn shown(&self, position: Position) -> Option<Shown> {
        match &self.stage {
            Stage::Trial(tested, evidence) if *tested == position => Some(evidence.shown),
            _ => self.known[position].shown,
        }
    }

    pub(super) fn kept(&self) -> impl Iterator<Item = &Pair> {
        self.kept.iter()
    }

    /// Returns the methods in a state but for the incumbent, in their order.
    fn of_state(&self, state: State) -> impl Iterator<Item = Position> {
        let is_one =
            move |position: &Position| *position != self.incumbent && self.known[*position].state == state;
        (0..self.known.len()).filter(is_one)
    }

    fn new_ones(&self) -> VecDeque<Position> {
        self.of_state(State::Open).filter(|position| self.known[*position].shown.is_none()).collect()
    }

    /// Returns the method that is tried, and the number of pairs until the next agreement.
    fn rival(&self) -> Option<(Position, usize)> {
        match &self.stage {
            Stage::Screening(queue) => queue.front().map(|position| (*position, 1)),
            Stage::Trial(position, evidence) => Some((*position, (evidence.look as usize).min(PAIRS))),
            Stage::Watching(guard) => guard.as_ref().map(|(position, _)| (*position, PAIRS)),
        }
    }

    /// Returns whether the ranks are to begin an agreement before the next call of the class.
    pub(super) fn is_due(&self) -> bool {
        let is_watching = matches!(self.stage, Stage::Watching(_));
        let enough = |pairs| if self.calls_left() == Some(1) { 1 } else { pairs };
        let has_pairs =
            !is_watching && self.rival().is_some_and(|(_, pairs)| self.window.pairs >= enough(pairs));
        let is_time = self.known.len() > 1 && self.window.calls >= self.cycle;
        self.half.is_none() && !self.is_agreeing && (has_pairs || is_time)
    }

    /// Returns the number of calls during which the ranks agree, if they begin before the next one: it is the same on all ranks.
    pub(super) fn calls_to_agreement(&self) -> u64 {
        self.calls_left().map_or(AGREEING, |left| left.saturating_sub(1).min(AGREEING))
    }

    /// Begins an agreement, and returns what this rank has for it, and how many of these values all ranks send.
    pub(super) fn begin_agreement(&mut self) -> (Values, usize) {
        self.is_agreeing = true;
        self.window.begin()
    }

    pub(super) fn next(&mut self, sizes: Sizes, spending: &mut Spending) -> Turn {
        if matches!(&self.stage, Stage::Screening(queue) if queue.is_empty()) {
            self.go_on(0, spending);
        }
        self.calls += 1;
        self.window.calls += 1;
        self.pace.call();
        let untimed = Turn { method: self.incumbent, slot: None };
        let left = self.calls_left();
        if self.is_agreeing || std::mem::take(&mut self.has_just_agreed) {
            return untimed;
        }
        if let Some(half) = &mut self.half {
            half.waited += 1;
            if half.sizes != sizes && half.waited < PATIENCE && left != Some(1) {
                return untimed;
            }
            let turn = half.turn;
            self.half = None;
            return turn;
        }
        match self.rival() {
            Some((rival, pairs))
                if self.window.pairs < pairs && left.is_none_or(|left| left > 1) && self.pace.allows() =>
            {
                self.begin_pair(rival, sizes)
            }
            _ if self.is_watched_now() => Turn { slot: Some(self.window.watch()), ..untimed },
            _ => untimed,
        }
    }

    /// Returns the number of further calls in a run like the one before: the ranks agree before the last one, so that its pairs count.
    fn calls_left(&self) -> Option<u64> {
        self.before?.checked_sub(self.calls)
    }

    fn begin_pair(&mut self, rival: Position, sizes: Sizes) -> Turn {
        self.pace.begin_pair();
        let (of_incumbent, of_rival) = self.window.begin_pair();
        let mut turns = [
            Turn { method: self.incumbent, slot: Some(of_incumbent) },
            Turn { method: rival, slot: Some(of_rival) },
        ];
        if self.coin() {
            turns.reverse();
        }
        self.half = Some(Half { turn: turns[1], sizes, waited: 0 });
        turns[0]
    }

    fn is_watched_now(&self) -> bool {
        let place = self.window.watched as u64;
        self.known.len() > 1
            && self.window.watched < WATCHED
            && self.window.calls * WATCHED as u64 >= (place + 1) * (self.cycle - 2)
    }

    /// Returns the next of a sequence of bits that nothing in a program follows.
    fn coin(&mut self) -> bool {
        self.coins += 1;
        let mut bits = self.seed.wrapping_add(self.coins.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (bits ^ (bits >> 31)) & 1 == 1
    }

    /// Takes back a turn whose method cannot carry out the call, which the default then does.
    pub(super) fn is_unable(&mut self, turn: Turn) {
        if turn.slot.is_some_and(Window::is_of_pair) {
            self.half = None;
            self.window.give_up_pair();
        }
        if turn.method != self.incumbent {
            self.window.give_up_pairs();
            self.known[turn.method].state = State::Unable;
            match &mut self.stage {
                Stage::Screening(queue) => queue.retain(|position| *position != turn.method),
                Stage::Trial(..) => self.stage = Stage::Screening(VecDeque::new()),
                Stage::Watching(guard) => *guard = None,
            }
        }
    }

    pub(super) fn note(&mut self, slot: Slot, time: u64, now: u64) {
        self.window.note(slot, time, now);
    }

    /// Learns from what the ranks agreed about. Its beginning and its end took this time at this rank.
    pub(super) fn agree(&mut self, values: &Values, took: u64, spending: &mut Spending) {
        let agreed = Agreed::new(values);
        let rival = self.rival().map(|(position, _)| position);
        self.window.agreement(took);
        self.is_agreeing = false;
        self.has_just_agreed = true;
        let is_watching = matches!(self.stage, Stage::Watching(_));
        let (mut ratios, mut has_changed) = (Vec::new(), false);
        for time in &agreed.watched {
            self.pace.incumbent(*time);
            has_changed |= !is_watching && self.level.add(*time);
        }
        for (incumbent, candidate) in &agreed.pairs {
            self.pace.pair(*incumbent, *candidate);
            has_changed |= !is_watching && self.level.add(*incumbent);
            ratios.push((*incumbent as f64 / *candidate as f64).ln());
            if let Some(rival) = rival {
                self.kept
                    .push_back(Pair { methods: [self.incumbent, rival], times: [*incumbent, *candidate] });
            }
        }
        let surplus = self.kept.len().saturating_sub(KEPT);
        self.kept.drain(..surplus);
        self.pace.agreement(agreed.agreement, agreed.now);
        if has_changed && self.calls >= self.alarms.0 {
            self.begin_again(agreed.now);
            return;
        }
        match &mut self.stage {
            Stage::Screening(queue) => {
                if let Some(ratio) = ratios.first()
                    && let Some(position) = queue.pop_front()
                {
                    self.screened(position, *ratio);
                    self.go_on(agreed.now, spending);
                }
            }
            Stage::Trial(position, evidence) => {
                evidence.add_all(&ratios);
                let (position, verdict) = (*position, evidence.verdict());
                match verdict {
                    Verdict::Open => {}
                    Verdict::Faster => self.take_over(position),
                    Verdict::Hopeless => self.known[position].state = State::Dropped,
                }
                if verdict != Verdict::Open {
                    self.stage = Stage::Screening(VecDeque::new());
                    self.go_on(agreed.now, spending);
                }
            }
            Stage::Watching(_) => self.watched(&agreed, &ratios, spending),
        }
    }

    fn screened(&mut self, position: Position, ratio: f64) {
        let is_cut = ratio < -CUT.ln();
        let known = &mut self.known[position];
        known.state = if is_cut { State::Cut } else { State::Open };
        known.cuts += u8::from(is_cut);
        known.shown = Some(Shown { first: ratio, ..Shown::default() });
    }

    fn take_over(&mut self, position: Position) {
        self.known[self.incumbent].state = State::Dropped;
        self.former = Some(self.incumbent);
        self.incumbent = position;
        self.pace.take_over();
        self.level = Level::default();
        self.known[position].state = State::Open;
    }

    /// Goes on after what was screened or decided: with the most promising candidate, those that were cut off, or the watch.
    fn go_on(&mut self, now: u64, spending: &mut Spending) {
        let shown = |position: Position| self.known[position].shown.map(|shown| (position, shown));
        let best = self.of_state(State::Open).filter_map(shown).max_by(|(one, of_one), (other, of_other)| {
            let is_tested = |shown: &Shown| shown.tally.pairs() > 0;
            let by_first = of_one.first.total_cmp(&of_other.first);
            is_tested(of_one).cmp(&is_tested(of_other)).then(by_first).then(other.cmp(one))
        });
        let is_faster = best.is_some_and(|(_, shown)| shown.first > 0.0);
        let is_likely = is_faster && self.is_in_order;
        self.is_in_order = false;
        if !is_likely && matches!(&self.stage, Stage::Screening(queue) if !queue.is_empty()) {
            return;
        }
        let has_chance = |position: &Position| self.known[*position].cuts < CHANCES;
        let new = self.new_ones();
        let cut: VecDeque<Position> = self.of_state(State::Cut).filter(has_chance).collect();
        match best {
            _ if !is_likely && !new.is_empty() => self.stage = Stage::Screening(new),
            Some((best, shown)) => self.stage = Stage::Trial(best, Evidence::new(spending.next(), shown)),
            None if !cut.is_empty() => self.stage = Stage::Screening(cut),
            None => self.watch(now, spending),
        }
    }

    fn watch(&mut self, now: u64, spending: &mut Spending) {
        if let (_, quiet, Some(before)) = self.alarms {
            let quiet = if before == self.incumbent { (2 * quiet).max(QUIET) } else { 0 };
            self.alarms = (self.calls + quiet, quiet, None);
        }
        self.pace = self.pace.to_watch(now);
        self.guard(spending);
    }

    /// Sets the next guard: by turns what was the incumbent before, and another one that was not cut off.
    fn guard(&mut self, spending: &mut Spending) {
        let others: Vec<Position> =
            self.of_state(State::Dropped).filter(|other| Some(*other) != self.former).collect();
        let (round, is_other) = (self.guards / 2, self.guards % 2 == 1);
        let other = others.get(round % others.len().max(1)).copied();
        self.guards += 1;
        let guard = if is_other { other.or(self.former) } else { self.former.or(other) };
        self.stage = Stage::Watching(
            guard.map(|position| (position, Evidence::new(spending.next(), Shown::default()))),
        );
    }

    fn watched(&mut self, agreed: &Agreed, ratios: &[f64], spending: &mut Spending) {
        if let Some(mean) = self.pace.mean() {
            let calls = agreed.agreement as f64 / (OF_AGREEMENTS * mean.max(1.0));
            self.cycle = (calls as u64).clamp(CYCLE.0, CYCLE.1);
        }
        if self.level.changes(&agreed.watched) && self.calls >= self.alarms.0 {
            self.begin_again(agreed.now);
            return;
        }
        let Stage::Watching(guard) = &mut self.stage else { return };
        let Some((position, evidence)) = guard else { return self.guard(spending) };
        evidence.add_all(ratios);
        match evidence.verdict() {
            Verdict::Faster => {
                let position = *position;
                self.take_over(position);
                self.guards = 0;
                self.guard(spending);
            }
            Verdict::Open if evidence.pairs() < MEMORY => {}
            Verdict::Open | Verdict::Hopeless => self.guard(spending),
        }
    }

    /// Begins again after a change, with what was the incumbent before.
    fn begin_again(&mut self, now: u64) {
        self.alarms = (self.calls + QUIET, self.alarms.1, Some(self.incumbent));
        self.level = Level::default();
        self.pace = Pace::new(false, now);
        for known in self.known.iter_mut().filter(|known| known.state != State::Unable) {
            *known = Known::default();
        }
        let mut queue: VecDeque<Position> = self.of_state(State::Open).collect();
        if let Some(place) = queue.iter().position(|position| Some(*position) == self.former) {
            queue.swap(0, place);
        }
        self.stage = Stage::Screening(queue);
    }
}
