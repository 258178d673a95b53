//! Methods whose times seem to be in another unit than those of the others.

use qtdec_core::{Costs, Domain, MethodIndex};

/// The factor between the times of methods from which on another unit is likelier, if it holds at every size.
const FACTOR: f64 = 200.0;

/// The minimum number of cells that must agree.
const CELLS: usize = 3;

/// In how many cells a method has times beside others, and is slower or faster than all of them by the factor.
#[derive(Clone, Default)]
struct Seen {
    cells: usize,
    slower: usize,
    faster: usize,
}

/// Describes a method that is slower or faster than all others by a factor of units in every cell with times of both, or returns `None`
/// if there is none.
pub(super) fn in_another_unit(domain: &Domain, costs: &Costs) -> Option<String> {
    let mut seen = vec![Seen::default(); domain.methods().len()];
    for cell in 0..domain.cells() {
        let time = |method: MethodIndex| Some((costs.get(cell, method)?, method.get()));
        let mut times: Vec<(f64, usize)> = domain.method_indexes().filter_map(time).collect();
        times.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        // Only the first and the last of a cell can be that far from all others.
        let ([(fastest, first), (second, _), ..], [.., (last_but_one, _), (slowest, last)]) =
            (&times[..], &times[..])
        else {
            continue;
        };
        for (_, method) in &times {
            seen[*method].cells += 1;
        }
        seen[*first].faster += usize::from(*second > FACTOR * fastest);
        seen[*last].slower += usize::from(*slowest > FACTOR * last_but_one);
    }
    domain.method_indexes().find_map(|method| {
        let Seen { cells, slower, faster } = seen[method.get()];
        let what = match cells {
            few if few < CELLS => return None,
            all if slower == all => "as long as",
            all if faster == all => "as short as",
            _ => return None,
        };
        Some(format!(
            "`{}` takes at least {FACTOR} times {what} every other method, in all {cells} cells: are its times in another unit?",
            domain.method(method).label(),
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
