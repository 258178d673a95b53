//! A choice among kernels for a matrix product, by the sizes of the matrices.

fn main() {
    qtdec_example_general::matmul::run();
}
