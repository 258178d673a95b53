//! A table or figure of a paper, and its counterpart.

use qtdec_report::picture::Picture;

use crate::table::Table;

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
