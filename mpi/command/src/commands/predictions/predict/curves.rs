//! A picture of predicted times by message size.

use qtdec_mpi_predict::predict::{Predictor, Size};

use qtdec_report::picture::{Picture, times_over_sizes};

/// Returns the time of every method as a function of the size, from one byte up to that of a call; with a search,
/// that of every algorithm with its best segment for each size.
pub(super) fn curves(predictor: &Predictor<'_>, call: Size, segments: &[u64], search: bool) -> Picture {
    let mut sizes: Vec<u64> =
        (0..u64::BITS).map(|power| 1 << power).take_while(|&size| size < call.msg_size).collect();
    sizes.push(call.msg_size);
    let mut series: Vec<(String, Vec<(u64, f64)>)> = Vec::new();
    let named = predictor.methods(&[]);
    for &msg_size in &sizes {
        let size = Size { msg_size, ..call };
        let found = if search { predictor.search(size) } else { predictor.ranking(size, segments) };
        for prediction in found {
            let algorithm = prediction.method.algorithm();
            let is_found = prediction.method.levels.is_some() && !named.contains(&prediction.method);
            let name = match (prediction.method.segment_size, prediction.method.radix) {
                (None, None) if is_found => format!("{}, best levels", prediction.method.algorithm),
                (None, None) => algorithm.to_owned(),
                (None, Some(_)) => format!("{algorithm}, best radix"),
                (Some(_), Some(_)) => format!("{algorithm}, best segment and radix"),
                (Some(_), None) if search => format!("{algorithm}, best segment"),
                (Some(segment), None) => format!("{algorithm}/{segment}"),
            };
            let point = (msg_size, prediction.seconds * 1e6);
            match series.iter_mut().find(|(known, _)| *known == name) {
                Some((_, points)) => points.push(point),
                None => series.push((name, vec![point])),
            }
        }
    }
    series.sort_by(|one, other| one.0.cmp(&other.0));
    let title = format!("{} of {} ranks", predictor.collective(), call.comm_size);
    times_over_sizes(&title, &series)
}
