//! The rules of HAN's levels: which components serve the calls on its own communicators, between nodes and within them.
//!
//! They compare the ranks of a level, which no rule for whole communicators knows, so that they are written by the sizes of messages alone.

use std::fmt::Write as _;

use crate::catalogue::open_mpi::han::Levels;
use crate::tuning::bands::sorted;
use crate::tuning::{LibraryRules, MAX_INT, Setting, Switch, SwitchValue};
use qtdec_core::{Place, Problem};

/// How HAN is told the components of an algorithm of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    ByFile(Levels),
    /// By variables, for all calls of the collective, with segments of so many bytes, 0 for none.
    ByVariables(Levels, u64),
}

impl Told {
    /// Returns how HAN is told the setting of a rule, or `None` if that is no algorithm of HAN.
    pub(super) fn of(setting: &Setting, collective: &str) -> Option<Self> {
        let levels = Levels::of(setting.algorithm?)?;
        let is_in_files = levels.are_in_files(collective, setting.segment_size.is_some());
        let segment = setting.segment_size.unwrap_or(0);
        Some(if is_in_files { Self::ByFile(levels) } else { Self::ByVariables(levels, segment) })
    }
}

/// The level between nodes, and that within them.
pub(super) const INTER: &str = "inter_node";
pub(super) const INTRA: &str = "intra_node";

/// Appends the rules of the levels of a collective where they are not the default, and returns how many have some. Fails if communicators of
/// different sizes have different components for messages of one size.
pub(super) fn write(rules: &LibraryRules, text: &mut String) -> Result<usize, Problem> {
    let chosen = by_message(rules)?;
    let mut written = 0;
    for name in [INTER, INTRA] {
        let component = |levels: &Levels| if name == INTER { levels.inter } else { levels.intra };
        let messages = chosen.iter().map(|(from, levels)| (*from, component(levels)));
        let mut messages: Vec<(u64, &str)> = messages.collect();
        messages.dedup_by_key(|(_, component)| *component);
        if messages.iter().all(|(_, chosen)| *chosen == component(&Levels::DEFAULT)) {
            continue;
        }
        written += 1;
        let _ = writeln!(
            text,
            "{name}\n1 # communicator sizes\n1 # ranks and more\n{} # message sizes",
            messages.len()
        );
        for (from, component) in messages {
            let _ = writeln!(text, "{from} {component}");
        }
    }
    Ok(written)
}

/// Returns the levels from each message size on, the default where no rule of the file names them.
fn by_message(rules: &LibraryRules) -> Result<Vec<(u64, Levels)>, Problem> {
    let starts = sorted(in_reach(rules).flat_map(|(_, messages)| messages).map(|(from, _)| *from));
    starts.into_iter().map(|bytes| Ok((bytes, of_bytes(rules, bytes)?))).collect()
}

fn in_reach(rules: &LibraryRules) -> impl Iterator<Item = &(u64, Vec<(u64, Setting)>)> {
    rules.bands.communicators().iter().filter(|(from, _)| *from <= MAX_INT)
}

fn of_bytes(rules: &LibraryRules, bytes: u64) -> Result<Levels, Problem> {
    let mut found: Option<(u64, Levels)> = None;
    for (ranks, messages) in in_reach(rules) {
        let setting = messages.iter().rev().find(|(from, _)| *from <= bytes).map(|(_, setting)| setting);
        let told = setting.and_then(|setting| Told::of(setting, &rules.collective));
        let Some(Told::ByFile(levels)) = told else { continue };
        match found {
            Some((other, known)) if known != levels => {
                return Err(differ(&rules.collective, bytes, [(other, known), (*ranks, levels)]));
            }
            _ => found = Some((*ranks, levels)),
        }
    }
    Ok(found.map_or(Levels::DEFAULT, |(_, levels)| levels))
}

/// Returns the fault of components that depend on the ranks of the whole communicator.
fn differ(collective: &str, bytes: u64, [(one, first), (other, second)]: [(u64, Levels); 2]) -> Problem {
    let message = format!(
        "rules of HAN's levels know the ranks of a level only: {collective} of {bytes} bytes has `{}` from {one} ranks on, and `{}` from \
         {other} ranks on",
        first.name(),
        second.name()
    );
    let help = format!("exclude one of them (`--exclude {}` of qtdec-mpi tune and qtdec map)", second.name());
    Problem::new(Place::File, message).help(help)
}

pub(super) fn named(rules: &LibraryRules) -> impl Iterator<Item = Levels> {
    rules.settings().filter_map(|(_, setting)| match Told::of(setting, &rules.collective)? {
        Told::ByFile(levels) => Some(levels),
        Told::ByVariables(..) => None,
    })
}

/// Returns the settings without which HAN does not do what rules say: the priorities of the components that they name, and the algorithm that
/// only variables choose, of which a tree has one for a collective at most.
pub(super) fn switches(rules: &LibraryRules) -> Vec<Switch> {
    let by_variables =
        rules.settings().find_map(|(_, setting)| match Told::of(setting, &rules.collective)? {
            Told::ByVariables(levels, segment) => Some(levels.variables(&rules.collective, segment)),
            Told::ByFile(_) => None,
        });
    let parameters = by_variables.into_iter().flatten().chain(named(rules).flat_map(Levels::priorities));
    parameters.map(|(name, value)| Switch::parameter(&name, SwitchValue::Number(value))).collect()
}
