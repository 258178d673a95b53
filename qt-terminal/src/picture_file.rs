//! Pictures in files.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use qtdec_report::picture::{Picture, Print, fonts};
use svg2pdf::usvg::fontdb::Database;
use svg2pdf::usvg::{self, Tree};
use svg2pdf::{ConversionOptions, PageOptions};

use crate::{Failure, Output};

/// The pixels of an inch in SVG.
const DPI: f32 = 96.0;

pub fn picture_file(text: &str) -> Result<String, String> {
    if is_of(text, "svg") || is_of(text, "pdf") {
        Ok(text.to_owned())
    } else {
        Err("the name of a picture must end in .svg or .pdf".to_owned())
    }
}

fn is_of(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// The size and the title of a picture that is printed.
#[derive(Debug, Default, Args)]
pub struct PrintArguments {
    /// Draw the picture for paper, this many millimetres wide, with the legend below
    #[arg(long, value_name = "MM", value_parser = of_range(30.0, 1000.0), requires = "output")]
    width: Option<f64>,

    /// Set the size of the text in points
    #[arg(long, value_name = "PT", value_parser = of_range(6.5, 36.0), default_value = "7", requires = "width")]
    font_size: f64,

    /// Set the title [default: the collective, and what is known of the times and of the machine]
    #[arg(long, value_name = "TITLE", requires = "output")]
    title: Option<String>,
}

impl PrintArguments {
    pub fn write(&self, target: &Output, mut picture: Picture) -> Result<(), Failure> {
        if let Some(title) = &self.title {
            picture.title.clone_from(title);
        }
        match self.width {
            Some(width) => write_svg(target, &drawn(picture.print(Print { width, font: self.font_size }))?),
            None => write_picture(target, &picture),
        }
    }
}

fn of_range(least: f64, most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("write a number from {least} to {most}"))
    }
}

fn drawn(svg: Result<String, String>) -> Result<String, Failure> {
    svg.map_err(|fault| Failure::input(format!("{fault}: draw smaller trees")))
}

pub fn write_picture(target: &Output, picture: &Picture) -> Result<(), Failure> {
    write_svg(target, &drawn(picture.svg())?)
}

/// Writes a picture as SVG, or as PDF if the name of the file says so.
pub fn write_svg(target: &Output, svg: &str) -> Result<(), Failure> {
    if is_of(target.name(), "pdf") { target.write_bytes(&pdf(svg)?) } else { target.write(svg) }
}

/// Returns the same picture as PDF, which contains the letters of its fonts.
fn pdf(svg: &str) -> Result<Vec<u8>, Failure> {
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
