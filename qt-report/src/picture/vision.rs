//! Colours, and the differences between them for every kind of colour vision.

use plotters::style::RGBColor;

/// A colour.
pub type Color = RGBColor;

/// Vision with all cones, and without one kind: Machado, Oliveira and Fernandes, "A physiologically-based model for
/// simulation of color vision deficiency", IEEE TVCG 15(6), 2009, severity 1.0, in linear RGB.
const VISIONS: [[[f64; 3]; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
    [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ],
];

/// A colour in CIE L*a*b* (D65), as seen with each kind of vision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen([[f64; 3]; VISIONS.len()]);

impl Seen {
    pub(super) fn from_color(color: Color) -> Self {
        Self(VISIONS.map(|sight| {
            let linear = [color.0, color.1, color.2].map(linear);
            let seen =
                sight.map(|row| row.iter().zip(linear).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0));
            let to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
            let white = [0.9505, 1.0, 1.089];
            let xyz = to_xyz.map(|row: [f64; 3]| row.iter().zip(seen).map(|(a, b)| a * b).sum::<f64>());
            let cube = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
            let [x, y, z] = [0, 1, 2].map(|axis| cube(xyz[axis] / white[axis]));
            [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
        }))
    }

    /// Returns the difference from another colour in L*a*b*, for the kind of vision that sees the least difference. A difference of 2.3 is
    /// just noticeable.
    pub(super) fn difference(&self, other: &Self) -> f64 {
        let distance = |(one, other): (&[f64; 3], &[f64; 3])| {
            one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        self.0.iter().zip(&other.0).map(distance).fold(f64::INFINITY, f64::min)
    }
}

/// Returns the smallest difference between any two of these colours.
pub(super) fn least_difference(colors: &[Seen]) -> f64 {
    let pairs =
        (1..colors.len()).flat_map(|at| colors[..at].iter().map(move |other| colors[at].difference(other)));
    pairs.fold(f64::INFINITY, f64::min)
}

/// Returns the relative luminance of WCAG 2, from 0 to 1.
pub(super) fn luminance(color: Color) -> f64 {
    0.2126 * linear(color.0) + 0.7152 * linear(color.1) + 0.0722 * linear(color.2)
}

/// Converts from sRGB's gamma to a linear value.
fn linear(channel: u8) -> f64 {
    let share = f64::from(channel) / 255.0;
    if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}
