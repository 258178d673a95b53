//! The distance of the best algorithm of a call to the lower bound of any.

use qtdec_mpi_predict::models::Form;
use qtdec_mpi_predict::predict::{Bound, Prediction, Predictor, Size, TimeSource};
use qtdec_report::picture::penalties::NEAR;
use qtdec_terminal::bounds::percent_over;

/// Returns the lower bound of any algorithm for a call, if it holds for these times. Printed formulas may be below it.
pub(super) fn bound_of_call(predictor: &Predictor<'_>, time_source: TimeSource, size: Size) -> Option<Bound> {
    let is_exact = matches!(time_source, TimeSource::Simulated | TimeSource::Formula(Form::Exact));
    is_exact.then(|| predictor.bound(size)).filter(|bound| bound.seconds > 0.0)
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
