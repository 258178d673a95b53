//! Filters of a column by each algorithm of arrow-select, and filters of tables.

use std::iter;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use adopted::{DECIDED, Run};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray,
};
use arrow_select::filter::{filter, filter_record_batch};
use arrow_select::rule;
use qtdec_measure::{Benchmark, Method, Point};

/// The ways to filter.
const WAYS: [(&str, u8); 4] = [
    (Method::BASELINE, rule::PRESENT),
    ("values", rule::VALUES),
    ("slices", rule::SLICES),
    (DECIDED, rule::DECIDED),
];

fn main() -> ExitCode {
    every_way_has_the_same_rows();
    adopted::measure(|run| match run {
        Run::First => columns(&WAYS[..3], &[1024, 8192, 65_536], LENGTHS),
        Run::Second => columns(&WAYS, &[1024, 8192, 65_536], LENGTHS),
        Run::Between => columns(&WAYS, &[3000, 24_000], &[3, 6, 12, 24, 48, 96]),
        Run::Program => tables(),
    })
}

/// The mean lengths of the runs of rows that a filter selects, and of the gaps between them.
const LENGTHS: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128];

fn columns(ways: &'static [(&str, u8)], rows: &[u64], lengths: &[u64]) -> Benchmark<'static> {
    let benchmark = Benchmark::new().axis("rows", rows).axis("run", lengths).axis("gap", lengths);
    ways.iter().fold(benchmark, |benchmark, &(name, way)| {
        benchmark.method(name, move |point: &Point| {
            let column = Int64Array::from_iter_values(0..point["rows"] as i64);
            let selected = selected(column.len(), point["run"], point["gap"]);
            move || filtered(&column, &selected, way)
        })
    })
}

fn filtered(column: &dyn Array, selected: &BooleanArray, way: u8) -> ArrayRef {
    rule::RULE.store(way, Relaxed);
    filter(column, selected).expect("the filter is as long as the column")
}

/// Returns a filter whose runs and gaps have random lengths of these means.
fn selected(rows: usize, run: u64, gap: u64) -> BooleanArray {
    let mut state = 1_u64;
    let mut ends = move |mean: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33).is_multiple_of(mean)
    };
    let mut is_selected = false;
    let row = iter::repeat_with(|| {
        is_selected ^= ends(if is_selected { run } else { gap });
        is_selected
    });
    row.take(rows).collect::<Vec<bool>>().into()
}

/// Filters tables of four columns as queries do: a range of time in sorted rows, one of eight devices whose rows come in groups, and one
/// of 32 values without an order.
fn tables() -> Benchmark<'static> {
    let benchmark =
        Benchmark::new().axis("rows", [2000, 8000, 32_000]).labels("query", ["time", "group", "value"]);
    [WAYS[0], WAYS[3]].into_iter().fold(benchmark, |benchmark, (name, way)| {
        benchmark.method(name, move |point: &Point| {
            let rows = point["rows"] as usize;
            let table = table(rows);
            let selected: Vec<bool> = match point.label("query") {
                "time" => (0..rows).map(|row| (rows / 3..rows / 2).contains(&row)).collect(),
                "group" => (0..rows).map(|row| row / 25 % 8 == 3).collect(),
                _ => (0..rows).map(|row| hash(row).is_multiple_of(32)).collect(),
            };
            let selected = BooleanArray::from(selected);
            move || {
                rule::RULE.store(way, Relaxed);
                filter_record_batch(&table, &selected).expect("the filter is as long as the table")
            }
        })
    })
}

fn hash(row: usize) -> u32 {
    (row as u32).wrapping_mul(2_654_435_761) >> 16
}

fn table(rows: usize) -> RecordBatch {
    let columns: [(&str, ArrayRef); 4] = [
        ("time", Arc::new(Int64Array::from_iter_values(0..rows as i64))),
        ("device", Arc::new(Int32Array::from_iter_values((0..rows).map(|row| (row / 25 % 8) as i32)))),
        ("measured", Arc::new(Float64Array::from_iter_values((0..rows).map(|row| f64::from(hash(row)))))),
        ("note", Arc::new(StringArray::from_iter_values((0..rows).map(|row| format!("note {}", hash(row)))))),
    ];
    RecordBatch::try_from_iter(columns).expect("the columns are equally long")
}

fn every_way_has_the_same_rows() {
    let column = Int64Array::from_iter_values(0..5000);
    for (run, gap) in [(1, 40), (3, 3), (90, 2), (200, 200)] {
        let selected = selected(5000, run, gap);
        let rows = WAYS.map(|(_, way)| filtered(&column, &selected, way));
        assert!(rows.iter().all(|found| **found == *rows[0]));
    }
}
