//! The rule by which products are computed. A maintainer would call `choice::multiplication` alone; the others are for measuring.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What the next product does: one of the constants below.
pub static RULE: AtomicU8 = AtomicU8::new(DECIDED);

/// The decision, in all products.
pub const DECIDED: u8 = 0;
/// The rule of the published crate, in all products.
pub const PRESENT: u8 = 1;
/// Long multiplication in the next product, and the rule of the published crate in its parts; so do the others.
pub const LONG: u8 = 2;
pub const HALF_KARATSUBA: u8 = 3;
pub const KARATSUBA: u8 = 4;
pub const TOOM_3: u8 = 5;

/// The length below which no number is split: the smallest sample.
const SHORTEST: usize = 12;

/// Returns the method of a product by the lengths of its factors.
pub(crate) fn method(short: usize, long: usize) -> u8 {
    match RULE.load(Relaxed) {
        DECIDED if short < SHORTEST => LONG,
        DECIDED => crate::choice::multiplication(short, 100 * long / short),
        PRESENT => present(short, long),
        method => {
            RULE.store(PRESENT, Relaxed);
            method
        }
    }
}

fn present(short: usize, long: usize) -> u8 {
    if short <= 32 {
        LONG
    } else if short * 2 <= long {
        HALF_KARATSUBA
    } else if short <= 256 {
        KARATSUBA
    } else {
        TOOM_3
    }
}
