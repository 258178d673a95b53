//! The writer of `qtdec-map/1` files, one row of the grid per line.

use std::fmt::Write as _;

use super::{Costs, DecisionMap, FORMAT};
use crate::domain::MethodIndex;
use crate::json::{Limited, MAX_BYTES, array, quoted};
use crate::problem::Problem;

const NULL: &str = "null";

impl DecisionMap {
    /// Returns the map as a file that can be read again.
    ///
    /// # Errors
    ///
    /// Returns an error for a map whose file would exceed the maximum size.
    pub fn to_file(&self) -> Result<String, Problem> {
        // A cell takes at least three bytes, and so does a cost. Refuse maps that are far too large without writing them.
        let costs = self.costs.as_ref().map_or(0, |_| self.domain.methods().len());
        let least = 3 * self.cells.len() * (1 + costs + usize::from(self.calls.is_some()));
        let mut text = Limited::for_reading_back();
        if least > MAX_BYTES {
            text.cut();
        } else {
            let _ = text.write_str(&self.to_json());
        }
        text.into_file("the map").map_err(|problem| {
            problem.help("measure at fewer sizes, or make several maps with fewer methods each")
        })
    }

    /// Returns the map as a file.
    pub fn to_json(&self) -> String {
        let cell = |cell: usize| self.cells[cell].map_or(NULL.to_owned(), |index| index.get().to_string());
        let mut members = vec![
            format!("\"format\": {}{}", quoted(FORMAT), self.domain.to_members()),
            format!("\"cells\": {}", self.nested("  ", cell)),
        ];
        if self.is_placeholder {
            members.push("\"placeholder\": true".to_owned());
        }
        if let Some(ties) = &self.ties {
            let cell = |cell| array(ties.get(cell).iter().copied().map(MethodIndex::get));
            members.push(format!("\"ties\": {}", self.nested("  ", cell)));
        }
        if let Some(costs) = &self.costs {
            members.push(format!("\"costs\": {}", self.costs_to_json(costs)));
        }
        if let Some(calls) = &self.calls {
            members.push(format!("\"calls\": {}", self.nested("  ", |cell| calls.get(cell).to_string())));
        }
        if let Some(recipe) = self.recipe() {
            members.push(format!("\"recipe\": {recipe}"));
        }
        if let Some(source) = self.source() {
            members.push(format!("\"source\": {source}"));
        }
        format!("{{\n  {}\n}}\n", members.join(",\n  "))
    }

    fn costs_to_json(&self, costs: &Costs) -> String {
        let cost = |cost: Option<f64>| cost.map_or(NULL.to_owned(), |cost| cost.to_string());
        let cell = |cell| array(costs.cell(cell).map(cost));
        let named = [("unit", &costs.unit), ("statistic", &costs.statistic)];
        let named = named
            .into_iter()
            .filter_map(|(key, value)| Some(format!("\"{key}\": {}", quoted(value.as_ref()?))));
        let members: Vec<String> =
            named.chain([format!("\"values\": {}", self.nested("    ", cell))]).collect();
        format!("{{\n    {}\n  }}", members.join(",\n    "))
    }

    /// Formats a nested array of the grid, with the last axis on one line.
    fn nested(&self, indent: &str, cell: impl Fn(usize) -> String) -> String {
        let shape = self.shape();
        let (&width, outer) = shape.lens().split_last().expect("a domain has an axis");
        let row = |row: usize| array((row * width..(row + 1) * width).map(&cell));
        let mut lines: Vec<String> = (0..shape.cells() / width).map(row).collect();
        for (depth, &len) in outer.iter().enumerate().rev() {
            let close = format!("\n{indent}{}", "  ".repeat(depth));
            let nest = |lines: &[String]| format!("[{close}  {}{close}]", lines.join(&format!(",{close}  ")));
            lines = lines.chunks(len).map(nest).collect();
        }
        lines.concat()
    }
}
