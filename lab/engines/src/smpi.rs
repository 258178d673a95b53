//! SimGrid's own MPI on the project's networks: its broadcasts, the selectors that choose among them, and files of GOAL.
//!
//! The broadcasts come from Open MPI, MPICH and MVAPICH2 or were written for SimGrid; our only code that runs is a program that
//! calls `MPI_Bcast`, or one that reads GOAL and posts its messages. They have no send ports, and messages on SimGrid's links share their rate. With
//! [`Link::set_concurrency_limit`](https://simgrid.org/doc/latest/app_s4u.html) a rank's link to the switch carries one message
//! at a time, and the others wait in order: this is the send port of our simulator.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use qtdec_mpi_predict::network::{Level, Network};
use qtdec_mpi_predict::predict::Size;
use qtdec_simgrid::platform::Platform;
use tempfile::TempDir;

use xtask::files;
use xtask::packages::Machine;
use xtask::run::{printed, root};

/// SimGrid's selectors, which choose a broadcast for each call like those libraries.
pub(crate) const SELECTORS: [&str; 3] = ["ompi", "mpich", "mvapich2"];

/// The bytes that SMPI adds to each message.
const ENVELOPE: u64 = 16;

/// The time limit of one run, in seconds.
const LIMIT: &str = "600";

/// A program that was built for SMPI.
pub(crate) struct Smpi {
    folder: TempDir,
    program: PathBuf,
}

/// The broadcast that is called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Broadcast {
    /// Always the one with this name.
    Always(&'static str),
    /// The one that this selector chooses.
    Selected(&'static str),
}

impl Smpi {
    /// Ensures that SimGrid and a compiler are available.
    pub(crate) fn available(machine: Machine) -> Result<(), String> {
        machine.library("libsimgrid.so", &["libsimgrid-dev"])?;
        for command in ["smpicxx", "smpirun"] {
            machine.command(command, &["libsimgrid-dev"])?;
        }
        machine.command("c++", &["g++"])
    }

    /// Builds the program that calls broadcasts.
    pub(crate) fn broadcasts() -> Result<Self, String> {
        Self::build("bcast")
    }

    /// Builds the program that runs files of GOAL.
    pub(crate) fn goal() -> Result<Self, String> {
        Self::build("goal")
    }

    fn build(name: &str) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let program = folder.path().join(name);
        let source = root().join(format!("lab/engines/src/smpi/{name}.cpp"));
        let mut command = Command::new("smpicxx");
        command.args(["-std=gnu++17", "-O1", "-o"]).arg(&program).arg(source);
        printed(&mut command)?;
        Ok(Self { folder, program })
    }

    /// Returns the time of each call, in seconds.
    pub(crate) fn times(
        &self,
        network: &Network,
        broadcast: Broadcast,
        calls: &[Size],
    ) -> Result<Vec<f64>, String> {
        let ranks = calls.iter().map(|call| call.comm_size).max().unwrap_or(1);
        let mut text = String::new();
        // Writing to a string does not fail.
        for call in calls {
            let _ = writeln!(text, "{} {}", call.comm_size, call.msg_size);
        }
        let setting = match broadcast {
            Broadcast::Always(name) => format!("--cfg=smpi/bcast:{name}"),
            Broadcast::Selected(name) => format!("--cfg=smpi/coll-selector:{name}"),
        };
        let times = self.run(network, ranks, &[setting], &text, &[]);
        let times = times.map_err(|reason| format!("{broadcast:?} in SMPI: {reason}"))?;
        if times.len() == calls.len() {
            Ok(times)
        } else {
            Err(format!("{broadcast:?} in SMPI: too few times"))
        }
    }

    /// Returns the time of a GOAL file of this many ranks, in seconds.
    pub(crate) fn time_of_goal(&self, network: &Network, ranks: u32, text: &str) -> Result<f64, String> {
        let unit = network.copy(1).to_string();
        let times = self.run(network, ranks, &[], text, &[unit]);
        match times.as_deref() {
            Ok([time]) => Ok(*time),
            Ok(_) => Err("GOAL in SMPI: no time".to_owned()),
            Err(reason) => Err(format!("GOAL in SMPI: {reason}")),
        }
    }

    /// Runs the program with an input file and further arguments, and returns the numbers that it prints.
    fn run(
        &self,
        network: &Network,
        ranks: u32,
        options: &[String],
        input: &str,
        arguments: &[String],
    ) -> Result<Vec<f64>, String> {
        let description = network.description();
        if description.header_bytes != ENVELOPE {
            return Err(format!("SMPI adds {ENVELOPE} bytes to each message, as the network must"));
        }
        let platform = Platform::new(network, ranks)?;
        let mut hosts = String::new();
        for rank in 0..ranks {
            let _ = writeln!(hosts, "n{rank}");
        }
        let [xml, hostfile, requested] =
            ["platform.xml", "hosts", "input"].map(|name| self.folder.path().join(name));
        for (file, text) in [(&xml, &*platform.xml), (&hostfile, &hosts), (&requested, input)] {
            files::write(file, text)?;
        }
        let mut command = Command::new("timeout");
        command.args([LIMIT, "smpirun", "-np", &ranks.to_string(), "-platform"]).arg(&xml);
        command.arg("-hostfile").arg(&hostfile).args(settings(network)?).args(options);
        command.arg(&self.program).arg(&requested).args(arguments).current_dir(self.folder.path());
        let printed = printed(&mut command)?;
        let times: Option<Vec<f64>> = printed.lines().map(|line| line.trim().parse().ok()).collect();
        times.ok_or_else(|| format!("not a time in {printed:?}"))
    }
}

/// Returns SimGrid's settings: the network's rates, latencies and overheads, eager sending of every message, and no
/// time for the program's computation.
fn settings(network: &Network) -> Result<Vec<String>, String> {
    let overheads = |bytes| {
        let cost = network.cost(Level::Within, bytes);
        (cost.send, cost.receive)
    };
    let (send, receive) = overheads(1);
    if overheads(1 << 20) != (send, receive) {
        return Err("overheads that grow with the message are not handed to SMPI".to_owned());
    }
    // No message is larger, so all are sent without a handshake, and before the receive is posted.
    let eager = 1 << 30;
    let settings = [
        "smpi/privatization:no".to_owned(),
        "smpi/simulate-computation:no".to_owned(),
        "smpi/bw-factor:0:1".to_owned(),
        "smpi/lat-factor:0:1".to_owned(),
        "network/crosstraffic:no".to_owned(),
        "network/TCP-gamma:1e12".to_owned(),
        format!("smpi/os:0:{send}:0"),
        format!("smpi/ois:0:{send}:0"),
        format!("smpi/or:0:{receive}:0"),
        format!("smpi/async-small-thresh:{eager}"),
        format!("smpi/send-is-detached-thresh:{eager}"),
    ];
    let settings = settings.into_iter().map(|setting| format!("--cfg={setting}"));
    Ok(settings.chain(["--log=root.thres:critical".to_owned()]).collect())
}
