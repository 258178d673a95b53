//! Least squares with coefficients that are not negative.

/// Returns the coefficients from 0 on with the smallest sum of squares of `rows · coefficients − wanted`: Lawson and Hanson,
/// *Solving Least Squares Problems* (1974), chapter 23, on the normal equations of scaled columns.
///
/// `rows` holds one row after the other, each with `columns` numbers.
pub(super) fn non_negative(rows: &[f64], wanted: &[f64], columns: usize) -> Vec<f64> {
    let mut gram = vec![0.0; columns * columns];
    let mut products = vec![0.0; columns];
    for (row, wanted) in rows.chunks_exact(columns).zip(wanted) {
        for (one, &value) in row.iter().enumerate() {
            products[one] += value * wanted;
            for (other, &factor) in row.iter().enumerate() {
                gram[one * columns + other] += value * factor;
            }
        }
    }
    // A column of zeros stays out.
    let scales: Vec<f64> = (0..columns).map(|column| gram[column * columns + column].sqrt()).collect();
    let scale = |column: usize| if scales[column] > 0.0 { 1.0 / scales[column] } else { 0.0 };
    for one in 0..columns {
        products[one] *= scale(one);
        for other in 0..columns {
            gram[one * columns + other] *= scale(one) * scale(other);
        }
    }
    let mut found = vec![0.0; columns];
    let mut is_free = vec![false; columns];
    // Each round frees a column; one can be bound again, but no set of free columns returns.
    for _ in 0..3 * columns {
        let bound = (0..columns).filter(|&column| !is_free[column] && scales[column] > 0.0);
        let slopes = bound.map(|column| {
            let known = (0..columns).map(|other| gram[column * columns + other] * found[other]);
            (products[column] - known.sum::<f64>(), column)
        });
        let steepest = slopes.max_by(|one, other| one.0.total_cmp(&other.0));
        let Some((_, column)) = steepest.filter(|(slope, _)| *slope > 1e-10) else { break };
        is_free[column] = true;
        loop {
            let free: Vec<usize> = (0..columns).filter(|&column| is_free[column]).collect();
            let Some(solution) = solve(&gram, &products, columns, &free) else {
                // The column is a sum of others.
                is_free[column] = false;
                break;
            };
            if solution.iter().all(|&value| value > 0.0) {
                found.fill(0.0);
                free.iter().zip(&solution).for_each(|(&column, &value)| found[column] = value);
                break;
            }
            // Go as far towards the solution as no coefficient becomes negative.
            let share = free
                .iter()
                .zip(&solution)
                .filter(|(_, value)| **value <= 0.0)
                .map(|(&column, value)| found[column] / (found[column] - value))
                .fold(1.0, f64::min);
            for (&column, value) in free.iter().zip(&solution) {
                found[column] += share * (value - found[column]);
                if found[column] <= 1e-14 {
                    found[column] = 0.0;
                    is_free[column] = false;
                }
            }
        }
    }
    found.iter().enumerate().map(|(column, value)| value * scale(column)).collect()
}

/// Solves the normal equations of the columns `free` by Cholesky's decomposition; `None` if they depend on each other.
fn solve(gram: &[f64], products: &[f64], columns: usize, free: &[usize]) -> Option<Vec<f64>> {
    let count = free.len();
    let mut lower = vec![0.0; count * count];
    for row in 0..count {
        for column in 0..=row {
            let known: f64 = (0..column).map(|at| lower[row * count + at] * lower[column * count + at]).sum();
            let value = gram[free[row] * columns + free[column]] - known;
            lower[row * count + column] = if row == column {
                if value < 1e-11 {
                    return None;
                }
                value.sqrt()
            } else {
                value / lower[column * count + column]
            };
        }
    }
    let mut solution: Vec<f64> = free.iter().map(|&column| products[column]).collect();
    for row in 0..count {
        let known: f64 = (0..row).map(|at| lower[row * count + at] * solution[at]).sum();
        solution[row] = (solution[row] - known) / lower[row * count + row];
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|at| lower[at * count + row] * solution[at]).sum();
        solution[row] = (solution[row] - known) / lower[row * count + row];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    fn squares(rows: &[f64], wanted: &[f64], found: &[f64]) -> f64 {
        let row = |row: &[f64]| row.iter().zip(found).map(|(one, other)| one * other).sum::<f64>();
        rows.chunks_exact(found.len()).zip(wanted).map(|(given, wanted)| (row(given) - wanted).powi(2)).sum()
    }

    /// The solution of the least squares over one set of columns, by Gauss's elimination.
    fn over(rows: &[f64], wanted: &[f64], columns: usize, free: &[usize]) -> Option<Vec<f64>> {
        let count = free.len();
        let mut system = vec![vec![0.0; count + 1]; count];
        for (row, wanted) in rows.chunks_exact(columns).zip(wanted) {
            for (one, &column) in free.iter().enumerate() {
                for (other, &factor) in free.iter().enumerate() {
                    system[one][other] += row[column] * row[factor];
                }
                system[one][count] += row[column] * wanted;
            }
        }
        for pivot in 0..count {
            let largest = (pivot..count)
                .max_by(|one, other| system[*one][pivot].abs().total_cmp(&system[*other][pivot].abs()))?;
            system.swap(pivot, largest);
            let chosen = system[pivot].clone();
            for (_, row) in system.iter_mut().enumerate().filter(|(row, _)| *row != pivot) {
                let factor = row[pivot] / chosen[pivot];
                row.iter_mut().zip(&chosen).for_each(|(value, of_pivot)| *value -= factor * of_pivot);
            }
        }
        let mut found = vec![0.0; columns];
        for (one, &column) in free.iter().enumerate() {
            found[column] = system[one][count] / system[one][one];
        }
        found.iter().all(|value| *value >= 0.0).then_some(found)
    }

    #[test]
    fn no_other_coefficients_are_better() {
        let mut chance = Pcg64::seed_from_u64(3);
        for _ in 0..200 {
            let columns = chance.random_range(1..5);
            let count = chance.random_range(columns..12);
            let rows: Vec<f64> = (0..columns * count).map(|_| chance.random_range(0.0..1.0)).collect();
            let wanted: Vec<f64> = (0..count).map(|_| chance.random_range(-0.3..1.0)).collect();
            let found = non_negative(&rows, &wanted, columns);
            assert!(found.iter().all(|value| *value >= 0.0));
            // Every set of columns in turn: the best of their solutions is the best of all.
            let sets = (0..1_usize << columns)
                .map(|set| (0..columns).filter(|column| set >> column & 1 == 1).collect::<Vec<_>>());
            let least = sets
                .filter_map(|free| over(&rows, &wanted, columns, &free))
                .map(|found| squares(&rows, &wanted, &found))
                .fold(f64::INFINITY, f64::min);
            assert!(squares(&rows, &wanted, &found) <= least * (1.0 + 1e-9) + 1e-12);
        }
    }

    #[test]
    fn columns_that_repeat_others_or_are_zero_stay_out() {
        let found = non_negative(&[1.0, 1.0, 0.0, 2.0, 2.0, 0.0], &[3.0, 6.0], 3);
        assert!((found[0] + found[1] - 3.0).abs() < 1e-9 && found[2].abs() < f64::EPSILON);
    }
}
