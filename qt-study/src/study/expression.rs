//! The numbers that a program compares with a threshold: a size, or a few sizes in an expression that one would write by hand.

use qtdec_core::{Axis, Domain, Samples, naming};

/// A whole number made of the sizes of a call. Axes are given by their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expression {
    /// A size, or the position of a label.
    Axis(usize),
    /// The product of sizes, which saturates.
    Product(Vec<usize>),
    /// A size divided by another one, rounded down. A division by 0 is the greatest number.
    Ratio(usize, usize),
    /// The least one of sizes.
    Min(Vec<usize>),
    /// The greatest one of sizes.
    Max(Vec<usize>),
}

impl Expression {
    /// Returns all expressions of the axes of a domain, the simplest ones first. Labels are in none but their own.
    pub fn all(domain: &Domain) -> Vec<Self> {
        let axes = domain.axes();
        let sizes: Vec<usize> = (0..axes.len()).filter(|&axis| axes[axis].values().is_some()).collect();
        let sets = sets(&sizes);
        let ordered = sizes.iter().flat_map(|&above| sizes.iter().map(move |&below| (above, below)));
        let ratios = ordered.filter(|(above, below)| above != below);
        (0..axes.len())
            .map(Self::Axis)
            .chain(sets.iter().cloned().map(Self::Product))
            .chain(ratios.map(|(above, below)| Self::Ratio(above, below)))
            .chain(sets.iter().cloned().map(Self::Min))
            .chain(sets.iter().cloned().map(Self::Max))
            .collect()
    }

    /// Returns the axes.
    pub(super) fn axes(&self) -> Vec<usize> {
        match self {
            Self::Axis(axis) => vec![*axis],
            Self::Ratio(above, below) => vec![*above, *below],
            Self::Product(axes) | Self::Min(axes) | Self::Max(axes) => axes.clone(),
        }
    }

    /// Returns the number for a call of these sizes, one for each axis.
    pub fn value(&self, sizes: &[u64]) -> u64 {
        match self {
            Self::Axis(axis) => sizes[*axis],
            Self::Product(axes) => axes.iter().fold(1, |product, &axis| sizes[axis].saturating_mul(product)),
            Self::Ratio(above, below) => sizes[*above].checked_div(sizes[*below]).unwrap_or(u64::MAX),
            Self::Min(axes) => axes.iter().map(|&axis| sizes[axis]).fold(u64::MAX, u64::min),
            Self::Max(axes) => axes.iter().map(|&axis| sizes[axis]).fold(0, u64::max),
        }
    }

    /// Returns whether the number is the position of a label, which is compared for equality.
    pub fn is_label(&self, domain: &Domain) -> bool {
        matches!(self, Self::Axis(axis) if matches!(domain.axes()[*axis].samples, Samples::Labels(_)))
    }

    /// Returns the comparison with a threshold as an expression of Rust: that the number is below it, or that the label is this one.
    pub fn condition(&self, at: u64, domain: &Domain) -> String {
        let axes = domain.axes();
        let name = |axis: usize| &*axes[axis].name;
        match self {
            Self::Axis(axis) if self.is_label(domain) => {
                let label = axes[*axis].sample(at as usize);
                let is_bare = naming::is_identifier(&label);
                format!("{} == {}", name(*axis), if is_bare { label } else { format!("{label:?}") })
            }
            Self::Axis(axis) => format!("{} < {at}", name(*axis)),
            // Without a division, which could be one by 0.
            Self::Ratio(above, below) if at == 1 => format!("{} < {}", name(*above), name(*below)),
            Self::Ratio(above, below) => format!("{} < {}.saturating_mul({at})", name(*above), name(*below)),
            Self::Product(listed) => format!("{} < {at}", chained(listed, axes, "saturating_mul")),
            Self::Min(listed) => format!("{} < {at}", chained(listed, axes, "min")),
            Self::Max(listed) => format!("{} < {at}", chained(listed, axes, "max")),
        }
    }
}

/// Returns the calls of a method of integers that take these axes together.
fn chained(listed: &[usize], axes: &[Axis], method: &str) -> String {
    let names: Vec<&str> = listed.iter().map(|&axis| &*axes[axis].name).collect();
    let calls = names[1..].iter().map(|name| format!(".{method}({name})"));
    names[0].to_owned() + &calls.collect::<String>()
}

/// Returns the sets of two or more of these axes.
fn sets(axes: &[usize]) -> Vec<Vec<usize>> {
    let members = |set: u32| axes.iter().enumerate().filter(move |(at, _)| set >> at & 1 == 1);
    let sets = (0..1_u32 << axes.len()).filter(|set| set.count_ones() >= 2);
    sets.map(|set| members(set).map(|(_, &axis)| axis).collect()).collect()
}

#[cfg(test)]
mod tests {
    use qtdec_core::Method;

    use super::*;

    fn domain() -> Domain {
        let labels = Samples::Labels(["random", "nearly sorted"].map(str::to_owned).to_vec());
        let order = Axis { samples: labels, ..Axis::new("order", []) };
        let axes = vec![Axis::new("m", [1, 2]), order, Axis::new("n", [0, 8])];
        Domain::new(None, axes, vec![Method::new("a")]).unwrap()
    }

    #[test]
    fn the_expressions_of_two_sizes_and_a_label() {
        let domain = domain();
        let conditions: Vec<String> =
            Expression::all(&domain).iter().map(|expression| expression.condition(1, &domain)).collect();
        assert_eq!(
            conditions,
            [
                "m < 1",
                "order == \"nearly sorted\"",
                "n < 1",
                "m.saturating_mul(n) < 1",
                "m < n",
                "n < m",
                "m.min(n) < 1",
                "m.max(n) < 1"
            ]
        );
        assert_eq!(Expression::Ratio(2, 0).condition(3, &domain), "n < m.saturating_mul(3)");
        let three = ["k", "m", "n"].map(|name| Axis::new(name, [1, 2])).to_vec();
        let three = Domain::new(None, three, vec![Method::new("a")]).unwrap();
        assert_eq!(Expression::all(&three).len(), 3 + 4 + 6 + 4 + 4);
        let product = Expression::Product(vec![0, 1, 2]);
        assert_eq!(product.condition(386, &three), "k.saturating_mul(m).saturating_mul(n) < 386");
    }

    /// The texts as the compiler reads them, at the borders and at the ends of the numbers.
    #[test]
    fn the_numbers_are_those_of_the_texts() {
        let sizes = [0, 1, 2, 3, 7, 8, 9, u64::from(u32::MAX), 1 << 63, u64::MAX - 1];
        for (m, n) in sizes.iter().flat_map(|&m| sizes.map(|n| (m, n))) {
            for at in [1, 2, 3, 8, 1 << 32] {
                let is_below = |expression: Expression| expression.value(&[m, 0, n]) < at;
                assert_eq!(is_below(Expression::Axis(2)), n < at);
                assert_eq!(is_below(Expression::Product(vec![0, 2])), m.saturating_mul(n) < at);
                assert_eq!(is_below(Expression::Ratio(0, 2)), m < n.saturating_mul(at), "{m} {n} {at}");
                assert_eq!(is_below(Expression::Min(vec![0, 2])), m.min(n) < at);
                assert_eq!(is_below(Expression::Max(vec![0, 2])), m.max(n) < at);
            }
        }
    }
}
