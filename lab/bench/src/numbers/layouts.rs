//! The cost of random maps of 1024 to 65 536 cells in every layout.

use std::path::Path;

use comfy_table::Table;
use qtdec_core::code::layouts as all_layouts;
use qtdec_testkit::maps::{Pattern, Plan};

use super::consumer::{self, Compiled, Consumer};
use super::{leaves, seconds, table};

pub(super) fn layouts(folder: &Path) -> Result<Table, String> {
    let consumer = Consumer::new(folder)?;
    let editor = consumer::editor();
    if let Err(reason) = &editor {
        println!("the editor's time is left out: {reason}");
    }
    let mut table =
        table(&["map", "leaves", "layout", "expansion", "processor time", "memory", "rust-analyzer"]);
    for side in [32, 64, 128, 256] {
        let map = Plan { methods: 10, ..Plan::new(&[side, side], Pattern::Noise, 1) }.map();
        let leaves = leaves(&map)?;
        for layout in all_layouts().iter().map(|layout| layout.name()) {
            consumer.write_map(&map, layout)?;
            let Compiled { expansion, processor, memory, .. } = consumer.compile()?;
            let edited = if editor.is_ok() { seconds(consumer.edit()?) } else { "–".to_owned() };
            table.add_row([
                format!("{side} × {side} random"),
                leaves.to_string(),
                layout.to_owned(),
                seconds(expansion),
                seconds(processor),
                format!("{} MB", memory >> 20),
                edited,
            ]);
        }
    }
    Ok(table)
}
