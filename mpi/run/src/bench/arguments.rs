//! The command line of `qtdec-bench`.

use std::fs::File;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use qtdec_mpi_predict::simulate::Arrivals;
use qtdec_mpi_schedule::Collective;

use super::layout::{Blocks, Layout, element_size, has_counts};
use super::method::{Method, size};
use super::ruled::Ruled;
use crate::abilities::{REPEATS, collectives, measured};

/// Measure collectives of MPI over a grid in one launch, or the parameters of the network
#[derive(Clone, Debug, Parser)]
#[command(name = "qtdec-bench", max_term_width = 100)]
#[command(after_help = "Examples:
  mpirun -np 8 qtdec-bench --methods default --launch 1 -o default-1.csv
  mpirun -np 8 qtdec-bench --methods binomial,pipeline/8K,own:binomial --process 2 --race -o forced-1.csv
  mpirun -np 2 qtdec-bench --network -o network.json")]
pub(crate) struct Arguments {
    /// Measure latency, gaps and overheads between the first two ranks, as a network file
    #[arg(long)]
    pub(crate) network: bool,

    /// Measure nothing: check this tuning file and those beside it, call the collectives of --ruled at the borders of its rules, and
    /// write one line
    #[arg(long, value_name = "FILE", requires = "ruled")]
    pub(crate) smoke: Vec<PathBuf>,

    /// Call these collectives, each with the least number of ranks for which the rules force an algorithm
    #[arg(long, value_name = "COLLECTIVE:RANKS", value_delimiter = ',', requires = "smoke")]
    pub(crate) ruled: Vec<Ruled>,

    /// Measure this collective
    #[arg(long, value_name = "NAME", default_value = "bcast", value_parser = collective)]
    pub(crate) collective: Collective,

    /// Call it on the first ranks, as many as each of these numbers [default: all ranks]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) comm_sizes: Vec<u32>,

    /// Call it with these sizes in bytes: of a rank's block where it has several, the mean one where they differ; of all blocks of
    /// `reduce_scatter`; otherwise of the message; a barrier has none
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = size, default_value = "1K,16K,256K")]
    pub(crate) msg_sizes: Vec<u64>,

    /// Divide what collectives with a count for each rank move into equal blocks, or into blocks that grow by the same amount from rank to
    /// rank, with `skewed:F` until the last is F times the first; the sum is the same
    #[arg(long, value_name = "BLOCKS", default_value_t = Blocks::EQUAL)]
    pub(crate) blocks: Blocks,

    /// Measure these methods: `default` for the library's choice (`default-han` where Open MPI's HAN is kept, `untouched` without any
    /// setting, and `forced:NAME` where variables of the environment force an algorithm), the name of one of its algorithms, or of one of
    /// ours after `own:`, each with `/SEGMENT` if its messages are cut; `own:multirail@2x4` knows two sites of four
    /// ranks, and `own:two_level:inter=binomial/8192:intra=linear` composes two of ours, between nodes and within them
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "default")]
    pub(crate) methods: Vec<Method>,

    /// Repeat each method this often, after calls that do not count
    #[arg(long, value_name = "NUMBER", default_value_t = REPEATS, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) repeats: u32,

    /// Stop repeating methods that are far slower than the best one
    #[arg(long)]
    pub(crate) race: bool,

    /// Rotate the root among the first, the middle and the last rank, or use this one
    #[arg(long, value_name = "RANK", default_value = "rotate", value_parser = root)]
    pub(crate) root: Root,

    /// Agree on a common start in this way
    #[arg(long, value_enum, default_value_t = Clock::Synchronised)]
    pub(crate) clock: Clock,

    /// Write as many bytes before each call, so that caches are cold
    #[arg(long, value_name = "BYTES", value_parser = size, default_value = "0")]
    pub(crate) cold: u64,

    /// Let ranks arrive up to this long after the common start, from which times count: all at random in each call, or by
    /// `ascending:` or `descending:` in the order of the ranks, or with `first:` or `last:` only that rank; or as a file states, which
    /// has the microseconds of one rank a line; or as far apart as in a profile with `skew_seconds`
    #[arg(long, value_name = "[SHAPE:]MICROSECONDS|FILE|[SHAPE:]PROFILE", default_value = "0", value_parser = skew)]
    pub(crate) skew: Arrivals,

    /// End after this time; cells share what is left, and each method has at least 3 repeats
    #[arg(long, value_name = "SECONDS")]
    pub(crate) seconds: Option<f64>,

    /// Name the launch in the times, after its job where the variable `QTDEC_JOB` names one
    #[arg(long, value_name = "NAME", default_value = "1")]
    pub(crate) launch: String,

    /// Number this program within its launch
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) process: u32,

    /// Name the machine in the times [default: the nodes' names with * in place of digits]
    #[arg(long, value_name = "NAME")]
    pub(crate) machine: Option<String>,

    /// Write to this file
    #[arg(short, long, value_name = "FILE", default_value = "times.csv")]
    pub(crate) output: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// The first, the middle and the last rank in turn.
    Rotate,
    Fixed(u32),
}

/// How ranks start a call at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Clock {
    /// The clocks' differences and drifts are measured
    Synchronised,
    /// All ranks are on one machine, and share its clock
    Shared,
    /// The call follows a barrier, whose ranks leave it at different times
    Barrier,
}

impl Arguments {
    pub(crate) fn layout(&self, ranks: u32, bytes: u64) -> Layout {
        Layout { collective: self.collective, ranks, bytes, blocks: self.blocks }
    }

    /// Returns the arguments with the methods, if they fit together.
    pub(crate) fn checked(mut self) -> Result<(Self, Vec<Method>), String> {
        let mut faults = Vec::new();
        if self.collective == Collective::Barrier {
            self.msg_sizes = vec![0];
        }
        let methods = self.methods.clone();
        let own: Vec<String> =
            methods.iter().filter(|method| method.is_as_set_up()).map(Method::label).collect();
        if own.len() > 1 {
            faults.push(format!(
                "`{}` are measured under different settings: start the program once for each",
                own.join("` and `")
            ));
        }
        if methods.iter().any(Method::is_switched) && !own.is_empty() {
            faults.push("the library's choice cannot be measured where algorithms are forced, which changes the library's settings: start the program once for each, with different numbers of --process".to_owned());
        }
        match self.skew.of(self.collective.name()) {
            Ok(skew) => self.skew = skew,
            Err(fault) => faults.push(fault),
        }
        for (index, method) in methods.iter().enumerate() {
            if let Err(fault) = method.check(self.collective) {
                faults.push(fault);
            }
            if methods[..index].contains(method) {
                faults.push(format!("the method `{}` is listed twice", method.label()));
            }
        }
        if self.blocks != Blocks::EQUAL && !has_counts(self.collective) {
            let measured: Vec<&str> =
                measured().filter(|known| has_counts(*known)).map(Collective::name).collect();
            faults.push(format!(
                "{} has no blocks of different sizes: --blocks is for {}",
                self.collective,
                measured.join(", ")
            ));
        }
        let size = element_size(self.collective);
        if let Some(odd) = self.msg_sizes.iter().find(|bytes| *bytes % size != 0) {
            faults.push(format!("{} adds 32-bit integers: {odd} bytes are not whole ones", self.collective));
        }
        if let Some(long) = self.msg_sizes.iter().find(|size| **size > 1 << 30) {
            faults.push(format!("{long} bytes are too many for one call: at most 1G"));
        }
        if self.comm_sizes.contains(&0) {
            faults.push("a communicator has at least one rank".to_owned());
        }
        if self.seconds.is_some_and(|seconds| seconds.is_nan() || seconds <= 0.0) {
            faults.push("--seconds is a number above 0".to_owned());
        }
        if self.launch.contains(['\n', '\r', ',', '"']) || self.launch.trim() != self.launch {
            faults
                .push("the name of a launch has no commas, quotation marks or blanks at its ends".to_owned());
        }
        if faults.is_empty() {
            Ok((self, methods))
        } else {
            Err(format!("error: {}", faults.join("\nerror: ")))
        }
    }
}

fn collective(text: &str) -> Result<Collective, String> {
    let known = measured().find(|known| known.name() == text);
    known.ok_or_else(|| format!("the collectives are {}", collectives().join(", ")))
}

fn skew(text: &str) -> Result<Arrivals, String> {
    Arrivals::parse(text, |path| File::open(path))
}

fn root(text: &str) -> Result<Root, String> {
    if text == "rotate" {
        return Ok(Root::Rotate);
    }
    text.parse().map(Root::Fixed).map_err(|_| "not a rank, and not `rotate`".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::Arguments;

    fn fault(line: &str) -> String {
        let parsed = Arguments::try_parse_from(line.split(' ')).map_err(|error| error.to_string());
        parsed.and_then(Arguments::checked).expect_err("refused")
    }

    #[test]
    fn what_does_not_fit_together_is_refused_at_once() {
        let text = fault("bench --collective allreduce --methods default,ring,ring,rung --msg-sizes 4,7");
        let faults: Vec<&str> = text.lines().collect();
        assert_eq!(faults.len(), 4, "{text}");
        assert!(
            faults[0]
                .starts_with("error: the library's choice cannot be measured where algorithms are forced")
        );
        assert!(faults[1].contains("`ring` is listed twice"), "{text}");
        assert!(faults[2].contains("Open MPI has no allreduce algorithm `rung`"), "{text}");
        assert!(faults[3].contains("7 bytes are not whole ones"), "{text}");
        assert!(
            fault("bench --methods own:multirail@2").contains('2'),
            "{}",
            fault("bench --methods own:multirail@2")
        );
        assert!(
            fault("bench --methods default,untouched")
                .contains("`default` and `untouched` are measured under")
        );
        assert!(fault("bench --methods forced:binomial,default").contains("under different settings"));
        assert!(fault("bench --methods own:rung").contains("bcast has no algorithm `rung`"));
        assert!(fault("bench --methods pipeline/0").contains("pipeline/0"));
        assert!(
            fault("bench --blocks skewed:2")
                .contains("bcast has no blocks of different sizes: --blocks is for scatterv, gatherv,")
        );
        assert!(fault("bench --collective custom").contains("the collectives are bcast, "));
        assert!(fault("bench --seconds 0").contains("--seconds"));
        assert!(fault("bench --skew nan").contains("'--skew"), "{}", fault("bench --skew nan"));
        assert!(
            fault("bench --skew bell:3").contains("neither microseconds from 0 to 1000000, alone or after")
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("skew.csv");
        std::fs::write(&path, "rank,microseconds\n0,5\n2,7\n").unwrap();
        let wrong = fault(&format!("bench --skew {}", path.display()));
        assert!(
            wrong.contains("line 3: `2,7` is not the row of rank 1 (write the ranks in their order"),
            "{wrong}"
        );
    }
}
