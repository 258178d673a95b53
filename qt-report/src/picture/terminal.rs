//! Decision maps in the terminal: one letter per cell, on its colour if colours are available.

use std::fmt::Write as _;

use anstyle::{Color as TerminalColor, RgbColor, Style};
use qtdec_core::{Domain, MethodIndex, visible};

use super::palette::ink;
use super::{Color, Palette, Plane};

/// Returns the decisions, one for each cell of the grid, with communicator sizes upward and message sizes to the right, and the
/// methods below. Colours are ANSI escapes; the letters suffice without them.
pub fn in_terminal(decisions: &[Option<MethodIndex>], domain: &Domain, plane: &Plane) -> String {
    let palette = Palette::new(domain);
    let (columns, rows) = plane.size();
    let (x, y) = plane.scales();
    let (column_names, row_names) = plane.names();
    let width = row_names.iter().map(String::len).max().unwrap_or(0);
    let mut lines = Vec::new();
    if !y.title.is_empty() {
        lines.push(visible::line(&y.title).into_owned());
    }
    for row in (0..rows).rev() {
        let mut line = format!("{:>width$} ", visible::line(&row_names[row]));
        for column in 0..columns {
            let method = decisions[plane.cell(column, row)];
            let letter = palette.mark(method).unwrap_or(if method.is_none() { '·' } else { '?' });
            let style = style(palette.color(method));
            let _ = write!(line, "{style} {letter} {style:#}");
        }
        lines.push(line);
    }
    lines.push(format!("{:width$} {}", "", visible::line(&below(column_names))));
    lines.push(format!("{:width$}  {}\n", "", visible::line(&x.title)));
    for entry in palette.legend(domain, decisions.iter().copied().flatten(), false) {
        let style = style(entry.color);
        lines.push(format!("{style} {} {style:#} {}", entry.mark.unwrap_or('?'), visible::line(&entry.text)));
    }
    lines.join("\n") + "\n"
}

/// Returns names under columns of three letters; one that would run into the next is omitted.
fn below(names: &[String]) -> String {
    let mut line = String::new();
    for (column, name) in names.iter().enumerate() {
        if line.is_empty() || line.len() < 3 * column + 1 {
            line = format!("{line:width$}{name}", width = 3 * column + 1);
        }
    }
    line
}

fn style(color: Color) -> Style {
    let rgb = |color: Color| TerminalColor::Rgb(RgbColor(color.0, color.1, color.2));
    Style::new().bg_color(Some(rgb(color))).fg_color(Some(rgb(*ink(color))))
}
