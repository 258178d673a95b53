//! Maps that are written and read again have the same costs, to the last bit.

use qtdec_core::{Axis, Costs, DecisionMap, Document, Domain, Method};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

#[test]
fn costs_keep_every_bit() {
    let mut random = Pcg64::seed_from_u64(17);
    let any_positive = |_| {
        // These are random bits between the smallest and the largest cost.
        Some(f64::from_bits(random.random_range(1e-100_f64.to_bits()..=1e100_f64.to_bits())))
    };
    let values: Vec<Option<f64>> = (0..4000).map(any_positive).collect();
    let sizes: Vec<u64> = (1..=2000).collect();
    let methods = vec![Method::new("linear"), Method::new("ring")];
    let domain = Domain::new(None, vec![Axis::new("msg_size", sizes)], methods).unwrap();
    let known: Vec<_> = domain.method_indexes().collect();
    let best = values.chunks(2).map(|pair| Some(known[usize::from(pair[1] < pair[0])])).collect();
    let map = DecisionMap::new(domain, best).unwrap().with_costs(Costs::new(2, values)).unwrap();
    let Ok(Document::Map(again)) = Document::from_json(map.to_json().as_bytes()) else { panic!("not a map") };
    for cell in 0..2000 {
        for &method in &known {
            let bits = |map: &DecisionMap| map.costs().unwrap().get(cell, method).map(f64::to_bits);
            assert_eq!(bits(&map), bits(&again), "cell {cell}");
        }
    }
}
