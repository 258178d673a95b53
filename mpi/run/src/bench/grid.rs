//! The cells of a grid, one after the other.

use std::collections::BTreeSet;
use std::time::SystemTime;

use qtdec_mpi_library::catalogue::{Library, natural_basis_or_buffer};
use qtdec_times::about::MEASURED;
use qtdec_times::{About, BLOCKS, Job, LIBRARY, MACHINE, RANKS, SKEW};

use super::arguments::{Arguments, Root};
use super::cell::{Cell, Counts, LEAD, Settings};
use super::clock::{Clock, local};
use super::layout::has_counts;
use super::method::Method;
use super::times::{Run, Times};
use crate::abilities::{FORCED, SWITCHED};
use crate::mpi::{CONTROL, Comm, Mpi};
use crate::placement::Placement;

/// Clocks are synchronised again after this time, in nanoseconds.
const AGAIN: f64 = 10e9;

/// Measures all cells, and writes the times on the first rank.
pub(crate) fn measure(mpi: Mpi<'_>, arguments: &Arguments, methods: &[Method]) -> Result<(), String> {
    let began = local();
    let sizes = comm_sizes(arguments, mpi.size)?;
    let version = mpi.version();
    let library = Library::ALL.into_iter().find(|library| version.starts_with(library.name()));
    if methods.iter().any(Method::is_switched) && library != Some(SWITCHED) {
        return Err(format!(
            "algorithms of this library cannot be forced within a launch: {version}; measure `default` and `own:…`, or `{FORCED}NAME` \
             where variables of the environment force one"
        ));
    }
    let composed = methods.iter().find(|method| method.needs_nodes());
    let placement = composed.map_or(Placement::Other, |_| mpi.placement());
    if let (Some(composed), Placement::Other) = (composed, placement) {
        return Err(format!(
            "{}: ranks neither fill one node after the other nor are placed on nodes in turn: place ranks by slot or by node, or, for \
             own:…, state how many nodes have how many ranks, as in own:…@4x2 or own:…@4x2:cyclic",
            composed.label()
        ));
    }
    let mut clock = Clock::new(mpi, arguments.clock)?;
    let mut times = header(mpi, arguments, &version, &clock)?;
    let mut synchronised = local();
    let mut left = 0;
    for (&ranks, &bytes) in
        sizes.iter().flat_map(|ranks| arguments.msg_sizes.iter().map(move |bytes| (ranks, bytes)))
    {
        arguments.layout(ranks, bytes).operands(0)?;
        left += 1;
    }
    let mut total = Counts { lead: LEAD.0, ..Counts::default() };
    for &ranks in &sizes {
        let is_member = mpi.rank < ranks;
        let control = mpi.part(ranks, None)?;
        let comms = methods.iter().map(|method| communicator(mpi, arguments, ranks, &version, method));
        let comms = comms.collect::<Result<Vec<_>, _>>()?;
        let mut is_first = true;
        for &bytes in &arguments.msg_sizes {
            // All ranks decide by the first rank's time.
            let [spent, since] = mpi.share_numbers(CONTROL, [local() - began, local() - synchronised])?;
            if since > AGAIN {
                clock.synchronise(mpi)?;
                synchronised = local();
            }
            let budget = arguments.seconds.map(|seconds| (seconds * 1e9 - spent) / f64::from(left));
            left -= 1;
            if let (true, Some(control)) = (is_member, control) {
                let settings = Settings {
                    arguments,
                    methods,
                    comms: &comms,
                    control,
                    ranks,
                    placement,
                    bytes,
                    library,
                    is_first,
                    budget,
                    lead: total.lead,
                };
                is_first = false;
                let cell = Cell::new(mpi, &clock, settings)?;
                let counts = cell.measure(times.as_mut())?;
                total.add(counts);
            }
        }
        for comm in comms.into_iter().chain([control]).flatten() {
            mpi.drop(comm)?;
        }
    }
    mpi.barrier(CONTROL)?;
    if times.is_some() {
        eprintln!(
            "{}: {} times in {:.1} s; {} windows were invalid and dropped, all results were right",
            arguments.output.display(),
            total.times,
            (local() - began) / 1e9,
            total.invalid
        );
    }
    Ok(())
}

/// Returns the numbers of ranks that call, of as many as there are.
fn comm_sizes(arguments: &Arguments, all: u32) -> Result<Vec<u32>, String> {
    let mut sizes = arguments.comm_sizes.clone();
    if sizes.is_empty() {
        sizes.push(all);
    }
    let large = sizes.iter().copied().max().unwrap_or(all);
    if large > all {
        return Err(format!("--comm-sizes has {large}, but mpirun started {all} ranks"));
    }
    if let Some(delays) = arguments.skew.ranks().filter(|delays| *delays < large as usize) {
        return Err(format!(
            "the file of --skew has the delays of {delays} ranks, but {large} call: add a line for each of the others, or list smaller \
             --comm-sizes"
        ));
    }
    Ok(sizes)
}

/// Makes the communicator on which a method runs. An algorithm is a property of the communicator: it is read when this is made.
fn communicator(
    mpi: Mpi<'_>,
    arguments: &Arguments,
    ranks: u32,
    version: &str,
    method: &Method,
) -> Result<Option<Comm>, String> {
    let Some(number) = method.number(arguments.collective) else { return mpi.part(ranks, None) };
    let variable = format!("coll_tuned_{}_algorithm", arguments.collective);
    set(mpi, &variable, number)?;
    let parameters = [
        (format!("{variable}_segmentsize"), method.segment()),
        (format!("{variable}_max_requests"), method.requests()),
    ];
    for (parameter, value) in &parameters {
        if *value > 0 {
            set(mpi, parameter, *value)?;
        } else {
            // Releases without the parameter do what 0 says.
            mpi.set(parameter, 0)?;
        }
    }
    // From 5.0 on, HAN comes before the component whose algorithms these are.
    let major = version.split('v').nth(1).and_then(|text| text.split('.').next()?.parse::<u32>().ok());
    let preference = major.is_some_and(|major| major >= 5).then_some("^han");
    let comm = mpi.part(ranks, preference);
    set(mpi, &variable, 0)?;
    for (parameter, _) in parameters.iter().filter(|(_, value)| *value > 0) {
        set(mpi, parameter, 0)?;
    }
    comm
}

fn set(mpi: Mpi<'_>, name: &str, value: u32) -> Result<(), String> {
    if mpi.set(name, value)? {
        return Ok(());
    }
    Err(format!("the library has no control variable {name}: is its component `tuned` installed?"))
}

/// Creates the file on the first rank, with the environment.
fn header(
    mpi: Mpi<'_>,
    arguments: &Arguments,
    version: &str,
    clock: &Clock,
) -> Result<Option<Times>, String> {
    const NAME: usize = 64;
    let mut name = mpi.processor().into_bytes();
    name.resize(NAME, 0);
    let names = mpi.collect(CONTROL, &name)?;
    let bounds = mpi.collect_numbers(CONTROL, [clock.bound])?;
    if !mpi.is_first() {
        return Ok(None);
    }
    let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned();
    let nodes: BTreeSet<String> = names.chunks(NAME).map(name).collect();
    let bounds: Vec<f64> = bounds[1..].concat();
    let root = match arguments.root {
        Root::Rotate => "the first, the middle and the last rank in turn".to_owned(),
        Root::Fixed(root) => root.to_string(),
    };
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let mut facts = vec![
        (MACHINE, arguments.machine.clone().unwrap_or_else(|| machine(&nodes))),
        (LIBRARY, library(version)),
        (MEASURED, date.split('T').next().unwrap_or_default().to_owned()),
        ("tool", format!("qtdec-bench {}", env!("CARGO_PKG_VERSION"))),
        (RANKS, "max".to_owned()),
        ("launcher", format!("{} ranks on {} nodes", mpi.size, nodes.len())),
        ("start", clock.describe(&bounds)),
        ("root", root),
    ];
    if has_counts(arguments.collective) {
        facts.push((BLOCKS, arguments.blocks.to_string()));
    }
    if !arguments.skew.is_none() {
        facts.push((SKEW, arguments.skew.describe()));
    }
    for (name, value) in std::env::vars() {
        if ["OMPI_MCA_coll", "MPIR_CVAR", "I_MPI_ADJUST"].iter().any(|prefix| name.starts_with(prefix)) {
            facts.push(("settings", format!("{name}={value}")));
        }
    }
    let mut about = About::default();
    for (key, value) in facts {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if !value.trim().is_empty() {
            about.add(key, value.trim()).map_err(|problem| problem.to_string())?;
        }
    }
    let run = Run {
        collective: arguments.collective,
        basis: natural_basis_or_buffer(arguments.collective.name()),
        launch: arguments.launch.clone(),
        job: job(),
        process: arguments.process,
    };
    Times::new(&arguments.output, about, run).map(Some)
}

/// Returns the job of the launch as the variables `QTDEC_JOB`, `QTDEC_JOB_NODES` and `QTDEC_JOB_START` name it, if they do.
pub(crate) fn job() -> Option<Job> {
    let of = |name: &str| std::env::var(name).unwrap_or_default().trim().to_owned();
    let [name, nodes, start] = ["QTDEC_JOB", "QTDEC_JOB_NODES", "QTDEC_JOB_START"].map(of);
    (!name.is_empty()).then_some(Job { name, nodes, start })
}

/// Returns the name of the library with its release, from the line with which it describes itself: `Open MPI v5.0.11, package: …` or `MPICH
/// Version: 5.0.2`.
pub(crate) fn library(version: &str) -> String {
    let line =
        version.split([',', '\n']).next().unwrap_or_default().replace(" v", " ").replace("Version:", "");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a name of the machine that all of its nodes share: theirs with `*` in place of digits, or the first of several.
pub(crate) fn machine(nodes: &BTreeSet<String>) -> String {
    let mut name = String::new();
    for char in nodes.iter().next().map(String::as_str).unwrap_or_default().chars() {
        match char {
            '0'..='9' if name.ends_with('*') => {}
            '0'..='9' => name.push('*'),
            char => name.push(char),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Parser;

    use super::{Arguments, comm_sizes, library, machine};

    #[test]
    fn every_rank_that_calls_is_there_and_has_a_delay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("skew.txt");
        std::fs::write(&path, "0\n5\n").unwrap();
        let of = |list: &[&str]| {
            let skew = ["bench", "--skew", path.to_str().unwrap()];
            comm_sizes(&Arguments::parse_from(skew.iter().chain(list)), 4)
        };
        assert_eq!(of(&["--comm-sizes", "2"]), Ok(vec![2]));
        assert!(of(&[]).unwrap_err().starts_with("the file of --skew has the delays of 2 ranks, but 4 call"));
        assert_eq!(
            of(&["--comm-sizes", "2,5,8"]).unwrap_err(),
            "--comm-sizes has 8, but mpirun started 4 ranks"
        );
    }

    #[test]
    fn libraries_have_their_release() {
        assert_eq!(library("Open MPI v5.0.11, package: Open MPI, ident: 5.0.11"), "Open MPI 5.0.11");
        assert_eq!(library("MPICH Version:      5.0.2\nMPICH Release date:"), "MPICH 5.0.2");
        assert_eq!(
            library("Intel(R) MPI Library 2021.18 for Linux* OS\n"),
            "Intel(R) MPI Library 2021.18 for Linux* OS"
        );
    }

    #[test]
    fn the_nodes_of_a_machine_have_one_name() {
        let of =
            |names: &[&str]| machine(&names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>());
        assert_eq!(of(&["node017.cluster", "node018.cluster"]), "node*.cluster");
        assert_eq!(of(&["r2i0n14", "r2i1n3"]), "r*i*n*");
        assert_eq!(of(&[]), "");
    }
}
