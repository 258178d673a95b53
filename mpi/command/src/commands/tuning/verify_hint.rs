//! The commands that check whether a library follows a tuning file.

use qtdec_terminal::advice::Advice;

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
    let command = |deployed: &Deployed<'_>| {
        let Deployed { collective, baseline, tree, .. } = deployed;
        let baseline = Some(baseline.as_deref().unwrap_or("DEFAULT"));
        let tree = tree.as_deref().unwrap_or("TREE");
        let verify = Advice::to_verify(&[before, "AFTER"], *collective, baseline, tree);
        format!("\n#   {} --jobs one", verify.line())
    };
    let commands: String = all.iter().map(command).collect();
    format!(
        "# To check that the library follows the tuning file, measure again with these settings in the job of the times before, and run{commands}\n\
         # In another job, only pairs answer: qtdec-mpi plan --verify writes their script."
    )
}
