//! Names of axes in places where other keywords are also allowed.

use strsim::damerau_levenshtein;

/// Keywords with a meaning of their own.
const RESERVED: [&str; 8] = ["method", "time", "segment_size", "collective", "job", "run", "repeat", "rank"];

/// The axes that most maps have: those of MPI's collectives.
pub(super) const SIZES: [&str; 2] = ["comm_size", "msg_size"];

/// Returns the name of an axis, without the prefix `axis:`, which marks a name as intended.
///
/// # Errors
///
/// Returns a message for the command line if the name is a misspelling of a keyword.
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
    match known().find(|known| is_slip(name, known)) {
        None => Ok(name),
        Some(like) => Err(format!(
            "did you mean `{like}` instead of `{name}`? If the axis really has this name, write `axis:{name}`"
        )),
    }
}

/// The minimum length of a keyword in which a single wrong letter is taken for a slip: `range`, `tile` and `bank` are one letter away
/// from shorter ones.
const LONG: usize = 6;

/// Returns whether a name can hardly be anything but this keyword: it differs in case, in separators, or in a single letter.
///
/// A plural or a number at the end makes another name: `repeats`, `msg_size2`.
fn is_slip(name: &str, keyword: &str) -> bool {
    let bare = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    let (name, keyword) = (bare(name), bare(keyword));
    let rest = name.strip_prefix(&*keyword);
    name == keyword
        || keyword.len() >= LONG
            && !rest.is_some_and(|rest| rest == "s" || rest.bytes().all(|byte| byte.is_ascii_digit()))
            && damerau_levenshtein(&name, &keyword) == 1
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
            ("comm-size", "comm_size"),
            ("com_size", "comm_size"),
            ("methd", "method"),
            ("mehtod", "method"),
            ("Method", "method"),
            ("collectve", "collective"),
            ("segmentsize", "segment_size"),
            ("Time", "time"),
        ];
        for (name, meant) in misspelt {
            assert!(axis_name(name).unwrap_err().contains(&format!("`{meant}`")), "{name}");
            assert_eq!(axis_name(&format!("axis:{name}")), Ok(name));
        }
        let axes = "comm_size ppn nodes size radix root operation datatype algorithm range times runs tile bank ranks ran rang \
                    mode line lime dime tome tie rum runt tank rack seed repeats methods meth segments msg_size2 size_msg \
                    command depth width n k";
        for axis in axes.split_whitespace() {
            assert_eq!(axis_name(axis), Ok(axis));
        }
        assert!(axis_name("axis:method").is_err());
    }
}
