//! The rules file of Open MPI's component HAN, which sends calls to other components.
//!
//! On several nodes HAN serves seven collectives itself. Its file can send those calls to `tuned` that a rules file of the classic
//! format is for, so that all others stay as they are, and choose the components of HAN's own levels. `coll_han_dynamic_file.h` and
//! `coll_han_dynamic.c` of 5.0.9 describe both; 4.1 wrote numbers for components, where 5.0 has names.

mod check;
mod levels;
mod read;
mod selection;
mod words;

use std::fmt::Write as _;

use crate::catalogue::open_mpi::HAN_RULES_SINCE;
use crate::catalogue::open_mpi::han::{COMPONENTS, Levels};
use crate::catalogue::{Library, SizeUnit};
use crate::choice::WITH_HAN;
use qtdec_core::{Place, Problem, Problems};

use super::companion::{Circumstances, Companion};
use super::library_rules::forces;
use super::open_mpi::{HAN, HAN_PRIORITY};
use super::{Beginning, Format, LibraryRules, MAX_INT, Setting, Switch, SwitchValue, Switches, Written};
use check::check;
use levels::{INTER, INTRA, Told};

/// The file of HAN.
pub const HAN_FILE: Format = Format {
    releases: &[HAN_RULES_SINCE],
    // HAN compares the bytes of a block where `tuned` compares those of all ranks.
    unit: |unit| match unit {
        SizeUnit::TimesRanks | SizeUnit::Total => SizeUnit::PerRank,
        unit => unit,
    },
    // A file is written beside the one that has the algorithms.
    is_written: false,
    has_comments: true,
    recognises: |beginning| !beginning.is_json() && (beginning.holds(LEVEL) || names_component(beginning)),
    least_bytes_of_rule: 8,
    ..Format::new(
        ("open-mpi-han", "a rules file of the component HAN of Open MPI 5.0"),
        Library::OpenMpi,
        write,
        |bytes, _| Ok(Box::new(selection::rules(bytes)?)),
        |bytes, _| check(bytes),
    )
};

/// The file beside one of the classic format, with which HAN keeps the calls without rules.
pub const OF_HAN: Companion = Companion {
    ending: "-han.conf",
    format: || &HAN_FILE,
    is_written,
    own_choice: WITH_HAN,
    why_own_choice: "after this deployment HAN keeps the calls without rules, so that it replaces `default-han`: leave out --baseline, or \
                     switch HAN off for all calls with --exclude default-han",
    unmeasured: None,
    serves: |collective| HAN.contains(&collective),
    has_communicators: true,
    chooses: |algorithm, collective, has_segments| {
        Levels::of(algorithm).is_some_and(|levels| levels.are_in_files(collective, has_segments))
    },
    why_not_chosen: "variables alone choose such an algorithm of HAN, for all calls of the collective (qtdec-mpi emit says them)",
    beside,
    warning: parts_with_rules,
    write: |rules, own_file| HAN_FILE.write(rules, own_file),
    kept_by,
};

/// Returns whether the release reads the file, and the library's own choice was measured with HAN for every collective that HAN serves.
fn is_written(known: &Circumstances) -> Result<bool, String> {
    let reads_file = known.release.is_some_and(|release| HAN_FILE.releases.contains(&release.series()));
    match (reads_file, known.inserts, known.measured) {
        (true, false, (1.., 0)) => Ok(true),
        (_, _, (0, 0)) | (false, _, (0, _)) => Ok(false),
        (false, ..) if known.is_stated => Ok(false),
        (false, ..) => Err(format!(
            "`{WITH_HAN}` was measured, and the release is not known to have HAN: with --release {}, HAN keeps the calls without rules",
            HAN_FILE.releases[0]
        )),
        (true, true, _) => Err(
            "HAN is switched off for all calls, because rules are inserted into a file: without --into, it keeps the calls without rules"
                .to_owned(),
        ),
        (true, false, _) => Err(format!(
            "HAN is switched off for all calls, of collectives without rules too: measure `{WITH_HAN}` with the script of qtdec-mpi measure, and \
             HAN keeps the calls without rules"
        )),
    }
}

/// Returns whether a line has a number and a component, as in `0 han @simple`: collectives and levels may have numbers, as in the other file.
fn names_component(beginning: &Beginning<'_>) -> bool {
    let text = String::from_utf8_lossy(beginning.start);
    text.lines().any(|line| {
        let mut words = line.split_whitespace();
        let is_size = words.next().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        is_size && words.next().is_some_and(|word| COMPONENTS.contains(&word))
    })
}

fn write(all_rules: &[LibraryRules], into: Option<&[u8]>) -> Result<Written, Problems> {
    if into.is_some() {
        let problem = Problem::new(Place::File, "rules of HAN are not inserted into a file");
        return Err(problem.help("remove --into, or --han").into());
    }
    let served: Vec<&LibraryRules> =
        all_rules.iter().filter(|rules| HAN.contains(&&*rules.collective)).collect();
    if served.is_empty() {
        let message = "HAN serves none of these collectives, so that it sends none to other components";
        return Err(Problem::new(Place::File, message).help("remove --han").into());
    }
    let mut text = format!(
        "# Rules for the component HAN of Open MPI 5.0: where `tuned` serves a call, and where HAN does.\n\
         # Message rules: first size in bytes, component.\n{} # collectives\n",
        served.len()
    );
    for rules in &served {
        routes(rules, &mut text)?;
    }
    let others = all_rules.iter().filter(|rules| !HAN.contains(&&*rules.collective));
    let others = others.map(|rules| format!("HAN does not serve {}: `tuned` always does", rules.collective));
    let notes = others.chain(broadcasts_of_others(&served)).chain(nonblocking(&served)).collect();
    let mut switches = switches();
    for switch in served.iter().flat_map(|rules| levels::switches(rules)) {
        if !switches.settings.contains(&switch) {
            switches.settings.push(switch);
        }
    }
    Ok(Written { text, notes, switches })
}

/// Returns the note that the components of broadcasts within nodes serve other collectives of HAN too, if the rules name others than the
/// default.
fn broadcasts_of_others(served: &[&LibraryRules]) -> Option<String> {
    let mut bcasts = served.iter().filter(|rules| rules.collective == "bcast");
    let is_other =
        bcasts.any(|rules| levels::named(rules).any(|levels| levels.intra != Levels::DEFAULT.intra));
    is_other.then(|| {
        "bcast: HAN's allgathers, and its simple allreduces, broadcast within nodes with the component of these rules, so that they may \
         change; the measurement of the files by turns shows it"
            .to_owned()
    })
}

/// Returns the note that `adapt` serves nonblocking calls too, if it serves a level.
fn nonblocking(served: &[&LibraryRules]) -> Option<String> {
    let mut levels = served.iter().flat_map(|rules| levels::named(rules));
    levels.any(|levels| levels.inter == "adapt").then(|| {
        "with the priority that lets `adapt` serve levels, it also serves MPI_Ibcast and MPI_Ireduce"
            .to_owned()
    })
}

/// Returns the rules of HAN for calls that classic rules are for: those in HAN's own terms, up to the communicators from which on the classic
/// ones leave every call to the library.
#[must_use]
pub fn beside(classic: &LibraryRules, own: LibraryRules) -> LibraryRules {
    match classic.bands.communicators().last().filter(|(_, messages)| !forces(messages)) {
        Some((end, _)) => LibraryRules { bands: own.bands.with_tail(*end, Setting::default()), ..own },
        None => own,
    }
}

/// Returns a warning if classic rules also reach the parts into which HAN divides communicators, or `None` if no part of one that was
/// measured is large enough. HAN divides only those with several ranks on several nodes, so that a part has at most half of the ranks.
#[must_use]
pub fn parts_with_rules(classic: &LibraryRules) -> Option<String> {
    let classic = classic.without_nodes();
    let ruled = classic.bands.communicators().iter().find(|(_, messages)| forces(messages));
    let (first, most) = (ruled?.0.max(2), classic.largest / 2);
    (first <= most).then(|| {
        format!(
            "HAN serves the calls that it keeps by calls on the ranks of one node and on one rank of each node: the rules also serve those \
             on {first} ranks and more, so that the default may change; the measurement of the files by turns shows it"
        )
    })
}

/// Returns the settings of a rules file without those that switch HAN off.
#[must_use]
pub fn kept_by(mut switches: Switches) -> Switches {
    switches.settings.retain(|switch| !switch.name.ends_with(HAN_PRIORITY));
    switches.remarks.clear();
    switches
}

/// The level of whole communicators, as opposed to those of HAN within nodes and between them.
const LEVEL: &str = "global_communicator";

/// The component itself.
const OWN: &str = "han";

/// The component that reads the rules file with the algorithms.
const OTHER: &str = "tuned";

/// Returns whether a component serves calls of a collective on communicators of a level. Where it does not, HAN calls the component that
/// it came before, without a word.
///
/// `self` is there for a single rank, `sm` for the ranks of one node, and `libnbc` has no blocking collectives. With `adapt` for a whole
/// communicator, `tuned` was seen to run; HAN itself divides none of its own communicators.
fn serves(component: &str, level: &str, collective: &str) -> bool {
    match component {
        OTHER | "basic" => true,
        OWN => level == LEVEL,
        "sm" => level == INTRA && ["allreduce", "barrier", "bcast", "reduce"].contains(&collective),
        "adapt" => level != LEVEL && ["bcast", "reduce"].contains(&collective),
        _ => false,
    }
}

/// The simple algorithm of HAN, whose components a file chooses.
const SIMPLE: &str = "simple";

/// Returns whether HAN's own algorithm for a collective is the simple one.
fn is_simple_by_default(collective: &str) -> bool {
    ["barrier", "gather"].contains(&collective)
}

/// Returns what serves the calls of a rule, as the file says it.
fn component(setting: &Setting, collective: &str) -> String {
    match Told::of(setting, collective) {
        Some(Told::ByFile(_)) if !is_simple_by_default(collective) => format!("{OWN} @{SIMPLE}"),
        None if setting.algorithm.is_some() => OTHER.to_owned(),
        Some(_) | None => OWN.to_owned(),
    }
}

fn routes(rules: &LibraryRules, text: &mut String) -> Result<(), Problem> {
    let reached = rules.bands.communicators().iter().filter(|(from, _)| *from <= MAX_INT);
    let mut communicators: Vec<(u64, Vec<(u64, String)>)> = Vec::new();
    for (from, messages) in reached {
        let of_rule = |(from, setting): &(u64, Setting)| (*from, component(setting, &rules.collective));
        let mut messages: Vec<(u64, String)> = messages.iter().map(of_rule).collect();
        messages.dedup_by(|next, kept| next.1 == kept.1);
        // The first size of a file must be 1.
        let from = (*from).max(1);
        communicators.retain(|(size, _)| *size != from);
        if communicators.last().is_none_or(|(_, last)| *last != messages) {
            communicators.push((from, messages));
        }
    }
    let mut parts = String::new();
    let count = levels::write(rules, &mut parts)? + 1;
    let word = if count == 1 { "level" } else { "levels" };
    let _ = writeln!(
        text,
        "{}\n{count} # {word}\n{LEVEL}\n{} # communicator sizes",
        rules.collective,
        communicators.len()
    );
    for (from, messages) in communicators {
        let _ = writeln!(text, "{from} # ranks and more\n{} # message sizes", messages.len());
        for (from, component) in messages {
            let _ = writeln!(text, "{from} {component}");
        }
    }
    text.push_str(&parts);
    Ok(())
}

/// Returns the settings that make HAN read the file.
fn switches() -> Switches {
    let settings = vec![
        Switch::parameter("coll_han_use_dynamic_file_rules", SwitchValue::Text("1")),
        Switch::parameter("coll_han_dynamic_rules_filename", SwitchValue::File),
    ];
    Switches { is_script: false, settings, remarks: Vec::new() }
}
