//! Generates `allreduce.rs`, `reduce_scatter_block.rs` and `search.rs` into `OUT_DIR/qtdec/`.

use std::collections::BTreeSet;

use qtdec_build::{Axis, Builder, DecisionMap, EnumItem, Error, Method};

/// The samples of a benchmark, as criterion writes them to `raw.csv` with its feature `csv_output`.
const SAMPLES: &str = "maps/search.csv";

fn main() -> Result<(), Error> {
    Builder::new()
        .map("maps/allreduce.json")
        .map("maps/reduce_scatter_block.json")
        .decision_map("search", search()?)
        .made_of(SAMPLES)
        .parameter_type("u64")
        // The maps were sampled at powers, so halfway between two samples is halfway on a logarithmic scale.
        .option("borders", "geometric")
        // What the program calls on a method.
        .enum_item(EnumItem::Name)
        .enum_item(EnumItem::Algorithm)
        .enum_item(EnumItem::SegmentSize)
        .generate()
}

/// Makes the map of the fastest function for each value, by the shortest time of an iteration.
fn search() -> Result<DecisionMap, Error> {
    let csv = std::fs::read_to_string(SAMPLES).map_err(|error| Error::Invalid(vec![error.to_string()]))?;
    // The function, its argument, and the time of one iteration in nanoseconds.
    let samples: Vec<(&str, u64, f64)> = csv
        .lines()
        .filter_map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let &[_, function, value, _, _, time, "ns", iterations] = &*fields else { return None };
            let iterations: f64 = iterations.parse().ok()?;
            Some((function, value.parse().ok()?, time.parse::<f64>().ok()? / iterations))
        })
        .collect();
    let functions: BTreeSet<&str> = samples.iter().map(|(function, ..)| *function).collect();
    let functions: Vec<&str> = functions.into_iter().collect();
    let values: BTreeSet<u64> = samples.iter().map(|(_, value, _)| *value).collect();
    let axes = vec![Axis::new("len", Vec::from_iter(values))];
    let methods = functions.iter().copied().map(Method::new).collect();
    let map = DecisionMap::from_costs(axes, methods, |point, method| {
        let of_both = samples
            .iter()
            .filter(|(function, value, _)| *function == functions[method.get()] && *value == point[0]);
        of_both.map(|(.., time)| *time).reduce(f64::min)
    })?;
    Ok(map)
}
