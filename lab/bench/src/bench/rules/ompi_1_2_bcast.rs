//! The rules for broadcasts of Open MPI 1.2.0 to 1.2.9, by Pješivac-Grbović and others: commit eae3df4904 of 2007-01-06.
//! The number stands for an algorithm and a segment size.

pub fn decide(comm_size: u64, msg_size: u64) -> u32 {
    let (p, m) = (comm_size as f64, msg_size as f64);
    if msg_size < 2048 {
        0
    } else if msg_size < 370_728 {
        1
    } else if p < 1.6134e-6 * m + 2.1102 {
        2
    } else if comm_size < 13 {
        3
    } else if p < 2.3679e-6 * m + 1.1787 {
        4
    } else if p < 3.2118e-6 * m + 8.7936 {
        5
    } else {
        6
    }
}
