//! The names of the library's own choice in times, by the environment in which it was measured.

/// With the settings of a deployment.
pub const DEFAULT: &str = "default";

/// With the settings of a deployment that keeps Open MPI's component HAN.
pub const WITH_HAN: &str = "default-han";

/// Without any setting.
pub const UNTOUCHED: &str = "untouched";

/// Those with other settings than most deployments have.
pub const OTHERS: [&str; 2] = [WITH_HAN, UNTOUCHED];

/// All of them.
pub const ALL: [&str; 3] = [DEFAULT, WITH_HAN, UNTOUCHED];
