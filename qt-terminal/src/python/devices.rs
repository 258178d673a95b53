//! Several functions of the same sizes as one, which chooses by a key of the machine.

use std::fmt::Write as _;

use qtdec_core::naming::snake;
use qtdec_core::{DecisionTree, Place, Problem};

use super::module;
use super::text::{Names, fresh, string};

/// Returns a module with a function `name`, whose first parameter is the key of one of the trees. Each tree comes with its key and the
/// name of its file. For other keys, the function returns what the caller gives as `fallback`.
pub fn by_device(trees: &[(&str, &str, &DecisionTree)], name: &str) -> Result<String, Problem> {
    let Some((_, first_file, first)) = trees.first() else { return Ok(String::new()) };
    if let Some((_, file, _)) = trees.iter().find(|(.., tree)| !have_same_axes(tree, first)) {
        let message =
            format!("`{file}` has other axes than `{first_file}`, and one function decides by both");
        return Err(
            Problem::new(Place::File, message).help("write them without --function, as a function each")
        );
    }
    let (mut text, mut table, mut used) = (String::new(), String::new(), Vec::new());
    let function = fresh(&snake(name), &mut used);
    for (key, file, tree) in trees {
        let own = fresh(&snake(&format!("{name}_{key}")), &mut used);
        let _ = writeln!(text, "{}\n", module(tree, &own, file)?);
        let _ = writeln!(table, "    {}: {own},", string(key));
    }
    let mut used = vec!["device".to_owned(), "fallback".to_owned(), "decide".to_owned()];
    let parameters: Vec<String> =
        Names::new(first, name).parameters.iter().map(|axis| fresh(axis, &mut used)).collect();
    let parameters = parameters.join(", ");
    let devices = format!("{}_DEVICES", function.to_uppercase());
    let _ = write!(
        text,
        "{devices} = {{\n{table}}}\n\n\n\
         def {function}(device, {parameters}, fallback=None):\n    \
         \"\"\"Returns the label of the method on a device of {devices}, or `fallback` on any other one.\"\"\"\n    \
         decide = {devices}.get(device)\n    \
         return fallback if decide is None else decide({parameters})\n"
    );
    Ok(text)
}

/// Returns whether the sizes of two trees mean the same, as far as both say what theirs mean.
fn have_same_axes(one: &DecisionTree, other: &DecisionTree) -> bool {
    let [one, other] = [one, other].map(|tree| tree.domain().axes());
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| {
            let differ = one.basis.zip(other.basis).is_some_and(|(one, other)| one != other);
            one.name == other.name && !differ
        })
}
