//! The canonical order of methods, launches, series and rows.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use indexmap::IndexSet;
use qtdec_core::Basis;

use crate::text::natural;
use crate::times::{Method, Series};

/// Compares two methods by name, and then by their parameters.
pub(crate) fn natural_method(one: &Method, other: &Method) -> Ordering {
    one.name.cmp(&other.name).then_with(|| {
        let mut orders = one.values.iter().zip(&other.values).map(|(one, other)| natural(one, other));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    })
}

/// Returns the numbers of the items that are used: the first `listed` as they are, then the others by `natural`.
pub(crate) fn arranged(
    count: usize,
    listed: usize,
    is_used: impl Fn(usize) -> bool,
    natural: impl Fn(usize, usize) -> Ordering,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).filter(|item| is_used(*item)).collect();
    let others = order.partition_point(|item| *item < listed);
    order[others..].sort_by(|one, other| natural(*one, *other));
    order
}

/// The methods of each collective in their order, that of the times that name none first.
pub(crate) struct Orders(BTreeMap<Option<String>, IndexSet<u32>>);

impl Orders {
    /// Orders the methods of series: first those that are listed of a collective, then the others as they are in `all`.
    pub(crate) fn new<'s>(
        series: impl Iterator<Item = &'s Series>,
        all: &[usize],
        listed: &BTreeMap<Option<String>, IndexSet<u32>>,
    ) -> Self {
        let mut used: BTreeMap<Option<String>, IndexSet<u32>> = BTreeMap::new();
        for one in series {
            match used.get_mut(&one.collective) {
                Some(methods) => methods.insert(one.method),
                None => used.entry(one.collective.clone()).or_default().insert(one.method),
            };
        }
        for (collective, methods) in &mut used {
            let listed = listed.get(collective).into_iter().flatten().copied();
            let order = listed.chain(all.iter().map(|method| *method as u32));
            *methods = order.filter(|method| methods.contains(method)).collect();
        }
        Self(used)
    }

    /// Returns the order of all methods: those of the first collective, then those that the second one adds, and so on.
    pub(crate) fn of_all(&self) -> Vec<usize> {
        let all: IndexSet<u32> = self.0.values().flatten().copied().collect();
        all.into_iter().map(|method| method as usize).collect()
    }

    /// Returns the orders that differ from that of all methods, with the new number of each method.
    pub(crate) fn others(self, numbers: &[u32]) -> BTreeMap<String, Vec<u32>> {
        let renumbered = |methods: IndexSet<u32>| -> Vec<u32> {
            methods.into_iter().map(|method| numbers[method as usize]).collect()
        };
        let named = self.0.into_iter().filter_map(|(name, methods)| Some((name?, renumbered(methods))));
        named.filter(|(_, methods)| !methods.is_sorted()).collect()
    }
}

/// Compares two series of methods that are in order: by collective, sizes, method and basis.
pub(crate) fn by_place(one: &Series, other: &Series) -> Ordering {
    let key = |series: &Series| (series.method, series.basis.map(Basis::name));
    (one.collective.cmp(&other.collective))
        .then_with(|| one.sizes.cmp(&other.sizes))
        .then_with(|| key(one).cmp(&key(other)))
}

/// Returns the new number of each old one; those that are left out get the number 0.
pub(crate) fn numbers(order: &[usize], count: usize) -> Vec<u32> {
    let mut numbers = vec![0; count];
    for (new, &old) in order.iter().enumerate() {
        numbers[old] = new as u32;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_items_come_first() {
        let items = ["z", "x", "b", "a", "c"];
        let order = arranged(5, 2, |item| item != 1, |one, other| items[one].cmp(items[other]));
        assert_eq!(order, [0, 3, 2, 4]);
    }
}
