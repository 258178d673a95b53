//! The distance of the best algorithm of a call to the lower bound of any.

use qtdec_mpi_predict::predict::{Bound, Prediction, Predictor, Size, TimeSource};
use qtdec_report::bounds::percent_over;
use qtdec_report::picture::NEAR;

/// Returns the lower bound of any algorithm for a call, if it holds for these times.
pub(super) fn bound_of_call(predictor: &Predictor<'_>, time_source: TimeSource, size: Size) -> Option<Bound> {
    time_source.is_bounded().then(|| predictor.bound(size)).filter(|bound| bound.seconds > 0.0)
}

/// Returns how far the best algorithm of a call is from the bound.
pub(super) fn of_call(bound: Bound, found: &[Prediction]) -> Option<String> {
    let over = percent_over(found.first()?.seconds, bound.seconds);
    Some(if over <= NEAR {
        format!("the best is within {NEAR} % of the lower bound of any algorithm: tuning is pointless here")
    } else {
        format!(
            "the best takes {over:.0} % longer than the lower bound of any algorithm, which no other one can beat"
        )
    })
}
