//! Lookups in HAN's file: which component serves a call, and which serve the levels of an algorithm of HAN's own.

use std::collections::HashMap;

use crate::catalogue::open_mpi::han::Levels;
use crate::catalogue::{Library, SizeUnit};
use qtdec_core::{Place, Problems};

use super::read::{Collective, Communicator, Message, read};
use super::{HAN_FILE, INTER, INTRA, LEVEL, OTHER, OWN, SIMPLE, is_simple_by_default, serves};
use crate::tuning::bands::sorted;
use crate::tuning::open_mpi::Number;
use crate::tuning::rule_set::{Rule, Rules};
use crate::tuning::{Decision, Selection};

/// The rules of a file for whole communicators, and those of the levels.
pub(super) struct HanRules {
    rules: Rules,
    /// Those of the collectives that have a rule for the simple algorithm.
    levels: HashMap<&'static str, [Part; 2]>,
}

/// Reads a file: of several rules, the last that begins at a size or below it applies.
pub(super) fn rules(bytes: &[u8]) -> Result<HanRules, Problems> {
    let collectives = read(bytes).0?;
    let known = Library::OpenMpi.collectives().iter().map(|known| known.name);
    let rules = known.clone().flat_map(|name| {
        let communicators = communicators(&collectives, name, LEVEL).iter().rev();
        communicators.flat_map(move |communicator| rules_of(name, communicator))
    });
    let asks = |name: &&str| {
        let mut messages = communicators(&collectives, name, LEVEL).iter().flat_map(|rule| &rule.messages);
        messages.any(|message| asks_for_levels(name, message))
    };
    let parts =
        |name| [INTER, INTRA].map(|level| Part::new(communicators(&collectives, name, level), (name, level)));
    Ok(HanRules {
        rules: Rules::new(rules, &HAN_FILE),
        levels: known.filter(asks).map(|name| (name, parts(name))).collect(),
    })
}

/// Returns the communicator rules of a collective at a level. Of several, the last counts.
fn communicators<'c>(collectives: &'c [Collective], name: &str, level: &str) -> &'c [Communicator] {
    let found = collectives.iter().rev().find(|known| known.name.is == name);
    let levels = found.map(|collective| &*collective.levels).unwrap_or_default();
    let level = levels.iter().rev().find(|known| known.name.is == level);
    level.map(|level| &*level.communicators).unwrap_or_default()
}

fn rules_of(collective: &'static str, communicator: &Communicator) -> Vec<Rule> {
    let place =
        |size: &Number, what: &str| (format!("from {} {what}", size.value), Place::Offset(size.place.start));
    let looks = HAN_FILE.unit(collective) != SizeUnit::Nothing;
    let reached = communicator.messages.iter().rev().filter(|rule| looks || rule.from.value <= 0);
    let rules = reached.map(|message| Rule {
        collective,
        communicators: size(&communicator.from)..=u64::MAX,
        messages: size(&message.from)..=u64::MAX,
        decision: decision(collective, message),
        places: vec![place(&communicator.from, "ranks"), place(&message.from, "bytes")],
    });
    let left = Rule::left_to_library(collective, size(&communicator.from)..=u64::MAX);
    rules.chain([left]).collect()
}

/// Returns a size as HAN compares it.
fn size(number: &Number) -> u64 {
    number.value.max(0).unsigned_abs()
}

/// The name of HAN's simple algorithm, whose components the rules of the levels choose.
const OWN_SIMPLE: &str = "han:simple";

/// Returns whether HAN carries out the calls of a rule with the simple algorithm.
fn asks_for_levels(collective: &str, message: &Message) -> bool {
    let by_default = || is_simple_by_default(collective);
    message.component.is == OWN && message.algorithm.map_or_else(by_default, |algorithm| algorithm == SIMPLE)
}

/// Returns a component as the name of an algorithm, and HAN itself as the library's own choice unless its algorithm asks the file for
/// components.
fn decision(collective: &str, message: &Message) -> Decision {
    let name = match message.component.is {
        OWN => asks_for_levels(collective, message).then_some(OWN_SIMPLE),
        // Without the function, the component serves that HAN came before.
        component if serves(component, LEVEL, collective) => Some(component),
        _ => Some(OTHER),
    };
    Decision { name: name.map(str::to_owned), ..Decision::default() }
}

/// The components of a level.
enum Part {
    /// Those from each message size on, by increasing size.
    ByMessage(Vec<(u64, &'static str)>),
    /// They also depend on the ranks of the level.
    ByRanks,
}

impl Part {
    /// Returns those of a collective at a level. The simple reduction asks no file.
    fn new(communicators: &[Communicator], (collective, level): (&str, &str)) -> Self {
        let [Communicator { messages, .. }] = communicators else {
            let is_asked = !communicators.is_empty() && collective != "reduce";
            return if is_asked { Self::ByRanks } else { Self::ByMessage(Vec::new()) };
        };
        let mut rules: Vec<(u64, &str)> = Vec::new();
        for message in messages.iter().filter(|_| collective != "reduce") {
            let from = size(&message.from);
            // This rule hides those before it that begin later.
            while rules.last().is_some_and(|(before, _)| *before >= from) {
                rules.pop();
            }
            let component = message.component.is;
            rules.push((from, if serves(component, level, collective) { component } else { OTHER }));
        }
        Self::ByMessage(rules)
    }

    /// Returns the component for messages of a size, or `None` if their size does not tell.
    fn get(&self, bytes: u64) -> Option<&'static str> {
        let Self::ByMessage(rules) = self else { return None };
        let after = rules.partition_point(|(from, _)| *from <= bytes);
        Some(after.checked_sub(1).map_or(OTHER, |at| rules[at].1))
    }

    fn starts(&self) -> impl Iterator<Item = u64> {
        let rules = if let Self::ByMessage(rules) = self { &**rules } else { &[] };
        rules.iter().map(|(from, _)| *from)
    }
}

impl HanRules {
    /// Returns the sizes of messages at which the components of levels change.
    fn starts_of_levels(&self, collective: &str) -> impl Iterator<Item = u64> {
        self.levels.get(collective).into_iter().flatten().flat_map(Part::starts)
    }
}

impl Selection for HanRules {
    fn collectives(&self) -> Vec<String> {
        self.rules.collectives()
    }

    fn starts(&self, collective: &str) -> (Vec<u64>, Vec<u64>) {
        let (communicators, mut messages) = self.rules.starts(collective);
        messages.extend(self.starts_of_levels(collective));
        (communicators, messages)
    }

    fn message_starts(&self, collective: &str, comm_size: u64) -> Vec<u64> {
        let starts = self.rules.message_starts(collective, comm_size).into_iter();
        sorted(starts.chain(self.starts_of_levels(collective)))
    }

    fn decide(&self, collective: &str, comm_size: u64, msg_size: u64) -> Decision {
        let decision = self.rules.decide(collective, comm_size, msg_size);
        if decision.name.as_deref() != Some(OWN_SIMPLE) {
            return decision;
        }
        let levels = self.levels.get(collective).map(|parts| parts.each_ref().map(|part| part.get(msg_size)));
        let Some([Some(inter), Some(intra)]) = levels else { return decision };
        let levels = Levels { inter, intra };
        let is_own = levels == Levels::DEFAULT && is_simple_by_default(collective);
        Decision { name: (!is_own).then(|| levels.name()), ..decision }
    }

    fn rule(&self, collective: &str, comm_size: u64, msg_size: u64) -> Vec<(String, Place)> {
        self.rules.rule(collective, comm_size, msg_size)
    }

    fn unit(&self, collective: &str) -> SizeUnit {
        self.rules.unit(collective)
    }
}
