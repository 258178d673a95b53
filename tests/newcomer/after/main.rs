use newcomer::{comparison, counting, insertion};

/// Returns the fastest of the three for `data`, whose numbers are below `range`.
#[qtdec::decision_map("maps/sort.json", len = data.len(),
    answers(insertion = insertion, comparison = comparison, counting = counting))]
fn fastest(data: &[u32], range: u32) -> fn(&mut [u32]);

fn main() {
    let mut data: Vec<u32> = (0..1000).rev().collect();
    fastest(&data, 1000)(&mut data);
    assert!(data.is_sorted());
    println!("sorted");
}
