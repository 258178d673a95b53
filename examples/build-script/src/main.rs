//! Decision functions from a build script; you can read the generated files in `OUT_DIR/qtdec/`.

include!(concat!(env!("OUT_DIR"), "/qtdec/allreduce.rs"));
include!(concat!(env!("OUT_DIR"), "/qtdec/reduce_scatter_block.rs"));
include!(concat!(env!("OUT_DIR"), "/qtdec/search.rs"));

fn main() {
    println!("generated into {}/qtdec", env!("OUT_DIR"));
    for (comm_size, msg_size) in [(16, 64), (512, 1 << 20), (8192, 1 << 28)] {
        let method = allreduce(comm_size, msg_size);
        print!("allreduce of {msg_size} bytes on {comm_size} ranks: {}", method.algorithm());
        match method.segment_size() {
            Some(size) => println!(", in segments of {size} bytes"),
            None => println!(),
        }
    }
    let method = reduce_scatter_block(1536, 4096);
    println!("reduce_scatter_block of 4096 bytes a rank on 1536 ranks: {}", method.name());
    for len in [5, 1000] {
        println!("a search in {len} sorted elements: {}", search(len).name());
    }
}
