//! The rules for broadcasts of Open MPI 4.1.4. The number is that of the algorithm.

pub fn decide(comm_size: u64, msg_size: u64) -> u32 {
    if comm_size < 4 {
        if msg_size < 32 {
            3
        } else if msg_size < 256 {
            5
        } else if msg_size < 512 {
            3
        } else if msg_size < 1024 {
            7
        } else if msg_size < 32_768 {
            1
        } else if msg_size < 131_072 {
            5
        } else if msg_size < 262_144 {
            2
        } else if msg_size < 524_288 {
            1
        } else if msg_size < 1_048_576 {
            6
        } else {
            5
        }
    } else if comm_size < 8 {
        if msg_size < 64 {
            5
        } else if msg_size < 128 {
            6
        } else if msg_size < 2048 {
            5
        } else if msg_size < 8192 {
            6
        } else if msg_size < 1_048_576 {
            1
        } else {
            2
        }
    } else if comm_size < 16 {
        if msg_size < 8 {
            7
        } else if msg_size < 64 {
            5
        } else if msg_size < 4096 {
            7
        } else if msg_size < 16_384 {
            5
        } else if msg_size < 32_768 {
            6
        } else {
            1
        }
    } else if comm_size < 32 {
        if msg_size < 4096 {
            7
        } else if msg_size < 1_048_576 {
            6
        } else {
            8
        }
    } else if comm_size < 64 {
        if msg_size < 2048 { 6 } else { 7 }
    } else if comm_size < 128 {
        7
    } else if comm_size < 256 {
        if msg_size < 2 {
            6
        } else if msg_size < 16_384 {
            5
        } else if msg_size < 32_768 {
            1
        } else if msg_size < 65_536 {
            5
        } else {
            7
        }
    } else if comm_size < 1024 {
        if msg_size < 16_384 {
            7
        } else if msg_size < 32_768 {
            4
        } else {
            7
        }
    } else if comm_size < 2048 {
        if msg_size < 524_288 { 7 } else { 8 }
    } else if comm_size < 4096 {
        if msg_size < 262_144 { 7 } else { 8 }
    } else {
        if msg_size < 8192 {
            7
        } else if msg_size < 16_384 {
            5
        } else if msg_size < 262_144 {
            7
        } else {
            8
        }
    }
}
