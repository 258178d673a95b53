//! What the documentation lists is what there is.

use qtdec_core::Options;
use qtdec_core::code::LayoutChoice;
use qtdec_core::encode::{OptionForm, encoders};

#[test]
fn every_option_is_listed_with_its_values() {
    let documentation = include_str!("../src/lib.rs");
    let rows: Vec<&str> = documentation.lines().filter(|line| line.starts_with("/// | `")).collect();
    let forms: Vec<OptionForm> =
        Options::forms().into_iter().map(|(form, _)| form).chain([LayoutChoice::OPTION]).collect();
    assert_eq!(rows.len(), forms.len());
    for form in forms {
        let row = rows.iter().find(|row| row.starts_with(&format!("/// | `{}` |", form.name)));
        let row = row.unwrap_or_else(|| panic!("`{}` is not listed", form.name));
        for value in form.value.split('|').filter(|_| form.value.contains('|')) {
            assert!(row.contains(&format!("`\"{value}\"`")), "{row}: `{value}` is missing");
        }
    }
    let row = rows.iter().find(|row| row.contains("`encoding`")).unwrap();
    for encoder in encoders() {
        assert!(row.contains(&format!("`\"{}\"`", encoder.name())), "{row}");
    }
}
