//! Pictures in files, whose ending selects the form.

use std::path::Path;

use qtdec_report::picture::{Picture, TooLarge};

use crate::Failure;
use crate::destination::Output;

/// Parses the name of a picture file.
pub fn picture_file(text: &str) -> Result<String, String> {
    match form(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("the name of a picture must end in .svg or .png".to_owned()),
    }
}

fn form(path: &str) -> Option<Form> {
    let ending = Path::new(path).extension()?.to_str()?.to_lowercase();
    match &*ending {
        "svg" => Some(Form::Svg),
        "png" => Some(Form::Png),
        _ => None,
    }
}

enum Form {
    Svg,
    Png,
}

/// Writes a picture in the format that the extension of the file selects.
pub fn write_picture(target: &Output, picture: &Picture) -> Result<(), Failure> {
    let bytes = match form(target.name()) {
        Some(Form::Png) => picture.png(),
        _ => picture.svg().map(String::into_bytes),
    };
    let bytes = bytes.map_err(|fault| {
        let help = match fault {
            TooLarge::Boxes(_) => "draw smaller trees",
            TooLarge::Pixels(_) => "draw fewer methods or trees, or an SVG",
        };
        Failure::input(format!("{fault}: {help}"))
    })?;
    target.write_bytes(&bytes)
}
