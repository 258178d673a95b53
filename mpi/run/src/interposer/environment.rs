//! What the environment asks of the interposer.

use std::path::PathBuf;

/// What to do, from the variables `QTDEC_TREES`, `QTDEC_TRACE`, `QTDEC_CHECK` and `QTDEC_CUT_OPERANDS`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    /// The folder of the trees, in place of those that are compiled in.
    pub(super) trees: Option<PathBuf>,
    /// Whether to print decisions.
    pub(super) trace: bool,
    /// Whether to compare results with those of the library.
    pub(super) check: bool,
    /// Whether operations of the program may combine parts of operands.
    pub(super) cut_operands: bool,
}

impl Wanted {
    pub(super) fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let switch = |name| match variable(name).as_deref() {
            None | Some("" | "0") => Ok(false),
            Some("1") => Ok(true),
            Some(other) => Err(format!("{name} is `{other}`: write 1 or 0")),
        };
        let trees = variable("QTDEC_TREES").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        let (trace, check) = (switch("QTDEC_TRACE")?, switch("QTDEC_CHECK")?);
        Ok(Self { trees, trace, check, cut_operands: switch("QTDEC_CUT_OPERANDS")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_read_and_mistakes_told() {
        assert_eq!(Wanted::read(|_| None), Ok(Wanted::default()));
        let given = |name: &str| Some(if name == "QTDEC_TREES" { "tuned" } else { "1" }.to_owned());
        let expected = Wanted { trees: Some("tuned".into()), trace: true, check: true, cut_operands: true };
        assert_eq!(Wanted::read(given), Ok(expected));
        let wrong = Wanted::read(|name| (name == "QTDEC_CHECK").then(|| "yes".to_owned()));
        assert_eq!(wrong, Err("QTDEC_CHECK is `yes`: write 1 or 0".to_owned()));
    }
}
