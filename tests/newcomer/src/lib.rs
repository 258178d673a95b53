//! Three ways to sort numbers below a limit.

/// Sorts by inserting one number after the other.
pub fn insertion(numbers: &mut [u32]) {
    for end in 1..numbers.len() {
        let place = numbers[..end].partition_point(|number| *number <= numbers[end]);
        numbers[place..=end].rotate_right(1);
    }
}

/// Sorts by comparisons.
pub fn comparison(numbers: &mut [u32]) {
    numbers.sort_unstable();
}

/// Sorts by counting how often each number occurs.
pub fn counting(numbers: &mut [u32]) {
    let most = numbers.iter().max().map_or(0, |most| *most as usize);
    let mut counts = vec![0_u32; most + 1];
    for number in &*numbers {
        counts[*number as usize] += 1;
    }
    let mut rest = numbers.iter_mut();
    for (number, count) in (0..).zip(counts) {
        rest.by_ref().take(count as usize).for_each(|place| *place = number);
    }
}
