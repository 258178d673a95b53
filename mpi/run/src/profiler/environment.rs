//! What the environment asks of a profile.

use std::path::PathBuf;

/// How to count, from the variables `QTDEC_PROFILE`, `QTDEC_PROFILE_SIGNAL` and `QTDEC_PROFILE_SKEW`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) path: PathBuf,
    /// 1 or 2, for SIGUSR1 or SIGUSR2.
    pub(super) signal: Option<i32>,
    pub(super) skew: bool,
}

impl Wanted {
    /// Reads the variables. What is wrong is told, and the default takes its place.
    pub(super) fn read(variable: impl Fn(&str) -> Option<String>) -> (Self, Vec<String>) {
        let mut wrong = Vec::new();
        let path = variable("QTDEC_PROFILE").filter(|path| !path.is_empty());
        let signal = match variable("QTDEC_PROFILE_SIGNAL").as_deref() {
            None | Some("") => None,
            Some("USR1") => Some(1),
            Some("USR2") => Some(2),
            Some(other) => {
                wrong.push(format!("QTDEC_PROFILE_SIGNAL is `{other}`: write USR1 or USR2"));
                None
            }
        };
        let skew = match variable("QTDEC_PROFILE_SKEW").as_deref() {
            None | Some("" | "0") => false,
            Some("1") => true,
            Some(other) => {
                wrong.push(format!("QTDEC_PROFILE_SKEW is `{other}`: write 1 to measure it"));
                false
            }
        };
        (Self { path: path.unwrap_or_else(|| "profile.csv".to_owned()).into(), signal, skew }, wrong)
    }

    /// Gives spawned processes a file of their own, with the name of their world. What is there and no file, such as a device, they
    /// share.
    pub(super) fn spawned(&mut self, world: &str) {
        if self.path.metadata().is_ok_and(|known| !known.is_file()) {
            return;
        }
        let name = format!("spawned-{world}");
        let extension = self.path.extension().map(|extension| extension.to_string_lossy().into_owned());
        self.path.set_extension(extension.map_or(name.clone(), |extension| format!("{name}.{extension}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_read_and_mistakes_told() {
        let none = Wanted { path: "profile.csv".into(), signal: None, skew: false };
        assert_eq!(Wanted::read(|_| None), (none.clone(), vec![]));
        let given = |name: &str| {
            let value = match name {
                "QTDEC_PROFILE" => "calls.csv",
                "QTDEC_PROFILE_SIGNAL" => "USR2",
                _ => "1",
            };
            Some(value.to_owned())
        };
        let expected = Wanted { path: "calls.csv".into(), signal: Some(2), skew: true };
        assert_eq!(Wanted::read(given), (expected, vec![]));
        let (wanted, wrong) = Wanted::read(|name| (name != "QTDEC_PROFILE").then(|| "yes".to_owned()));
        assert_eq!(wanted, none);
        let expected = [
            "QTDEC_PROFILE_SIGNAL is `yes`: write USR1 or USR2",
            "QTDEC_PROFILE_SKEW is `yes`: write 1 to measure it",
        ];
        assert_eq!(wrong, expected);
    }

    #[test]
    fn spawned_processes_have_a_file_of_their_own() {
        let path = |name: &str| {
            let mut wanted = Wanted { path: name.into(), signal: None, skew: false };
            wanted.spawned("node3-17");
            wanted.path.display().to_string()
        };
        assert_eq!(path("profile.csv"), "profile.spawned-node3-17.csv");
        assert_eq!(path("runs/calls"), "runs/calls.spawned-node3-17");
        assert_eq!(path("/dev/null"), "/dev/null");
    }
}
