//! Times between measured points without a formula.

/// The number of nearest points that count.
const NEAREST: usize = 4;

/// Measured times at scattered points.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples(Vec<(Vec<f64>, f64)>);

impl Samples {
    pub(super) fn new<'s>(points: impl Iterator<Item = (&'s [u64], f64)>) -> Self {
        Self(points.map(|(sizes, time)| (place(sizes), time.ln())).collect())
    }

    /// Returns the time at these sizes: the mean of the logarithms at the nearest points, weighted by the inverse square of their
    /// distance between logarithms of sizes (Shepard, *A two-dimensional interpolation function for irregularly-spaced data*, 1968).
    pub(super) fn time(&self, sizes: &[u64]) -> f64 {
        self.logarithm(&place(sizes), None).exp()
    }

    /// Returns the error at points that are left out one by one: the root of the mean square of the logarithms of measured /
    /// interpolated.
    pub(super) fn left_out(&self) -> f64 {
        let residual =
            |(at, (place, time)): (usize, &(Vec<f64>, f64))| time - self.logarithm(place, Some(at));
        let squares: f64 = self.0.iter().enumerate().map(residual).map(|residual| residual * residual).sum();
        (squares / self.0.len() as f64).sqrt()
    }

    fn logarithm(&self, here: &[f64], without: Option<usize>) -> f64 {
        let distance =
            |there: &[f64]| here.iter().zip(there).map(|(one, other)| (one - other).powi(2)).sum::<f64>();
        let others = self.0.iter().enumerate().filter(|(at, _)| Some(*at) != without);
        let mut near: Vec<(f64, f64)> = others.map(|(_, (there, time))| (distance(there), *time)).collect();
        near.sort_by(|one, other| one.0.total_cmp(&other.0));
        if let Some((distance, time)) = near.first()
            && *distance == 0.0
        {
            return *time;
        }
        let near = &near[..near.len().min(NEAREST)];
        let weights: f64 = near.iter().map(|(distance, _)| 1.0 / distance).sum();
        near.iter().map(|(distance, time)| time / distance).sum::<f64>() / weights
    }
}

fn place(sizes: &[u64]) -> Vec<f64> {
    sizes.iter().map(|&size| (size.max(1) as f64).log2()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_points_keep_their_times_and_others_lie_between() {
        let points: [(&[u64], f64); 3] = [(&[1], 1.0), (&[4], 4.0), (&[16], 4.0)];
        let samples = Samples::new(points.into_iter());
        assert!((samples.time(&[4]) - 4.0).abs() < 1e-12);
        assert!((1.0..4.0).contains(&samples.time(&[2])));
    }
}
