//! Least squares with two non-negative parameters.

/// The sums of a problem `y ≈ a·x1 + b·x2`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    x1x1: f64,
    x1x2: f64,
    x2x2: f64,
    x1y: f64,
    x2y: f64,
}

impl Sums {
    pub(super) fn add(&mut self, x1: f64, x2: f64, y: f64) {
        self.x1x1 += x1 * x1;
        self.x1x2 += x1 * x2;
        self.x2x2 += x2 * x2;
        self.x1y += x1 * y;
        self.x2y += x2 * y;
    }

    /// Returns whether the data determine both parameters: the columns are not multiples of each other, within rounding.
    pub(super) fn determines_both(&self) -> bool {
        let determinant = self.x1x1 * self.x2x2 - self.x1x2 * self.x1x2;
        determinant > 1e-9 * self.x1x1 * self.x2x2
    }

    /// Returns the parameters. If one would be negative, it is 0 and the other is the best for that.
    pub(super) fn solve(&self) -> (f64, f64) {
        let alone = |xy: f64, xx: f64| if xx > 0.0 { (xy / xx).max(0.0) } else { 0.0 };
        let (only1, only2) = (alone(self.x1y, self.x1x1), alone(self.x2y, self.x2x2));
        if !self.determines_both() {
            return if self.x2x2 > 0.0 { (0.0, only2) } else { (only1, 0.0) };
        }
        let determinant = self.x1x1 * self.x2x2 - self.x1x2 * self.x1x2;
        let first = (self.x1y * self.x2x2 - self.x2y * self.x1x2) / determinant;
        let second = (self.x2y * self.x1x1 - self.x1y * self.x1x2) / determinant;
        match (first < 0.0, second < 0.0) {
            (false, false) => (first, second),
            (true, _) => (0.0, only2),
            (false, true) => (only1, 0.0),
        }
    }
}
