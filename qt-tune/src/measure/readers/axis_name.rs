//! Names of axes in places where other keywords are also allowed.

use qtdec_core::similar::did_you_mean;

/// Keywords with a meaning of their own.
const RESERVED: [&str; 7] = ["method", "time", "segment_size", "collective", "run", "repeat", "rank"];

/// The axes that most maps have: those of MPI's collectives.
pub(super) const SIZES: [&str; 2] = ["comm_size", "msg_size"];

/// Returns the name of an axis, without the prefix `axis:`, which marks a name as intended.
///
/// # Errors
///
/// Returns a message for the command line if the name is similar to a keyword and may be a misspelling.
pub fn axis_name(name: &str) -> Result<&str, String> {
    let known = || RESERVED.into_iter().chain(SIZES);
    if let Some(axis) = name.strip_prefix("axis:") {
        return if RESERVED.contains(&axis) {
            Err(format!("`{axis}` has another meaning, and cannot be the name of an axis"))
        } else {
            Ok(axis)
        };
    }
    if known().any(|known| known == name) {
        return Ok(name);
    }
    match did_you_mean(&name.to_lowercase(), known()) {
        None => Ok(name),
        Some(like) => Err(format!(
            "did you mean `{like}` instead of `{name}`? If the axis really has this name, write `axis:{name}`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_keys_are_not_axes() {
        let misspelt = [
            ("msgsize", "msg_size"),
            ("MSG_SIZE", "msg_size"),
            ("commsize", "comm_size"),
            ("meth", "method"),
            ("segmentsize", "segment_size"),
            ("ranks", "rank"),
        ];
        for (name, meant) in misspelt {
            assert!(axis_name(name).unwrap_err().contains(&format!("`{meant}`")), "{name}");
            assert_eq!(axis_name(&format!("axis:{name}")), Ok(name));
        }
        for axis in
            ["comm_size", "ppn", "nodes", "size", "radix", "root", "operation", "datatype", "algorithm"]
        {
            assert_eq!(axis_name(axis), Ok(axis));
        }
        assert!(axis_name("axis:method").is_err());
    }
}
