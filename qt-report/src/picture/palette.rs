//! Colours that are distinct with every kind of colour vision.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use plotters::style::{BLACK, Color as _, HSLColor, RGBColor, WHITE};
use qtdec_core::naming::binary_size;
use qtdec_core::{Domain, Method, MethodIndex};

use super::Entry;
use super::vision::{Color, Seen, least_difference, luminance};

/// The colour of cells without measurements or known values.
pub const NOTHING: Color = RGBColor(0xE0, 0xE0, 0xE0);

/// The colour of frames and of texts outside boxes, by which a page finds them.
pub(super) const INK: Color = RGBColor(0x1B, 0x1B, 0x1B);

/// The colour of lines through a plane.
pub(super) const GRID: Color = RGBColor(0xDC, 0xDC, 0xDC);

/// The colour of lines that are there for comparison, and have no names.
pub(super) const FAINT: Color = RGBColor(0xB8, 0xB8, 0xB8);

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
pub const LINES: [Color; 5] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    BLACK,
];

/// The colour and the letter of each method of a domain: the same in all pictures of a map and of its trees, whichever methods a
/// picture shows.
///
/// Up to seven methods each have a colour of their own. If there are more, methods that run one algorithm with different
/// parameters share a hue, and the parameter determines the shade, so that near parameters have distant shades.
#[derive(Clone, Debug)]
pub struct Palette {
    colors: Vec<Color>,
}

impl Palette {
    /// Returns the colours of the methods of a domain.
    pub fn new(domain: &Domain) -> Self {
        let names: Vec<&str> = domain.methods().iter().map(|method| &*method.name).collect();
        let colors = FEW.get(..names.len()).map_or_else(|| AREAS.colors(&names), <[Color]>::to_vec);
        Self { colors }
    }

    /// Returns the colour of a method, or grey for none.
    pub fn color(&self, method: Option<MethodIndex>) -> Color {
        method.and_then(|method| self.colors.get(method.get()).copied()).unwrap_or(NOTHING)
    }

    /// Returns the letter of a method, which is unique as long as there are letters.
    pub fn mark(&self, method: Option<MethodIndex>) -> Option<char> {
        letter(method?.get())
    }

    /// Returns the meaning of the colours that are shown: algorithms and their segment sizes, and grey if there are `gaps`.
    pub fn legend(
        &self,
        domain: &Domain,
        shown: impl IntoIterator<Item = MethodIndex>,
        gaps: bool,
    ) -> Vec<Entry> {
        let shown: BTreeSet<MethodIndex> = shown.into_iter().collect();
        let entries = shown.into_iter().map(|method| Entry {
            color: self.color(Some(method)),
            mark: self.mark(Some(method)),
            text: described(domain.method(method)),
        });
        let gap = Entry::new(NOTHING, "nothing measured");
        entries.chain(gaps.then_some(gap)).collect()
    }
}

/// The letters of methods, in the order of the map: those that an alphabet has in common with another one come once.
const LETTERS: &str =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz123456789αβγδεζηθλμξπσφχψωΓΔΘΛΞΠΣΦΨΩ";

/// Returns the letter of this number.
pub(super) fn letter(number: usize) -> Option<char> {
    LETTERS.chars().nth(number)
}

/// Returns the name of an algorithm: the part before the parameters in `radix:k=4`, `kway(k=2)` or `chain/8192`.
fn algorithm(name: &str) -> &str {
    let end = name.find([':', '(', '=', '/', ',']).unwrap_or(name.len());
    name[..end].trim_end()
}

/// A rule for colours: one hue for an algorithm, and a shade for each of its parameters.
struct Hues<'h> {
    /// The hues of a few algorithms.
    few: &'h [Color],
    /// Saturation and lightness of hues around the circle, for more algorithms than that. Neighbours take turns.
    around: (f64, &'h [f64]),
    /// Returns a shade: 0 is the first of an algorithm, 1 the last.
    shade: fn(Color, f64) -> Color,
    /// Whether shades of hues around the circle are [`spread`] instead.
    is_spread: bool,
}

/// Colours of areas. They have the hues of [`FEW`], ordered so that adjacent shades differ most: sky blue and yellow come last.
///
/// Not everybody can distinguish more hues, so the shades of further ones are [`spread`], and areas also have letters.
const AREAS: Hues<'_> = Hues {
    few: &[FEW[0], FEW[4], FEW[2], FEW[6], FEW[5], FEW[3], FEW[1]],
    around: (0.65, &[0.4, 0.7]),
    // From 1/2 towards black to 3/4 towards white.
    shade: |hue, share| {
        if share < 0.5 { mixed(hue, 0.0, 0.5 - share) } else { mixed(hue, 255.0, 1.5 * (share - 0.5)) }
    },
    is_spread: true,
};

/// Colours of lines on white, which never get lighter than their hue.
const ON_WHITE: Hues<'_> = Hues {
    few: &LINES,
    around: (0.9, &[0.35]),
    // Black has no darker shade: it becomes grey instead.
    shade: |hue, share| match hue {
        BLACK => mixed(hue, 255.0, 0.55 * share),
        _ => mixed(hue, 0.0, 0.55 * (1.0 - share)),
    },
    is_spread: false,
};

impl Hues<'_> {
    /// Returns a colour for each name.
    fn colors(&self, names: &[&str]) -> Vec<Color> {
        // The places of each algorithm.
        let mut places: IndexMap<&str, Vec<usize>> = IndexMap::new();
        for (place, name) in names.iter().enumerate() {
            places.entry(algorithm(name)).or_default().push(place);
        }
        let mut colors = vec![BLACK; names.len()];
        let is_spread = self.is_spread && places.len() > self.few.len() && names.len() <= MAX_SPREAD;
        let mut before: Vec<Seen> = Vec::new();
        for (number, own) in places.values().enumerate() {
            let hue = self.hue(number, places.len());
            let share = |shade: usize| shade as f64 / (own.len() - 1).max(1) as f64;
            let shades: Vec<Color> = if is_spread {
                let (shades, seen) = spread(hue, own.len(), &before);
                before.extend(seen);
                shades
            } else if own.len() < 2 {
                vec![hue]
            } else {
                (0..own.len()).map(|shade| (self.shade)(hue, share(shade))).collect()
            };
            for (place, rank) in own.iter().zip(distant(own.len())) {
                colors[*place] = shades[rank];
            }
        }
        colors
    }

    fn hue(&self, number: usize, of: usize) -> Color {
        if of <= self.few.len() {
            return self.few[number];
        }
        let (saturation, lightness) = self.around;
        let lightness = lightness[number % lightness.len()];
        let (red, green, blue) = HSLColor(number as f64 / of as f64, saturation, lightness).rgb();
        RGBColor(red, green, blue)
    }
}

/// Returns the numbers below `count` in an order in which near ones are distant: the ranks of multiples of the golden ratio.
fn distant(count: usize) -> Vec<usize> {
    let share = |number: &usize| (*number as f64 * 0.618_033_988_75).fract();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|one, other| share(one).total_cmp(&share(other)));
    let mut ranks = vec![0; count];
    for (rank, number) in order.into_iter().enumerate() {
        ranks[number] = rank;
    }
    ranks
}

/// The maximum number of colours that are [`spread`], which takes time in proportion to its square.
const MAX_SPREAD: usize = 64;

/// Returns shades of a hue, from dark to light, that differ as much as possible from each other and from those `before`.
fn spread(hue: Color, number: usize, before: &[Seen]) -> (Vec<Color>, Vec<Seen>) {
    // Differences above this one are as good as any.
    const ENOUGH: f64 = 10.0;
    // Those nearest to the hue come first.
    let shifts = [5, 4, 6, 3, 7, 2, 8, 1, 9, 0, 10];
    let shifts =
        shifts.into_iter().flat_map(|shift| [1.0, 0.8].map(|width| (f64::from(shift) / 10.0, width)));
    let mut best: Option<(f64, Vec<Color>, Vec<Seen>)> = None;
    for colors in shifts.map(|(shift, width)| shades(hue, number, shift, width)) {
        let seen: Vec<Seen> = colors.iter().copied().map(Seen::from_color).collect();
        let to_others = seen.iter().flat_map(|one| before.iter().map(|other| one.difference(other)));
        let least = to_others.fold(least_difference(&seen), f64::min).min(ENOUGH);
        if best.as_ref().is_none_or(|(known, ..)| least > *known) {
            best = Some((least, colors, seen));
        }
    }
    best.map_or_else(Default::default, |(_, colors, seen)| (colors, seen))
}

/// Returns shades of a hue, from dark to light: the share `shift` of their `width` is darker than it.
fn shades(hue: Color, number: usize, shift: f64, width: f64) -> Vec<Color> {
    let shares = (0..number).map(|shade| match number {
        1 => shift - 0.5,
        _ => width * (shade as f64 / (number - 1) as f64 - shift),
    });
    let shades = shares.map(|share| match share {
        dark if dark < 0.0 => mixed(hue, 0.0, (-dark).min(0.6)),
        light => mixed(hue, 255.0, light.min(0.75)),
    });
    shades.collect()
}

/// Returns a colour mixed with a share of black (0) or white (255).
fn mixed(color: Color, toward: f64, share: f64) -> Color {
    let mix = |channel: u8| (f64::from(channel) * (1.0 - share) + toward * share).round() as u8;
    RGBColor(mix(color.0), mix(color.1), mix(color.2))
}

/// Returns a colour for each line on white: those of [`LINES`], and beyond them a hue for each algorithm.
pub(super) fn line_colors(names: &[&str]) -> Vec<Color> {
    if names.len() <= LINES.len() { LINES[..names.len()].to_vec() } else { ON_WHITE.colors(names) }
}

/// Returns a method's description in legends: `pipeline, segments of 8K`.
pub(crate) fn described(method: &Method) -> String {
    match method.segment_size {
        Some(size) => format!("{}, segments of {}", method.name, binary_size(size)),
        None => method.name.clone(),
    }
}

/// Returns black or white, whichever has the higher contrast on a colour.
pub fn ink(on: Color) -> &'static Color {
    // The contrast with white, (1 + 0.05) / (l + 0.05), and with black, (l + 0.05) / 0.05, are equal at this luminance.
    if luminance(on) > 0.179 { &BLACK } else { &WHITE }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(colors: &[Color]) -> f64 {
        least_difference(&colors.iter().copied().map(Seen::from_color).collect::<Vec<_>>())
    }

    #[test]
    fn no_letter_comes_twice() {
        let distinct: BTreeSet<char> = LETTERS.chars().collect();
        assert_eq!(distinct.len(), LETTERS.chars().count());
    }

    #[test]
    fn hues_stay_apart_for_every_sight() {
        assert!(least(&FEW) > 10.0, "{}", least(&FEW));
    }

    #[test]
    fn variants_of_an_algorithm_are_shades_of_its_hue() {
        let names = ["ring", "ring", "ring", "ring", "tree", "tree", "tree", "linear", "bruck", "pairwise"];
        let colors = AREAS.colors(&names);
        for range in [0..4, 4..7] {
            assert!(least(&colors[range.clone()]) > 10.0, "{}", least(&colors[range]));
        }
        assert_eq!(colors[7..], [FEW[2], FEW[6], FEW[5]], "an algorithm without variants keeps its hue");
        let many: Vec<String> = (0..40).map(|number| format!("algorithm {number}")).collect();
        let colors = AREAS.colors(&many.iter().map(String::as_str).collect::<Vec<_>>());
        let distinct: BTreeSet<_> = colors.iter().map(|color| (color.0, color.1, color.2)).collect();
        assert_eq!(distinct.len(), 40);
    }

    /// Fifteen radices among other algorithms: those that a map needs are near each other.
    #[test]
    fn near_parameters_are_told_apart() {
        let names: Vec<String> = (2..17).map(|radix| format!("radix:k={radix}")).collect();
        let others = ["halving", "doubling", "pairwise", "default"];
        let names: Vec<&str> = names.iter().map(String::as_str).chain(others).collect();
        let colors = AREAS.colors(&names);
        for near in colors[..15].windows(3) {
            assert!(least(near) > 10.0, "{near:?}: {}", least(near));
        }
    }

    /// Algorithms with up to seven segment sizes, such as twenty-three winners.
    #[test]
    fn many_methods_differ_for_every_sight() {
        for variants in [
            &[1, 4, 5, 3, 4, 1, 1, 1, 1, 2][..],
            &[5, 5, 5, 5, 3],
            &[7, 7, 7],
            &[3; 8],
            &[2; 12],
            &[1; 20],
            &[1, 1, 1, 1, 1, 1, 1, 1, 6],
        ] {
            let variant = |(number, of): (usize, &usize)| {
                (0..*of).map(move |segment| format!("algorithm {number}/{segment}")).collect::<Vec<_>>()
            };
            let names: Vec<String> = variants.iter().enumerate().flat_map(variant).collect();
            let colors = AREAS.colors(&names.iter().map(String::as_str).collect::<Vec<_>>());
            assert!(least(&colors) > 3.0, "{variants:?}: {}", least(&colors));
            let mut rest = &colors[..];
            for of in variants {
                let (shades, others) = rest.split_at(*of);
                for near in shades.windows(2) {
                    assert!(least(near) > 8.0, "{variants:?} {near:?}: {}", least(near));
                }
                rest = others;
            }
        }
    }

    #[test]
    fn parameters_are_no_part_of_the_algorithm() {
        let cases = [
            ("MPICH_radix:k=4", "MPICH_radix"),
            ("kway (k=2)", "kway"),
            ("ring", "ring"),
            ("4-nomial", "4-nomial"),
            ("chain/8192", "chain"),
            ("binary, best segment", "binary"),
        ];
        for (name, expected) in cases {
            assert_eq!(algorithm(name), expected);
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
