//! Parsing of schedules.

use std::fmt;

use serde_json::{Map, Value};

use super::FORMAT;
use crate::Collective;
use crate::schedule::{Action, Buffer, Operation, Part, RankSchedule, Request, RequestError, Schedule};

/// The error of a text that is not a schedule: the fault and the member concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The path of the member, such as `ranks[3].ops[7].peer`; empty for the whole file.
    pub path: String,
    /// The fault, and what to write instead.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for ReadError {}

type Result<T> = std::result::Result<T, ReadError>;

fn refuse<T>(path: impl Into<String>, message: impl Into<String>) -> Result<T> {
    Err(ReadError { path: path.into(), message: message.into() })
}

/// The members of a file.
const MEMBERS: &[&str] = &[
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
    /// Fails if the text is not JSON, a member is missing, unknown or of another type, or the request is invalid.
    pub fn from_json(text: &str) -> Result<Self> {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return refuse("", format!("not JSON: {error}")),
        };
        let file = Object::of(&value, String::new(), MEMBERS)?;
        let format = file.text("format")?;
        if format != FORMAT {
            return refuse("format", format!("`{format}` is not `{FORMAT}`"));
        }
        let collective: Collective = match file.text("collective")?.parse() {
            Ok(collective) => collective,
            Err(error) => return refuse("collective", format!("{error}")),
        };
        let request = request(&file)?;
        let in_place = file.flag("in_place")?.unwrap_or(collective == Collective::Bcast);
        if in_place != (collective == Collective::Bcast) {
            return refuse(
                "in_place",
                "only `bcast` has one buffer for input and result, and it has no other",
            );
        }
        let ranks = file.list("ranks")?.enumerate();
        let ranks =
            ranks.map(|(index, value)| rank(value, format!("ranks[{index}]"))).collect::<Result<_>>()?;
        Ok(Self { collective, algorithm: file.text("algorithm")?.to_owned(), request, ranks })
    }
}

fn request(file: &Object<'_>) -> Result<Request> {
    let comm_size = file.number("comm_size")?;
    let element_size = file.optional("element_size")?.unwrap_or(1);
    let msg_size = file.number("msg_size")?;
    if element_size == 0 || msg_size % element_size != 0 {
        let message = format!("{msg_size} bytes are not a whole number of elements of {element_size} bytes");
        return refuse("msg_size", message);
    }
    let at = |path: &'static str| {
        move |error: RequestError| ReadError { path: path.to_owned(), message: error.to_string() }
    };
    let comm_size = u32::try_from(comm_size).unwrap_or(u32::MAX);
    let root = u32::try_from(file.optional("root")?.unwrap_or(0)).unwrap_or(u32::MAX);
    let request = Request::new(comm_size, msg_size / element_size).map_err(at("comm_size"))?;
    let request = request.element_size(element_size).map_err(at("element_size"))?;
    let request = request.root(root).map_err(at("root"))?;
    let request = request.segment(file.optional("segment_size")?).map_err(at("segment_size"))?;
    Ok(request.commutative(file.flag("commutative")?.unwrap_or(true)))
}

fn rank(value: &Value, path: String) -> Result<RankSchedule> {
    let object = Object::of(value, path, &["rank", "ops"])?;
    let rank = object.rank("rank")?;
    let operations = object.list("ops")?.enumerate();
    let operations =
        operations.map(|(index, value)| operation(value, format!("{}.ops[{index}]", object.path)));
    Ok(RankSchedule { rank, operations: operations.collect::<Result<_>>()? })
}

fn operation(value: &Value, path: String) -> Result<Operation> {
    let object = Object::of(value, path, &["op", "peer", "rail", "parts", "into", "after"])?;
    let op = object.text("op")?;
    let is_message = matches!(op, "send" | "recv");
    let foreign: &[&str] = if is_message { &["into"] } else { &["peer", "rail"] };
    if let Some(key) =
        foreign.iter().find(|key| object.members.get(**key).is_some_and(|value| !value.is_null()))
    {
        return refuse(object.child(key), format!("`{op}` has no `{key}`; leave it out"));
    }
    let parts = object.list("parts")?.enumerate();
    let parts = parts.map(|(index, value)| part(value, format!("{}.parts[{index}]", object.path)));
    let parts: Vec<Part> = parts.collect::<Result<_>>()?;
    let into = || part(object.member("into")?, object.child("into"));
    let rail = || match object.members.get("rail") {
        None => Ok(0),
        Some(_) => object.rank("rail"),
    };
    let action = match op {
        "send" => Action::Send { peer: object.rank("peer")?, rail: rail()?, parts },
        "recv" => Action::Receive { peer: object.rank("peer")?, rail: rail()?, parts },
        "reduce" => Action::Reduce { parts, into: into()? },
        "copy" => Action::Copy { parts, into: into()? },
        other => {
            let message = format!("unknown operation `{other}`; known are send, recv, reduce, copy");
            return refuse(object.child("op"), message);
        }
    };
    let after = match object.members.get("after") {
        None => Vec::new(),
        Some(_) => {
            let after = object.list("after")?.enumerate();
            let number = |(index, value): (usize, &Value)| match value
                .as_u64()
                .and_then(|n| u32::try_from(n).ok())
            {
                Some(after) => Ok(after),
                None => refuse(format!("{}.after[{index}]", object.path), "not the place of an operation"),
            };
            after.map(number).collect::<Result<_>>()?
        }
    };
    Ok(Operation { action, after })
}

fn part(value: &Value, path: String) -> Result<Part> {
    let object = Object::of(value, path, &["buffer", "offset", "bytes"])?;
    let name = object.text("buffer")?;
    match Buffer::ALL.into_iter().find(|buffer| buffer.name() == name) {
        Some(buffer) => Ok(Part { buffer, offset: object.number("offset")?, bytes: object.number("bytes")? }),
        None => {
            let known = Buffer::ALL.map(Buffer::name).join(", ");
            refuse(object.child("buffer"), format!("unknown buffer `{name}`; known are {known}"))
        }
    }
}

/// An object and its path.
struct Object<'v> {
    members: &'v Map<String, Value>,
    path: String,
}

impl<'v> Object<'v> {
    /// Returns an object that has only the members `known`.
    fn of(value: &'v Value, path: String, known: &[&str]) -> Result<Self> {
        let Value::Object(members) = value else { return refuse(path, "not an object") };
        let object = Self { members, path };
        match members.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(object),
            Some(key) => {
                let nearest = known.iter().min_by_key(|known| strsim::damerau_levenshtein(key, known));
                let suggestion = nearest
                    .filter(|known| strsim::damerau_levenshtein(key, known) <= 2)
                    .map_or_else(String::new, |known| format!("; did you mean `{known}`?"));
                refuse(object.child(key), format!("unknown member{suggestion}"))
            }
        }
    }

    fn child(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    fn member(&self, key: &str) -> Result<&'v Value> {
        self.members.get(key).map_or_else(|| refuse(self.child(key), "missing"), Ok)
    }

    fn text(&self, key: &str) -> Result<&'v str> {
        self.member(key)?.as_str().map_or_else(|| refuse(self.child(key), "not a string"), Ok)
    }

    fn number(&self, key: &str) -> Result<u64> {
        self.member(key)?.as_u64().map_or_else(|| refuse(self.child(key), "not a whole number from 0 on"), Ok)
    }

    fn optional(&self, key: &str) -> Result<Option<u64>> {
        match self.members.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => self.number(key).map(Some),
        }
    }

    fn rank(&self, key: &str) -> Result<u32> {
        let number = self.number(key)?;
        u32::try_from(number).or_else(|_| refuse(self.child(key), format!("{number} is too large")))
    }

    fn flag(&self, key: &str) -> Result<Option<bool>> {
        match self.members.get(key) {
            None => Ok(None),
            Some(value) => value
                .as_bool()
                .map_or_else(|| refuse(self.child(key), "neither true nor false"), |v| Ok(Some(v))),
        }
    }

    fn list(&self, key: &str) -> Result<std::slice::Iter<'v, Value>> {
        match self.member(key)? {
            Value::Array(items) => Ok(items.iter()),
            _ => refuse(self.child(key), "not a list"),
        }
    }
}
