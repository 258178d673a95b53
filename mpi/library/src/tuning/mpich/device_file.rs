//! The file of MPICH's device that lets it keep the calls which rules leave to the library.
//!
//! The device asks this file first: CH4 finds a composition of collectives on and between nodes, or nothing, and then calls the layer below
//! MPI's functions, which reads the selection file. So the file leads to nothing exactly where rules force an algorithm of that layer,
//! names a composition where they force one, and keeps MPICH's own choices everywhere else. (A composition that calls the layer below would do the same, but the names of these differ between
//! releases, and some let the network's own collectives serve the call first.) `src/mpid/ch4/src/ch4_coll.h` of 4.0.2 and 5.0.1. No file for
//! POSIX is needed: only compositions call it.

use qtdec_core::{Place, Problem, Problems};

use super::check::{self, Names};
use super::layer::Device;
use super::writer::{Forced, insert, runs_smp};
use super::{MPICH, SELECTION_FILE, finished};
use crate::choice::UNTOUCHED;
use crate::tuning::companion::Companion;
use crate::tuning::finding::accepted;
use crate::tuning::{LibraryRules, Switch, SwitchValue, Switches, Written, json};

/// The file beside a selection file, with which CH4 keeps the calls without rules.
pub const OF_CH4: Companion = Companion {
    ending: "-ch4.json",
    format: || &MPICH,
    is_written: |known| Ok(known.has_own_file),
    own_choice: UNTOUCHED,
    why_own_choice: "after this deployment MPICH's device keeps the calls without rules, so that it replaces `untouched`: leave out \
                     --baseline, or the --into of the device",
    unmeasured: Some(
        "`untouched` was not measured, and the library that was measured lacks the device, which keeps the calls without rules: measure \
         `untouched` with the script of qtdec-mpi measure",
    ),
    serves: |_| true,
    has_communicators: false,
    chooses: |_, _, _| true,
    why_not_chosen: "",
    beside: |_, own| own,
    warning: |_| None,
    write: |rules, own_file| write(rules, own_file.unwrap_or_default()),
    kept_by,
};

/// Returns whether a selection file is for a layer of the device.
pub fn is_for_device(bytes: &[u8]) -> bool {
    json::parse(bytes).is_ok_and(|file| Device::of_file(&file).is_some())
}

/// Writes the file of the device for rules, which are in the selection file: MPICH's own one, `into`, without the calls for which they
/// force an algorithm.
///
/// # Errors
///
/// Fails if MPICH does not accept `into`, if that is not for CH4, or if it lacks a collective.
pub fn write(all_rules: &[LibraryRules], into: &[u8]) -> Result<Written, Problems> {
    accepted(check::check(into, Names::Any))?;
    let mut file = json::parse_once(into)?;
    if Device::of_file(&file) != Some(Device::Ch4) {
        let problem = Problem::new(Place::File, "this file does not choose compositions of CH4");
        return Err(problem
            .help("give libmpich.so of your MPICH, or maint/tuning/coll/ch4/generic.json of its sources")
            .into());
    }
    if let Some(missing) = file.as_object().and_then(check::missing_names) {
        let message = format!("the device no longer serves a collective that its file lacks: {missing}");
        let problem = Problem::new(Place::File, message);
        return Err(problem.help("give the complete file of CH4 in the sources of your MPICH").into());
    }
    insert(&mut file, all_rules, Forced::LeadsToNothing)?;
    let smp = all_rules.iter().filter(|rules| runs_smp(rules)).map(|rules| &*rules.collective);
    let smp: Vec<&str> = smp.collect();
    let mut notes = Vec::new();
    if !smp.is_empty() {
        notes.push(format!(
            "`smp` of {} calls collectives on the ranks of a node, which the device serves here, but did not where `smp` was measured with \
             the device switched off",
            smp.join(", ")
        ));
    }
    let settings = vec![Switch::variable(Device::Ch4.variable(), SwitchValue::File)];
    let switches = Switches { is_script: false, settings, remarks: Vec::new() };
    Ok(Written { text: finished(&file), notes, switches })
}

/// Returns the settings of a selection file without those that take collectives from the device.
#[must_use]
pub fn kept_by(mut switches: Switches) -> Switches {
    switches.settings.retain(|switch| switch.name == SELECTION_FILE);
    switches.remarks.clear();
    switches
}
