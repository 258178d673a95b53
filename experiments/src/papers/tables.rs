//! The papers' tables, with our numbers next to the printed ones, as Markdown.

use std::fmt::Write;

use qtdec_core::encode::{self, Fill, Quadtree};
use qtdec_core::map::combine::combine;
use qtdec_core::statistics::Quality;
use qtdec_core::{Borders, DecisionMap, DecisionTree};
use qtdec_measure::study::assess::{LeaveOut, quality};
use qtdec_mpi::Collective;
use qtdec_mpi::experiment::Cluster;

use super::part::{of_2006, with_spike};
use super::printed::{self, PrintedTree};
use super::{assumptions, data, memory};

/// The message size of the spike that the 2007 paper finds on Frodo, in bytes.
const SPIKE: u64 = 1448;

/// Returns each table and its name in the chapter.
pub(super) fn tables() -> Result<Vec<(&'static str, String)>, String> {
    let grig = data::read(Cluster::Grig, Collective::Bcast)?;
    let grig_reduce = data::read(Cluster::Grig, Collective::Reduce)?;
    let frodo = data::read(Cluster::Frodo, Collective::Bcast)?;
    let spiked = with_spike(&frodo, SPIKE, &tree(&frodo, 3, true).cells());
    let without = LeaveOut { sizes: vec![(1, SPIKE)], ..LeaveOut::default() };
    let all = LeaveOut::default();
    let of_2006_reduce = of_2006(&grig_reduce);
    Ok(vec![
        ("2006-table-3", by_depth(&of_2006(&grig), false, &all, &printed::GRIG_BCAST_2006)),
        ("2006-table-4", by_depth(&of_2006_reduce, false, &all, &printed::GRIG_REDUCE_2006)),
        ("2007-table-1", by_depth(&frodo, true, &all, &printed::FRODO_BCAST_2007)),
        ("2007-table-1-spike", by_depth(&spiked, true, &all, &printed::FRODO_BCAST_2007)),
        (
            "2007-without-spike",
            without_spike(&[("as simulated", &frodo), ("with the spike", &spiked)], &without),
        ),
        ("2007-table-2", by_depth(&grig, true, &all, &printed::GRIG_BCAST_2007)),
        ("2007-table-3", by_depth(&grig_reduce, true, &all, &printed::GRIG_REDUCE_2007)),
        (
            "fill",
            both_fills(&[
                ("2006, Table 3", &of_2006(&grig), false, &printed::GRIG_BCAST_2006),
                ("2006, Table 4", &of_2006_reduce, false, &printed::GRIG_REDUCE_2006),
                ("2007, Table 1", &frodo, true, &printed::FRODO_BCAST_2007),
                ("2007, Table 2", &grig, true, &printed::GRIG_BCAST_2007),
                ("2007, Table 3", &grig_reduce, true, &printed::GRIG_REDUCE_2007),
            ]),
        ),
        ("assumptions", assumptions::table()?),
        ("memory", memory::table(&of_2006_reduce, &grig_reduce)),
        ("2006-figure-4", by_threshold(&of_2006_reduce)),
        ("winners", winners(&[("Grig, 2006", &of_2006(&grig)), ("Grig, 2007", &grig), ("Frodo", &frodo)])),
        ("combined", combined(&of_2006(&grig), &of_2006_reduce)?),
    ])
}

fn tree(map: &DecisionMap, depth: u32, collapse: bool) -> DecisionTree {
    filled(map, depth, collapse, Fill::default())
}

fn filled(map: &DecisionMap, depth: u32, collapse: bool, fill: Fill) -> DecisionTree {
    let quadtree = Quadtree { max_depth: Some(depth), collapse, fill, ..Quadtree::default() };
    encode::encode(map, &quadtree, Borders::Floor).expect("a quadtree serves every map")
}

/// A printed table: its name, our map, whether leaves are merged, and its rows.
type Filled<'t> = (&'static str, &'t DecisionMap, bool, &'t [PrintedTree]);

/// Returns the leaves and mean penalties of every printed tree with both fills of the grid.
fn both_fills(all: &[Filled<'_>]) -> String {
    let mut table = String::from(
        "| table | max depth | leaves: paper | `stretch` | `last` | mean penalty %: paper | `stretch` | `last` |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (name, map, collapse, printed) in all {
        for row in *printed {
            let of = |fill| {
                let tree = filled(map, row.depth, *collapse, fill);
                let (mean, _) = penalty(&quality(&tree.cells(), map, &LeaveOut::default()));
                (tree.statistics().encoding.leaves, mean)
            };
            let [stretched, last] = [Fill::Stretch, Fill::Last].map(of);
            line(
                &mut table,
                &format!(
                    "| {name} | {} | {} | {} | {} | {:.2} | {:.2} | {:.2} |",
                    row.depth, row.leaves, stretched.0, last.0, row.penalty_mean, stretched.1, last.1
                ),
            );
        }
    }
    table
}

/// Returns the table of trees of the printed depths.
fn by_depth(map: &DecisionMap, collapse: bool, leave_out: &LeaveOut, printed: &[PrintedTree]) -> String {
    let mut table = String::from(
        "| max depth | mean depth: paper | ours | mean penalty %: paper | ours | ratio | max penalty %: paper | ours | leaves: paper | ours | ratio |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in printed {
        let tree = tree(map, row.depth, collapse);
        let encoding = &tree.statistics().encoding;
        let (mean, max) = penalty(&quality(&tree.cells(), map, leave_out));
        let printed_max = row.penalty_max.map_or("–".to_owned(), |max| format!("{max:.2}"));
        let printed_leaves = row.leaves;
        let leaves = encoding.leaves;
        let of_leaves = ratio(leaves as f64, printed_leaves as f64);
        line(
            &mut table,
            &format!(
                "| {} | {:.2} | {:.2} | {:.2} | {mean:.2} | {} | {printed_max} | {max:.2} | {printed_leaves} | {leaves} | {of_leaves} |",
                row.depth,
                row.mean_depth,
                encoding.depth.mean,
                row.penalty_mean,
                ratio(mean, row.penalty_mean),
            ),
        );
    }
    table
}

/// Returns the mean penalties at all sizes except that of the spike; the paper prints that of depth 3.
fn without_spike(maps: &[(&str, &DecisionMap)], leave_out: &LeaveOut) -> String {
    let titles: Vec<String> = maps.iter().map(|(name, _)| format!(" ours, {name} |")).collect();
    let mut table =
        format!("| max depth | paper |{}\n|---:|---:|{}\n", titles.concat(), "---:|".repeat(maps.len()));
    for depth in 1..=5 {
        let printed = if depth == 3 { "1.7" } else { "–" };
        let ours = maps.iter().map(|(_, map)| {
            format!("{:.2}", penalty(&quality(&tree(map, depth, true).cells(), map, leave_out)).0)
        });
        line(&mut table, &format!("| {depth} | {printed} | {} |", ours.collect::<Vec<_>>().join(" | ")));
    }
    table
}

/// Returns the mean depth and the mean penalty by accuracy threshold.
fn by_threshold(map: &DecisionMap) -> String {
    let mut table = String::from(
        "| threshold % | max depth | mean depth | mean penalty % | leaves |\n|---:|---:|---:|---:|---:|\n",
    );
    for threshold in (25..=100).step_by(15) {
        let quadtree = Quadtree { threshold: f64::from(threshold), ..Quadtree::default() };
        let tree = encode::encode(map, &quadtree, Borders::Floor).expect("a quadtree serves every map");
        let encoding = &tree.statistics().encoding;
        let (depth, mean) = (encoding.depth, penalty(&encoding.quality).0);
        line(
            &mut table,
            &format!("| {threshold} | {} | {:.2} | {mean:.2} | {} |", depth.max, depth.mean, encoding.leaves),
        );
    }
    table
}

/// Returns the number of cells that each method wins, for the first five of each map.
fn winners(maps: &[(&str, &DecisionMap)]) -> String {
    let mut table = String::from("| map | the methods that win most cells |\n|---|---|\n");
    for (name, map) in maps {
        let domain = map.domain();
        let mut counts: Vec<(usize, String)> = domain
            .method_indexes()
            .map(|index| {
                let won = map.cells().iter().filter(|cell| **cell == Some(index)).count();
                let method = domain.method(index);
                let segment = method.segment_size.map(|bytes| format!(" {} KiB", bytes >> 10));
                (won, format!("{}{}", method.name, segment.unwrap_or_default()))
            })
            .collect();
        counts.sort_by_key(|(won, _)| std::cmp::Reverse(*won));
        let share = |won: usize| 100.0 * won as f64 / map.cells().len() as f64;
        let first = counts.iter().take(6).map(|(won, method)| format!("{method} {:.0} %", share(*won)));
        line(&mut table, &format!("| {name} | {} |", first.collect::<Vec<_>>().join(", ")));
    }
    table
}

/// Returns the C4.5 trees of both collectives, separately and together, by weight and confidence.
fn combined(bcast: &DecisionMap, reduce: &DecisionMap) -> Result<String, String> {
    let both = combine(&[bcast.clone(), reduce.clone()]).map_err(|problems| problems.to_string())?;
    let mut table = String::from(
        "| -m | -c | broadcast: leaves | mean penalty % | reduce: leaves | mean penalty % | both: leaves | mean penalty % |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (weight, confidence) in [(2, 25.0), (4, 25.0), (6, 15.0), (8, 5.0), (40, 5.0)] {
        let c45 = encode::C45 { weight, confidence, ..encode::C45::default() };
        let mut cells = vec![weight.to_string(), confidence.to_string()];
        for map in [bcast, reduce, &both] {
            let tree = encode::encode(map, &c45, Borders::Floor).map_err(|problem| problem.to_string())?;
            let encoding = &tree.statistics().encoding;
            cells.push(encoding.leaves.to_string());
            cells.push(format!("{:.2}", penalty(&encoding.quality).0));
        }
        line(&mut table, &format!("| {} |", cells.join(" | ")));
    }
    Ok(table)
}

/// Returns the mean and the greatest penalty.
fn penalty(quality: &Quality) -> (f64, f64) {
    quality.penalty.as_ref().map_or((f64::NAN, f64::NAN), |penalty| (penalty.mean, penalty.max))
}

fn ratio(ours: f64, printed: f64) -> String {
    if printed == 0.0 { "–".to_owned() } else { format!("{:.2}", ours / printed) }
}

fn line(table: &mut String, line: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(table, "{line}");
}
