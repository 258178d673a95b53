//! A table or figure of a paper, and its counterpart.

use qtdec_report::picture::Picture;

use crate::table::Table;

/// A paper.
///
/// The variants are complete: these are the papers on whose ideas qtdec stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paper {
    /// Pješivac-Grbović, Fagg and Dongarra, 2006.
    Quadtrees2006,
    /// Pješivac-Grbović, Bosilca, Fagg, Angskun and Dongarra, 2007.
    Quadtrees2007,
    /// Pješivac-Grbović, Fagg, Angskun, Bosilca and Dongarra, October 2006.
    C45,
    /// Chiba, Endo and Matsuoka, 2006.
    Multirail,
    /// Barchet-Estefanel and Mounié, 2004.
    IntraCluster,
}

impl Paper {
    pub(crate) const ALL: [Self; 5] =
        [Self::Quadtrees2006, Self::Quadtrees2007, Self::C45, Self::Multirail, Self::IntraCluster];

    /// Returns the beginning of the names of its tables and figures.
    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            Self::Quadtrees2006 => "2006",
            Self::Quadtrees2007 => "2007",
            Self::C45 => "c45",
            Self::Multirail => "multirail",
            Self::IntraCluster => "2004",
        }
    }

    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Quadtrees2006 => {
                "Pješivac-Grbović, Fagg and Dongarra, Using Quadtree Encoding for MPI Collective Algorithm Selection Process, 2006"
            }
            Self::Quadtrees2007 => {
                "Pješivac-Grbović, Bosilca, Fagg, Angskun and Dongarra, MPI collective algorithm selection and quadtree encoding, 2007"
            }
            Self::C45 => {
                "Pješivac-Grbović, Fagg, Angskun, Bosilca and Dongarra, Decision Trees and MPI Collective Algorithm Selection Problem, 2006"
            }
            Self::Multirail => {
                "Chiba, Endo and Matsuoka, MPI Collective Operations Algorithm by using Multirails for Grid Environment, 2006"
            }
            Self::IntraCluster => {
                "Barchet-Estefanel and Mounié, Performance Characterisation of Intra-Cluster Collective Communications, 2004"
            }
        }
    }
}

/// A table, figure or claim of a paper.
pub(crate) struct Item {
    /// The name on the command line, which begins with that of the paper.
    pub(crate) id: &'static str,
    /// What the paper shows.
    pub(crate) title: &'static str,
    /// How the counterpart comes about, and what was assumed that matters; Markdown.
    pub(crate) about: &'static str,
    /// Computes the counterpart.
    pub(crate) make: fn() -> Result<Shown, String>,
}

impl Item {
    pub(crate) fn paper(&self) -> Paper {
        let is_of =
            |paper: &Paper| self.id.strip_prefix(paper.prefix()).is_some_and(|rest| rest.starts_with('-'));
        Paper::ALL.into_iter().find(is_of).expect("names begin with that of a paper, which a test checks")
    }
}

/// The counterpart of a table or figure.
#[derive(Default)]
pub(crate) struct Shown {
    /// The tables, the first of which is that of the paper.
    pub(crate) tables: Vec<Table>,
    /// Preformatted texts, each with its caption.
    pub(crate) texts: Vec<(&'static str, String)>,
    /// The pictures, each with its caption.
    pub(crate) pictures: Vec<(String, Picture)>,
}

impl Shown {
    pub(crate) fn table(table: Table) -> Self {
        Self { tables: vec![table], ..Self::default() }
    }

    pub(crate) fn picture(caption: impl Into<String>, picture: Picture) -> Self {
        Self::default().and_picture(caption, picture)
    }

    pub(crate) fn and_table(mut self, table: Table) -> Self {
        self.tables.push(table);
        self
    }

    pub(crate) fn and_text(mut self, caption: &'static str, text: String) -> Self {
        self.texts.push((caption, text));
        self
    }

    pub(crate) fn and_picture(mut self, caption: impl Into<String>, picture: Picture) -> Self {
        self.pictures.push((caption.into(), picture));
        self
    }
}
