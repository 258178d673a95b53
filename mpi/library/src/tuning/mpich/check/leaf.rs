//! Checks of the algorithms that a file names.

use crate::catalogue::mpich::parameters::{Value as Kind, parameters};
use crate::catalogue::mpich::restrictions::{falls_back, needs};
use crate::catalogue::mpich::{compositions, functions};
use crate::catalogue::{Library, Release, mpich};
use qtdec_core::similar::suggestion;
use qtdec_core::{Path, Place};
use serde_json::{Map, Value};

use super::{Checker, Names, State};
use crate::tuning::MAX_INT;
use crate::tuning::Severity::{Fails, Note, Wrong};
use crate::tuning::finding::OTHER_RELEASE;
use crate::tuning::mpich::calls::{Calls, described};
use crate::tuning::mpich::conditions::{self, is_leaf};
use crate::tuning::mpich::layer::Device;

impl Checker {
    /// Checks an object that names an algorithm. MPICH reads all of its keys as algorithms, and the last one counts.
    pub(super) fn leaf(&mut self, members: &Map<String, Value>, path: &Path, state: &State) {
        let ends = [members.values().next(), members.values().next_back()];
        if ends.into_iter().flatten().any(|parameters| !parameters.is_object()) {
            let message = "the parameters of an algorithm must be an object: MPICH aborts at its start";
            self.dropped(Place::At(path.clone()), message, "write {} if there are none");
        }
        for (key, parameters) in members {
            self.algorithm(key, &path.key(key), state);
            self.parameters(key, parameters, &path.key(key), state);
        }
        if let (Some(key), Some(calls)) = (members.keys().next_back(), &state.calls) {
            self.restrictions(key, &path.key(key), state, calls);
        }
        if members.len() > 1 && members.keys().all(|key| is_leaf(key)) {
            let message = "the object contains several algorithms, and only the last one counts";
            self.findings.add(Wrong, Place::At(path.clone()), message, "keep one of them");
        }
    }

    fn algorithm(&mut self, key: &str, path: &Path, state: &State) {
        let Names::Of(release) = self.names else { return };
        let place = Place::Key(path.clone());
        let written = conditions::written(key);
        let function = written.strip_prefix("algorithm=").unwrap_or(&written);
        match self.layer {
            Some(Device::Ch4) => return self.composition(&written, release, place, state),
            Some(Device::Posix) => return,
            None => {}
        }
        if Device::of(key).is_some() {
            let message = format!(
                "`{function}` belongs to the device layer: MPICH accepts it only in that layer's file, and \
                     otherwise aborts at its start"
            );
            return self.findings.add(Note, place, message, "");
        }
        let collective = state.collective.as_deref().unwrap_or_default();
        let of_collective = Library::Mpich.algorithms(collective).iter();
        let names: Vec<String> =
            of_collective.map(|algorithm| mpich::function(collective, algorithm.name)).collect();
        let known = functions::find_function(function).filter(|_| written.starts_with("algorithm="));
        let Some(known) = known else {
            let of = if names.is_empty() { String::new() } else { format!(" for {collective}") };
            let message = format!("MPICH has no `{function}`{of}, and aborts at its start");
            let help = among(function, &names);
            return self.dropped(place, message, &help);
        };
        if let (Some(release), Some(lack)) = (release, known.lack(release)) {
            let message = format!("MPICH {release} has no `{function}`, and aborts at its start: {lack}");
            return self.dropped(place, message, OTHER_RELEASE);
        }
        if !collective.is_empty() && !functions::is_of(function, collective) {
            let message = format!("`{function}` does not run {collective}: MPICH aborts in the call");
            let help = among(function, &names);
            self.findings.add(Fails, place, message, &help);
        }
    }

    fn composition(&mut self, written: &str, release: Option<Release>, place: Place, state: &State) {
        let name = written.strip_prefix("composition=").unwrap_or(written);
        let Some((of, known)) = compositions::find(name) else {
            return self.dropped(place, format!("MPICH has no `{name}`, and aborts at its start"), "");
        };
        if let (Some(release), Some(lack)) = (release, known.lack(release)) {
            let message = format!("MPICH {release} has no `{name}`, and aborts at its start: {lack}");
            return self.dropped(place, message, "take the file of CH4 in the sources of this release");
        }
        if let Some(collective) = state.collective.as_deref().filter(|collective| *collective != of) {
            let message = format!("`{name}` does not run {collective}: MPICH aborts in the call");
            self.findings.add(Fails, place, message, "");
        }
    }

    /// Checks that a function can serve all calls that come to it. MPICH does not compare them with its restrictions.
    fn restrictions(&mut self, key: &str, path: &Path, state: &State, calls: &Calls) {
        let (Names::Of(release), Some(collective)) = (self.names, &state.collective) else { return };
        let written = conditions::written(key);
        let Some((_, function)) = written.split_once('=').filter(|_| self.layer != Some(Device::Posix))
        else {
            return;
        };
        let above = state.above.join(", ");
        let has_groups = !["scan", "exscan", "iscan", "iexscan"].contains(&&**collective);
        let (within, between) = (function.contains("_intra_"), function.contains("_inter_"));
        if has_groups && ((calls.intra == Some(false) && within) || (calls.intra != Some(false) && between)) {
            let [kind, other] = if within { ["intra", "inter"] } else { ["inter", "intra"] };
            let message = format!(
                "`{function}` is for communicators of the type {kind}, and calls on others ({other}) come to it under {above}: they end the \
                 program, hang or answer wrongly"
            );
            let help = format!("put it below `comm_type={kind}`");
            return self.findings.add(Fails, Place::Key(path.clone()), message, &help);
        }
        if has_groups && within && calls.intra.is_none() && self.open_to_groups.insert(collective.clone()) {
            let message = format!(
                "calls of {collective} on intercommunicators come to `{function}`, which hangs or answers wrongly there"
            );
            self.findings.add(Note, Place::Key(path.clone()), message, "put it below `comm_type=intra`");
        }
        if calls.intra == Some(false) {
            return;
        }
        for (need, example) in needs(function).iter().filter_map(|need| Some((*need, calls.breaking(*need)?)))
        {
            let (what, condition) = described(need);
            let message = format!(
                "`{function}` needs {what}, and a call of {collective} {example} comes to it under {above}: MPICH ends the program or answers \
                 wrongly"
            );
            let help = format!(
                "put it below `{condition}`, and name an algorithm without this need for the other calls"
            );
            self.findings.add(Fails, Place::Key(path.clone()), message, &help);
        }
        if let Some(left) = falls_back(function, release) {
            let message = format!("MPICH leaves calls of {collective} {left}, in silence");
            self.findings.add(Note, Place::Key(path.clone()), message, "");
        }
    }

    /// Checks that an algorithm has all parameters that it takes.
    fn parameters(&mut self, key: &str, given: &Value, path: &Path, state: &State) {
        let (Some(collective), Value::Object(given)) = (&state.collective, given) else { return };
        let written = conditions::written(key);
        let of_collective = |function: &&str| functions::is_of(function, collective);
        let function = written.strip_prefix("algorithm=").filter(of_collective);
        let Some((_, algorithm)) = function.and_then(|function| function.split_once("_intra_")) else {
            return;
        };

        for parameter in parameters(collective, algorithm) {
            let name = parameter.key;
            let help = format!("write it as a member: \"{}\": {{}}", parameter.member(None, None));
            let place = || Place::Key(path.clone());
            let Some(text) = value(given, name) else {
                let message = format!("`{algorithm}` lacks `{name}`: MPICH takes what is in memory");
                self.findings.add(Fails, place(), message, &help);
                continue;
            };
            let (least, what) = match parameter.value {
                Kind::FanOut { least } => (least, "fan-out"),
                Kind::SegmentSize(_) => (0, "segment size"),
                Kind::Fixed(_) => continue,
            };
            if !text.parse().is_ok_and(|number: u64| (least..=MAX_INT).contains(&number)) {
                let message = format!("the {what} `{name}={text}` is not from {least} to {MAX_INT}");
                self.findings.add(Fails, place(), message, &help);
            }
        }
    }
}

fn value(members: &Map<String, Value>, wanted: &str) -> Option<String> {
    members.keys().find_map(|member| {
        let member = conditions::written(member);
        member.split_once('=').filter(|(key, _)| *key == wanted).map(|(_, text)| text.to_owned())
    })
}

/// Returns the names similar to one that is not among them, if there are any.
fn among(name: &str, names: &[String]) -> String {
    if names.is_empty() {
        String::new()
    } else {
        suggestion(name, "functions", names.iter().map(String::as_str))
    }
}
