//! `qtdec-mpi schedule`: a proved schedule of a collective.

use clap::Args;
use clap::builder::PossibleValuesParser;
use qtdec_mpi_predict::Network;
use qtdec_mpi_predict::simulate::{Engine, Noise, Program, SimulateError, memory_of_rank};
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::radix::split_radix;
use qtdec_mpi_schedule::{
    self, Algorithm, Bounds, Clusters, Library, Limits, Request, RequestError, Schedule, ScheduleError,
    Times, TooLarge, TwoLevel, Variant, Verified,
};

use crate::commands::predictions::predicting;
use qtdec_mpi::pictures::{SpaceTime, Trees};
use qtdec_report::table::{Cell, Form, Table};
use qtdec_terminal::sizes::size;
use qtdec_terminal::{Failure, Output, Outputs, Progress, output, picture_file, write_svg};

/// Prove and show the schedule of a collective
///
/// The schedule lists which rank sends which bytes to which other rank, and the order of these messages. It is proved to
/// conform to the MPI standard for every timing of its messages. Without further options, its counts are printed, with the
/// lower bounds for any schedule on ranks with a single port that can send and receive at the same time.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  qtdec-mpi schedule bcast binomial --comm-size 16 --msg-size 1M")]
pub(crate) struct Arguments {
    /// Show a schedule of this collective
    #[arg(value_parser = predicting::collective())]
    collective: Collective,

    /// Use this algorithm, or one between nodes and another within them, as in two_level:inter=binomial/8192:intra=linear; an unknown
    /// name lists the known ones
    algorithm: String,

    /// Set the number of ranks
    #[arg(long, value_name = "RANKS")]
    comm_size: u32,

    /// Set the size in bytes that MPI's argument `count` stands for: the whole message of bcast, reduce and allreduce, the data of
    /// one pair of ranks for alltoall, and the data of one rank otherwise; a barrier has none
    #[arg(long, value_name = "BYTES", value_parser = size)]
    msg_size: Option<u64>,

    /// Split messages into segments of at most this many bytes [default: no segmentation]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    segment_size: Option<u64>,

    /// Set the root of a rooted collective [default: 0]
    #[arg(long, value_name = "RANK")]
    root: Option<u32>,

    /// Set the size of an element in bytes; elements are never split [default: 1]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    element_size: Option<u64>,

    /// Keep the order of the ranks in reductions, for operations that do not commute
    #[arg(long)]
    non_commutative: bool,

    /// Use the variant of the algorithm in this library
    #[arg(long, value_name = "LIBRARY", value_parser = PossibleValuesParser::new(Library::ALL.map(Library::name)))]
    library: Option<String>,

    /// Set the number of chains of the algorithm `chain`
    #[arg(long, value_name = "CHAINS")]
    chains: Option<u32>,

    /// Divide the ranks into clusters of consecutive ranks, such as 2x16 or 8+16+4, for the algorithm `multirail` or two levels; for two
    /// levels, also into nodes that have the ranks in turn, such as 2x16:cyclic; for three, into clusters of nodes, such as 2x16:nodes=4
    #[arg(long, value_name = "CLUSTERS")]
    clusters: Option<Clusters>,

    /// Simulate the schedule on a network and show when each rank finishes: a file of qtdec-network/1, logp_mpi or Netgauge, or the
    /// name of a shipped network
    #[arg(long, value_name = "NETWORK", conflicts_with = "goal")]
    network: Option<String>,

    #[command(flatten)]
    form: ScheduleForm,

    /// Draw the schedule to this .svg or .pdf file
    #[arg(long, value_name = "FILE", value_parser = picture_file)]
    plot: Option<String>,

    /// Draw messages over ranks and steps (space-time), or the trees along which the bytes of a broadcast reach the ranks (tree)
    #[arg(long, value_name = "FIGURE", value_parser = PossibleValuesParser::new(["space-time", "tree"]), default_value = "space-time", requires = "plot")]
    figure: String,
}

/// The form in which the schedule itself is printed.
#[derive(Debug, Args)]
struct ScheduleForm {
    /// Print the schedule in the format qtdec-schedule/1
    #[arg(long)]
    json: bool,

    /// Print the schedule as GOAL text, the input of LogGOPSim
    #[arg(long, conflicts_with = "json")]
    goal: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let collective = arguments.collective;
    let mut outputs = Outputs::new(arguments.network.as_deref());
    let plot = arguments.plot.as_ref().map(|name| outputs.add(name)).transpose()?;
    let usage = |error: String| Failure::Usage(error);
    let composed =
        TwoLevel::named(collective, &arguments.algorithm).map_err(|error| usage(error.to_string()))?;
    let (algorithm, radix): (&dyn Algorithm, _) = match &composed {
        Some(composed) => (composed, None),
        None => {
            let (name, radix) = split_radix(&arguments.algorithm);
            (qtdec_mpi_schedule::find(collective, name).map_err(|error| usage(error.to_string()))?, radix)
        }
    };
    let has_message = predicting::needs_message(collective, arguments.msg_size.is_some())?;
    let msg_size = arguments.msg_size.filter(|_| has_message).unwrap_or(0);
    let request = arguments.request(msg_size, radix).map_err(|error| usage(error.to_string()))?;
    if arguments.plot.is_some() {
        arguments.drawable(collective, request.comm_size())?;
    }
    let network = arguments.network.as_deref().map(predicting::open).transpose()?;
    let limits = arguments.limits(network.as_ref());
    let progress = Progress::late("the schedule and its proof");
    let built = Schedule::build_within(algorithm, &request, limits);
    let built = built.map_err(|error| match error {
        ScheduleError::TooLarge(TooLarge::Operations { .. }) if arguments.plot.is_some() => {
            Failure::input(SpaceTime::too_many_messages())
        }
        error => usage(error.to_string()),
    })?;
    let verified = built.verify().map_err(|fault| match built.refusal(&fault) {
        Some(refusal) => usage(refusal.to_string()),
        None => Failure::input(format!("the schedule is wrong: {fault}")),
    })?;
    drop(progress);
    arguments.show(&verified, network.as_ref(), plot.as_ref())
}

impl Arguments {
    /// Returns the request of messages of this size, with the radix that the name sets.
    fn request(&self, msg_size: u64, radix: Option<u32>) -> Result<Request, RequestError> {
        let comm_size = self.comm_size;
        let library =
            Library::ALL.into_iter().find(|library| Some(library.name()) == self.library.as_deref());
        let element_size = self.element_size.unwrap_or(1);
        if element_size > 0 && !msg_size.is_multiple_of(element_size) {
            return Err(RequestError::part_of_element(msg_size, element_size));
        }
        let request = Request::new(comm_size, msg_size / element_size.max(1))?;
        let variant = Variant { library, radix, chains: self.chains, clusters: self.clusters.clone() };
        let request = request
            .element_size(element_size)?
            .root(self.root.unwrap_or(0))?
            .segment(self.segment_size)?
            .variant(variant)?;
        Ok(request.commutative(!self.non_commutative))
    }

    /// Draws and prints a proved schedule in the selected form.
    fn show(
        &self,
        verified: &Verified<'_>,
        network: Option<&Network>,
        plot: Option<&Output>,
    ) -> Result<(), Failure> {
        if let Some(target) = plot {
            let svg = match self.figure.as_str() {
                "tree" => Trees::from_schedule(verified).map_err(Failure::input)?.svg(),
                _ => SpaceTime::from_schedule(verified).map_err(Failure::input)?.svg(),
            };
            write_svg(target, &svg)?;
        }
        let times = match (network, &self.network) {
            (Some(network), Some(name)) => Some(times(verified, network, name)?),
            _ => None,
        };
        if self.form.json {
            return output::print_shown(&verified.json(times.as_ref()));
        }
        if self.form.goal {
            return output::print_shown(&verified.goal());
        }
        match times {
            Some(times) => {
                let counts = counts(verified).write(Form::Text);
                output::print(&format!("{counts}\n{}", finish(&times).write(Form::Text)))
            }
            None if self.plot.is_some() => Ok(()),
            None => output::print(&counts(verified).write(Form::Text)),
        }
    }

    /// Checks the limits of a picture that are known before the schedule is built.
    fn drawable(&self, collective: Collective, comm_size: u32) -> Result<(), Failure> {
        if self.figure == "tree" {
            return Trees::check(collective, comm_size).map_err(Failure::input);
        }
        if comm_size > SpaceTime::MAX_RANKS {
            return Err(Failure::input(SpaceTime::too_many_messages()));
        }
        Ok(())
    }

    /// Returns the limits of the schedule: a message of a picture has two operations, and most reductions combine what
    /// they receive.
    fn limits(&self, network: Option<&Network>) -> Limits {
        let limits = match &self.plot {
            Some(_) if self.figure == "space-time" => {
                Limits::default().operations(4 * SpaceTime::MAX_MESSAGES)
            }
            _ => Limits::default(),
        };
        network.map_or(limits, |network| limits.with_simulation(memory_of_rank(network.description())))
    }
}

fn times(verified: &Verified<'_>, network: &Network, name: &str) -> Result<Times, Failure> {
    let schedule = verified.schedule();
    if let Some(warning) = network.extrapolation(verified.counts().longest) {
        output::warn(&warning.to_string());
    }
    let failed = |error: SimulateError| Failure::input(error.to_string());
    let program = Program::new(schedule).map_err(failed)?;
    let mut engine = Engine::default();
    let _progress = Progress::late("the simulated times");
    engine.run(&program, network, Noise::default(), &mut ()).map_err(failed)?;
    Ok(Times {
        network: network.description().name.clone().unwrap_or_else(|| name.to_owned()),
        ranks: engine.finish().iter().map(|time| time.seconds()).collect(),
    })
}

fn finish(times: &Times) -> Table {
    let mut table = Table::new(&[("rank", "rank"), ("microseconds", "us")]);
    for (rank, seconds) in (0..).zip(&times.ranks) {
        table.row([Cell::Whole(rank), Cell::Number(seconds * 1e6)]);
    }
    table.row([Cell::Text("last".to_owned()), Cell::Number(times.total() * 1e6)]);
    table
}

/// Returns a table of the counts, with the lower bounds for schedules whose messages are no longer.
fn counts(verified: &Verified<'_>) -> Table {
    let schedule = verified.schedule();
    let counts = verified.counts();
    let bounds = Bounds::new(schedule.collective, &schedule.request, counts.longest);
    let mut table = Table::new(&[("count", "count"), ("schedule", "schedule"), ("least", "least")]);
    for (name, found, least) in [
        ("rounds", counts.rounds, Some(bounds.rounds)),
        ("depth", counts.depth, None),
        ("messages", counts.messages, None),
        ("bytes", counts.bytes, None),
        ("bytes that the busiest rank sends", counts.most_sent, Some(bounds.most_sent)),
        ("bytes that the busiest rank receives", counts.most_received, Some(bounds.most_received)),
    ] {
        table.row([Cell::Text(name.to_owned()), Cell::Whole(found), Cell::whole(least)]);
    }
    for (rail, &bytes) in counts.by_rail.iter().enumerate().filter(|_| counts.by_rail.len() > 1) {
        table.row([Cell::Text(format!("bytes on rail {rail}")), Cell::Whole(bytes), Cell::Missing]);
    }
    table
}
