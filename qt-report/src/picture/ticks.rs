//! Selection of the samples to label along an axis, so that labels do not overlap.

/// The width and the height of a plane in pixels, which limit the labels along its sides.
const SIDE_PIXELS: (f64, f64) = (330.0, 230.0);

/// The width and the height of a letter next to an axis, and the space between two labels, in pixels.
const LETTER: (f64, f64) = (7.0, 11.0);
const ROOM: f64 = 6.0;

/// How far labels may reach beyond the ends of the horizontal axis, in pixels: half of the space between two panels. Panels with a
/// vertical axis have more space between them.
const BEYOND: f64 = 17.0;
const BEYOND_WITH_AXIS: f64 = 36.0;

/// The direction of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Right {
        /// Whether the panel has a vertical axis too.
        with_axis: bool,
    },
    Up,
}

/// A sample along an axis.
pub(super) struct Sample<'n> {
    pub(super) position: f64,
    pub(super) name: &'n str,
    /// The size, or `None` for a label.
    pub(super) size: Option<u64>,
}

/// Returns the positions and names to print along an axis between two positions.
///
/// The ends come first, then the roundest sizes (by the power of two that divides them), as far as there is room. Long labels along
/// the horizontal axis are shortened so that they do not reach into the next panel.
pub(super) fn ticks(
    samples: &[Sample<'_>],
    (from, to): (f64, f64),
    direction: Direction,
) -> Vec<(f64, String)> {
    let pixels = match direction {
        Direction::Right { .. } => SIDE_PIXELS.0,
        Direction::Up => SIDE_PIXELS.1,
    };
    let half = |name: &str| match direction {
        Direction::Right { .. } => LETTER.0 * name.chars().count() as f64 / 2.0,
        Direction::Up => LETTER.1 / 2.0,
    };
    let last = samples.len().saturating_sub(1);
    let roundness = |at: usize| samples[at].size.map_or(0, |size| size.trailing_zeros().min(63));
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_by_key(|&at| (at != 0 && at != last, std::cmp::Reverse(roundness(at)), at));
    let pixel = |position: f64| (position - from) / (to - from) * pixels;
    let mut taken: Vec<(usize, String)> = Vec::new();
    for at in order {
        let here = pixel(samples[at].position);
        let most = match direction {
            Direction::Right { with_axis } => {
                let beyond = if with_axis { BEYOND_WITH_AXIS } else { BEYOND };
                2.0 * (here.min(pixels - here) + beyond)
            }
            Direction::Up => f64::from(MAX_UP) * LETTER.0,
        };
        let Some(name) = shortened(&samples[at], (most / LETTER.0) as usize) else { continue };
        let is_free = |(other, its): &(usize, String)| {
            let distance = (pixel(samples[*other].position) - here).abs();
            distance >= half(&name) + half(its) + ROOM / 2.0
        };
        if taken.iter().all(is_free) {
            taken.push((at, name));
        }
    }
    taken.sort_unstable();
    taken.into_iter().map(|(at, name)| (samples[at].position, name)).collect()
}

/// The maximum number of letters of a label next to the vertical axis, which leave room for its title.
const MAX_UP: u8 = 6;

/// Returns a name of at most this many letters: the beginning of a longer label, and a power of ten for a longer number.
fn shortened(sample: &Sample<'_>, most: usize) -> Option<String> {
    if sample.name.chars().count() <= most {
        return Some(sample.name.to_owned());
    }
    let name = match sample.size {
        Some(size) => format!("{:.1e}", size as f64),
        None => sample.name.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    };
    (most > 1 && name.chars().count() <= most).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(sizes: &[u64], position: fn(u64) -> f64, direction: Direction) -> Vec<String> {
        let names: Vec<String> = sizes.iter().map(u64::to_string).collect();
        let samples: Vec<Sample<'_>> = (sizes.iter().zip(&names))
            .map(|(&size, name)| Sample { position: position(size), name, size: Some(size) })
            .collect();
        let range = (position(sizes[0]), position(sizes[sizes.len() - 1]));
        ticks(&samples, range, direction).into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn few_samples_are_all_written() {
        let log2 = |size: u64| (size as f64).log2();
        assert_eq!(
            written(&[8, 16, 32, 64], log2, Direction::Right { with_axis: true }),
            ["8", "16", "32", "64"]
        );
        assert_eq!(written(&[2, 3, 64], log2, Direction::Up), ["2", "3", "64"]);
    }

    /// Checks labels along both axes: no two of one axis overlap, and none reaches into the next panel.
    #[test]
    fn labels_overlap_nowhere() {
        let linear: Vec<u64> = (1..=128).collect();
        let logarithmic: Vec<u64> =
            (0..4096).map(|step| step + 1.0043_f64.powf(step as f64) as u64).collect();
        let large: Vec<u64> = (0..40).map(|power| 123_456_789 << (power / 2)).collect();
        let long: Vec<String> = (0..12).map(|number| format!("{number}_with_a_long_label")).collect();
        let positions: [fn(u64) -> f64; 2] = [|size| size as f64, |size| (size as f64).max(0.5).log2()];
        for sizes in [&linear, &logarithmic, &large] {
            for position in positions {
                let names: Vec<String> = sizes.iter().map(u64::to_string).collect();
                let samples = (sizes.iter().zip(&names)).map(|(&size, name)| Sample {
                    position: position(size),
                    name,
                    size: Some(size),
                });
                check(&samples.collect::<Vec<_>>());
            }
        }
        let labels =
            (0..).zip(&long).map(|(at, name)| Sample { position: f64::from(at) + 0.5, name, size: None });
        check(&labels.collect::<Vec<_>>());
    }

    fn check(samples: &[Sample<'_>]) {
        let (first, last) = (samples[0].position, samples[samples.len() - 1].position);
        let gap = (last - first) / (samples.len() - 1) as f64 / 2.0;
        let (from, to) = (first - gap, last + gap);
        for (direction, pixels, beyond) in [
            (Direction::Right { with_axis: true }, SIDE_PIXELS.0, BEYOND_WITH_AXIS),
            (Direction::Right { with_axis: false }, SIDE_PIXELS.0, BEYOND),
            (Direction::Up, SIDE_PIXELS.1, 8.0),
        ] {
            let found = ticks(samples, (from, to), direction);
            assert!(found.len() >= 2, "{direction:?}: {found:?}");
            let extent = |(position, name): &(f64, String)| {
                let (at, letters) = ((position - from) / (to - from) * pixels, name.chars().count() as f64);
                let half = if direction == Direction::Up { LETTER.1 } else { LETTER.0 * letters } / 2.0;
                assert!(direction != Direction::Up || letters <= f64::from(MAX_UP), "{name}");
                (at - half, at + half)
            };
            let extents: Vec<(f64, f64)> = found.iter().map(extent).collect();
            assert!(extents.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{direction:?}: {found:?}");
            assert!(extents[0].0 >= -beyond && extents[extents.len() - 1].1 <= pixels + beyond, "{found:?}");
        }
    }

    #[test]
    fn many_samples_do_not_run_into_each_other() {
        let sizes: Vec<u64> = (1..=128).collect();
        let positions: [fn(u64) -> f64; 2] = [|size| size as f64, |size| (size as f64).log2()];
        for position in positions {
            let found = written(&sizes, position, Direction::Right { with_axis: true });
            assert_eq!((&*found[0], &*found[found.len() - 1]), ("1", "128"));
            assert!(
                ["16", "32", "64"].iter().all(|round| found.iter().any(|name| name == round)),
                "{found:?}"
            );
            let pixel = |name: &String| position(name.parse().unwrap()) / position(128) * SIDE_PIXELS.0;
            for pair in found.windows(2) {
                let widths = LETTER.0 * (pair[0].len() + pair[1].len()) as f64 / 2.0;
                assert!(pixel(&pair[1]) - pixel(&pair[0]) >= widths, "{pair:?}");
            }
        }
    }
}
