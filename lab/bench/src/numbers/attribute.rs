//! The cost of the attribute: its dependencies, and maps of several sizes.

use std::path::Path;

use comfy_table::Table;
use qtdec_testkit::maps::{Pattern, Plan};

use super::consumer::{Compiled, Consumer};
use super::{leaves, seconds, table};

pub(super) fn attribute(folder: &Path) -> Result<Table, String> {
    let consumer = Consumer::new(folder)?;
    let mut table = table(&["what", "measured", "goal"]);

    let (time, _) = consumer.clean_build()?;
    table.add_row([
        "clean build of a crate that uses the attribute".to_owned(),
        seconds(time),
        "6 s on two cores".to_owned(),
    ]);
    for (name, plan, expansion_goal, total_goal) in plans() {
        let map = plan.map();
        let leaves = leaves(&map)?;
        consumer.write_map(&map, "branches")?;
        let Compiled { expansion, total, memory, .. } = consumer.compile()?;
        let name = format!("{name}, {leaves} leaves");
        table.add_row([
            format!("{name}: expansion, macro unoptimised"),
            seconds(expansion),
            expansion_goal.to_owned(),
        ]);
        table.add_row([format!("{name}: rustc in all, opt-level 3"), seconds(total), total_goal.to_owned()]);
        table.add_row([
            format!("{name}: peak memory of rustc"),
            format!("{} MB", memory >> 20),
            "1 GB".to_owned(),
        ]);
    }
    Ok(table)
}

/// Returns plans from small to large, so that no larger map is in memory when a smaller one is measured.
fn plans() -> [(&'static str, Plan, &'static str, &'static str); 4] {
    let noisy = Plan { methods: 12, costs: true, ..Plan::new(&[64, 64], Pattern::Smooth, 1) };
    let random = Plan { methods: 10, ..Plan::new(&[128, 128], Pattern::Noise, 1) };
    let smooth = Plan { methods: 12, ..Plan::new(&[4096, 4096], Pattern::Bands, 1) };
    [
        ("64 × 64 noisy", noisy, "0.3 s", "0.5 s"),
        ("128 × 128 random", random, "3 s", "3 s"),
        ("1 × 65 536 alternating", Plan::new(&[1, 65_536], Pattern::Checkerboard, 1), "–", "–"),
        ("4096 × 4096 smooth", smooth, "–", "–"),
    ]
}
