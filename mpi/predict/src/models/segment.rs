//! Search for the best segment size.
//!
//! Barchet-Estefanel and Mounié (2004) try `s = m / 2^i` and refine the best size by local hill climbing, after Kielmann et al.
//! (2001), who do not specify the climb. Here the step begins at a quarter of the size. The climb moves by one step to either
//! side while that is strictly better, and otherwise halves the step, down to one element. The time is not convex in the
//! size, so the climb may end in a local minimum.

/// The best segment size found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The size in bytes.
    pub segment: u64,
    /// The time with this segment size, in seconds.
    pub seconds: f64,
}

/// Tries `m / 2^i`, rounded down to whole elements, and returns the best size. Ties go to the largest.
pub fn scan(bytes: u64, element: u64, mut time: impl FnMut(u64) -> f64) -> Option<Found> {
    let element = element.max(1);
    let whole = |size: u64| size - size % element;
    let mut sizes: Vec<u64> =
        (0..u64::BITS).map(|halvings| whole(bytes >> halvings)).take_while(|&size| size > 0).collect();
    sizes.dedup();
    let mut best: Option<Found> = None;
    for segment in sizes {
        let seconds = time(segment);
        if best.is_none_or(|best| seconds < best.seconds) {
            best = Some(Found { segment, seconds });
        }
    }
    best
}

/// The maximum number of times that a climb computes.
const MAX_TIMES: usize = 256;

/// Climbs from a size to a local minimum, where no size one element away is better, or until it has computed 256 values.
pub fn climb(from: Found, bytes: u64, element: u64, mut time: impl FnMut(u64) -> f64) -> Found {
    let element = element.max(1);
    let mut best = from;
    let mut step = (from.segment / 4).max(element);
    step -= step % element;
    let mut computed = 0;
    while computed < MAX_TIMES {
        let up = best.segment.checked_add(step).filter(|&size| size <= bytes);
        let down = best.segment.checked_sub(step).filter(|&size| size > 0);
        let better = [up, down].into_iter().flatten().find_map(|segment| {
            computed += 1;
            let seconds = time(segment);
            (seconds < best.seconds).then_some(Found { segment, seconds })
        });
        match better {
            Some(better) => best = better,
            None if step <= element => return best,
            None => step = ((step / 2) - (step / 2) % element).max(element),
        }
    }
    best
}
