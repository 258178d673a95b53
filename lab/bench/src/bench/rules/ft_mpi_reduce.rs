//! The rules for reductions that the author of FT-MPI wrote for Open MPI 1.1, as intended. The number stands for an algorithm and a segment
//! size; above it stands the number of chains, of which there are at most 32.

pub fn decide(comm_size: u64, msg_size: u64) -> u32 {
    if msg_size <= 4096 {
        return 0;
    }
    if msg_size <= 65_536 {
        return 1 | 8 << 8;
    }
    if msg_size < 524_288 {
        return 2 | ((comm_size / 2).clamp(1, 32) as u32) << 8;
    }
    3
}
