//! The boxes into which thresholds divide the space of sizes.

use crate::axis::Axis;
use crate::bytes::{Bytes, Read, read};

/// The axes, whose intervals are the sides of the boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes<'b, const AXES: usize>([Axis<'b>; AXES]);

impl<'b, const AXES: usize> Boxes<'b, AXES> {
    pub(crate) const fn read(bytes: Bytes<'b>) -> Read<'b, Self> {
        let mut axes = [Axis::ONE; AXES];
        let mut bytes = bytes;
        let mut axis = 0;
        while axis < AXES {
            (axes[axis], bytes) = read!(Axis::read(bytes));
            axis += 1;
        }
        Ok((Self(axes), bytes))
    }

    /// Returns the number of boxes, saturating at the maximum.
    pub(crate) const fn count(&self) -> usize {
        let mut count = 1_usize;
        let mut axis = 0;
        while axis < AXES {
            count = count.saturating_mul(self.0[axis].intervals);
            axis += 1;
        }
        count
    }

    /// Returns the row-major number of the box of these sizes. It is less than the number of boxes, unless that overflows.
    #[inline]
    pub(crate) const fn locate(&self, sizes: [u64; AXES]) -> usize {
        let mut place = 0;
        let mut axis = 0;
        while axis < AXES {
            place = place * self.0[axis].intervals + self.0[axis].interval(sizes[axis]);
            axis += 1;
        }
        place
    }

    /// Returns the number of bytes that the axes take.
    pub(crate) const fn bytes(&self) -> usize {
        let mut bytes = 0;
        let mut axis = 0;
        while axis < AXES {
            bytes += self.0[axis].bytes();
            axis += 1;
        }
        bytes
    }
}
