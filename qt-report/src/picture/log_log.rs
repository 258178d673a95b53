//! Times as functions of size or of the number of ranks, on a logarithmic scale (as Figures 2 to 8 of Barchet-Estefanel and Mounié
//! 2004).

use qtdec_core::DecisionMap;
use qtdec_core::naming::binary_size;

use super::figures::headline;
use super::palette::{described, line_colors};
use super::{Content, Panel, Picture, Plane, Scale, named_lines};

/// The maximum number of labels along the sizes; more would touch each other.
const MAX_LABELS: usize = 7;

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
    let y = whole(points().map(|point| point.1));
    let step = ((x.1 - x.0) as usize).div_ceil(MAX_LABELS).max(1);
    let sizes = (x.0..=x.1.min(63)).step_by(step).map(|power| (f64::from(power), binary_size(1 << power)));
    let x = Scale {
        title: "size [bytes]".to_owned(),
        from: f64::from(x.0),
        to: f64::from(x.1),
        ticks: sizes.collect(),
    };
    let panel =
        Panel { title: String::new(), x, y: powers_of_ten("time [us]", y), content: Content::Lines(lines) };
    Picture { title: title.to_owned(), panels: vec![panel], legend }
}

/// Draws the times of every method of a map along the one axis of a plane, or returns `None` if the plane has two or the map has no
/// costs.
pub fn times_along_axis(map: &DecisionMap, plane: &Plane) -> Option<Picture> {
    let (costs, positions) = (map.costs()?, plane.positions()?);
    let methods: Vec<_> = map.domain().method_indexes().collect();
    let names: Vec<String> = methods.iter().map(|method| described(map.domain().method(*method))).collect();
    let colors = line_colors(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let all = methods.iter().zip(names).zip(colors).map(|((&method, text), color)| {
        let points = plane.cells().zip(positions).filter_map(|(cell, &position)| {
            let time = costs.get(cell, method).filter(|time| *time > 0.0)?;
            Some((position, time.log10()))
        });
        (color, text, points.collect::<Vec<_>>())
    });
    let (lines, legend) = named_lines(all.filter(|(.., points)| !points.is_empty()));
    let y = whole(lines.iter().flat_map(|line| &line.points).map(|point| point.1));
    let unit = costs.unit.as_deref().map_or_else(String::new, |unit| format!(" [{unit}]"));
    let (mut x, _) = plane.scales();
    x.to = positions.last().copied().filter(|last| *last > x.from).unwrap_or(x.to);
    let y = powers_of_ten(&format!("time{unit}"), y);
    let panel = Panel { title: String::new(), x, y, content: Content::Lines(lines) };
    Some(Picture { title: headline(map.domain(), plane), panels: vec![panel], legend })
}

/// Returns a logarithmic scale between two powers of ten.
fn powers_of_ten(title: &str, (from, to): (i32, i32)) -> Scale {
    let ticks = (from..=to).map(|power| (f64::from(power), 10_f64.powi(power).to_string()));
    Scale { title: title.to_owned(), from: f64::from(from), to: f64::from(to), ticks: ticks.collect() }
}

/// Returns the range of whole powers that includes all of them, at least one wide.
fn whole(powers: impl Iterator<Item = f64>) -> (i32, i32) {
    let (least, most) = powers
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), power| (least.min(power), most.max(power)));
    if least > most {
        return (0, 1);
    }
    let from = least.floor() as i32;
    (from, (most.ceil() as i32).max(from + 1))
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
        assert_eq!(labels(&panel.y), ["10", "100", "1000"]);
    }

    #[test]
    fn a_picture_of_nothing_has_an_empty_panel() {
        let picture = times_over_sizes("net", &[("gap".to_owned(), vec![(0, 0.0)])]);
        assert!(picture.svg().is_ok());
    }
}
