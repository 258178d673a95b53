//! Single decisions of maps: the papers' examples of decision maps as tables.

use qtdec_core::{Borders, DecisionMap, Method};

use crate::table::{Column, Table};

/// A decision.
pub(crate) struct Case<'m> {
    pub(crate) method: &'m Method,
    /// The number of the method in the list of the map, from 1 on.
    pub(crate) index: usize,
}

/// Returns the decision at these sizes.
///
/// # Panics
///
/// Panics if the map has none there: the papers' maps are full.
pub(crate) fn chosen(map: &DecisionMap, sizes: [u64; 2], borders: Borders) -> Case<'_> {
    let index = map.decide(&sizes, borders).expect("the papers' maps are full");
    Case { method: map.domain().method(index), index: index.get() + 1 }
}

/// An example that a paper prints: the ranks, the bytes, the algorithm and the segment size.
pub(crate) type Example = (u64, u64, &'static str, Option<u64>);

/// Returns examples of a paper next to the decisions of a map at the same sizes.
pub(crate) fn examples(map: &DecisionMap, printed: &[Example]) -> Table {
    let mut table = Table::new(columns());
    for example in printed {
        table.row(compared(map, *example, "none"));
    }
    table
}

/// Returns the columns of an example.
pub(crate) fn columns() -> [Column; 7] {
    [
        Column::number("ranks"),
        Column::number("bytes"),
        Column::text("algorithm: paper"),
        Column::text("algorithm: ours"),
        Column::number("segment size: paper"),
        Column::number("segment size: ours"),
        Column::number("method: ours"),
    ]
}

/// Returns the cells of an example; `unsegmented` stands for no segment size.
pub(crate) fn compared(
    map: &DecisionMap,
    (ranks, bytes, algorithm, segment_size): Example,
    unsegmented: &str,
) -> [String; 7] {
    let segment = |bytes: Option<u64>| bytes.map_or(unsegmented.to_owned(), |bytes| bytes.to_string());
    let Case { method, index } = chosen(map, [ranks, bytes], Borders::Floor);
    [
        ranks.to_string(),
        bytes.to_string(),
        algorithm.to_owned(),
        method.name.clone(),
        segment(segment_size),
        segment(method.segment_size),
        index.to_string(),
    ]
}

/// Returns every decision of a map.
pub(crate) fn listing(map: &DecisionMap) -> Table {
    let mut table = Table::new([
        Column::number("ranks"),
        Column::number("bytes"),
        Column::text("algorithm"),
        Column::number("segment size"),
        Column::number("method"),
    ]);
    for (cell, decision) in map.cells().iter().enumerate() {
        let index = decision.expect("the papers' maps are full");
        let method = map.domain().method(index);
        let sizes = map.domain().sizes(cell);
        table.row([
            sizes[0].to_string(),
            sizes[1].to_string(),
            method.name.clone(),
            method.segment_size.map_or("none".to_owned(), |bytes| bytes.to_string()),
            (index.get() + 1).to_string(),
        ]);
    }
    table
}
