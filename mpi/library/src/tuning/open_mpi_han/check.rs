//! What Open MPI makes of a file otherwise than it looks.

use std::collections::HashMap;

use super::read::{Collective, Level, Name, read};
use super::{LEVEL, serves};
use crate::catalogue::open_mpi::han::{PRIORITY, needs_priority};
use crate::tuning::Finding;
use crate::tuning::Severity::{Dropped, Note, Wrong};
use crate::tuning::finding::Findings;
use crate::tuning::open_mpi::{HAN, Number};

pub(super) fn check(bytes: &[u8]) -> Vec<Finding> {
    let (rules, mut findings) = read(bytes);
    match rules {
        Ok(collectives) => of_rules(&collectives, &mut findings),
        Err(problem) => findings.push(Dropped, problem),
    }
    findings.sorted()
}

fn of_rules(collectives: &[Collective], findings: &mut Findings) {
    replaced(collectives.iter().map(|collective| &collective.name), findings);
    for collective in collectives {
        replaced(collective.levels.iter().map(|level| &level.name), findings);
        for level in &collective.levels {
            unused(collective, level, findings);
        }
    }
}

/// Reports a level of a collective without effect, and else the rules of it that are not used.
fn unused(collective: &Collective, level: &Level, findings: &mut Findings) {
    let (name, at) = (collective.name.is, collective.name.at);
    // The selector of `allgatherv` exists within HAN's own communicators only.
    if !HAN.contains(&name) && (name != "allgatherv" || level.name.is == LEVEL) {
        findings.at(Wrong, at, format!("HAN has no rules for {name}: these are not used"), "");
        return;
    }
    without_priority(name, level, findings);
    unsorted(level.communicators.iter().map(|rule| &rule.from), findings);
    for rule in &level.communicators {
        unsorted(rule.messages.iter().map(|rule| &rule.from), findings);
        for component in rule.messages.iter().map(|message| &message.component) {
            if !serves(component.is, level.name.is, name) {
                let others = if level.name.is == LEVEL { "on several nodes" } else { "of HAN's" };
                let message = format!(
                    "`{}` serves no {name} on communicators {others}: the next component does, `tuned` by default",
                    component.is
                );
                let help = if level.name.is == LEVEL {
                    "write `tuned`, `basic` or `han`"
                } else {
                    "write `tuned` or `basic`"
                };
                findings.at(Wrong, component.at, message, help);
            }
        }
    }
}

/// Reports the first component of a level that serves it with another priority than its own alone.
fn without_priority(collective: &str, level: &Level, findings: &mut Findings) {
    let messages = level.communicators.iter().flat_map(|rule| &rule.messages);
    let mut components = messages.map(|message| &message.component);
    let needs =
        |component: &&Name| needs_priority(component.is) && serves(component.is, level.name.is, collective);
    if let Some(Name { is, at }) = components.find(needs) {
        let message = format!("`{is}` serves no level with its own priority, and `tuned` does instead");
        findings.at(Note, *at, message, &format!("set coll_{is}_priority to {PRIORITY}"));
    }
}

/// Reports names that are given again: the last rules count.
fn replaced<'n>(names: impl Iterator<Item = &'n Name>, findings: &mut Findings) {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for name in names {
        if let Some(before) = seen.insert(name.is, name.at) {
            let message = format!(
                "{} is named again further on: HAN uses the last rules for it, and not these",
                name.is
            );
            findings.at(Wrong, before, message, "write all of its rules in one place");
        }
    }
}

/// Reports sizes after greater ones: the last rule that is small enough applies.
fn unsorted<'n>(sizes: impl Iterator<Item = &'n Number>, findings: &mut Findings) {
    let mut greatest: Option<i64> = None;
    for size in sizes {
        if greatest.is_some_and(|greatest| size.value <= greatest) {
            let message = "sizes must increase: this rule hides those before it that begin later";
            findings.at(Wrong, size.place.start, message, "sort the rules by size");
        }
        greatest = greatest.max(Some(size.value));
    }
}
