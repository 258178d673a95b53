//! The cells of a grid, one after the other.

use qtdec_mpi::catalogue::natural_basis_or_buffer;

use super::arguments::{Arguments, Root};
use super::cell::{Cell, Counts, LEAD, Settings};
use super::clock::{Clock, local};
use super::method::Method;
use super::times::Times;
use crate::mpi::{CONTROL, Comm, Mpi, MpiError, Unset};

/// Clocks are synchronised again after this time, in nanoseconds.
const AGAIN: f64 = 10e9;

/// Measures all cells, and writes the times on the first rank.
pub(crate) fn measure(mpi: Mpi<'_>, arguments: &Arguments, methods: &[Method]) -> Result<(), MpiError> {
    let began = local();
    let mut sizes = arguments.comm_sizes.clone();
    if sizes.is_empty() {
        sizes.push(mpi.size());
    }
    if let Some(large) = sizes.iter().find(|size| **size > mpi.size()) {
        return Err(MpiError(format!("--comm-sizes has {large}, but mpirun started {} ranks", mpi.size())));
    }
    let version = mpi.version();
    if methods.iter().any(Method::is_forced) && !version.starts_with("Open MPI") {
        return Err(MpiError(format!(
            "algorithms of this library cannot be forced within a launch: {version}; measure `default` and `own:…`"
        )));
    }
    let mut clock = Clock::new(mpi, arguments.clock)?;
    let mut times = header(mpi, arguments, &version, &clock)?;
    let mut synchronised = local();
    let mut left = sizes.len() * arguments.msg_sizes.len();
    let mut total = Counts { lead: LEAD.0, ..Counts::default() };
    for &ranks in &sizes {
        let is_member = mpi.rank() < ranks;
        let control = mpi.part(ranks, None)?;
        let comms = methods.iter().map(|method| communicator(mpi, arguments, ranks, &version, method));
        let comms = comms.collect::<Result<Vec<_>, _>>()?;
        for &bytes in &arguments.msg_sizes {
            // All ranks decide by the first rank's time.
            let mut seconds = (local() - began).to_ne_bytes();
            mpi.share(CONTROL, &mut seconds)?;
            let spent = f64::from_ne_bytes(seconds);
            let mut again = [u8::from(local() - synchronised > AGAIN)];
            mpi.share(CONTROL, &mut again)?;
            if again[0] == 1 {
                clock.synchronise(mpi)?;
                synchronised = local();
            }
            let budget = arguments.seconds.map(|seconds| (seconds * 1e9 - spent) / left as f64);
            left -= 1;
            if let (true, Some(control)) = (is_member, control) {
                let settings = Settings {
                    arguments,
                    methods,
                    comms: &comms,
                    control,
                    ranks,
                    bytes,
                    budget,
                    lead: total.lead,
                };
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
    if let Some(times) = &mut times {
        times.flush()?;
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

/// Makes the communicator on which a method runs. An algorithm is a property of the communicator: it is read when this is made.
fn communicator(
    mpi: Mpi<'_>,
    arguments: &Arguments,
    ranks: u32,
    version: &str,
    method: &Method,
) -> Result<Option<Comm>, MpiError> {
    let Some(number) = method.number(arguments.collective) else { return mpi.part(ranks, None) };
    let variable = format!("coll_tuned_{}_algorithm", arguments.collective);
    set(mpi, &variable, number)?;
    let segments = format!("{variable}_segmentsize");
    match mpi.set(&segments, method.segment()) {
        Err(Unset::Unknown) if method.segment() == 0 => {}
        Err(reason) => return Err(unset(&segments, reason)),
        Ok(()) => {}
    }
    // From 5.0 on, HAN comes before the component whose algorithms these are.
    let major = version.split('v').nth(1).and_then(|text| text.split('.').next()?.parse::<u32>().ok());
    let preference = major.is_some_and(|major| major >= 5).then_some("^han");
    let comm = mpi.part(ranks, preference);
    set(mpi, &variable, 0)?;
    if method.segment() > 0 {
        set(mpi, &segments, 0)?;
    }
    comm
}

fn set(mpi: Mpi<'_>, name: &str, value: u32) -> Result<(), MpiError> {
    mpi.set(name, value).map_err(|reason| unset(name, reason))
}

fn unset(name: &str, reason: Unset) -> MpiError {
    MpiError(match reason {
        Unset::Unknown => {
            format!("the library has no control variable {name}: is its component `tuned` installed?")
        }
        Unset::Fixed => format!("the library does not allow writing its control variable {name}"),
    })
}

/// Creates the file on the first rank, with the environment.
fn header(
    mpi: Mpi<'_>,
    arguments: &Arguments,
    version: &str,
    clock: &Clock,
) -> Result<Option<Times>, MpiError> {
    const NAME: usize = 64;
    let mut name = mpi.processor().into_bytes();
    name.resize(NAME, 0);
    let names = mpi.collect(CONTROL, mpi.size(), &name)?;
    let bounds = mpi.collect(CONTROL, mpi.size(), &clock.bound.to_ne_bytes())?;
    if !mpi.is_first() {
        return Ok(None);
    }
    let mut nodes: Vec<String> = names
        .chunks(NAME)
        .map(|name| String::from_utf8_lossy(name).trim_end_matches('\0').to_owned())
        .collect();
    nodes.sort();
    nodes.dedup();
    let bounds: Vec<f64> = bounds.as_chunks().0[1..].iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect();
    let library = version.split(',').next().unwrap_or_default();
    let mut facts = vec![
        ("library", library.replace(" v", " ").trim_end_matches("Version:").trim().to_owned()),
        ("tool", format!("qtdec-bench {}", env!("CARGO_PKG_VERSION"))),
        ("ranks", "max".to_owned()),
        ("launcher", format!("{} ranks on {} nodes", mpi.size(), nodes.len())),
        ("start", clock.describe(&bounds)),
        (
            "root",
            match arguments.root {
                Root::Rotate => "the first, the middle and the last rank in turn".to_owned(),
                Root::Fixed(root) => root.to_string(),
            },
        ),
    ];
    for (name, value) in std::env::vars() {
        if name.starts_with("OMPI_MCA_coll") || name.starts_with("MPIR_CVAR") {
            facts.push(("settings", format!("{name}={value}")));
        }
    }
    let basis = natural_basis_or_buffer(arguments.collective.name()).name();
    let collective = arguments.collective.name();
    Times::create(&arguments.output, &facts, (collective, basis), &arguments.launch, arguments.process)
        .map(Some)
}
