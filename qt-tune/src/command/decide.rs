//! `qtdec decide`: the method for one call, and the rule that chose it.

use clap::Args;
use qtdec_core::tree::Region;
use qtdec_core::{Axis, DecisionTree, Samples};
use serde_json::{Value, json};

use super::input::TreeArguments;
use super::sizes::{self, size, size_on};
use super::{Failure, output};

/// Tell the method for one call, and the rule that chooses it
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    tree: TreeArguments,

    /// The size on the axis comm_size; the suffixes K, M and G multiply by powers of 1024
    #[arg(long, value_name = "P", value_parser = size)]
    comm_size: Option<u64>,

    /// The size on the axis msg_size
    #[arg(long, value_name = "M", value_parser = size)]
    msg_size: Option<u64>,

    /// The sizes on axes of other names
    #[arg(value_name = "AXIS=SIZE")]
    sizes: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tree = arguments.tree.tree()?;
    let sizes = asked(arguments, &tree)?;
    let region = tree.region(&sizes);
    output::print(&if arguments.json { as_json(&tree, &region) } else { as_text(&tree, &region) })
}

fn asked(arguments: &Arguments, tree: &DecisionTree) -> Result<Vec<u64>, Failure> {
    let mut given: Vec<(&str, String)> = Vec::new();
    for (name, size) in [("comm_size", arguments.comm_size), ("msg_size", arguments.msg_size)] {
        given.extend(size.map(|size| (name, size.to_string())));
    }
    for pair in &arguments.sizes {
        let (name, size) =
            pair.split_once('=').ok_or_else(|| Failure::Usage(format!("`{pair}` is not AXIS=SIZE")))?;
        given.push((name, size.to_owned()));
    }
    let axes = tree.domain().axes();
    given.iter().try_for_each(|(name, _)| sizes::axis(tree.domain(), name).map(|_| ()))?;
    let size = |axis: &Axis| {
        let mut sizes = given.iter().filter(|(name, _)| *name == axis.name);
        let Some((_, text)) = sizes.next() else {
            return Err(Failure::Usage(format!(
                "the size on axis `{0}` is missing: add {0}=SIZE",
                axis.name
            )));
        };
        if sizes.next().is_some() {
            return Err(Failure::Usage(format!("the size on axis `{}` stands twice", axis.name)));
        }
        size_on(axis, text)
    };
    axes.iter().map(size).collect()
}

fn as_text(tree: &DecisionTree, region: &Region) -> String {
    let method = match region.method {
        Some(method) => tree.domain().method(method).label(),
        None => "none: nothing was measured in this region".to_owned(),
    };
    format!("method  {method}\nrule    {}\n", tree.rule(region))
}

fn as_json(tree: &DecisionTree, region: &Region) -> String {
    let rule = tree.domain().axes().iter().enumerate().map(|(index, axis)| match &axis.samples {
        Samples::Values(_) => {
            let (from, below) = tree.bounds(region, index);
            json!({ "axis": axis.name, "from": from, "below": below })
        }
        Samples::Labels(labels) => {
            json!({ "axis": axis.name, "labels": labels[region.samples[index].clone()] })
        }
    });
    let rule: Vec<Value> = rule.collect();
    let decision = match region.method.map(|index| (index, tree.domain().method(index))) {
        Some((index, method)) => json!({
            "method": method.label(),
            "name": method.name,
            "segment_size": method.segment_size,
            "id": method.id.unwrap_or(index.get() as u64),
            "rule": rule,
        }),
        None => json!({ "method": null, "rule": rule }),
    };
    decision.to_string() + "\n"
}
