//! The commands that check whether a library follows a tuning file.

use std::fmt::Write as _;

use qtdec_terminal::Advice;

/// What is known about a deployed tree when its tuning file is written.
pub(crate) struct Deployed<'d> {
    /// The times before, if they are one file or folder.
    pub(crate) before: Option<&'d str>,
    pub(crate) collective: Option<&'d str>,
    /// The library's own choice among the methods.
    pub(crate) baseline: Option<String>,
    /// The file of the tree.
    pub(crate) tree: Option<String>,
}

/// Returns shell comments that explain how to check whether a library follows a tuning file.
pub(crate) fn verify_hint(all: &[Deployed<'_>]) -> String {
    let before = all.first().and_then(|deployed| deployed.before).unwrap_or("BEFORE");
    let mut commands = String::new();
    for Deployed { collective, baseline, tree, .. } in all {
        let baseline = baseline.as_deref().or(Some("DEFAULT"));
        let tree = tree.as_deref().unwrap_or("TREE");
        let verify = Advice::to_verify(&[before, "AFTER"], *collective, baseline, tree);
        let _ = write!(commands, "\n#   {} --jobs one", verify.line());
    }
    format!(
        "# To check that the library follows the tuning file, measure again with these settings in the job of the times before, and run{commands}\n\
         # In another job, only pairs answer: qtdec-mpi measure --verify writes their script."
    )
}
