//! The rules for commutative reductions of Open MPI 1.2.0 to 1.2.9, by Pješivac-Grbović and others. The number stands for
//! an algorithm and a segment size.

pub fn decide(comm_size: u64, msg_size: u64) -> u32 {
    let (p, m) = (comm_size as f64, msg_size as f64);
    if (comm_size < 20 && msg_size < 512) || (comm_size < 10 && msg_size <= 1024) {
        0
    } else if comm_size < 8 && msg_size < 20_480 {
        1
    } else if msg_size < 2048 {
        2
    } else if p > 0.6016 / 1024.0 * m + 1.3496 {
        3
    } else if p > 0.0410 / 1024.0 * m + 9.7128 {
        4
    } else if p > 0.0422 / 1024.0 * m + 1.1614 {
        5
    } else if p > 0.0033 / 1024.0 * m + 1.6761 {
        6
    } else {
        7
    }
}
