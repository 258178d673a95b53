//! The answer of commands that compare two decision functions.

use qtdec_report::table::{Form, Table};

use crate::{Failure, FormArguments, counted, output};

/// Prints what was found. If the two differ, the failure is a negative answer.
pub fn finish(form: &FormArguments, found: usize, table: &Table) -> Result<(), Failure> {
    match found {
        0 => output::eprint("no difference: both make the same decision everywhere"),
        found => output::eprint(&format!(
            "they differ in {}",
            counted(found as u64, "range of sizes", "ranges of sizes")
        )),
    }
    if found == 0 && form.form() == Form::Text {
        return Ok(());
    }
    output::print(&table.write(form.form()))?;
    if found == 0 { Ok(()) } else { Err(Failure::Negative(Vec::new())) }
}
