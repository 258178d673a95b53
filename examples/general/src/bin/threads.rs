//! A choice of a number of threads, by the number of elements and the work for each of them.

fn main() {
    qtdec_example_general::threads::run();
}
