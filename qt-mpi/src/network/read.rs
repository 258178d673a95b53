//! `qtdec-network/1`: conversion of text to a network.

use qtdec_core::json::{self, Object, Value, listed};
use qtdec_core::{Diagnostics, Problems};

use super::{Between, Description, FORMAT, Network, Overheads, Point, ReceivePort, SizeFactor, Unit};
use crate::similar::did_you_mean;

const KEYS: [&str; 18] = [
    "$schema",
    "format",
    "name",
    "unit",
    "latency",
    "points",
    "rails",
    "contention",
    "receive",
    "overheads",
    "eager_limit",
    "header_bytes",
    "ranks_per_node",
    "reduce_per_byte",
    "copy_per_byte",
    "size_factors",
    "between",
    "source",
];

impl Network {
    /// Reads a network from the text of a file.
    ///
    /// # Errors
    ///
    /// Returns all faults; [`Problem::report`](qtdec_core::Problem::report) shows each with its line and column.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Problems> {
        let file = Value::parse(json::text(bytes)?)?;
        file.format(&[FORMAT])?;
        let mut check = Diagnostics::default();
        let description = object(&file, &KEYS, &mut check).and_then(|file| read(&file, &mut check));
        let network = description.and_then(|description| check.note(Self::new(description)));
        check.finish(network)
    }
}

/// Reads every part before returning for a missing one, so that all faults are found.
fn read(file: &Object<'_>, check: &mut Diagnostics) -> Option<Description> {
    let unit = file.require("unit", check).and_then(|unit| unit.one_of("unit", &Unit::NAMES, check));
    let latency = file.require("latency", check).and_then(|latency| latency.number(check));
    let points = file.require("points", check).and_then(|points| every(points, check, read_point));
    let name = optional(file, "name", check, Value::string);
    let rails = optional(file, "rails", check, Value::whole);
    let contention = optional(file, "contention", check, Value::number);
    let receive = optional(file, "receive", check, |value, check| {
        value.one_of("receive port", &ReceivePort::NAMES, check)
    });
    let overheads = optional(file, "overheads", check, |value, check| {
        value.one_of("place of the overheads", &Overheads::NAMES, check)
    });
    let eager_limit = optional(file, "eager_limit", check, Value::whole);
    let header_bytes = optional(file, "header_bytes", check, Value::whole);
    let ranks_per_node = optional(file, "ranks_per_node", check, Value::whole);
    let reduce_per_byte = optional(file, "reduce_per_byte", check, Value::number);
    let copy_per_byte = optional(file, "copy_per_byte", check, Value::number);
    let size_factors =
        optional(file, "size_factors", check, |value, check| every(value, check, read_size_factor));
    let between = optional(file, "between", check, read_between);
    Some(Description {
        name: name?,
        rails: u32::try_from(rails?.unwrap_or(1)).unwrap_or(u32::MAX),
        contention: contention?,
        receive: receive?.unwrap_or_default(),
        overheads: overheads?.unwrap_or_default(),
        eager_limit: eager_limit?,
        header_bytes: header_bytes?.unwrap_or(0),
        ranks_per_node: ranks_per_node?.unwrap_or(1),
        reduce_per_byte: reduce_per_byte?.unwrap_or(0.0),
        copy_per_byte: copy_per_byte?.unwrap_or(0.0),
        size_factors: size_factors?.unwrap_or_default(),
        between: between?,
        source: file.get("source").map(|source| source.raw().get().to_owned()),
        ..Description::new(unit?, latency?, points?)
    })
}

fn read_point(value: &Value<'_>, check: &mut Diagnostics) -> Option<Point> {
    let point = object(value, &["bytes", "gap", "send", "receive"], check)?;
    let bytes = point.require("bytes", check).and_then(|bytes| bytes.whole(check));
    let gap = point.require("gap", check).and_then(|gap| gap.number(check));
    let send = optional(&point, "send", check, Value::number);
    let receive = optional(&point, "receive", check, Value::number);
    Some(Point { bytes: bytes?, gap: gap?, send: send?.unwrap_or(0.0), receive: receive?.unwrap_or(0.0) })
}

fn read_size_factor(value: &Value<'_>, check: &mut Diagnostics) -> Option<SizeFactor> {
    let factor = object(value, &["bytes", "latency", "gap"], check)?;
    let bytes = factor.require("bytes", check).and_then(|bytes| bytes.whole(check));
    let latency = optional(&factor, "latency", check, Value::number);
    let gap = optional(&factor, "gap", check, Value::number);
    Some(SizeFactor { bytes: bytes?, latency: latency?.unwrap_or(1.0), gap: gap?.unwrap_or(1.0) })
}

fn read_between(value: &Value<'_>, check: &mut Diagnostics) -> Option<Between> {
    let between = object(value, &["cluster_size", "latency", "points"], check)?;
    let cluster_size = between.require("cluster_size", check).and_then(|size| size.whole(check));
    let latency = between.require("latency", check).and_then(|latency| latency.number(check));
    let points = between.require("points", check).and_then(|points| every(points, check, read_point));
    Some(Between { cluster_size: cluster_size?, latency: latency?, points: points? })
}

fn object<'t>(value: &Value<'t>, known: &[&str], check: &mut Diagnostics) -> Option<Object<'t>> {
    let unknown = |name: &str| match did_you_mean(name, known.iter().copied()) {
        Some(like) => format!("did you mean `{like}`? The keys here are {}", listed(known)),
        None => format!("the keys here are {}", listed(known)),
    };
    value.object_with(known, unknown, check)
}

/// Reads every element, so that each reports its own faults.
fn every<'t, T>(
    array: &Value<'t>,
    check: &mut Diagnostics,
    read: impl Fn(&Value<'t>, &mut Diagnostics) -> Option<T>,
) -> Option<Vec<T>> {
    let read: Vec<Option<T>> = array.elements(check)?.iter().map(|element| read(element, check)).collect();
    read.into_iter().collect()
}

/// Reads an optional member. Returns `None` if it is present but wrong.
fn optional<'t, T>(
    object: &Object<'t>,
    name: &str,
    check: &mut Diagnostics,
    read: impl FnOnce(&Value<'t>, &mut Diagnostics) -> Option<T>,
) -> Option<Option<T>> {
    match object.get(name) {
        None => Some(None),
        Some(value) => read(value, check).map(Some),
    }
}
