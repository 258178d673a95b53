//! Reductions as time-reversed broadcasts, plus the time of the operator.
//!
//! A schedule reversed in time costs the same, so the rows of the broadcasts apply. The operator's time is added once for
//! each message that a rank on the longest path combines. Real reductions may be slower: a shallow child fills the port
//! of its parent while the segments of a deep one queue behind it.

use super::call::Call;
use super::{
    Collective, Evaluate, Formula, NotApplicable, Prediction, about, binary, binomial, linear, pipeline,
};

const fn mirror(of: Formula, exact: Evaluate) -> Formula {
    Formula { collective: Collective::Reduce, printed: None, ..of }.exact(exact)
}

fn with_operator(of: Formula, call: &Call<'_>, messages: f64) -> Result<Prediction, NotApplicable> {
    let cuts = call.cuts();
    let broadcast = of.exact.ok_or(NotApplicable::NoSuchForm(super::Form::Exact))?(call)?;
    Ok(about(broadcast.seconds + messages * call.network.reduce(cuts.full)))
}

/// The root combines `P − 1` messages.
pub(super) const LINEAR: Formula =
    mirror(linear::BCAST, |call| with_operator(linear::BCAST, call, call.others() * call.cuts().count));

/// `P − 1` ranks combine one after the other; segments follow each other.
pub(super) const PIPELINE: Formula = mirror(pipeline::BCAST, |call| {
    with_operator(pipeline::BCAST, call, call.others() + call.cuts().count - 1.0)
});

/// Two messages on each level, and two for each further segment.
pub(super) const BINARY: Formula = mirror(binary::BCAST, |call| {
    let levels = f64::from(call.floor_log2());
    with_operator(binary::BCAST, call, 2.0 * (levels + call.cuts().count - 1.0))
});

/// The root combines `⌈log2 P⌉` messages.
pub(super) const BINOMIAL: Formula = mirror(binomial::BCAST, |call| {
    with_operator(binomial::BCAST, call, f64::from(call.ceil_log2()) * call.cuts().count)
});
