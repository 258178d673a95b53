//! The tables and figures of the papers: a file for those of each paper, and one for each that takes more.

mod c45;
mod c45_held_out;
mod c45_rules;
mod intra_cluster;
mod intra_cluster_contention;
mod multirail;
mod multirail_percent;
mod of_2006;
mod of_2006_figure_5;
mod of_2006_rules;
mod of_2006_smoothing;
mod of_2007;
mod of_2007_assumptions;
mod of_2007_refits;
mod of_2007_section_4_1;
mod of_2007_section_4_2;
mod of_2007_section_4_5;

use crate::item::Item;

/// A paper on whose ideas qtdec stands.
pub(crate) struct Paper {
    /// The beginning of the names of its tables and figures.
    pub(crate) prefix: &'static str,
    pub(crate) title: &'static str,
    items: &'static [&'static [Item]],
}

pub(crate) const PAPERS: [Paper; 5] = [
    Paper {
        prefix: "2006",
        title: "Pješivac-Grbović, Fagg and Dongarra, Using Quadtree Encoding for MPI Collective Algorithm Selection Process, 2006",
        items: &[of_2006::ITEMS, &[of_2006_figure_5::ITEM, of_2006_rules::ITEM, of_2006_smoothing::ITEM]],
    },
    Paper {
        prefix: "2007",
        title: "Pješivac-Grbović, Bosilca, Fagg, Angskun and Dongarra, MPI collective algorithm selection and quadtree encoding, 2007",
        items: &[
            of_2007::ITEMS,
            &[of_2007_section_4_1::ITEM, of_2007_section_4_2::ITEM, of_2007_section_4_5::ITEM],
            &[of_2007_refits::ITEM, of_2007_assumptions::ITEM],
        ],
    },
    Paper {
        prefix: "c45",
        title: "Pješivac-Grbović, Fagg, Angskun, Bosilca and Dongarra, Decision Trees and MPI Collective Algorithm Selection Problem, 2006",
        items: &[c45::ITEMS, &[c45_rules::ITEM, c45_held_out::ITEM]],
    },
    Paper {
        prefix: "multirail",
        title: "Chiba, Endo and Matsuoka, MPI Collective Operations Algorithm by using Multirails for Grid Environment, 2006",
        items: &[multirail::ITEMS, &[multirail_percent::ITEM]],
    },
    Paper {
        prefix: "2004",
        title: "Barchet-Estefanel and Mounié, Performance Characterisation of Intra-Cluster Collective Communications, 2004",
        items: &[intra_cluster::ITEMS, &[intra_cluster_contention::ITEM]],
    },
];

impl Paper {
    pub(crate) fn items(&self) -> impl Iterator<Item = &'static Item> {
        self.items.iter().copied().flatten()
    }
}

/// Returns every item, by paper.
pub(crate) fn all() -> impl Iterator<Item = &'static Item> {
    PAPERS.iter().flat_map(Paper::items)
}

/// Returns the item with a name.
///
/// # Errors
///
/// Returns the command that lists the names.
pub(crate) fn find(id: &str) -> Result<&'static Item, String> {
    let found = all().find(|item| item.id == id);
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
        for id in ["2006-table-3", "2006-table-4", "2007-table-3", "2007-section-4.5", "2006-rules"] {
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

    /// Without noise the exact tree is right; with much noise, the best limit costs less than believing every measurement.
    #[test]
    fn limits_help_where_noise_is_large() {
        let table = first("2006-smoothing");
        let column = |title: &str| -> Vec<f64> {
            table.column(title).into_iter().map(|cell| cell.parse().unwrap()).collect()
        };
        let (noise, exact, limited) = (column("noise %"), column("exact"), column("depth 3"));
        for row in 0..noise.len() {
            assert!(noise[row] > 0.0 || exact[row] == 0.0);
            assert!(noise[row] < 30.0 || limited[row] < exact[row]);
            assert!(noise[row] > 2.0 || limited[row] > exact[row]);
        }
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
