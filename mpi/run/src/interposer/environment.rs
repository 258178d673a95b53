//! What the environment asks of the interposer.

use std::path::PathBuf;

use qtdec_core::similar::did_you_mean;
use qtdec_mpi_schedule::Collective;

/// What to learn, and where what was learned is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ToLearn {
    pub(super) folder: PathBuf,
    /// The collectives that are not learned about.
    pub(super) except: Vec<Collective>,
    /// The times that say what to try first.
    pub(super) prior: Option<PathBuf>,
}

/// What to do, from the variables `QTDEC_TREES`, `QTDEC_TRACE`, `QTDEC_CHECK`, `QTDEC_CUT_OPERANDS`, `QTDEC_LEARN`, `QTDEC_LEARN_EXCEPT`
/// and `QTDEC_LEARN_PRIOR`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    /// The folder of the trees, in place of those that are compiled in.
    pub(super) trees: Option<PathBuf>,
    pub(super) trace: bool,
    pub(super) check: bool,
    /// Whether operations of the program may combine parts of operands.
    pub(super) cut_operands: bool,
    pub(super) learn: Option<ToLearn>,
}

impl Wanted {
    pub(super) fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let switch = |name| match variable(name).as_deref() {
            None | Some("" | "0") => Ok(false),
            Some("1") => Ok(true),
            Some(other) => Err(format!("{name} is `{other}`: write 1 or 0")),
        };
        let path = |name| variable(name).filter(|path| !path.is_empty()).map(PathBuf::from);
        let except = variable("QTDEC_LEARN_EXCEPT").unwrap_or_default();
        let except = except.split(',').map(str::trim).filter(|name| !name.is_empty());
        let except = except.map(collective).collect::<Result<_, _>>()?;
        Ok(Self {
            trees: path("QTDEC_TREES"),
            trace: switch("QTDEC_TRACE")?,
            check: switch("QTDEC_CHECK")?,
            cut_operands: switch("QTDEC_CUT_OPERANDS")?,
            learn: path("QTDEC_LEARN").map(|folder| ToLearn {
                folder,
                except,
                prior: path("QTDEC_LEARN_PRIOR"),
            }),
        })
    }
}

fn collective(name: &str) -> Result<Collective, String> {
    Collective::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
        let names = Collective::ALL.map(Collective::name);
        let meant = did_you_mean(name, names);
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        format!("QTDEC_LEARN_EXCEPT has `{name}`{meant} (the collectives are {})", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_read_and_mistakes_told() {
        assert_eq!(Wanted::read(|_| None), Ok(Wanted::default()));
        let given = |name: &str| {
            let value = match name {
                "QTDEC_TREES" => "tuned",
                "QTDEC_LEARN" => "learned",
                "QTDEC_LEARN_EXCEPT" => "bcast, reduce",
                "QTDEC_LEARN_PRIOR" => "times.csv",
                _ => "1",
            };
            Some(value.to_owned())
        };
        let except = vec![Collective::Bcast, Collective::Reduce];
        let learn = ToLearn { folder: "learned".into(), except, prior: Some("times.csv".into()) };
        let expected = Wanted {
            trees: Some("tuned".into()),
            trace: true,
            check: true,
            cut_operands: true,
            learn: Some(learn),
        };
        assert_eq!(Wanted::read(given), Ok(expected));
        let wrong = Wanted::read(|name| (name == "QTDEC_CHECK").then(|| "yes".to_owned()));
        assert_eq!(wrong, Err("QTDEC_CHECK is `yes`: write 1 or 0".to_owned()));
        let wrong = Wanted::read(|name| (name == "QTDEC_LEARN_EXCEPT").then(|| "bcast,redcue".to_owned()));
        let told = wrong.unwrap_err();
        assert!(
            told.starts_with(
                "QTDEC_LEARN_EXCEPT has `redcue`; did you mean `reduce`? (the collectives are bcast, "
            ),
            "{told}"
        );
    }
}
