//! Compiler errors, with their place in the user's code. `TRYBUILD=overwrite` rewrites the recorded texts.

use std::fs;
use std::path::Path;

#[test]
#[ignore = "the texts are those of one version of the compiler; cargo xtask ci asks for them"]
fn errors_point_at_the_mistake() {
    // The cases are compiled as a separate package, and paths of maps are relative to its Cargo.toml.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = trybuild_package();
    fs::create_dir_all(&package).unwrap();
    let maps = package.join("maps");
    let _ = fs::remove_dir_all(&maps);
    fs::create_dir(&maps).unwrap();
    for entry in fs::read_dir(root.join("tests/ui/maps")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, maps.join(path.file_name().unwrap())).unwrap();
    }
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

fn trybuild_package() -> std::path::PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies in the target folder");
    target.join("tests/trybuild/qtdec")
}
