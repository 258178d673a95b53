//! Selection of the samples to label along an axis, so that labels do not overlap.

use super::plane::SIDE_PIXELS;

/// The width and the height of a letter next to an axis, and the space between two labels, in pixels.
const LETTER: (f64, f64) = (7.0, 11.0);
const ROOM: f64 = 6.0;

/// The direction of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Right,
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
/// The ends come first, then the roundest sizes (by the power of two that divides them), as far as there is room.
pub(super) fn ticks(
    samples: &[Sample<'_>],
    (from, to): (f64, f64),
    direction: Direction,
) -> Vec<(f64, String)> {
    let pixels = match direction {
        Direction::Right => SIDE_PIXELS.0,
        Direction::Up => SIDE_PIXELS.1,
    };
    let half = |name: &str| match direction {
        Direction::Right => LETTER.0 * name.chars().count() as f64 / 2.0,
        Direction::Up => LETTER.1 / 2.0,
    };
    let last = samples.len().saturating_sub(1);
    let roundness = |at: usize| samples[at].size.map_or(0, |size| size.trailing_zeros().min(63));
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_by_key(|&at| (at != 0 && at != last, std::cmp::Reverse(roundness(at)), at));
    let pixel = |position: f64| (position - from) / (to - from) * pixels;
    let mut taken: Vec<usize> = Vec::new();
    for at in order {
        let (here, own) = (pixel(samples[at].position), half(samples[at].name));
        let is_free = |&other: &usize| {
            let distance = (pixel(samples[other].position) - here).abs();
            distance >= own + half(samples[other].name) + ROOM / 2.0
        };
        if taken.iter().all(is_free) {
            taken.push(at);
        }
    }
    taken.sort_unstable();
    taken.into_iter().map(|at| (samples[at].position, samples[at].name.to_owned())).collect()
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
        assert_eq!(written(&[8, 16, 32, 64], log2, Direction::Right), ["8", "16", "32", "64"]);
        assert_eq!(written(&[2, 3, 64], log2, Direction::Up), ["2", "3", "64"]);
    }

    #[test]
    fn many_samples_do_not_run_into_each_other() {
        let sizes: Vec<u64> = (1..=128).collect();
        let positions: [fn(u64) -> f64; 2] = [|size| size as f64, |size| (size as f64).log2()];
        for position in positions {
            let found = written(&sizes, position, Direction::Right);
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
