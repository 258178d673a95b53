//! The tables and figures of the papers, one file for each.

mod c45_figure_1;
mod c45_figure_2;
mod c45_held_out;
mod c45_rules;
mod c45_table_1;
mod c45_table_2;
mod c45_table_3;
mod c45_table_4;
mod c45_table_5;
mod c45_table_6;
mod intra_figure_1;
mod intra_figure_10;
mod intra_figure_11;
mod intra_figure_2;
mod intra_figure_3;
mod intra_figure_4;
mod intra_figure_5;
mod intra_figure_6;
mod intra_figure_7;
mod intra_figure_8;
mod intra_figure_9;
mod intra_table_1;
mod intra_table_2;
mod intra_table_3;
mod multirail_figure_6;
mod multirail_figure_7;
mod multirail_table_1;
mod of_2006_figure_1;
mod of_2006_figure_2;
mod of_2006_figure_3;
mod of_2006_figure_4;
mod of_2006_figure_5;
mod of_2006_table_1;
mod of_2006_table_2;
mod of_2006_table_3;
mod of_2006_table_4;
mod of_2007_assumptions;
mod of_2007_figure_1;
mod of_2007_figure_2;
mod of_2007_figure_3;
mod of_2007_figure_4;
mod of_2007_figure_5;
mod of_2007_figure_6;
mod of_2007_fills;
mod of_2007_refits;
mod of_2007_section_4_1;
mod of_2007_section_4_2;
mod of_2007_section_4_5;
mod of_2007_table_1;
mod of_2007_table_2;
mod of_2007_table_3;

use crate::item::Item;

/// Every item, by paper.
pub(crate) const ALL: &[&Item] = &[
    &of_2006_table_1::ITEM,
    &of_2006_table_2::ITEM,
    &of_2006_table_3::ITEM,
    &of_2006_table_4::ITEM,
    &of_2006_figure_1::ITEM,
    &of_2006_figure_2::ITEM,
    &of_2006_figure_3::ITEM,
    &of_2006_figure_4::ITEM,
    &of_2006_figure_5::ITEM,
    &of_2007_table_1::ITEM,
    &of_2007_table_2::ITEM,
    &of_2007_table_3::ITEM,
    &of_2007_figure_1::ITEM,
    &of_2007_figure_2::ITEM,
    &of_2007_figure_3::ITEM,
    &of_2007_figure_4::ITEM,
    &of_2007_figure_5::ITEM,
    &of_2007_figure_6::ITEM,
    &of_2007_section_4_1::ITEM,
    &of_2007_section_4_2::ITEM,
    &of_2007_section_4_5::ITEM,
    &of_2007_fills::ITEM,
    &of_2007_refits::ITEM,
    &of_2007_assumptions::ITEM,
    &c45_table_1::ITEM,
    &c45_table_2::ITEM,
    &c45_table_3::ITEM,
    &c45_table_4::ITEM,
    &c45_table_5::ITEM,
    &c45_table_6::ITEM,
    &c45_figure_1::ITEM,
    &c45_figure_2::ITEM,
    &c45_rules::ITEM,
    &c45_held_out::ITEM,
    &multirail_table_1::ITEM,
    &multirail_figure_6::ITEM,
    &multirail_figure_7::ITEM,
    &intra_table_1::ITEM,
    &intra_table_2::ITEM,
    &intra_table_3::ITEM,
    &intra_figure_1::ITEM,
    &intra_figure_2::ITEM,
    &intra_figure_3::ITEM,
    &intra_figure_4::ITEM,
    &intra_figure_5::ITEM,
    &intra_figure_6::ITEM,
    &intra_figure_7::ITEM,
    &intra_figure_8::ITEM,
    &intra_figure_9::ITEM,
    &intra_figure_10::ITEM,
    &intra_figure_11::ITEM,
];

/// Returns the item with a name.
///
/// # Errors
///
/// Returns the command that lists the names.
pub(crate) fn find(id: &str) -> Result<&'static Item, String> {
    let found = ALL.iter().find(|item| item.id == id).copied();
    found.ok_or_else(|| format!("there is no table or figure `{id}`: `qtdec-papers list` names all of them"))
}

#[cfg(test)]
mod tests {
    use snapbox::{Data, assert_data_eq};
    use xtask::run::root;

    use super::find;
    use crate::table::Table;

    fn first(id: &str) -> Table {
        (find(id).unwrap().make)().unwrap().tables.remove(0)
    }

    #[test]
    fn tables_are_those_of_the_files() {
        for id in ["2006-table-3", "2006-table-4", "2007-table-3", "2007-section-4.5"] {
            let file = root().join(format!("lab/papers/tests/{id}.csv"));
            assert_data_eq!(first(id).csv(), Data::read_from(&file, None).raw());
        }
    }

    /// The paper's columns, copied from the print or worked out from it by hand.
    #[test]
    fn the_papers_columns_are_those_in_print() {
        let table = first("2007-table-3");
        assert_eq!(table.column("leaves: paper, implied"), ["4", "10", "52", "103", "199", "664"]);
        assert_eq!(table.column("nodes: paper, implied"), ["5", "13", "69", "137", "265", "885"]);
        assert_eq!(table.column("conditions: paper"), ["4", "12", "68", "136", "264", "884"]);
        assert_eq!(table.column("memory, bytes: paper"), ["712", "1096", "3784", "7048", "13192", "42952"]);
        assert_eq!(table.column("time of the function, ns: paper")[5], "16.47");
        let table = first("2006-table-3");
        assert_eq!(table.column("lines: paper"), ["24", "82", "330", "932", "2496", "5505"]);
        assert_eq!(table.column("max penalty %: paper")[4], "356.47");
        let table = first("2007-table-1");
        assert_eq!(table.column("median penalty %: paper"), ["2.88", "0.00", "0.00", "0.00", "0.00", "0.00"]);
        assert_eq!(table.column("nodes: paper")[5], "1537");
        let table = first("2007-table-2");
        assert_eq!(table.column("leaves: paper"), ["4", "16", "37", "106", "277", "1024"]);
    }

    /// Our columns agree with each other: leaves and nodes of a quadtree, and what is counted from them.
    #[test]
    fn our_columns_agree_with_each_other() {
        let table = first("2007-table-3");
        let numbers = |title: &str| -> Vec<u64> {
            table.column(title).into_iter().map(|cell| cell.parse().unwrap()).collect()
        };
        let (leaves, nodes) = (numbers("leaves: ours"), numbers("nodes: ours"));
        for row in 0..leaves.len() {
            assert_eq!(4 * leaves[row], 3 * nodes[row] + 1);
            assert_eq!(numbers("conditions: ours")[row], nodes[row] - 1);
            assert_eq!(numbers("memory, bytes: ours")[row], 48 * nodes[row] + 6 * 28 + 2 * 128);
        }
        let table = first("2006-table-3");
        assert_eq!(table.column("lines: ours")[1], "82");
    }
}
