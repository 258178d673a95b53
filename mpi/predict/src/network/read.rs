//! `qtdec-network/1`: conversion of text to a network.

use qtdec_core::json::{self, Object, PlacedValue};
use qtdec_core::{Diagnostics, Problems};

use super::{
    Between, Description, FORMAT, Network, Overheads, Placement, Point, ReceivePort, SizeFactor, Unit,
    WithinNode,
};

const KEYS: [&str; 20] = [
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
    "placement",
    "reduce_per_byte",
    "copy_per_byte",
    "size_factors",
    "within_node",
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
        let file = PlacedValue::parse(json::text(bytes)?)?;
        file.format(&[FORMAT])?;
        let mut check = Diagnostics::default();
        let description = file.object(&KEYS, &mut check).and_then(|file| read(&file, &mut check));
        let network = description.and_then(|description| check.note(Self::new(description)));
        check.finish(network)
    }
}

/// Reads every part before returning for a missing one, so that all faults are found.
fn read(file: &Object<'_>, check: &mut Diagnostics) -> Option<Description> {
    let unit = file.require("unit", check).and_then(|unit| unit.one_of("unit", &Unit::ALL, check));
    let (latency, points) = read_costs(file, check);
    let name = file.optional("name", check, PlacedValue::string);
    let rails = file.optional("rails", check, PlacedValue::whole);
    let contention = file.optional("contention", check, PlacedValue::number);
    let receive = file
        .optional("receive", check, |value, check| value.one_of("receive port", &ReceivePort::NAMES, check));
    let overheads = file.optional("overheads", check, |value, check| {
        value.one_of("place of the overheads", &Overheads::NAMES, check)
    });
    let eager_limit = file.optional("eager_limit", check, PlacedValue::whole);
    let header_bytes = file.optional("header_bytes", check, PlacedValue::whole);
    let ranks_per_node = file.optional("ranks_per_node", check, PlacedValue::whole);
    let placement =
        file.optional("placement", check, |value, check| value.one_of("placement", &Placement::NAMES, check));
    let reduce_per_byte = file.optional("reduce_per_byte", check, PlacedValue::number);
    let copy_per_byte = file.optional("copy_per_byte", check, PlacedValue::number);
    let size_factors =
        file.optional("size_factors", check, |value, check| value.all(check, read_size_factor));
    let within_node = file.optional("within_node", check, read_within_node);
    let between = file.optional("between", check, read_between);
    Some(Description {
        name: name?,
        rails: u32::try_from(rails?.unwrap_or(1)).unwrap_or(u32::MAX),
        contention: contention?,
        receive: receive?.unwrap_or_default(),
        overheads: overheads?.unwrap_or_default(),
        eager_limit: eager_limit?,
        header_bytes: header_bytes?.unwrap_or(0),
        ranks_per_node: ranks_per_node?.unwrap_or(1),
        placement: placement?.unwrap_or_default(),
        reduce_per_byte: reduce_per_byte?.unwrap_or(0.0),
        copy_per_byte: copy_per_byte?.unwrap_or(0.0),
        size_factors: size_factors?.unwrap_or_default(),
        within_node: within_node?,
        between: between?,
        source: file.get("source").map(|source| source.raw().get().to_owned()),
        ..Description::new(unit?, latency?, points?)
    })
}

fn read_costs(level: &Object<'_>, check: &mut Diagnostics) -> (Option<f64>, Option<Vec<Point>>) {
    let latency = level.require("latency", check).and_then(|latency| latency.number(check));
    (latency, level.require("points", check).and_then(|points| points.all(check, read_point)))
}

fn read_point(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Point> {
    let point = value.object(&["bytes", "gap", "send", "receive"], check)?;
    let bytes = point.require("bytes", check).and_then(|bytes| bytes.whole(check));
    let gap = point.require("gap", check).and_then(|gap| gap.number(check));
    let send = point.optional("send", check, PlacedValue::number);
    let receive = point.optional("receive", check, PlacedValue::number);
    Some(Point { bytes: bytes?, gap: gap?, send: send?.unwrap_or(0.0), receive: receive?.unwrap_or(0.0) })
}

fn read_size_factor(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<SizeFactor> {
    let factor = value.object(&["bytes", "latency", "gap"], check)?;
    let bytes = factor.require("bytes", check).and_then(|bytes| bytes.whole(check));
    let latency = factor.optional("latency", check, PlacedValue::number);
    let gap = factor.optional("gap", check, PlacedValue::number);
    Some(SizeFactor { bytes: bytes?, latency: latency?.unwrap_or(1.0), gap: gap?.unwrap_or(1.0) })
}

fn read_within_node(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<WithinNode> {
    let node = value.object(&["latency", "points"], check)?;
    let (latency, points) = read_costs(&node, check);
    Some(WithinNode { latency: latency?, points: points? })
}

fn read_between(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Between> {
    let between = value.object(&["cluster_size", "latency", "points"], check)?;
    let cluster_sizes = between.require("cluster_size", check).and_then(|size| {
        if size.is_array() { size.all(check, PlacedValue::whole) } else { Some(vec![size.whole(check)?]) }
    });
    let (latency, points) = read_costs(&between, check);
    Some(Between { cluster_sizes: cluster_sizes?, latency: latency?, points: points? })
}
