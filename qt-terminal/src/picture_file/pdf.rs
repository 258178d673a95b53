//! Pictures as PDF.

use std::sync::Arc;

use qtdec_report::picture::fonts;
use svg2pdf::usvg::fontdb::Database;
use svg2pdf::usvg::{self, Tree};
use svg2pdf::{ConversionOptions, PageOptions};

use crate::Failure;

/// The pixels of an inch in SVG.
const DPI: f32 = 96.0;

/// Returns the same picture as PDF, which contains the letters of its fonts.
pub(super) fn pdf(svg: &str) -> Result<Vec<u8>, Failure> {
    let mut fontdb = Database::new();
    for font in fonts() {
        fontdb.load_font_data(font.to_vec());
    }
    fontdb.set_sans_serif_family("DejaVu Sans");
    let options = usvg::Options { fontdb: Arc::new(fontdb), dpi: DPI, ..usvg::Options::default() };
    let failed = |reason: String| Failure::input(format!("the picture cannot be converted to PDF: {reason}"));
    let tree = Tree::from_str(svg, &options).map_err(|reason| failed(reason.to_string()))?;
    svg2pdf::to_pdf(&tree, ConversionOptions::default(), PageOptions { dpi: DPI })
        .map_err(|reason| failed(reason.to_string()))
}

#[cfg(test)]
mod tests {
    use qtdec_report::picture::{Picture, Print};

    use super::*;

    #[test]
    fn a_pdf_has_the_size_of_its_picture() {
        let picture = Picture { title: "bcast".to_owned(), panels: Vec::new(), legend: Vec::new() };
        let pdf = pdf(&picture.print(Print { width: 90.0, font: 7.0 }).unwrap()).unwrap();
        assert!(pdf.starts_with(b"%PDF-"));
        let text = String::from_utf8_lossy(&pdf);
        let (_, size) = text.split_once("/MediaBox [0 0 ").unwrap();
        let width: f64 = size.split_once(' ').unwrap().0.parse().unwrap();
        assert!((width - 90.0 / 25.4 * 72.0).abs() < 0.1, "{width}");
        assert!(text.contains("DejaVu"), "the font is embedded");
    }
}
