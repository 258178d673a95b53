//! Gap and overheads as functions of the message size.

/// Gap and overheads at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The size of the message.
    pub bytes: u64,
    /// The least time between two such messages on one link.
    pub gap: f64,
    /// The time that the sender's processor is busy.
    pub send: f64,
    /// The time that the receiver's processor is busy.
    pub receive: f64,
}

/// Gap and overheads at an arbitrary size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The least time between two such messages on one link.
    pub gap: f64,
    /// The time that the sender's processor is busy.
    pub send: f64,
    /// The time that the receiver's processor is busy.
    pub receive: f64,
}

/// Piecewise linear functions of the size: constant below the first point, and extrapolated above the last along the line
/// through the last two, but never falling.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve {
    points: Vec<Point>,
}

impl Curve {
    /// Creates the functions from checked points: at least two, of increasing sizes.
    pub(super) fn new(points: &[Point]) -> Self {
        Self { points: points.to_vec() }
    }

    pub(super) fn at(&self, bytes: u64) -> Sample {
        let last = self.points.len() - 1;
        let above = self.points.partition_point(|point| point.bytes < bytes);
        let Point { gap, send, receive, .. } = self.points[above.min(last)];
        let sample = Sample { gap, send, receive };
        if above == 0 || (above <= last && self.points[above].bytes == bytes) {
            return sample;
        }
        let (low, high) = (self.points[above.min(last) - 1], self.points[above.min(last)]);
        let beyond = above > last;
        let line = |from: f64, to: f64| {
            let slope = (to - from) / (high.bytes - low.bytes) as f64;
            if beyond {
                to + slope.max(0.0) * (bytes - high.bytes) as f64
            } else {
                from + slope * (bytes - low.bytes) as f64
            }
        };
        Sample {
            gap: line(low.gap, high.gap),
            send: line(low.send, high.send),
            receive: line(low.receive, high.receive),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(bytes: u64, gap: f64) -> Point {
        Point { bytes, gap, send: gap / 2.0, receive: gap / 4.0 }
    }

    #[test]
    fn curves_are_linear_between_points_and_never_fall_beyond_them() {
        let rising = Curve::new(&[point(10, 4.0), point(20, 8.0), point(40, 8.0), point(50, 10.0)]);
        let gaps = [(0, 4.0), (10, 4.0), (15, 6.0), (20, 8.0), (30, 8.0), (50, 10.0), (100, 20.0)];
        for (bytes, gap) in gaps {
            let expected = Sample { gap, send: gap / 2.0, receive: gap / 4.0 };
            assert_eq!(rising.at(bytes), expected, "{bytes}");
        }
        let falling = Curve::new(&[point(1, 4.0), point(2, 3.0)]);
        assert_eq!(falling.at(2).gap, 3.0);
        assert_eq!(falling.at(u64::MAX).gap, 3.0);
    }
}
