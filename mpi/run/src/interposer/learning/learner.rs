//! What is learned on one communicator.

use std::mem;

use super::beginnings::{Beginnings, Finding, Kind, Subject};
use super::candidates::candidates;
use super::class::{Class, DEFAULT, Known, Pair, Position, State, Turn};
use super::prior::Prior;
use super::spending::Spending;
use super::trees::LIBRARY;
use super::window::{Sizes, VALUES, Values};
use crate::bench::Method;
use crate::interposer::call::Call;
use crate::interposer::plans::accepted;

/// The maximum number of classes of a communicator. Calls of others are not learned from.
const CLASSES: usize = 64;

/// A class with its methods, of which the first is that of trees or the library: all of its calls have the same one.
#[derive(Debug)]
struct Learned {
    class: Class,
    methods: Vec<Method>,
    subject: Subject,
    began: Option<u64>,
}

/// What is done with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Step {
    /// What trees or the library choose, without a look at the clock.
    Default,
    /// The ranks begin to agree about times, and ask again.
    Begin,
    /// They wait until they have agreed, and ask again.
    End,
    /// This method, or the default for `None`.
    Method { other: Option<Method>, is_timed: bool },
}

/// What is known of a class at the end. The first method is the default.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    pub(super) subject: Subject,
    pub(super) methods: Vec<Method>,
    pub(super) pairs: Vec<Pair>,
    pub(super) findings: Vec<(Finding, Kind)>,
}

impl Summary {
    pub(super) fn in_use(&self) -> &Method {
        let taken = self.findings.iter().find(|(_, kind)| *kind == Kind::Taken);
        taken.map_or(&self.methods[DEFAULT], |(finding, _)| &finding.method)
    }

    /// Returns whether a method lost: it was dropped or cut off.
    pub(super) fn has_lost(&self, method: &Method) -> bool {
        let lost = |kind: &Kind| matches!(kind, Kind::Dropped | Kind::Cut);
        self.findings.iter().any(|(finding, kind)| lost(kind) && finding.method == *method)
    }
}

#[derive(Debug)]
pub(in super::super) struct Learner {
    ranks: u32,
    /// A number that differs between communicators, and between runs that begin with other files.
    seed: u64,
    spending: Spending,
    classes: Vec<Learned>,
    /// The class of the call that is being made.
    current: Option<(usize, Turn)>,
    /// The class about whose times the ranks are agreeing, and the number of times that this is asked before it ends. Calls of other
    /// classes count too, so that none waits for one that is not called any more.
    agreeing: Option<(usize, u64)>,
}

impl Learner {
    /// Begins on a communicator whose number is larger than those of all earlier ones of its ranks. `beginnings` is a number that all ranks
    /// have of what the run begins with.
    pub(super) fn new(ranks: u32, number: u64, beginnings: u64) -> Self {
        let seed = beginnings.wrapping_add(number.wrapping_mul(CLASSES as u64));
        let spending = Spending::new(number);
        Self { ranks, seed, spending, classes: Vec::new(), current: None, agreeing: None }
    }

    /// Decides what is done with a call, which this method of ours carries out as trees say, or the library if there is none.
    pub(super) fn step(
        &mut self,
        call: &Call,
        default: Option<&Method>,
        (beginnings, prior): (&Beginnings, &Prior),
    ) -> Step {
        self.current = None;
        let Some(place) = self.place(call, default, (beginnings, prior)) else { return Step::Default };
        if let Some((_, left)) = &mut self.agreeing {
            if *left == 0 {
                return Step::End;
            }
            *left -= 1;
        }
        let Learned { class, methods, .. } = &mut self.classes[place];
        if self.agreeing.is_none() && class.is_due() {
            self.agreeing = Some((place, class.calls_to_agreement()));
            return Step::Begin;
        }
        let turn = class.next(Sizes { bytes: call.bytes, root: call.root }, &mut self.spending);
        self.current = Some((place, turn));
        let other = (turn.method != DEFAULT).then(|| methods[turn.method].clone());
        if other.is_none() && turn.slot.is_none() {
            return Step::Default;
        }
        Step::Method { other, is_timed: turn.slot.is_some() }
    }

    /// Returns the place of the class of a call, if calls like it are learned from.
    fn place(
        &mut self,
        call: &Call,
        default: Option<&Method>,
        expected: (&Beginnings, &Prior),
    ) -> Option<usize> {
        let collective = call.collective()?;
        let subject = Subject::of(collective, self.ranks, call.bytes)?;
        if !call.is_commutative() || call.is_of_program() {
            return None;
        }
        let default = default.unwrap_or(&LIBRARY);
        let is_it = |known: &Learned| known.subject == subject && known.methods[DEFAULT] == *default;
        let known = self.classes.iter().position(is_it);
        if known.is_some() || self.classes.len() == CLASSES {
            return known;
        }
        let seed = self.seed.wrapping_add(self.classes.len() as u64);
        self.classes.push(Learned::new(subject, call, default, expected, seed));
        Some(self.classes.len() - 1)
    }

    /// Takes the last step back: its method cannot carry out the call, which the default does.
    pub(in super::super) fn is_unable(&mut self) {
        if let Some((place, turn)) = self.current.take() {
            self.classes[place].class.is_unable(turn);
        }
    }

    /// Notes when the call of the last step began and ended at this rank, in nanoseconds.
    pub(in super::super) fn note(&mut self, began: u64, ended: u64) {
        let Some((place, Turn { slot: Some(slot), .. })) = self.current.take() else { return };
        let learned = &mut self.classes[place];
        let first = *learned.began.get_or_insert(began);
        learned.class.note(slot, ended.saturating_sub(began), ended.saturating_sub(first));
    }

    /// Returns what this rank has for the agreement that begins, and how many of these values all ranks send.
    pub(in super::super) fn begin_agreement(&mut self) -> (Values, usize) {
        self.agreeing.map_or(([0; VALUES], 0), |(place, _)| self.classes[place].class.begin_agreement())
    }

    /// Learns from what the ranks agreed about, for which this one took this time, and says which method takes over.
    pub(in super::super) fn agree(&mut self, values: &Values, took: u64) -> Option<String> {
        let (place, _) = self.agreeing.take()?;
        let Learned { class, methods, subject, .. } = &mut self.classes[place];
        let before = class.incumbent;
        class.agree(values, took, &mut self.spending);
        let (now, calls) = (class.incumbent, class.calls);
        (before != now).then(|| {
            let Subject { collective, ranks, bytes } = subject;
            let [before, now] = [before, now].map(|place| methods[place].label());
            format!(
                "{collective} of {ranks} ranks, class of {bytes} bytes: {now} takes over from {before} after {calls} calls"
            )
        })
    }

    /// Returns what was learned of each class, and forgets the times.
    pub(super) fn summaries(&mut self) -> Vec<Summary> {
        mem::take(&mut self.classes).into_iter().map(Learned::summary).collect()
    }
}

impl Learned {
    fn new(
        subject: Subject,
        call: &Call,
        default: &Method,
        (beginnings, prior): (&Beginnings, &Prior),
        seed: u64,
    ) -> Self {
        let prior = prior.at(subject.collective, subject.ranks, call.bytes);
        let found = beginnings.of(&subject, default);
        let taken = found.iter().find(|(_, kind)| *kind == Kind::Taken).map(|(method, _)| (*method).clone());
        let mut methods = vec![default.clone()];
        let others =
            taken.clone().into_iter().chain(candidates(subject.collective, call, prior)).chain([LIBRARY]);
        for other in others {
            let is_possible = matches!(other, Method::Default(_)) || accepted(&other, false, call).is_ok();
            if is_possible && !methods.contains(&other) {
                methods.push(other);
            }
        }
        let place = |method: &Method| methods.iter().position(|known| known == method);
        let first = taken.as_ref().and_then(place).unwrap_or(DEFAULT);
        // What was left open was compared with what was in use then.
        let run = found.iter().find_map(|(method, kind)| match kind {
            Kind::Undecided(run) if **method == methods[first] => Some(*run),
            _ => None,
        });
        let mut before = Vec::new();
        for (method, kind) in found {
            let known = match kind {
                Kind::Cut => Known::found(State::Cut),
                Kind::Taken | Kind::Dropped => Known::found(State::Dropped),
                Kind::Open(shown) if run.is_some() => Known::open(shown),
                Kind::Open(_) | Kind::Undecided(_) => continue,
            };
            before.extend(place(method).filter(|place| *place != first).map(|place| (place, known)));
        }
        let class = Class::new(methods.len(), first, &before, seed);
        let class = if prior.is_empty() { class } else { class.in_order() };
        let class = if let Some(run) = run { class.after(run) } else { class };
        Self { class, methods, subject, began: None }
    }

    fn summary(self) -> Summary {
        let others = (DEFAULT + 1..self.methods.len()).filter_map(|place| Some((place, self.kind(place)?)));
        let undecided = self.class.run().map(|run| (self.class.incumbent, Kind::Undecided(run)));
        let findings = others.chain(undecided).map(|(place, kind)| {
            let [method, default] = [place, DEFAULT].map(|place| self.methods[place].clone());
            (Finding { subject: self.subject.clone(), method, default }, kind)
        });
        let findings = findings.collect();
        let pairs = self.class.kept().copied().collect();
        Summary { subject: self.subject, methods: self.methods, pairs, findings }
    }

    fn kind(&self, place: Position) -> Option<Kind> {
        match self.class.state(place) {
            _ if place == self.class.incumbent => Some(Kind::Taken),
            State::Dropped => Some(Kind::Dropped),
            State::Cut => Some(Kind::Cut),
            State::Open => self.class.shown(place).map(Kind::Open),
            State::Unable => None,
        }
    }
}
