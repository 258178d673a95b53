//! Times interpolated without a model from measured points in logarithmic coordinates.
//!
//! For each method a plane `ln t = a + b log2(P + 1) + c log2(m + 1)` is fitted to its measured points by least squares,
//! and the residuals are spread over the grid as in [`correct`]. If a method's points do not determine a slope, the slope of
//! all methods together is used.

use super::Times;
use super::correct::{correct, place};

/// Returns the times of all points, interpolated from the measured ones, or `None` for a method that was not measured at any of
/// them.
///
/// # Panics
///
/// Panics if a point does not have exactly two coordinates, or if `known` names a point that does not exist.
pub fn interpolate(measured: &Times, known: &[usize]) -> Times {
    let places: Vec<Vec<f64>> = measured.points.iter().map(|point| place(point)).collect();
    let mut sums = vec![Sums::default(); measured.methods];
    for &point in known {
        for (method, sums) in sums.iter_mut().enumerate() {
            if let Some(time) = measured.at(point)[method].filter(|time| *time > 0.0) {
                sums.add([places[point][0], places[point][1], time.ln()]);
            }
        }
    }
    let pooled = sums.iter().fold([0.0; 5], |mut all, sums| {
        all.iter_mut().zip(sums.centred()).for_each(|(all, one)| *all += one);
        all
    });
    let planes: Vec<Option<([f64; 2], [f64; 3])>> = sums
        .iter()
        .map(|sums| {
            let slopes = slopes(sums.centred()).or_else(|| slopes(pooled)).unwrap_or_default();
            (sums.count > 0.0).then(|| (slopes, sums.mean()))
        })
        .collect();
    let mut plane = measured.clone();
    for (index, time) in plane.times.iter_mut().enumerate() {
        let at = &places[index / measured.methods];
        *time = planes[index % measured.methods]
            .map(|([b, c], [x, y, z])| (z + b * (at[0] - x) + c * (at[1] - y)).exp());
    }
    correct(&plane, measured, known)
}

/// The sums of points (x, y, z), and of their products.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: f64,
    sum: [f64; 3],
    /// xx, xy, yy, xz, yz.
    products: [f64; 5],
}

/// The two coordinates of each product.
const FACTORS: [[usize; 2]; 5] = [[0, 0], [0, 1], [1, 1], [0, 2], [1, 2]];

impl Sums {
    fn add(&mut self, point: [f64; 3]) {
        self.count += 1.0;
        self.sum.iter_mut().zip(point).for_each(|(sum, value)| *sum += value);
        for (product, [one, other]) in self.products.iter_mut().zip(FACTORS) {
            *product += point[one] * point[other];
        }
    }

    fn mean(&self) -> [f64; 3] {
        self.sum.map(|sum| sum / self.count)
    }

    /// Returns the products of the distances from the mean.
    fn centred(&self) -> [f64; 5] {
        let mut centred = self.products;
        for (product, [one, other]) in centred.iter_mut().zip(FACTORS).filter(|_| self.count > 0.0) {
            *product -= self.sum[one] * self.sum[other] / self.count;
        }
        centred
    }
}

/// Returns the slopes of a plane, unless its points lie on a line.
fn slopes([xx, xy, yy, xz, yz]: [f64; 5]) -> Option<[f64; 2]> {
    let determinant = xx * yy - xy * xy;
    let settled = xx > 1e-9 && yy > 1e-9 && determinant > 1e-6 * xx * yy;
    settled.then(|| [(xz * yy - yz * xy) / determinant, (yz * xx - xz * xy) / determinant])
}
