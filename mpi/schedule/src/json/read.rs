//! Parsing of schedules.

use std::fmt::Display;

use qtdec_core::json::{Object, PlacedValue};
use qtdec_core::{Diagnostics, Problem, Problems};

use super::FORMAT;
use crate::Collective;
use crate::{Action, Buffer, Operation, Part, RankSchedule, Request, RequestError, Schedule};

const KEYS: [&str; 17] = [
    "$schema",
    "format",
    "collective",
    "algorithm",
    "comm_size",
    "msg_size",
    "segment_size",
    "root",
    "element_size",
    "in_place",
    "counts",
    "commutative",
    "messages",
    "rounds",
    "verified",
    "times",
    "ranks",
];

impl Schedule {
    /// Reads a schedule in the format `qtdec-schedule/1`, whoever wrote it.
    ///
    /// A file's numbers of messages and rounds and its proof are not trusted but computed again when needed. Reading
    /// proves nothing: see [`Schedule::verify`].
    ///
    /// # Errors
    ///
    /// Returns all faults: text that is not JSON, members that are missing, unknown or of another type, and requests that
    /// no schedule serves.
    pub fn from_json(text: &str) -> Result<Self, Problems> {
        let file = PlacedValue::parse(text)?;
        file.format(&[FORMAT])?;
        let mut check = Diagnostics::default();
        let schedule = file.object(&KEYS, &mut check).and_then(|file| read(&file, &mut check));
        check.finish(schedule)
    }
}

/// Reads every part before returning for a missing one, so that all faults are found.
fn read(file: &Object<'_>, check: &mut Diagnostics) -> Option<Schedule> {
    let collective = file.require("collective", check).and_then(|value| read_collective(value, check));
    let algorithm = file.require("algorithm", check).and_then(|name| name.string(check));
    let request = read_request(file, check);
    let in_place = file.optional("in_place", check, PlacedValue::boolean);
    let ranks = file.require("ranks", check).and_then(|ranks| ranks.all(check, read_rank));
    let (collective, request) = (collective?, request?);
    // What every file says that a program wrote is the same as saying nothing.
    let request = match in_place? {
        Some(in_place) if in_place != request.is_in_place(collective) => request.in_place(in_place),
        _ => request,
    };
    Some(Schedule { collective, algorithm: algorithm?, request, ranks: ranks? })
}

fn read_collective(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Collective> {
    value.string(check)?.parse().map_or_else(|unknown| refuse(value, unknown, check), Some)
}

/// Reads the parts of a request; each setting that no schedule serves is reported at its own member.
fn read_request(file: &Object<'_>, check: &mut Diagnostics) -> Option<Request> {
    let comm_size = file.require("comm_size", check).and_then(|size| number(size, check));
    let msg_size = file.require("msg_size", check).and_then(|size| size.whole(check));
    let element_size = file.optional("element_size", check, PlacedValue::whole);
    let segment_size = file.optional("segment_size", check, |size, check| {
        if size.is_null() { Some(None) } else { size.whole(check).map(Some) }
    });
    let root = file.optional("root", check, number);
    let commutative = file.optional("commutative", check, PlacedValue::boolean);
    let counts = file.optional("counts", check, |counts, check| counts.all(check, PlacedValue::whole));
    let (element_size, msg_size) = (element_size?.unwrap_or(1), msg_size?);
    let mut at = |name: &str, request: Result<Request, RequestError>| {
        request.map_or_else(|error| refuse(file.get(name)?, error, check), Some)
    };
    if element_size == 0 || msg_size % element_size != 0 {
        return at("msg_size", Err(RequestError::part_of_element(msg_size, element_size)));
    }
    let request = match counts? {
        Some(counts) => {
            let sum = counts.iter().fold(0_u64, |sum, &count| sum.saturating_add(count));
            if sum != msg_size / element_size {
                let fault =
                    format!("the counts sum up to {sum}, but `msg_size` to {}", msg_size / element_size);
                return refuse(file.get("counts")?, fault, check);
            }
            at("comm_size", Request::vectored(comm_size?, counts))?
        }
        None => at("comm_size", Request::new(comm_size?, msg_size / element_size))?,
    };
    let request = at("element_size", request.element_size(element_size))?;
    let request = at("root", request.root(root?.unwrap_or(0)))?;
    let request = at("segment_size", request.segment(segment_size?.flatten()))?;
    Some(request.commutative(commutative?.unwrap_or(true)))
}

fn read_rank(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<RankSchedule> {
    let object = value.object(&["rank", "ops"], check)?;
    let rank = object.require("rank", check).and_then(|rank| number(rank, check));
    let operations = object.require("ops", check).and_then(|list| list.all(check, read_operation));
    Some(RankSchedule { rank: rank?, operations: operations? })
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Send,
    Receive,
    Reduce,
    Copy,
}

const KINDS: [(&str, Kind); 4] =
    [("send", Kind::Send), ("recv", Kind::Receive), ("reduce", Kind::Reduce), ("copy", Kind::Copy)];

fn read_operation(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Operation> {
    let object = value.object(&["op", "peer", "rail", "parts", "into", "after"], check)?;
    let kind = object.require("op", check).and_then(|kind| kind.one_of("operation", &KINDS, check));
    let parts = object.require("parts", check).and_then(|parts| parts.all(check, read_part));
    let after = object.optional("after", check, |after, check| after.all(check, number));
    let kind = kind?;
    let action = if matches!(kind, Kind::Send | Kind::Receive) {
        none(&object, "into", "a message", check)?;
        let peer = object.require("peer", check).and_then(|peer| number(peer, check));
        let rail = object.optional("rail", check, number);
        let (peer, rail, parts) = (peer?, rail?.unwrap_or(0), parts?);
        if kind == Kind::Send {
            Action::Send { peer, rail, parts }
        } else {
            Action::Receive { peer, rail, parts }
        }
    } else {
        none(&object, "peer", "a local operation", check)?;
        none(&object, "rail", "a local operation", check)?;
        let into = object.require("into", check).and_then(|into| read_part(into, check));
        let (into, parts) = (into?, parts?);
        if kind == Kind::Reduce { Action::Reduce { parts, into } } else { Action::Copy { parts, into } }
    };
    Some(Operation { action, after: after?.unwrap_or_default() })
}

/// Reports a member that the operation does not have.
fn none(object: &Object<'_>, name: &str, what: &str, check: &mut Diagnostics) -> Option<()> {
    match object.get(name).filter(|value| !value.is_null()) {
        Some(value) => refuse(value, format!("{what} has no `{name}`; omit it"), check),
        None => Some(()),
    }
}

fn read_part(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Part> {
    let object = value.object(&["buffer", "offset", "bytes"], check)?;
    let buffers = Buffer::ALL.map(|buffer| (buffer.name(), buffer));
    let buffer = object.require("buffer", check).and_then(|buffer| buffer.one_of("buffer", &buffers, check));
    let offset = object.require("offset", check).and_then(|offset| offset.whole(check));
    let bytes = object.require("bytes", check).and_then(|bytes| bytes.whole(check));
    Some(Part { buffer: buffer?, offset: offset?, bytes: bytes? })
}

/// Reads a number of ranks, a rank, a rail or the place of an operation.
fn number(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<u32> {
    let number = value.whole(check)?;
    u32::try_from(number).map_or_else(|_| refuse(value, format!("{number} is too large"), check), Some)
}

fn refuse<T>(value: &PlacedValue<'_>, fault: impl Display, check: &mut Diagnostics) -> Option<T> {
    check.add(Problem::new(value.path.clone(), fault.to_string()));
    None
}
