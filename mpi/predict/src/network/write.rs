//! `qtdec-network/1`: conversion of a network to text, one point per line.

use qtdec_core::json::{array, object, quoted};

use super::{Description, FORMAT, Network, Overheads, Placement, Point, ReceivePort, SizeFactor, name_of};

impl Network {
    /// Returns the network as a file, without default values.
    pub fn to_json(&self) -> String {
        let Description { unit, latency, points, rails, .. } = &self.description;
        let description = &self.description;
        let mut members = vec![format!("\"format\": {}", quoted(FORMAT))];
        let mut member = |key: &str, value: Option<String>| {
            members.extend(value.map(|value| format!("{}: {value}", quoted(key))));
        };
        member("name", description.name.as_deref().map(quoted));
        member("unit", Some(quoted(unit.name())));
        member("latency", Some(latency.to_string()));
        member("rails", other_than(rails, &1));
        member("contention", description.contention.map(|contention| contention.to_string()));
        member("receive", named(&ReceivePort::NAMES, &description.receive));
        member("overheads", named(&Overheads::NAMES, &description.overheads));
        member("eager_limit", description.eager_limit.map(|limit| limit.to_string()));
        member("header_bytes", other_than(&description.header_bytes, &0));
        member("ranks_per_node", other_than(&description.ranks_per_node, &1));
        member("placement", named(&Placement::NAMES, &description.placement));
        member("reduce_per_byte", other_than(&description.reduce_per_byte, &0.0));
        member("copy_per_byte", other_than(&description.copy_per_byte, &0.0));
        if !description.size_factors.is_empty() {
            member("size_factors", Some(lines("    ", description.size_factors.iter().map(size_factor))));
        }
        member("points", Some(lines("    ", points.iter().map(point))));
        let node = description.within_node.as_ref();
        member("within_node", node.map(|node| level(None, node.latency, &node.points)));
        let between = description.between.as_ref().map(|between| {
            level(Some(cluster_sizes(&between.cluster_sizes)), between.latency, &between.points)
        });
        member("between", between);
        member("source", description.source.clone());
        format!("{{\n  {}\n}}\n", members.join(",\n  "))
    }
}

fn level(cluster_size: Option<String>, latency: f64, points: &[Point]) -> String {
    let size = cluster_size.map_or(String::new(), |size| format!("\"cluster_size\": {size},\n    "));
    let points = lines("      ", points.iter().map(point));
    format!("{{\n    {size}\"latency\": {latency},\n    \"points\": {points}\n  }}")
}

fn cluster_sizes(sizes: &[u64]) -> String {
    if let [size] = sizes { size.to_string() } else { array(sizes) }
}

fn other_than<T: PartialEq + ToString>(value: &T, default: &T) -> Option<String> {
    (value != default).then(|| value.to_string())
}

fn named<T: Default + PartialEq>(names: &[(&'static str, T)], value: &T) -> Option<String> {
    (*value != T::default()).then(|| quoted(name_of(names, value)))
}

fn point(point: &Point) -> String {
    object([
        ("bytes", Some(point.bytes.to_string())),
        ("gap", Some(point.gap.to_string())),
        ("send", Some(point.send.to_string())),
        ("receive", Some(point.receive.to_string())),
    ])
}

fn size_factor(factor: &SizeFactor) -> String {
    object([
        ("bytes", Some(factor.bytes.to_string())),
        ("latency", Some(factor.latency.to_string())),
        ("gap", Some(factor.gap.to_string())),
    ])
}

/// Returns an array with one element per line.
fn lines(indent: &str, elements: impl Iterator<Item = String>) -> String {
    let elements: Vec<String> = elements.collect();
    format!("[\n{indent}{}\n{}]", elements.join(&format!(",\n{indent}")), &indent[2..])
}
