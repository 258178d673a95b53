//! Benchmarks of the three ways, by the number of elements and their limit.

use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use newcomer::{comparison, counting, insertion};

fn numbers(len: usize, range: u32) -> Vec<u32> {
    (0..len as u32).map(|index| index.wrapping_mul(2_654_435_761) % range).collect()
}

fn sort(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sort");
    for len in [8, 256, 8192] {
        for range in [256, 1 << 20] {
            let methods: [(&str, fn(&mut [u32])); 3] =
                [("insertion", insertion), ("comparison", comparison), ("counting", counting)];
            for (name, method) in methods {
                group.bench_function(BenchmarkId::new(name, format!("len={len},range={range}")), |bencher| {
                    bencher.iter_batched_ref(
                        || numbers(len, range),
                        |data| method(data),
                        BatchSize::SmallInput,
                    );
                });
            }
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(20))
        .measurement_time(Duration::from_millis(50));
    targets = sort
}
criterion_main!(benches);
