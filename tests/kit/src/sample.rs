//! How many of its cases a test tries.

/// Returns 1 with `QTDEC_TESTS=all`, as `cargo xtask ci` sets it, and this number otherwise: a long test tries one in so many of
/// its cases.
pub fn one_in<N: From<u8>>(many: u8) -> N {
    let all = std::env::var_os("QTDEC_TESTS").is_some_and(|value| value == "all");
    N::from(if all { 1 } else { many })
}
