//! Measures the candidates of `threads`: `cargo bench --bench threads` writes the map, and the next build uses it.

fn main() -> Result<(), qtdec_time::Error> {
    qtdec_example_general::threads::benchmark().write_on_bench("maps/threads.json")
}
