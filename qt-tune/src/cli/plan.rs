//! `qtdec plan`: a job script that measures an MPI library.

use super::destination::Outputs;
use super::output::counted;
use super::plan_arguments::Arguments;
use super::{Failure, output, plan_next, plan_replay};
use crate::campaign::plan::{
    Benchmark, Campaign, Job, LIBRARIES, Launcher, MeasuredAlgorithm, map_command, race_script, script,
};

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if !arguments.replay.is_empty() {
        return plan_replay::run(arguments);
    }
    let campaign = campaign(arguments)?;
    if let Some(results) = &arguments.next {
        return plan_next::run(arguments, &campaign, results);
    }
    if let Some(rule) = &arguments.race {
        if campaign.ranks_per_node.len() > 1 {
            return Err(Failure::Usage(
                "a race has a single number of ranks per node: plan one race for each --ppn".to_owned(),
            ));
        }
        Outputs::of([]).add(&arguments.output)?.write(&race_script(&campaign, rule, arguments.hours))?;
        output::eprint(&format!(
            "a race with the benchmark {}; before each round, the script calls qtdec plan --next",
            arguments.benchmark
        ));
        campaign
            .collectives
            .iter()
            .for_each(|collective| output::eprint(&map_command(&campaign, collective)));
        return Ok(());
    }
    Outputs::of([]).add(&arguments.output)?.write(&script(&campaign))?;
    let starts = counted(campaign.starts(), "run", "runs");
    output::eprint(&format!(
        "{starts} of the benchmark {}; afterwards, make the map with",
        arguments.benchmark
    ));
    for collective in &campaign.collectives {
        output::eprint(&map_command(&campaign, collective));
    }
    Ok(())
}

fn campaign(arguments: &Arguments) -> Result<Campaign, Failure> {
    let usage = |message: String| Err(Failure::Usage(message));
    let Some(&library) = LIBRARIES.iter().find(|library| Some(library.name()) == arguments.mpi.as_deref())
    else {
        return usage(format!("there is no library `{}`", arguments.mpi.as_deref().unwrap_or_default()));
    };
    let mut collectives: Vec<String> = Vec::new();
    for name in arguments.collective.iter().map(|name| name.to_lowercase()) {
        if library.algorithms(&name).is_empty() {
            let known = library.collectives().join(", ");
            return usage(format!(
                "no algorithms of {} for `{name}` are known: the known collectives are {known}",
                library.title()
            ));
        }
        if !collectives.contains(&name) {
            collectives.push(name);
        }
    }
    if arguments.segments.is_some() && !collectives.iter().any(|name| has_segments(&library.algorithms(name)))
    {
        return usage(format!(
            "--segments has no effect: no algorithm of {} for {} cuts messages",
            library.title(),
            collectives.join(", ")
        ));
    }
    if arguments.results.is_empty() || arguments.results.contains(char::is_control) {
        return usage(format!("{:?} cannot be the name of a folder", arguments.results));
    }
    if arguments.results.starts_with('-') {
        return usage(format!(
            "the commands in the script would read the folder `{0}` as an option: write --results ./{0}",
            arguments.results
        ));
    }
    let launcher = Launcher::ALL.iter().find(|(name, _)| Some(*name) == arguments.launcher.as_deref());
    let benchmark = Benchmark::ALL.iter().find(|(name, _)| *name == arguments.benchmark);
    let (least, greatest) = arguments.msg_size;
    Ok(Campaign {
        library,
        collectives,
        comm_sizes: arguments.np.as_ref().map(|sizes| sizes.0.clone()).unwrap_or_default(),
        least,
        greatest,
        segments: arguments.segments.as_ref().map_or(vec![0, 8 << 10, 64 << 10], |sizes| sizes.0.clone()),
        repeats: arguments.repeats,
        ranks_per_node: arguments.ppn.as_ref().map(|sizes| sizes.0.clone()).unwrap_or_default(),
        launcher: launcher.map_or(Launcher::Mpirun, |(_, launcher)| *launcher),
        launcher_arguments: arguments.launcher_args.clone().map(|words| words.0).unwrap_or_default(),
        job: Job {
            account: arguments.account.clone(),
            partition: arguments.partition.clone(),
            time: arguments.time.clone(),
        },
        benchmark: benchmark.map_or(Benchmark::Osu, |(_, benchmark)| *benchmark),
        results: arguments.results.clone(),
    })
}

fn has_segments(methods: &[MeasuredAlgorithm]) -> bool {
    methods.iter().any(|method| method.algorithm.is_segmented())
}
