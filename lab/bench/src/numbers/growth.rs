//! The growth of the quadtree encoder's time with the size of the map.

use std::time::Instant;

use comfy_table::Table;
use qtdec_core::Borders;
use qtdec_core::encode::{self, Quadtree};
use qtdec_testkit::maps::{Pattern, Plan};

const SIDES: [usize; 7] = [64, 128, 256, 512, 1024, 2048, 4096];
const REPEATS: usize = 3;

/// Returns the time per cell, as a multiple of that on the smallest map, and the slope of the time as a function of the cells on
/// logarithmic scales; for n log n it would be 1.07 here.
pub(super) fn growth() -> Result<Table, String> {
    let sides = SIDES.map(|side| format!("{side}²"));
    let header: Vec<&str> =
        ["time for a cell"].into_iter().chain(sides.iter().map(String::as_str)).chain(["slope"]).collect();
    let mut table = super::table(&header);
    for (name, pattern) in [("smooth", Pattern::Bands), ("random", Pattern::Noise)] {
        let mut points = Vec::new();
        for side in SIDES {
            points.push(((side * side) as f64, encoding_seconds(side, pattern)?));
        }
        let (cells, seconds) = points[0];
        let each = points.iter().map(|point| format!("{:.2}", point.1 / point.0 / (seconds / cells)));
        let row = [name.to_owned()].into_iter().chain(each).chain([format!("{:.2}", slope(&points))]);
        table.add_row(row);
    }
    Ok(table)
}

/// Returns the minimum of some repeats.
fn encoding_seconds(side: usize, pattern: Pattern) -> Result<f64, String> {
    let map = Plan { methods: 12, ..Plan::new(&[side, side], pattern, 1) }.map();
    let mut least = f64::INFINITY;
    for _ in 0..REPEATS {
        let start = Instant::now();
        let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor);
        least = least.min(start.elapsed().as_secs_f64());
        tree.map_err(|problem| problem.to_string())?;
    }
    Ok(least)
}

/// Returns the slope of the line that fits the logarithms best (least squares).
fn slope(points: &[(f64, f64)]) -> f64 {
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logarithms.iter().map(of).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(|point| point.0), mean(|point| point.1));
    let products = logarithms.iter().map(|(x, y)| (x - x_mean) * (y - y_mean));
    let squares = logarithms.iter().map(|(x, _)| (x - x_mean).powi(2));
    products.sum::<f64>() / squares.sum::<f64>()
}
