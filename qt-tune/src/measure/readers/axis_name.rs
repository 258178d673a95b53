//! Names of axes where other words may stand as well.

use qtdec_mpi::similar::did_you_mean;

/// Words that mean something of their own.
const RESERVED: [&str; 7] = ["method", "time", "segment_size", "collective", "run", "repeat", "rank"];

/// The axes that most maps have.
const USUAL: [&str; 2] = ["comm_size", "msg_size"];

/// Tells an axis by the name that is really meant: `axis:` before it says so, and is left out here.
///
/// # Errors
///
/// A name that is like one of the words, so that it may be misspelt; for a message on the command line.
pub fn axis_name(name: &str) -> Result<&str, String> {
    let known = || RESERVED.into_iter().chain(USUAL);
    if let Some(axis) = name.strip_prefix("axis:") {
        return if RESERVED.contains(&axis) {
            Err(format!("`{axis}` means something else, and cannot name an axis"))
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
            "did you mean `{like}`, not `{name}`? An axis that is really called so is written `axis:{name}`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_words_are_no_axes() {
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
