//! Maps: times become the best method at each size.

pub(crate) mod combine;
pub(crate) mod map;
pub(crate) mod placeholder;
pub(crate) mod weigh;
