//! A choice among sorts, by the number of elements and their order.

fn main() {
    qtdec_example_general::sort::run();
}
