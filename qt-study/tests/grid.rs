//! Times at sizes that are in no file.

use qtdec_core::{Basis, Method};
use qtdec_study::measurements::{MeasuredAxis, Measurements, Repeat};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions};
use qtdec_study::selection::{GridSizes, Recipe, grid_error};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../qt-cli/data");

/// Times that follow a power law are reproduced at new sizes on one axis or both, and measured times do not change.
#[test]
fn a_power_law_is_found_again() {
    let mut measurements = Measurements::new(["comm_size", "msg_size"].map(MeasuredAxis::named).to_vec());
    let law = |method: u32, sizes: &[u64]| {
        f64::from(method + 1)
            * (sizes[0] as f64).powf(0.5)
            * (sizes[1] as f64).powf(0.75 - 0.1 * f64::from(method))
    };
    for method in 0..2_u32 {
        let number = measurements.method(Method::new(format!("m{method}")));
        for comm_size in [4, 16, 64] {
            for msg_size in [1, 64, 4096] {
                let sizes = [comm_size, msg_size];
                let repeat = Repeat { time: law(method, &sizes), run: 0, file: 0 };
                measurements.record(&sizes, number, repeat);
            }
        }
    }
    let grid = |axis: &str, sizes: &[u64]| GridSizes { axis: axis.to_owned(), sizes: sizes.to_vec() };
    let recipe = Recipe {
        grid: vec![grid("comm_size", &[8, 24, 64]), grid("msg_size", &[8, 100])],
        ..Recipe::default()
    };
    let map = recipe.map(&measurements, &mut Notes::default()).unwrap();
    assert_eq!(map.domain().shape(), [5, 5]);
    let costs = map.costs().unwrap();
    for cell in 0..25 {
        for (number, method) in map.domain().method_indexes().enumerate() {
            let (found, expected) =
                (costs.get(cell, method).unwrap(), law(number as u32, &map.domain().sizes(cell)));
            assert!(
                (found / expected - 1.0).abs() < 1e-9,
                "{found} {expected} at {:?}",
                map.domain().sizes(cell)
            );
        }
        assert!(map.cells()[cell].is_some());
    }
    let refused = |grid: GridSizes| {
        let recipe = Recipe { grid: vec![grid], ..Recipe::default() };
        recipe.map(&measurements, &mut Notes::default()).unwrap_err().to_string()
    };
    assert!(
        refused(grid("msg_size", &[8192])).contains("msg_size 8192 is outside the measured range, 1 to 4096")
    );
    assert!(refused(grid("ppn", &[1])).contains("there is no axis `ppn`"));
}

/// On the archives, choices based on interpolated times cost less than those of the next smaller size.
#[test]
fn interpolation_beats_the_size_below() {
    let requested =
        ReadOptions { element_size: Some(8), basis: Some(Basis::Block), ..ReadOptions::default() };
    let polaris = format!("{DATA}/polaris-reduce-scatter/raw.tar.xz");
    let baseline = |name: &str| Recipe { baseline: vec![name.to_owned()], ..Recipe::default() };
    let read = |files: &str, requested: &ReadOptions, recipe: &Recipe| {
        let (measurements, _) = readers::read(&[files.to_owned()], requested, &mut |_, input| input).unwrap();
        recipe.map(&measurements, &mut Notes::default()).unwrap()
    };
    let map = read(&polaris, &requested, &baseline("MPI_Reduce_scatter_block"));
    let (mut cells, mut interpolated, mut floor) = (0, 0.0, 0.0);
    let mut add = |name: &str, error: qtdec_study::selection::GridError| {
        println!("{name}: {error:?}");
        cells += error.cells;
        interpolated += error.cells as f64 * error.interpolated;
        floor += error.cells as f64 * error.floor;
    };
    add("polaris", grid_error(&map, "msg_size").unwrap());
    for collective in
        ["allgather", "allreduce", "alltoall", "bcast", "gather", "reduce", "reduce_scatter", "scatter"]
    {
        let requested = ReadOptions { collective: Some(collective.to_owned()), ..ReadOptions::default() };
        let map = read(&format!("{DATA}/pico-fugaku"), &requested, &baseline("default-default"));
        add(collective, grid_error(&map, "msg_size").unwrap());
    }
    assert!(cells > 100);
    assert!(interpolated < 0.8 * floor, "{interpolated} {floor} over {cells}");
}
