//! Scales of numbers, with round numbers along them.

use super::Scale;

/// The most numbers along a scale.
const MOST: f64 = 8.0;

/// Returns a linear scale, which has some room also where all numbers are the same.
pub(super) fn linear(title: &str, (from, to): (f64, f64)) -> Scale {
    let (from, to) = if from < to {
        (from, to)
    } else if from.is_finite() {
        (from, from + 1.0)
    } else {
        (0.0, 1.0)
    };
    let least = (to - from) / MOST;
    let power = 10_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|step| step * power).into_iter().find(|step| *step >= least);
    let step = step.unwrap_or(least);
    let ticks = ((from / step).ceil() as i64..=(to / step).floor() as i64).map(|at| {
        let at = at as f64 * step;
        (at, number(at))
    });
    Scale { title: title.to_owned(), from, to, ticks: ticks.collect() }
}

/// Returns the position of per cent on a scale of penalties, on which 1 and 10 % are as visible as 100 %, and which has a 0.
pub fn percent(percent: f64) -> f64 {
    percent.max(0.0).ln_1p()
}

/// Returns a scale of penalties from 0 to at least this one, in positions of [`percent`].
pub(super) fn of_percent(title: &str, highest: f64) -> Scale {
    let to = percent(if highest > 0.0 { 1.1 * highest } else { 1.0 });
    let mut ticks = vec![(0.0, "0".to_owned())];
    // Powers of ten come first, then what stands between them.
    for factor in [1.0, 5.0, 2.0] {
        for power in -3..9 {
            let value = factor * 10_f64.powi(power);
            let at = percent(value);
            let is_free = ticks.iter().all(|(known, _)| (known - at).abs() >= 0.07 * to);
            if at <= to && is_free {
                ticks.push((at, number(value)));
            }
        }
    }
    ticks.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    Scale { title: format!("{title} [%], scale of log(1 + x)"), from: 0.0, to, ticks }
}

/// Returns a logarithmic scale in powers of ten that includes all of these powers, with a number for each, and of few powers also for
/// twice and five times as much.
pub(super) fn powers_of_ten(title: &str, powers: impl Iterator<Item = f64>) -> Scale {
    let (from, to) = whole(powers);
    let factors: &[f64] = if to - from <= 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let ticks = (from..=to).flat_map(|power| factors.iter().map(move |factor| factor * 10_f64.powi(power)));
    let ticks = ticks.map(|value| (value.log10(), number(value)));
    let ticks = ticks.filter(|(at, _)| *at <= f64::from(to));
    Scale {
        title: format!("{title}, logarithmic"),
        from: f64::from(from),
        to: f64::from(to),
        ticks: ticks.collect(),
    }
}

/// Returns the range of whole powers that includes all of them, at least one wide.
pub(super) fn whole(powers: impl Iterator<Item = f64>) -> (i32, i32) {
    let (least, most) = powers
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), power| (least.min(power), most.max(power)));
    if least > most {
        return (0, 1);
    }
    let from = least.floor() as i32;
    (from, (most.ceil() as i32).max(from + 1))
}

/// Returns a number without the digits of rounding, and large and small ones as powers.
fn number(value: f64) -> String {
    let rounded = (value * 1e9).round() / 1e9;
    if rounded != 0.0 && !(1e-4..1e6).contains(&rounded.abs()) {
        format!("{rounded:e}")
    } else {
        rounded.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(scale: &Scale) -> Vec<&str> {
        scale.ticks.iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn numbers_are_round() {
        assert_eq!(texts(&linear("", (0.0, 0.85))), ["0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(texts(&linear("", (3.0, 41.0))), ["5", "10", "15", "20", "25", "30", "35", "40"]);
        assert_eq!(texts(&linear("", (5.0, 100.0))), ["20", "40", "60", "80", "100"]);
        assert_eq!(texts(&powers_of_ten("", [1.2, 1.9].into_iter())), ["10", "20", "50", "100"]);
        assert_eq!(texts(&powers_of_ten("", [-4.5, 6.5].into_iter()))[..2], ["1e-5", "0.0001"]);
    }

    #[test]
    fn small_penalties_are_seen_beside_large_ones() {
        let scale = of_percent("penalty", 200.0);
        assert_eq!(texts(&scale), ["0", "1", "2", "5", "10", "20", "50", "100", "200"]);
        assert!(percent(10.0) - percent(1.0) > 0.3 * scale.to);
        assert_eq!(texts(&of_percent("penalty", 0.08))[..2], ["0", "0.01"]);
        assert_eq!(of_percent("penalty", 0.0).from, 0.0);
    }
}
