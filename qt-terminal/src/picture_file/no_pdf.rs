//! What a program says that was built without PDF.

use crate::Failure;

/// Fails, with the way to a program that writes PDF.
pub(super) fn pdf(_: &str) -> Result<Vec<u8>, Failure> {
    Err(Failure::input(
        "this program was built without PDF: write a picture that ends in .svg, or install the program with `--features pdf`, as in \
         `cargo install --path qt-cli --features pdf`",
    ))
}
