//! Open MPI's rules file in the classic text format, for every release through 5.0. It is written without the header of version 2, which
//! only releases from 5.0.7 on can read, unless a rule has a number of requests.

mod check;
mod numbers;
mod read;
mod words;

use std::fmt::Write as _;

pub use check::check;
pub(super) use check::{fan_out_help, no_fan_out, no_requests};
pub(super) use numbers::Base;
pub use numbers::{Number, Numbers};
pub use read::{Block, CommunicatorRule, MessageRule, Rejected, Rules, read};

use crate::catalogue::open_mpi::{REQUESTS_SINCE, collective_by_number};
use crate::catalogue::{Library, Release};
use qtdec_core::{Place, Problem};
use read::HEADER;

use super::{
    Format, LibraryRules, MAX_INT, Setting, Switch, SwitchValue, Switches, Written, notes, open_mpi_han,
};

/// The classic text format.
pub const CLASSIC: Format = Format {
    releases: &[Release::new(4, 1), Release::new(5, 0)],
    least_bytes_of_rule: 8,
    header: Some((HEADER, REQUESTS_SINCE)),
    recognises: |beginning| beginning.first_line().starts_with(HEADER.as_bytes()),
    has_comments: true,
    companion: Some(open_mpi_han::OF_HAN),
    why_not_by_nodes: WITHOUT_HAN,
    ..Format::new(
        ("open-mpi", "a rules file of Open MPI up to 5.0"),
        Library::OpenMpi,
        |rules, into| Ok(write(rules, into.map(accepted).transpose()?.as_ref())?),
        |bytes, _| Ok(Box::new(accepted(bytes)?)),
        check,
    )
};

/// Why no file chooses an algorithm of HAN.
pub(super) const WITHOUT_HAN: &str = "HAN is switched off, or no file is written for it";

fn accepted(bytes: &[u8]) -> Result<Rules, Problem> {
    read(bytes).map_err(|rejected| rejected.problem)
}

/// Writes the rules of several collectives as one file. The other collectives of the previous file `into` are kept.
///
/// # Errors
///
/// Fails if Open MPI does not know a collective, or cannot represent a number.
pub fn write(all_rules: &[LibraryRules], into: Option<&Rules>) -> Result<Written, Problem> {
    without_han(all_rules)?;
    let mut notes = notes(all_rules);
    let mut blocks: Vec<(u8, String)> = Vec::new();
    let mut has_requests =
        all_rules.iter().any(|rules| rules.settings().any(|(_, setting)| setting.requests.is_some()));
    for rules in all_rules {
        let number = number(rules)?;
        blocks.push((number, block(rules, number)?));
    }
    for kept in into.map(Rules::effective).unwrap_or_default() {
        let id = kept.id.value as u8;
        if !blocks.iter().any(|(written, _)| *written == id) {
            let name = collective_by_number(id).map_or("another collective", |known| known.name);
            notes.push(format!("the rules for {name} are kept as they were"));
            has_requests |= kept.has_requests();
            blocks.push((id, kept_block(kept, name)));
        }
    }
    if has_requests {
        notes.push(format!(
            "a rule has a number of requests: releases before {REQUESTS_SINCE} drop the whole file in silence"
        ));
    } else if into.is_some_and(|rules| rules.version.is_some()) {
        notes
            .push("the header is omitted: no rule has a number of requests, which alone needs it".to_owned());
    }
    let (header, fifth) =
        if has_requests { (format!("{HEADER}2\n"), ", requests open at once") } else { (String::new(), "") };
    blocks.sort_by_key(|(id, _)| *id);
    let texts: Vec<&str> = blocks.iter().map(|(_, text)| &**text).collect();
    let text = format!(
        "{header}# Rules for Open MPI {}; 6.0 reads them differently, and has a format of its own.\n\
         # Message rules: first size in bytes, algorithm, fan-out, segment size{fifth}. Algorithm 0 leaves the choice to Open MPI.\n\
         {} # collectives\n{}",
        served(all_rules, has_requests),
        blocks.len(),
        texts.concat()
    );
    let taken_over = all_rules.iter().map(|rules| &*rules.collective).filter(|name| HAN.contains(name));
    let remarks = taken_over.map(|name| {
        format!("in 5.0, the component HAN serves {name} on several nodes unless its priority is 0")
    });
    Ok(Written { text, notes, switches: switches(remarks.collect()) })
}

/// Describes the releases that have all algorithms of the rules, and can read numbers of requests if there are any.
fn served(all_rules: &[LibraryRules], has_requests: bool) -> String {
    let communicators = all_rules.iter().flat_map(|rules| rules.bands.communicators());
    let algorithms: Vec<_> =
        communicators.flat_map(|(_, rules)| rules).filter_map(|(_, setting)| setting.algorithm).collect();
    let has_all = |release: &&Release| algorithms.iter().all(|algorithm| algorithm.is_in(Some(**release)));
    let served = CLASSIC.releases.iter().filter(has_all);
    let served: Vec<String> = if has_requests {
        let reads = |release: &&Release| **release == REQUESTS_SINCE.series();
        served.filter(reads).map(|release| format!("{release} from {REQUESTS_SINCE} on")).collect()
    } else {
        served.map(Release::to_string).collect()
    };
    if served.is_empty() { "with algorithms of later ones".to_owned() } else { served.join(" and ") }
}

/// Returns the settings that make Open MPI read a rules file of either format, and keep other components from serving the calls: since
/// 5.0 HAN has a higher priority, and HCOLL and UCC have one wherever they are built in. A parameter of a component that is not there has
/// no effect.
pub(super) fn switches(remarks: Vec<String>) -> Switches {
    let settings = vec![
        Switch::parameter("coll_tuned_use_dynamic_rules", SwitchValue::Text("1")),
        Switch::parameter("coll_tuned_dynamic_rules_filename", SwitchValue::File),
        Switch::parameter(HAN_PRIORITY, SwitchValue::Text("0")),
        Switch::parameter("coll_hcoll_enable", SwitchValue::Text("0")),
        Switch::parameter("coll_ucc_enable", SwitchValue::Text("0")),
    ];
    Switches { is_script: false, settings, remarks }
}

/// The parameter that keeps HAN from serving calls.
pub const HAN_PRIORITY: &str = "coll_han_priority";

/// The collectives that the component HAN takes over from 5.0 on if there are several nodes of several ranks.
pub const HAN: [&str; 7] = ["allgather", "allreduce", "barrier", "bcast", "gather", "reduce", "scatter"];

/// The greatest message size that the reader accepts.
const MAX_MESSAGE: u64 = i64::MAX as u64;

pub(super) fn number(rules: &LibraryRules) -> Result<u8, Problem> {
    let known = Library::OpenMpi.collective(&rules.collective).and_then(|known| known.number);
    known
        .ok_or_else(|| Problem::new(Place::File, format!("Open MPI has no rules for `{}`", rules.collective)))
}

/// Checks that no rule names an algorithm of the component HAN, which a file of `tuned` does not know.
pub(super) fn without_han(all_rules: &[LibraryRules]) -> Result<(), Problem> {
    let of_han = all_rules.iter().find_map(|rules| Some((rules.by_nodes()?, &rules.collective)));
    let Some((name, collective)) = of_han else { return Ok(()) };
    let message =
        format!("`{name}` of {collective} is an algorithm of HAN, and this file has those of `tuned`");
    let help = format!(
        "write a file for HAN beside it, with `qtdec-mpi emit --target open-mpi --release 5.0 --han FILE`, or exclude `{name}` from the map"
    );
    Err(Problem::new(Place::File, message).help(help))
}

/// Returns a number of a setting, 0 for none.
pub(super) fn within_int(what: &str, number: Option<u64>, algorithm: &str) -> Result<u64, Problem> {
    let number = number.unwrap_or(0);
    if number <= MAX_INT {
        return Ok(number);
    }
    let message = format!("the {what} {number} of `{algorithm}` is greater than {MAX_INT}");
    Err(Problem::new(Place::File, message).help("Open MPI would read a different number"))
}

fn block(rules: &LibraryRules, number: u8) -> Result<String, Problem> {
    let in_reach = |(from, _): &&(u64, Vec<(u64, Setting)>)| *from <= MAX_INT;
    let communicators: Vec<_> = rules.bands.communicators().iter().filter(in_reach).collect();
    let mut text = format!("{number} # {}\n{} # communicator sizes\n", rules.collective, communicators.len());
    for (from, messages) in communicators {
        let messages: Vec<_> = messages.iter().filter(|(from, _)| *from <= MAX_MESSAGE).collect();
        let _ = writeln!(text, "{from} # ranks and more\n{} # message sizes", messages.len());
        for (from, setting) in messages {
            let Setting { algorithm, segment_size, fan_out, requests, .. } = setting;
            let id = algorithm.and_then(|algorithm| algorithm.number).unwrap_or(0);
            let name = algorithm.map_or("left to Open MPI", |algorithm| algorithm.name);
            let fan_out = within_int("fan-out", *fan_out, name)?;
            let segment = within_int("segment size", *segment_size, name)?;
            let requests = match requests {
                Some(_) => format!(" {}", within_int("number of requests", *requests, name)?),
                None => String::new(),
            };
            let _ = writeln!(text, "{from} {id} {fan_out} {segment}{requests} # {name}");
        }
    }
    Ok(text)
}

fn kept_block(block: &Block, name: &str) -> String {
    let mut text =
        format!("{} # {name}\n{} # communicator sizes\n", block.id.value, block.communicators.len());
    for rule in &block.communicators {
        let _ =
            writeln!(text, "{} # ranks and more\n{} # message sizes", rule.size.value, rule.messages.len());
        for message in &rule.messages {
            let [size, algorithm, fan_out, segment] =
                [&message.size, &message.algorithm, &message.fan_out, &message.segment]
                    .map(|number| number.value);
            let requests = message.requests.as_ref().map(|number| format!(" {}", number.value));
            let _ = writeln!(text, "{size} {algorithm} {fan_out} {segment}{}", requests.unwrap_or_default());
        }
    }
    text
}
