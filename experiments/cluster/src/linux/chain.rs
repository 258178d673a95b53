//! The steps of the chain, and the times that it leaves.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::programs::{qtdec, succeed};

/// The grid: 12 cells.
const COMM_SIZES: [u32; 3] = [2, 4, 8];
const MSG_SIZES: [u64; 4] = [1 << 10, 1 << 13, 1 << 16, 1 << 18];

/// The methods besides the default.
const METHODS: &str = "basic_linear,chain/8K,pipeline/1K,pipeline/8K,split_binary_tree/1K,split_binary_tree/8K,\
                       binary_tree/8K,binomial,binomial/8K";

/// A point tells whether a library obeys if its method and the default differ by more than this.
const DISTINGUISHABLE: f64 = 1.10;

pub(super) struct Chain {
    pub(super) folder: PathBuf,
    pub(super) mpirun: String,
}

impl Chain {
    /// Runs the benchmark under the settings of a script, if one is named.
    pub(super) fn bench(&self, ranks: u32, settings: &str, arguments: &[&str]) -> Result<(), String> {
        let mut command = Command::new("timeout");
        let program = format!("{}/bench/qtdec-bench", self.folder.display());
        if settings.is_empty() {
            command.args(["--kill-after=5", "120", &self.mpirun]);
        } else {
            let script = format!(". {settings}; exec \"$@\"");
            command.args(["--kill-after=5", "120", "sh", "-c", &script, "sh", &self.mpirun]);
        }
        command.args(["-np", &ranks.to_string(), &program]).args(arguments);
        succeed(command.current_dir(&self.folder).stdin(Stdio::null()))
    }

    fn grid(
        &self,
        settings: &str,
        folder: &str,
        name: &str,
        launch: u8,
        more: &[&str],
    ) -> Result<(), String> {
        fs::create_dir_all(self.folder.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        let list = |sizes: &[u64]| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let (launch, file) = (launch.to_string(), format!("{folder}/{name}-{launch}.csv"));
        let (ranks, bytes) = (list(&COMM_SIZES.map(u64::from)), list(&MSG_SIZES));
        let mut arguments = vec!["--clock", "shared", "--root", "0", "--launch", &launch];
        arguments.extend(["--comm-sizes", &ranks, "--msg-sizes", &bytes, "--output", &file]);
        arguments.extend(more);
        self.bench(8, settings, &arguments)
    }

    /// Measures the library's own choice, without a change of its settings.
    pub(super) fn launch(&self, folder: &str, name: &str, launch: u8, more: &[&str]) -> Result<(), String> {
        self.grid("", folder, name, launch, &[&["--methods", "default", "--repeats", "5"], more].concat())
    }

    /// Measures the library's algorithms, of which slow ones drop out.
    pub(super) fn forced(&self, launch: u8) -> Result<(), String> {
        let race = ["--race", "--repeats", "5", "--process", "2", "--seconds", "24"];
        self.grid("", "before", "forced", launch, &[&["--methods", METHODS], &race[..]].concat())
    }

    /// Makes the tuning file.
    pub(super) fn tune(&self) -> Result<(), String> {
        let mut tune = qtdec();
        tune.args(["tune", "before", "--baseline", "default", "--library", "open-mpi", "--release", "4.1"]);
        succeed(tune.args(["-o", "tuned"]).current_dir(&self.folder))
    }

    /// Measures what the library does under the tuning file.
    pub(super) fn tuned(&self, launch: u8) -> Result<(), String> {
        let more = ["--methods", "default", "--repeats", "5"];
        self.grid("tuned/switches.sh", "after", "tuned", launch, &more)
    }

    /// Compares the launches under the tuning file with others.
    pub(super) fn verify(&self, before: &str) -> Result<Value, String> {
        let mut verify = qtdec();
        verify.args([
            "verify",
            before,
            "after",
            "--baseline",
            "default",
            "--deployed",
            "tuned/bcast.tree.json",
        ]);
        let output = verify.arg("--json").current_dir(&self.folder).stderr(Stdio::inherit()).output();
        let output = output.map_err(|error| format!("qtdec verify: {error}"))?;
        serde_json::from_slice(&output.stdout).map_err(|error| format!("qtdec verify {before}: {error}"))
    }

    /// Returns the method of the tree in a cell, with its segment size.
    fn decided(&self, ranks: u32, bytes: u64) -> Result<(String, String), String> {
        let mut decide = qtdec();
        decide.args(["decide", "tuned/bcast.tree.json", "--json"]);
        decide.args(["--comm-size", &ranks.to_string(), "--msg-size", &bytes.to_string()]);
        let output =
            decide.current_dir(&self.folder).output().map_err(|error| format!("qtdec decide: {error}"))?;
        let answer: Value =
            serde_json::from_slice(&output.stdout).map_err(|error| format!("qtdec decide: {error}"))?;
        let segment = answer["segment_size"].as_u64().map(|segment| segment.to_string());
        Ok((answer["name"].as_str().unwrap_or_default().to_owned(), segment.unwrap_or_default()))
    }

    /// Returns a table of all cells, and those in which the library did not obey although it can be seen.
    pub(super) fn compare(
        &self,
        before: &Medians,
        control: &Medians,
        after: &Medians,
    ) -> Result<(String, Vec<String>), String> {
        let default = ("default".to_owned(), String::new());
        let mut table = "ranks   bytes  deployed                 default us  promised us  control us  deployed us  faster  obeyed\n".to_owned();
        let (mut faults, mut seen, mut obeyed) = (Vec::new(), 0, 0);
        for ranks in COMM_SIZES {
            for bytes in MSG_SIZES {
                let chosen = self.decided(ranks, bytes)?;
                let promised = before.of(ranks, bytes, &chosen)?;
                let was = before.of(ranks, bytes, &default)?;
                let (control, now) = (control.of(ranks, bytes, &default)?, after.of(ranks, bytes, &default)?);
                let differs = (was / promised).max(promised / was) > DISTINGUISHABLE;
                let follows = (now / promised).ln().abs() < (now / was).ln().abs();
                let word = match (differs, follows) {
                    (false, _) => "-",
                    (true, true) => "yes",
                    (true, false) => "no",
                };
                seen += usize::from(differs);
                obeyed += usize::from(differs && follows);
                let label = [&*chosen.0, if chosen.1.is_empty() { "" } else { "/" }, &chosen.1].concat();
                let _ = writeln!(
                    table,
                    "{ranks:5} {bytes:7}  {label:24} {was:10.0} {promised:12.0} {control:11.0} {now:12.0} {:6.2}x  {word}",
                    control / now
                );
                if word == "no" {
                    faults.push(format!("{ranks} ranks and {bytes} bytes: the library did not run {label}"));
                }
            }
        }
        if seen == 0 {
            faults.push("no point distinguishes the deployed methods from the default".to_owned());
        }
        let _ = writeln!(table, "obeyed at {obeyed} of {seen} points where it can be seen");
        Ok((table, faults))
    }
}

/// The medians of a folder's times, in microseconds.
pub(super) struct Medians(BTreeMap<(u32, u64, String, String), f64>);

impl Medians {
    /// Reads the times of a folder, of all launches together.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let mut times: BTreeMap<_, Vec<f64>> = BTreeMap::new();
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(folder).map_err(|error| failed(&error))? {
            let path = entry.map_err(|error| failed(&error))?.path();
            let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
            for row in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
                let fields: Vec<&str> = row.split(',').collect();
                let wrong = || failed(&format!("the row `{row}`"));
                let [ranks, bytes, method, segment, .., time] = fields[..] else { return Err(wrong()) };
                let cell = (ranks.parse().map_err(|_| wrong())?, bytes.parse().map_err(|_| wrong())?);
                let key = (cell.0, cell.1, method.to_owned(), segment.to_owned());
                times.entry(key).or_default().push(time.parse().map_err(|_| wrong())?);
            }
        }
        let median = |mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        };
        Ok(Self(times.into_iter().map(|(key, times)| (key, median(times))).collect()))
    }

    fn of(&self, ranks: u32, bytes: u64, (method, segment): &(String, String)) -> Result<f64, String> {
        let key = (ranks, bytes, method.clone(), segment.clone());
        let time = self.0.get(&key).copied();
        time.ok_or_else(|| format!("{ranks} ranks and {bytes} bytes: no time of {method} {segment}"))
    }
}
