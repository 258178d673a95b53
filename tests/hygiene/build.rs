//! Generates the same functions as the attribute, and a map for the attribute to read.

fn main() -> Result<(), qtdec_build::Error> {
    let map = std::path::Path::new(&std::env::var_os("OUT_DIR").expect("Cargo sets it")).join("map.json");
    std::fs::copy("../golden/bcast.json", map).expect("the map can be copied");
    qtdec_build::Builder::new()
        .map("../golden/bcast.json")
        .map("../golden/partial.json")
        .parameter_type("u64")
        .option("max_depth", 5)
        .optional()
        .generate()?;
    qtdec_build::Builder::new()
        .map("../golden/polaris.json")
        .parameter_type("u64")
        .option("layout", "table")
        .generate()?;
    qtdec_build::Builder::new().map("../golden/large.json").parameter_type("u64").generate()?;
    qtdec_build::Builder::new()
        .map("../golden/three_axes.json")
        .parameter_type("u64")
        .option("layout", "select")
        .generate()
}
