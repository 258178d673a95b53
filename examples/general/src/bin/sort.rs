//! A choice among sorts, by the number of elements and their order.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    qtdec_example_general::sort::run()
}
