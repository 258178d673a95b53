//! Nodes on one machine: what starts the daemon of a library's launcher under another hostname.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use xtask::files;

/// The program that starts a daemon on a node, in place of `ssh`.
pub(super) struct Agent(PathBuf);

/// Gets options, a hostname and the words of a command, which the shell of the node reads.
const AGENT: &str = "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\nnode=$1\nshift\nexec unshare --uts sh -c \"hostname $node; $*\"\n";

impl Agent {
    /// Writes the agent to a folder, or returns `None` where hostnames cannot be changed.
    pub(super) fn new(folder: &Path) -> Result<Option<Self>, String> {
        let mut probe = Command::new("unshare");
        probe.args(["--uts", "hostname", "qtdec-a"]).stdout(Stdio::null()).stderr(Stdio::null());
        if !probe.status().is_ok_and(|status| status.success()) {
            return Ok(None);
        }
        let path = folder.join("agent");
        files::write(&path, AGENT)?;
        let executable = Command::new("chmod").arg("+x").arg(&path).status();
        executable.map_err(|error| error.to_string()).map(|_| Some(Self(path)))
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}
