//! Generates `allreduce.rs` and `reduce_scatter_block.rs` into `OUT_DIR/qtdec/`.

fn main() -> Result<(), qtdec_build::Error> {
    qtdec_build::Builder::new()
        .map("maps/allreduce.json")
        .map("maps/reduce_scatter_block.json")
        .parameter_type("u64")
        // Both maps were sampled at powers: half way between two samples is half way in the logarithm.
        .option("borders", "geometric")
        .generate()
}
