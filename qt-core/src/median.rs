//! The median.

/// Returns the median of values in any order: the middle one, or the mean of the middle two; `None` if there are no values.
pub fn median(values: impl Into<Vec<f64>>) -> Option<f64> {
    let mut values = values.into();
    if values.is_empty() {
        return None;
    }
    let (middle, is_even) = (values.len() / 2, values.len() % 2 == 0);
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp).filter(|_| is_even);
    Some(lower.map_or(*upper, |lower| f64::midpoint(lower, *upper)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        let of = |values: &[f64]| median(values);
        assert_eq!([of(&[]), of(&[3.0]), of(&[4.0, 2.0])], [None, Some(3.0), Some(3.0)]);
        assert_eq!([of(&[9.0, 1.0, 2.0]), of(&[9.0, 4.0, 1.0, 2.0])], [Some(2.0), Some(3.0)]);
        assert_eq!(of(&[f64::MAX, f64::MAX]), Some(f64::MAX), "the sum of both is infinite");
    }
}
