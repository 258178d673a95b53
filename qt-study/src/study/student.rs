//! Student's t distribution, and Fisher's F.

use special::Beta;

/// The degrees of freedom from which on the distribution counts as the normal one: quantiles differ by less than 2 in a million. The
/// incomplete beta function does not converge for many more.
const MANY: f64 = 1e6;

/// Returns the probability that t exceeds a value, for a number of degrees of freedom that need not be whole.
pub fn tail(t: f64, degrees: f64) -> f64 {
    let degrees = degrees.min(MANY);
    if t.is_infinite() {
        return if t > 0.0 { 0.0 } else { 1.0 };
    }
    // Both sides together are the incomplete beta function at this place.
    let place = degrees / (degrees + t * t);
    let half = place.inc_beta(degrees / 2.0, 0.5, (degrees / 2.0).ln_beta(0.5)) / 2.0;
    if t >= 0.0 { half } else { 1.0 - half }
}

/// Returns the value that t exceeds with a probability between 0 and 1/2.
pub fn exceeded_with(probability: f64, degrees: f64) -> f64 {
    let degrees = degrees.min(MANY);
    let place = (2.0 * probability).inv_inc_beta(degrees / 2.0, 0.5, (degrees / 2.0).ln_beta(0.5));
    (degrees * (1.0 / place - 1.0)).max(0.0).sqrt()
}

/// Returns the probability that F exceeds a value, for the degrees of freedom of the numerator and of the denominator.
pub fn f_tail(f: f64, above: f64, below: f64) -> f64 {
    if f.is_nan() || f <= 0.0 {
        return 1.0;
    }
    let place = below / (below + above * f);
    place.inc_beta(below / 2.0, above / 2.0, (below / 2.0).ln_beta(above / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values for 5 % and 1 % of every printed table, which have five digits.
    #[test]
    fn values_of_f_are_those_of_the_tables() {
        for (probability, above, below, value) in [
            (0.05, 1.0, 10.0, 4.9646),
            (0.05, 5.0, 10.0, 3.3258),
            (0.01, 5.0, 10.0, 5.6363),
            (0.01, 12.0, 60.0, 2.4961),
        ] {
            let found = f_tail(value, above, below);
            assert!((found - probability).abs() < 1e-5, "{probability} {found}");
        }
        assert_eq!((f_tail(0.0, 3.0, 4.0), f_tail(f64::INFINITY, 3.0, 4.0)), (1.0, 0.0));
    }

    /// The values of `scipy.stats.t.ppf`, as in every printed table; with one degree the distribution is Cauchy's.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        let table = [
            (0.025, 1.0, 12.706_204_736),
            (0.025, 2.0, 4.302_652_730),
            (0.025, 4.0, 2.776_445_105),
            (0.025, 9.0, 2.262_157_163),
            (0.025, 18.0, 2.100_922_040),
            (0.05, 9.0, 1.833_112_933),
            (0.005, 9.0, 3.249_835_542),
            (0.000_1, 1.0, 3_183.098_757),
            (0.025, 100.0, 1.983_971_519),
        ];
        for (probability, degrees, expected) in table {
            let found = exceeded_with(probability, degrees);
            assert!((found / expected - 1.0).abs() < 1e-6, "{probability} {degrees}: {found} {expected}");
        }
    }

    /// The quantiles of the normal distribution, of `scipy.stats.norm.ppf`.
    #[test]
    fn any_number_of_degrees_ends_in_the_normal_distribution() {
        for degrees in [1e5, 1e6, 1e9, 1e37, f64::INFINITY] {
            for (probability, expected) in [(0.025, 1.959_963_985), (0.000_1, 3.719_016_485)] {
                let found = exceeded_with(probability, degrees);
                assert!((found / expected - 1.0).abs() < 1e-4, "{probability} {degrees}: {found} {expected}");
                assert!(
                    (tail(expected, degrees) / probability - 1.0).abs() < 1e-3,
                    "{probability} {degrees}"
                );
            }
        }
    }

    #[test]
    fn the_tail_is_the_inverse_of_the_quantile() {
        for degrees in [1.0, 1.5, 2.0, 3.7, 9.0, 40.5] {
            for probability in [0.000_1, 0.002, 0.025, 0.1, 0.4, 0.499] {
                let found = tail(exceeded_with(probability, degrees), degrees);
                assert!((found / probability - 1.0).abs() < 1e-6, "{degrees} {probability} {found}");
                let other = tail(-exceeded_with(probability, degrees), degrees);
                assert!((other - (1.0 - probability)).abs() < 1e-6);
            }
        }
        assert_eq!((tail(f64::INFINITY, 3.0), tail(f64::NEG_INFINITY, 3.0)), (0.0, 1.0));
        assert!((tail(0.0, 3.0) - 0.5).abs() < 1e-12);
    }
}
