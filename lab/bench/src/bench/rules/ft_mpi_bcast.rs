//! The rules for broadcasts that the author of FT-MPI wrote for Open MPI 1.1, as intended. The number stands for an algorithm and a segment
//! size.

pub fn decide(comm_size: u64, msg_size: u64) -> u32 {
    if comm_size < 4 {
        return 0;
    }
    if comm_size == 4 {
        return if msg_size < 524_288 { 1 } else { 2 };
    }
    if comm_size <= 8 && msg_size < 4096 {
        return 0;
    }
    if comm_size > 8 && (32_768..524_288).contains(&msg_size) {
        return 2;
    }
    if msg_size >= 524_288 { 3 } else { 1 }
}
