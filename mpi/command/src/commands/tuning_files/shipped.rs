//! Maps that come with the program: those of the papers' experiments, simulated, and measured ones. `maps/README.md` says how they were made.

use qtdec_core::similar::did_you_mean;
use qtdec_terminal::{Failure, Input};

/// The names and packed files.
const SHIPPED: [(&str, &[u8]); 6] = [
    ("grig-bcast", include_bytes!("../../../maps/grig-bcast.json.xz")),
    ("grig-reduce", include_bytes!("../../../maps/grig-reduce.json.xz")),
    ("frodo-bcast", include_bytes!("../../../maps/frodo-bcast.json.xz")),
    ("frodo-reduce", include_bytes!("../../../maps/frodo-reduce.json.xz")),
    ("fugaku-allreduce", include_bytes!("../../../maps/fugaku-allreduce.json.xz")),
    ("polaris-reduce-scatter-block", include_bytes!("../../../maps/polaris-reduce-scatter-block.json.xz")),
];

/// Opens a shipped map by its name, or a file.
pub(crate) fn open_map(name: &str) -> Result<Input, Failure> {
    if let Some((name, packed)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
        return Input::packed(name, packed);
    }
    match did_you_mean(name, SHIPPED.map(|(shipped, _)| shipped)) {
        Some(like) if !std::path::Path::new(name).exists() => Err(Failure::input(format!(
            "`{name}` is neither a file nor a shipped map (did you mean `{like}`?)"
        ))),
        _ => Input::open_map(name),
    }
}
