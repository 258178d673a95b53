//! Methods whose times seem to be in another unit than those of the others.

use qtdec_core::{Costs, Domain, MethodIndex};

/// The factor between the times of methods from which on another unit is likelier, if it holds at every size.
const FACTOR: f64 = 200.0;

/// The minimum number of cells that must agree.
const CELLS: usize = 3;

/// Describes a method that is slower or faster than all others by a factor of units in every cell with times of both, or returns `None`
/// if there is none.
pub(super) fn in_another_unit(domain: &Domain, costs: &Costs) -> Option<String> {
    let compared = |method: MethodIndex| {
        let others = |cell: usize| {
            let others = domain.method_indexes().filter(move |other| *other != method);
            others.filter_map(move |other| costs.get(cell, other))
        };
        let times = move |cell: usize| {
            let least = others(cell).fold(f64::INFINITY, f64::min);
            let most = others(cell).fold(0.0, f64::max);
            Some((costs.get(cell, method)?, least, most)).filter(|_| least.is_finite())
        };
        (0..domain.cells()).filter_map(times).collect::<Vec<_>>()
    };
    domain.method_indexes().find_map(|method| {
        let cells = compared(method);
        let what = match &cells[..] {
            few if few.len() < CELLS => return None,
            all if all.iter().all(|(time, _, most)| *time > FACTOR * most) => "as long as",
            all if all.iter().all(|(time, least, _)| *least > FACTOR * time) => "as short as",
            _ => return None,
        };
        Some(format!(
            "`{}` takes at least {FACTOR} times {what} every other method, in all {} cells: are its times in another unit?",
            domain.method(method).label(),
            cells.len()
        ))
    })
}

#[cfg(test)]
mod tests {
    use qtdec_core::{Axis, Method};

    use super::*;

    /// Returns what is said of times of two methods at sizes 1, 2, ….
    fn said(times: &[[f64; 2]]) -> Option<String> {
        let axes = vec![Axis::new("len", (1..=times.len() as u64).collect::<Vec<_>>())];
        let domain = Domain::new(None, axes, ["a", "b"].map(Method::new).to_vec()).unwrap();
        let values: Vec<_> = times.iter().flatten().map(|time| Some(*time)).collect();
        in_another_unit(&domain, &Costs::new(2, values))
    }

    #[test]
    fn a_factor_of_a_thousand_at_every_size_is_told() {
        let factors = [900.0, 1100.0, 700.0];
        let times = factors.map(|factor| [3.0, 3.0 * factor]);
        assert!(
            said(&times)
                .unwrap()
                .starts_with("`a` takes at least 200 times as short as every other method, in all 3")
        );
        assert!(said(&times.map(|[a, b]| [b, a])).unwrap().contains("times as long"));
        assert_eq!(said(&times[..2]), None);
        assert_eq!(said(&[times[0], times[1], times[2], [3.0, 300.0]]), None);
    }
}
