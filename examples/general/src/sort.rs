//! A choice of a sort: the fastest one depends on the number of elements and on their order.

use qtdec::decision_map;

/// The order of the elements, as far as the caller knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each element independent of the others.
    Random,
    /// Sorted, except for one element in a hundred.
    Nearly,
    /// Sorted.
    Ascending,
    /// Sorted the other way round.
    Descending,
}

/// The sorts, one for each method of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Insertion sort.
    Insertion,
    /// `sort` of the standard library.
    Stable,
    /// `sort_unstable` of the standard library.
    Unstable,
    /// Radix sort by bytes, beginning with the least significant one.
    Radix,
}

/// Returns the fastest sort for `len` elements in this order.
#[decision_map("maps/sort.json")]
pub const fn fastest(len: usize, order: Order) -> Sort;

impl Order {
    /// All orders, as the axis of the map has them.
    pub const ALL: [Self; 4] = [Self::Random, Self::Nearly, Self::Ascending, Self::Descending];

    /// Returns elements in this order, the same in every call.
    pub fn elements(self, len: usize) -> Vec<u32> {
        let mut state = 0x9E37_79B9_u32;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        let mut elements: Vec<u32> = (0..len).map(|_| random()).collect();
        match self {
            Self::Random => {}
            Self::Ascending => elements.sort_unstable(),
            Self::Descending => elements.sort_unstable_by(|one, other| other.cmp(one)),
            Self::Nearly => {
                elements.sort_unstable();
                for _ in 0..len.div_ceil(100) {
                    elements[random() as usize % len] = random();
                }
            }
        }
        elements
    }
}

impl Sort {
    /// All sorts with their names in the map.
    pub const ALL: [(&str, Self); 4] = [
        ("insertion", Self::Insertion),
        ("stable", Self::Stable),
        ("unstable", Self::Unstable),
        ("radix", Self::Radix),
    ];

    /// Sorts the elements.
    pub fn sort(self, elements: &mut [u32]) {
        match self {
            Self::Insertion => insertion(elements),
            Self::Stable => elements.sort(),
            Self::Unstable => elements.sort_unstable(),
            Self::Radix => radix(elements),
        }
    }
}

fn insertion(elements: &mut [u32]) {
    for end in 1..elements.len() {
        let element = elements[end];
        let mut place = end;
        while place > 0 && elements[place - 1] > element {
            elements[place] = elements[place - 1];
            place -= 1;
        }
        elements[place] = element;
    }
}

fn radix(elements: &mut [u32]) {
    let mut other = vec![0; elements.len()];
    for shift in [0, 8, 16, 24] {
        let digit = |element: u32| (element >> shift) as usize & 255;
        let mut starts = [0; 257];
        elements.iter().for_each(|&element| starts[digit(element) + 1] += 1);
        (1..257).for_each(|value| starts[value] += starts[value - 1]);
        for &element in &*elements {
            other[starts[digit(element)]] = element;
            starts[digit(element)] += 1;
        }
        elements.copy_from_slice(&other);
    }
}

/// Prints some decisions.
///
/// # Panics
///
/// Panics if a sort does not sort.
pub fn run() {
    for (len, order) in
        [(10, Order::Random), (1000, Order::Random), (50_000, Order::Random), (50_000, Order::Ascending)]
    {
        let sort = fastest(len, order);
        let mut elements = order.elements(len);
        sort.sort(&mut elements);
        assert!(elements.is_sorted(), "every sort sorts");
        println!("{len:>5} elements, {order:?}: {sort:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sort_sorts() {
        for order in Order::ALL {
            for len in [1, 2, 3, 100, 1000] {
                let mut sorted = order.elements(len);
                sorted.sort_unstable();
                for (_, sort) in Sort::ALL {
                    let mut elements = order.elements(len);
                    sort.sort(&mut elements);
                    assert_eq!(elements, sorted, "{sort:?} {order:?} {len}");
                }
            }
        }
    }
}
