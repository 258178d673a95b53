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

impl Point {
    /// Returns gap and overheads at a size, from checked points: at least two, of increasing sizes. They are piecewise linear in the size:
    /// constant below the first point, and extrapolated above the last along the line through the last two, but never falling.
    pub(super) fn at(points: &[Self], bytes: u64) -> Self {
        let last = points.len() - 1;
        let above = points.partition_point(|point| point.bytes < bytes);
        let high = points[above.min(last)];
        if above == 0 || (above <= last && high.bytes == bytes) {
            return Self { bytes, ..high };
        }
        let low = points[above.min(last) - 1];
        let slope = |from: f64, to: f64| (to - from) / (high.bytes - low.bytes) as f64;
        let line = |from, to| match bytes.checked_sub(high.bytes) {
            Some(beyond) => to + slope(from, to).max(0.0) * beyond as f64,
            None => from + slope(from, to) * (bytes - low.bytes) as f64,
        };
        Self {
            bytes,
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
        let rising = [point(10, 4.0), point(20, 8.0), point(40, 8.0), point(50, 10.0)];
        let gaps = [(0, 4.0), (10, 4.0), (15, 6.0), (20, 8.0), (30, 8.0), (50, 10.0), (100, 20.0)];
        for (bytes, gap) in gaps {
            assert_eq!(Point::at(&rising, bytes), point(bytes, gap));
        }
        let falling = [point(1, 4.0), point(2, 3.0)];
        assert_eq!(Point::at(&falling, 2).gap, 3.0);
        assert_eq!(Point::at(&falling, u64::MAX).gap, 3.0);
    }
}
