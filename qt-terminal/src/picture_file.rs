//! Pictures in files.

use std::path::Path;

use qtdec_report::picture::Picture;

use crate::{Failure, Output};

pub fn picture_file(text: &str) -> Result<String, String> {
    let is_svg = Path::new(text).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if is_svg { Ok(text.to_owned()) } else { Err("the name of a picture must end in .svg".to_owned()) }
}

pub fn write_picture(target: &Output, picture: &Picture) -> Result<(), Failure> {
    let svg = picture.svg().map_err(|fault| Failure::input(format!("{fault}: draw smaller trees")))?;
    target.write(&svg)
}
