//! Measures the candidates of `sort`: `cargo bench --bench sort` writes the map, and the next build uses it.

fn main() -> Result<(), qtdec_time::Error> {
    qtdec_example_general::sort::benchmark().write_on_bench("maps/sort.json")
}
