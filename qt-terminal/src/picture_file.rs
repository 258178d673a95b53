//! Pictures in files.

#[cfg(not(feature = "pdf"))]
mod no_pdf;
#[cfg(feature = "pdf")]
mod pdf;

use std::path::Path;

use clap::Args;
use qtdec_report::picture::{Picture, Print};

#[cfg(not(feature = "pdf"))]
use self::no_pdf as pdf;
use crate::{Failure, Output};

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
    if is_of(target.name(), "pdf") { target.write_bytes(&pdf::pdf(svg)?) } else { target.write(svg) }
}
