//! Creation of maps from costs that a program computes.

use super::{Costs, DecisionMap, costs};
use crate::domain::{Axis, Domain, Method, MethodIndex, Samples};
use crate::problem::{Diagnostics, Place, Problem, Problems};

impl DecisionMap {
    /// Creates the map that chooses the cheapest method at every point of the grid.
    ///
    /// `cost` is called once for each point and method, with points in row-major order and methods in order. A point holds the size on
    /// each axis, or the position of a label. `None` means that the method was not measured there. A point where no method
    /// was measured has no decision. A method is neither priced nor chosen where its
    /// [requirements](Method::requires) exclude it. The map keeps all costs, and its source says that it was made here;
    /// [`with_source`](DecisionMap::with_source) replaces that by what is known of the machine and the date.
    ///
    /// Of methods with the same cost, a [baseline](Method::baseline) is chosen, or else the first in the list, as in every map that
    /// qtdec makes. One that is [called `baseline`](Method::BASELINE) is not chosen. To let encoders choose any of them, add
    /// [ties](DecisionMap::with_ties).
    ///
    /// ```
    /// use qtdec_core::{Axis, DecisionMap, Method};
    ///
    /// let axes = vec![Axis::new("rows", [1, 16, 256])];
    /// let methods = vec![Method::new("simple"), Method::new("blocked")];
    /// // Nanoseconds: the blocked kernel takes 100 to set up, and a quarter of the time for each row.
    /// let map = DecisionMap::from_costs(axes, methods, |point, method| {
    ///     let rows = point[0] as f64;
    ///     [10.0 * rows, 100.0 + 2.5 * rows][method.get()]
    /// })?;
    ///
    /// let chosen: Vec<_> = map.cells().iter().flatten().map(|method| method.get()).collect();
    /// assert_eq!(chosen, [0, 1, 1]);
    /// assert_eq!(map.costs().unwrap().get(0, map.cells()[0].unwrap()), Some(10.0));
    /// # Ok::<(), qtdec_core::Problems>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for axes and methods that make no valid [`Domain`], and for every cost that is not finite and above 0.
    pub fn from_costs<C: Into<Option<f64>>>(
        axes: Vec<Axis>,
        methods: Vec<Method>,
        mut cost: impl FnMut(&[u64], MethodIndex) -> C,
    ) -> Result<Self, Problems> {
        let domain = Domain::new(None, axes, methods)?;
        let mut check = Diagnostics::default();
        let mut values = Vec::with_capacity(domain.cells() * domain.methods().len());
        for cell in 0..domain.cells() {
            let point = domain.sizes(cell);
            for method in domain.method_indexes() {
                let runs = domain.may_run(method, &point);
                let value = if runs { cost(&point, method).into() } else { None };
                if let Some(refused) = value.filter(|cost| !costs::is_cost(*cost)) {
                    check.add_with(|| refused_at(refused, &domain, &point, method));
                }
                values.push(value);
            }
        }
        check.finish(Some(()))?;
        let costs = Costs::new(domain.methods().len(), values);
        let is_choosable = |method: &MethodIndex| !domain.method(*method).is_never_chosen();
        let mut baseline_first: Vec<MethodIndex> = domain.method_indexes().filter(is_choosable).collect();
        baseline_first.sort_by_key(|&method| !domain.method(method).baseline);
        let cheapest = |cell| costs.cheapest(cell, baseline_first.iter().copied());
        let cells = (0..domain.cells()).map(cheapest).collect();
        Self::new(domain, cells)?.with_costs(costs)?.with_source(SOURCE)
    }
}

/// The source of a map that says no more about its origin.
const SOURCE: &str =
    concat!(r#"{"made_by": "DecisionMap::from_costs of qtdec "#, env!("CARGO_PKG_VERSION"), r#""}"#);

fn refused_at(cost: f64, domain: &Domain, point: &[u64], method: MethodIndex) -> Problem {
    let sizes = domain.axes().iter().zip(point).map(|(axis, &size)| match &axis.samples {
        Samples::Values(_) => format!("{} = {size}", axis.name),
        Samples::Labels(labels) => format!("{} = {}", axis.name, labels[size as usize]),
    });
    let sizes = sizes.collect::<Vec<_>>().join(", ");
    let label = domain.method(method).label();
    let (fault, help) = if cost.is_finite() && cost > 0.0 {
        (format!("{cost:e} is too extreme for a map"), "use another unit for the costs")
    } else {
        (format!("{cost} is not a finite number above 0"), "return `None` where a method was not measured")
    };
    Problem::new(Place::File, format!("the cost of `{label}` at {sizes}: {fault}")).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Requirement;

    fn axes() -> Vec<Axis> {
        let labels = ["a", "b"].map(str::to_owned).into();
        vec![Axis::new("m", [1, 2, 3]), Axis { samples: Samples::Labels(labels), ..Axis::new("kind", []) }]
    }

    fn methods() -> Vec<Method> {
        ["one", "two", "three"].map(Method::new).into()
    }

    fn chosen(map: &DecisionMap) -> Vec<Option<usize>> {
        map.cells().iter().map(|method| method.map(MethodIndex::get)).collect()
    }

    #[test]
    fn points_are_evaluated_in_order_and_the_first_of_equal_methods_is_chosen() {
        let mut calls = Vec::new();
        let map = DecisionMap::from_costs(axes(), methods(), |point, method| {
            calls.push((point.to_vec(), method.get()));
            [2.0, 1.0, 1.0][method.get()]
        })
        .unwrap();
        assert_eq!(chosen(&map), [Some(1); 6], "the second and the third cost the same");
        let points = [[1, 0], [1, 1], [2, 0], [2, 1], [3, 0], [3, 1]];
        let expected: Vec<_> =
            points.iter().flat_map(|point| (0..3).map(|method| (point.to_vec(), method))).collect();
        assert_eq!(calls, expected);
        assert!(map.ties().is_none());
    }

    #[test]
    fn a_baseline_is_chosen_before_equal_methods() {
        let mut methods = methods();
        methods[2].baseline = true;
        let map = DecisionMap::from_costs(axes(), methods, |point, method| {
            if point[0] < 3 || method.get() > 0 { 2.0 } else { 1.0 }
        });
        assert_eq!(chosen(&map.unwrap()), [Some(2), Some(2), Some(2), Some(2), Some(0), Some(0)]);
    }

    #[test]
    fn a_rule_as_baseline_is_priced_and_never_chosen() {
        let mut methods = methods();
        methods.push(Method { baseline: true, ..Method::new(Method::BASELINE) });
        let map = DecisionMap::from_costs(axes(), methods, |_, method| 4.0 - method.get() as f64).unwrap();
        assert_eq!(chosen(&map), [Some(2); 6]);
        let present = map.domain().baseline().unwrap();
        assert_eq!(map.costs().unwrap().get(0, present), Some(1.0));
        assert!(!map.candidates().contains(&present));
    }

    #[test]
    fn what_was_not_measured_is_not_chosen() {
        let map = DecisionMap::from_costs(axes(), methods(), |point, method| match (point, method.get()) {
            ([2, _], _) | (_, 1) => None,
            ([_, kind], method) => Some(if *kind as usize * 2 == method { 1.0 } else { 2.0 }),
            _ => unreachable!("there are two axes"),
        })
        .unwrap();
        assert_eq!(chosen(&map), [Some(0), Some(2), None, None, Some(0), Some(2)]);
    }

    #[test]
    fn methods_that_cannot_run_are_not_called() {
        let mut methods = methods();
        methods[0].requires = vec![Requirement::PowerOfTwo];
        let axes = vec![Axis::new("comm_size", [1, 2, 3])];
        let map = DecisionMap::from_costs(axes, methods, |point, method| {
            assert!(point[0] < 3 || method.get() > 0, "it may not run at {point:?}");
            1.0 + method.get() as f64
        })
        .unwrap();
        assert_eq!(chosen(&map), [Some(0), Some(0), Some(1)]);
    }

    #[test]
    fn invalid_costs_are_rejected() {
        let refused =
            DecisionMap::from_costs(axes(), methods(), |point, method| match (point[0], method.get()) {
                (1, 0) => f64::NAN,
                (2, 1) => -1.0,
                (3, 2) => f64::INFINITY,
                (3, 1) => 0.0,
                _ => 1.0,
            });
        let said: Vec<String> = refused.unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 8);
        assert!(
            said[0].starts_with("the cost of `one` at m = 1, kind = a: NaN is not a finite number above 0"),
            "{}",
            said[0]
        );
        assert!(
            said[7].starts_with("the cost of `three` at m = 3, kind = b: inf is not a finite number above 0"),
            "{}",
            said[7]
        );
    }

    #[test]
    fn axes_and_methods_are_checked() {
        let said = DecisionMap::from_costs(vec![Axis::new("m", [2, 1])], Vec::new(), |_, _| 1.0).unwrap_err();
        assert_eq!(said.iter().count(), 2, "{said}");
    }
}
