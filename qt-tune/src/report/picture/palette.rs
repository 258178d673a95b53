//! Colours that are distinct with every kind of colour vision.

use indexmap::IndexMap;
use plotters::style::{BLACK, Color as _, HSLColor, RGBColor, WHITE};
use qtdec_core::naming::binary_size;
use qtdec_core::{Domain, Method, MethodIndex};

use super::Entry;

/// A colour.
pub type Color = RGBColor;

/// The colour of cells without measurements or known values.
pub(super) const NOTHING: Color = RGBColor(0xE0, 0xE0, 0xE0);

/// The colour of decisions that a map does not contain.
pub(super) const UNKNOWN: Color = RGBColor(0x40, 0x40, 0x40);

/// Okabe and Ito, *Color universal design*, 2008: distinct with every kind of colour vision.
pub(super) const FEW: [Color; 7] = [
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x56, 0xB4, 0xE9),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xF0, 0xE4, 0x42),
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0xCC, 0x79, 0xA7),
];

/// Colours of lines on white: those of Okabe and Ito with a contrast of at least 3 : 1, which WCAG 2 requires of graphics
/// (success criterion 1.4.11), and their black.
pub(super) const LINES: [Color; 5] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    BLACK,
];

/// The colour and the letter of each method, the same in all panels.
///
/// Up to seven methods each have a colour of their own. If there are more, methods that run one algorithm with different
/// parameters share a hue, and the parameter determines the shade, from dark to light in the order of the map.
#[derive(Clone, Debug)]
pub struct Palette {
    methods: Vec<MethodIndex>,
    colors: Vec<Color>,
}

impl Palette {
    /// Returns colours for these methods of a domain, in their order in the domain.
    pub fn of(domain: &Domain, methods: impl IntoIterator<Item = MethodIndex>) -> Self {
        let mut methods: Vec<MethodIndex> = methods.into_iter().collect();
        methods.sort_unstable();
        methods.dedup();
        let colors = if methods.len() <= FEW.len() {
            FEW[..methods.len()].to_vec()
        } else {
            let algorithms: Vec<&str> =
                methods.iter().map(|method| algorithm(domain.method(*method))).collect();
            hues_and_shades(&algorithms)
        };
        Self { methods, colors }
    }

    /// Returns the colour of a method, or grey for none and for one that is not in the palette.
    pub fn color(&self, method: Option<MethodIndex>) -> Color {
        let position = method.and_then(|method| self.methods.binary_search(&method).ok());
        position.map_or(NOTHING, |position| self.colors[position])
    }

    /// Returns the letter of a method, which is unique as long as there are letters.
    pub fn mark(&self, method: Option<MethodIndex>) -> Option<char> {
        let position = self.methods.binary_search(&method?).ok()?;
        ('A'..='Z').chain('a'..='z').nth(position)
    }

    /// Returns the meaning of the colours: algorithms and their segment sizes, and grey if there are `gaps`.
    pub fn legend(&self, domain: &Domain, gaps: bool) -> Vec<Entry> {
        let entry = |&method: &MethodIndex| Entry {
            color: self.color(Some(method)),
            mark: self.mark(Some(method)),
            text: described(domain.method(method)),
        };
        let gap = Entry { color: NOTHING, mark: None, text: "nothing measured".to_owned() };
        self.methods.iter().map(entry).chain(gaps.then_some(gap)).collect()
    }
}

/// Returns the name of a method's algorithm: the part before the parameters in `radix:k=4` or `kway(k=2)`.
fn algorithm(method: &Method) -> &str {
    let end = method.name.find([':', '(', '=', '/']).unwrap_or(method.name.len());
    method.name[..end].trim_end()
}

/// The colours of [`FEW`] in an order in which adjacent shades are least alike: sky blue and yellow come last.
const SHADED: [usize; FEW.len()] = [0, 4, 2, 6, 5, 3, 1];

/// Returns a colour for each position: one hue for equal names, and a shade for each position with the same name.
fn hues_and_shades(algorithms: &[&str]) -> Vec<Color> {
    // The number of each algorithm, and the number of positions with its name.
    let mut distinct: IndexMap<&str, usize> = IndexMap::new();
    for algorithm in algorithms {
        *distinct.entry(algorithm).or_default() += 1;
    }
    let hue = |number: usize| {
        if distinct.len() <= FEW.len() {
            return FEW[SHADED[number]];
        }
        // Not everybody can distinguish so many hues, so neighbours also differ in lightness, and there are letters.
        let lightness = [0.4, 0.7][number % 2];
        let (red, green, blue) = HSLColor(number as f64 / distinct.len() as f64, 0.65, lightness).rgb();
        RGBColor(red, green, blue)
    };
    let mut used = vec![0; distinct.len()];
    let color = |algorithm: &&str| {
        let (number, _, &shades) = distinct.get_full(algorithm).unwrap_or((0, algorithm, &1));
        let shade = used[number];
        used[number] += 1;
        shaded(hue(number), shade, shades)
    };
    algorithms.iter().map(color).collect()
}

/// Returns a shade of a colour; number 0 is the darkest. Shades range from 2/5 towards black to 3/5 towards white.
fn shaded(color: Color, shade: usize, of: usize) -> Color {
    if of < 2 {
        return color;
    }
    let share = shade as f64 / (of - 1) as f64 * (0.4 + 0.6) - 0.4;
    let (toward, share) = if share < 0.0 { (0.0, -share) } else { (255.0, share) };
    let mix = |channel: u8| (f64::from(channel) * (1.0 - share) + toward * share).round() as u8;
    RGBColor(mix(color.0), mix(color.1), mix(color.2))
}

/// Returns a colour for each line on white. Beyond [`LINES`], names that differ only behind a `/` or a comma share a hue, and become
/// lighter in their order, up to the hue itself.
pub(super) fn line_colors(names: &[&str]) -> Vec<Color> {
    let known = |name: &&str| name.split(['/', ',']).next().unwrap_or_default().to_owned();
    if names.len() <= LINES.len() {
        return LINES[..names.len()].to_vec();
    }
    let mut distinct: IndexMap<String, usize> = IndexMap::new();
    for name in names {
        *distinct.entry(known(name)).or_default() += 1;
    }
    let hue = |number: usize| {
        if distinct.len() <= LINES.len() {
            return LINES[number];
        }
        let (red, green, blue) = HSLColor(number as f64 / distinct.len() as f64, 0.9, 0.35).rgb();
        RGBColor(red, green, blue)
    };
    let mut used = vec![0_usize; distinct.len()];
    let color = |name: &&str| {
        let (number, _, &shades) = distinct.get_full(&known(name)).unwrap_or((0, &String::new(), &1));
        let shade = used[number];
        used[number] += 1;
        let (hue, share) = (hue(number), 0.55 * shade as f64 / (shades - 1).max(1) as f64);
        // Black has no darker shade: it becomes grey instead.
        let mix = |channel: u8| match hue {
            BLACK => 255.0 * share,
            _ if shades > 1 => f64::from(channel) * (0.45 + share),
            _ => f64::from(channel),
        };
        RGBColor(mix(hue.0).round() as u8, mix(hue.1).round() as u8, mix(hue.2).round() as u8)
    };
    names.iter().map(color).collect()
}

/// Returns a method's description in legends: `pipeline, segments of 8K`.
pub(crate) fn described(method: &Method) -> String {
    match method.segment_size {
        Some(size) => format!("{}, segments of {}", method.name, binary_size(size)),
        None => method.name.clone(),
    }
}

/// Returns the relative luminance of WCAG 2, from 0 to 1.
fn luminance(color: Color) -> f64 {
    0.2126 * linear(color.0) + 0.7152 * linear(color.1) + 0.0722 * linear(color.2)
}

/// Converts from sRGB's gamma to a linear value.
fn linear(channel: u8) -> f64 {
    let share = f64::from(channel) / 255.0;
    if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}

/// Returns black or white, whichever has the higher contrast on a colour.
pub(crate) fn ink(on: Color) -> &'static Color {
    // The contrast with white, (1 + 0.05) / (l + 0.05), and with black, (l + 0.05) / 0.05, are equal at this luminance.
    if luminance(on) > 0.179 { &BLACK } else { &WHITE }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vision without one kind of cones: Machado, Oliveira and Fernandes, "A physiologically-based model for
    /// simulation of color vision deficiency", IEEE TVCG 15(6), 2009, severity 1.0, in linear RGB.
    const SIGHTS: [[[f64; 3]; 3]; 4] = [
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

    /// Returns a colour in CIE L*a*b* (D65), as seen with this kind of vision.
    fn seen(color: Color, sight: &[[f64; 3]; 3]) -> [f64; 3] {
        let linear = [color.0, color.1, color.2].map(linear);
        let seen = sight.map(|row| row.iter().zip(linear).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0));
        let to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
        let white = [0.9505, 1.0, 1.089];
        let xyz = to_xyz.map(|row: [f64; 3]| row.iter().zip(seen).map(|(a, b)| a * b).sum::<f64>());
        let cube = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let [x, y, z] = [0, 1, 2].map(|axis| cube(xyz[axis] / white[axis]));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn least_difference(colors: &[Color], sight: &[[f64; 3]; 3]) -> f64 {
        let pairs = colors
            .iter()
            .enumerate()
            .flat_map(|(at, one)| colors[..at].iter().map(move |other| (one, other)));
        let distance = |(one, other): (&Color, &Color)| {
            let (one, other) = (seen(*one, sight), seen(*other, sight));
            one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        pairs.map(distance).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn hues_stay_apart_for_every_sight() {
        for (number, sight) in SIGHTS.iter().enumerate() {
            // A difference of 2.3 in L*a*b* is just noticeable.
            let least = least_difference(&FEW, sight);
            assert!(least > 10.0, "sight {number}: {least}");
        }
    }

    #[test]
    fn variants_of_an_algorithm_are_shades_of_its_hue() {
        let names = ["ring", "ring", "ring", "ring", "tree", "tree", "tree", "linear", "bruck", "pairwise"];
        let colors = hues_and_shades(&names);
        for (number, sight) in SIGHTS.iter().enumerate() {
            for range in [0..4, 4..7] {
                let least = least_difference(&colors[range], sight);
                assert!(least > 10.0, "sight {number}: {least}");
            }
        }
        assert!(colors[0..4].is_sorted_by(|dark, light| luminance(*dark) < luminance(*light)));
        assert_eq!(colors[7..], [FEW[2], FEW[6], FEW[5]], "an algorithm without variants keeps its hue");
        let many: Vec<String> = (0..40).map(|number| format!("algorithm {number}")).collect();
        let colors = hues_and_shades(&many.iter().map(String::as_str).collect::<Vec<_>>());
        let distinct: std::collections::BTreeSet<_> =
            colors.iter().map(|color| (color.0, color.1, color.2)).collect();
        assert_eq!(distinct.len(), 40);
    }

    #[test]
    fn parameters_are_no_part_of_the_algorithm() {
        let cases = [
            ("MPICH_radix:k=4", "MPICH_radix"),
            ("kway (k=2)", "kway"),
            ("ring", "ring"),
            ("4-nomial", "4-nomial"),
        ];
        for (name, expected) in cases {
            assert_eq!(algorithm(&Method::new(name)), expected);
        }
    }

    #[test]
    fn no_two_lines_have_one_color() {
        let names = [
            "binary",
            "binary, best segment",
            "linear",
            "linear/8192",
            "chain",
            "ring",
            "ring/1K",
            "two_tree",
        ];
        for count in 1..=names.len() {
            let colors = line_colors(&names[..count]);
            let distinct: std::collections::HashSet<_> =
                colors.iter().map(|color| (color.0, color.1, color.2)).collect();
            assert_eq!(distinct.len(), count, "{colors:?}");
        }
    }

    #[test]
    fn lines_stand_out_from_white_and_suffice_for_all_encodings() {
        for color in LINES {
            let contrast = 1.05 / (luminance(color) + 0.05);
            assert!(contrast >= 3.0, "{color:?}: {contrast}");
        }
        assert!(qtdec_core::encode::encoders().len() <= LINES.len());
    }
}
