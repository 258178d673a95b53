//! Times as functions of size or of the number of ranks, on a logarithmic scale (as Figures 2 to 8 of Barchet-Estefanel and Mounié
//! 2004).

use qtdec_core::DecisionMap;
use qtdec_core::naming::binary_size;

use super::figures::headline;
use super::palette::{FAINT, line_colors};
use super::round::{self, whole};
use super::{Content, Entry, Line, Palette, Panel, Picture, Plane, Scale, named_lines};

/// The maximum number of labels along the sizes; more would touch each other.
const MAX_LABELS: usize = 7;

/// The maximum number of methods that all have a name at their lines; of more, those that are best nowhere have none.
const MAX_NAMED: usize = 8;

/// Draws times in microseconds as functions of size in bytes, one line for each name.
///
/// Sizes and times of 0 are omitted, because they have no place on a logarithmic scale.
pub fn times_over_sizes(title: &str, series: &[(String, Vec<(u64, f64)>)]) -> Picture {
    let position = |&(bytes, microseconds): &(u64, f64)| {
        (bytes > 0 && microseconds > 0.0).then(|| ((bytes as f64).log2(), microseconds.log10()))
    };
    let names: Vec<&str> = series.iter().map(|(name, _)| &**name).collect();
    let colors = line_colors(&names).into_iter().zip(series);
    let (lines, legend) =
        named_lines(colors.map(|(color, (name, points))| {
            (color, name.clone(), points.iter().filter_map(position).collect())
        }));
    let points = || lines.iter().flat_map(|line| &line.points);
    let x = whole(points().map(|point| point.0));
    let y = round::powers_of_ten("time [us]", points().map(|point| point.1));
    let step = ((x.1 - x.0) as usize).div_ceil(MAX_LABELS).max(1);
    let sizes = (x.0..=x.1.min(63)).step_by(step).map(|power| (f64::from(power), binary_size(1 << power)));
    let x = Scale {
        title: "size [bytes], logarithmic".to_owned(),
        from: f64::from(x.0),
        to: f64::from(x.1),
        ticks: sizes.collect(),
    };
    let panel = Panel { title: String::new(), x, y, content: Content::Lines(lines) };
    Picture { title: title.to_owned(), panels: vec![panel], legend }
}

/// Draws the times of every method of a map along the one axis of a plane, or returns `None` if the plane has two or the map has no
/// costs.
pub fn times_along_axis(map: &DecisionMap, plane: &Plane) -> Option<Picture> {
    let (costs, positions) = (map.costs()?, plane.positions()?);
    let palette = Palette::new(map.domain());
    let are_few = map.domain().methods().len() <= MAX_NAMED;
    let (mut lines, mut shown) = (Vec::new(), Vec::new());
    for method in map.domain().method_indexes() {
        let points = plane.cells().zip(positions).filter_map(|(cell, &position)| {
            let time = costs.get(cell, method).filter(|time| *time > 0.0)?;
            Some((position, time.log10()))
        });
        let points: Vec<(f64, f64)> = points.collect();
        if points.is_empty() {
            continue;
        }
        let is_best = plane.cells().any(|cell| map.cells()[cell] == Some(method));
        if are_few || is_best || map.domain().method(method).baseline {
            let (color, mark) = (palette.color(Some(method)), palette.mark(Some(method)));
            lines.push(Line { color, points, label: mark.map(String::from).unwrap_or_default() });
            shown.push(method);
        } else {
            lines.push(Line { color: FAINT, points, label: String::new() });
        }
    }
    let are_all = shown.len() == lines.len();
    let mut legend = palette.legend(map.domain(), shown, false);
    legend.extend((!are_all).then(|| Entry::new(FAINT, "best nowhere here")));
    let powers = lines.iter().flat_map(|line| &line.points).map(|point| point.1);
    let unit = costs.unit.as_deref().map_or_else(String::new, |unit| format!(" [{unit}]"));
    let (mut x, _) = plane.scales();
    x.to = positions.last().copied().filter(|last| *last > x.from).unwrap_or(x.to);
    let y = round::powers_of_ten(&format!("time{unit}"), powers);
    let panel = Panel { title: String::new(), x, y, content: Content::Lines(lines) };
    Some(Picture {
        title: headline(map.domain(), map.source(), plane.selected_samples(map.domain())),
        panels: vec![panel],
        legend,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_at_their_powers_and_zeros_nowhere() {
        let points = vec![(0, 1.0), (1, 0.0), (1, 10.0), (1024, 1000.0)];
        let picture = times_over_sizes("net", &[("gap".to_owned(), points)]);
        let panel = &picture.panels[0];
        let Content::Lines(lines) = &panel.content else { panic!("lines") };
        assert_eq!(lines[0].points, [(0.0, 1.0), (10.0, 3.0)]);
        assert_eq!((panel.x.from, panel.x.to, panel.y.from, panel.y.to), (0.0, 10.0, 1.0, 3.0));
        let labels = |scale: &Scale| scale.ticks.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>();
        assert_eq!(labels(&panel.x), ["1", "4", "16", "64", "256", "1K",].map(String::from));
        assert_eq!(labels(&panel.y), ["10", "20", "50", "100", "200", "500", "1000"]);
    }

    #[test]
    fn a_picture_of_nothing_has_an_empty_panel() {
        let picture = times_over_sizes("net", &[("gap".to_owned(), vec![(0, 0.0)])]);
        assert!(picture.svg().is_ok());
    }
}
