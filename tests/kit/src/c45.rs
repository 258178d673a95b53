//! The maps with which C4.5 is tested.

use qtdec_core::{Axis, DecisionMap, Domain, Method, MethodIndex, Samples};

use crate::maps::{Pattern, Plan};

/// Returns maps that are smooth with some noise, like measured ones, and a few that are not.
pub fn maps() -> Vec<(&'static str, DecisionMap)> {
    let plan = |shape: &[usize], pattern, seed, methods| Plan { methods, ..Plan::new(shape, pattern, seed) };
    vec![
        ("bands", plan(&[8, 12], Pattern::Bands, 1, 5).map()),
        ("smooth", plan(&[12, 16], Pattern::Smooth, 2, 4).map()),
        ("smoother", plan(&[20, 20], Pattern::Smooth, 3, 6).map()),
        ("gaps", Plan { nulls: 20, ..plan(&[16, 18], Pattern::Smooth, 4, 4) }.map()),
        ("noise", plan(&[9, 9], Pattern::Noise, 5, 2).map()),
        ("corner", plan(&[10, 10], Pattern::Corner, 6, 2).map()),
        ("checkerboard", plan(&[8, 8], Pattern::Checkerboard, 7, 2).map()),
        ("line", plan(&[40], Pattern::Smooth, 8, 4).map()),
        ("three_axes", plan(&[6, 8, 5], Pattern::Smooth, 9, 4).map()),
        ("combined", combined()),
    ]
}

/// Returns a map of two collectives.
fn combined() -> DecisionMap {
    let halves = [(10, 4), (11, 5)]
        .map(|(seed, methods)| Plan { methods, ..Plan::new(&[12, 14], Pattern::Smooth, seed) }.map());
    let labels = Samples::Labels(vec!["bcast".to_owned(), "reduce".to_owned()]);
    let collective = Axis { samples: labels, ..Axis::new("collective", []) };
    let values = |len: u64| (0..len).map(|sample| 3 * sample + 2).collect::<Vec<_>>();
    let axes = vec![collective, Axis::new("comm_size", values(12)), Axis::new("msg_size", values(14))];
    let methods = (0..5).map(|index| Method::new(format!("method {index}"))).collect();
    let domain = Domain::new(None, axes, methods).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells =
        halves.iter().flat_map(DecisionMap::cells).map(|method| method.map(|method| indexes[method.get()]));
    DecisionMap::new(domain.clone(), cells.collect()).unwrap()
}
