//! Measures the candidates of `matmul`: `cargo bench --bench matmul` writes the map, and the next build uses it.

fn main() -> Result<(), qtdec_time::Error> {
    qtdec_example_general::matmul::benchmark().write_on_bench("maps/matmul.json")
}
