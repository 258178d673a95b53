//! The plane of a map to show.

use clap::Args;
use qtdec_core::{Borders, DecisionTree, Domain};

use crate::{Failure, sizes};
use qtdec_report::picture::{Plane, PlaneFault};

/// The borders in a picture of a map, whose cells begin at their samples.
const OF_MAP: Borders = Borders::Floor;

/// The position of the plane on the axes that are not shown.
#[derive(Debug, Default, Args)]
pub struct PlaneArguments {
    /// Show the plane at this size of an axis that is not drawn
    #[arg(long, value_name = "AXIS=SIZE")]
    at: Vec<String>,
}

impl PlaneArguments {
    /// Returns the plane of a page that nobody asked for: at the last sample of each axis that is not drawn.
    pub fn at_the_last(domain: &Domain) -> Result<Plane, Failure> {
        let mut at: Vec<(String, u64)> = Vec::new();
        loop {
            match Plane::new(domain, OF_MAP, &at) {
                Err(PlaneFault::Missing(name)) => {
                    let axis = &domain.axes()[sizes::axis(domain, &name)?];
                    let last = axis.values().and_then(|values| values.last().copied());
                    at.push((name, last.unwrap_or(axis.len().saturating_sub(1) as u64)));
                }
                Err(PlaneFault::Axis(name)) => {
                    return Err(Failure::usage(format!("the axis {name} cannot be drawn")));
                }
                Ok(plane) => return Ok(plane),
            }
        }
    }

    /// Returns the plane of a map, or of several trees of one.
    pub fn resolve(&self, domain: &Domain) -> Result<Plane, Failure> {
        Plane::new(domain, OF_MAP, &self.places(domain)?).map_err(fault)
    }

    pub fn resolve_tree(&self, tree: &DecisionTree) -> Result<Plane, Failure> {
        Plane::of_tree(tree, &self.places(tree.domain())?).map_err(fault)
    }

    fn places(&self, domain: &Domain) -> Result<Vec<(String, u64)>, Failure> {
        self.at.iter().map(|pair| place(pair, domain)).collect()
    }
}

fn fault(fault: PlaneFault) -> Failure {
    Failure::Usage(match fault {
        PlaneFault::Axis(name) => {
            format!("--at {name}: the axis is given twice, or no axis is left to draw")
        }
        PlaneFault::Missing(name) => {
            format!("a picture has two axes: choose a size on the third with --at {name}=SIZE")
        }
    })
}

fn place(pair: &str, domain: &Domain) -> Result<(String, u64), Failure> {
    let usage = || Failure::usage(format!("--at {pair}: write AXIS=SIZE, or AXIS=LABEL"));
    let (name, text) = pair.split_once('=').ok_or_else(usage)?;
    let axis = &domain.axes()[sizes::axis(domain, name)?];
    Ok((name.to_owned(), sizes::size_on(axis, text)?))
}
