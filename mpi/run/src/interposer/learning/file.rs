//! Canonical times of what was learned, for the next run and for `qtdec-mpi tune`.

use std::collections::HashMap;

use qtdec_core::Problems;
use qtdec_core::json::{array, quoted};
use qtdec_mpi_library::catalogue::natural_basis_or_buffer;
use qtdec_mpi_schedule::Collective;
use qtdec_times::about::MEASURED;
use qtdec_times::{
    About, Builder, Header, Job, LIBRARY, MACHINE, Method, Named, RANKS, Row, SEGMENT_SIZE, Sample, Series,
    TimeUnit, Times,
};

use super::beginnings::Subject;
use super::learner::Summary;

#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    pub(super) machine: String,
    pub(super) library: String,
    pub(super) date: String,
    pub(super) launch: String,
    pub(super) job: Option<Job>,
}

/// The key of how the times came about, and its value.
const LOAD: (&str, &str) = (
    "load",
    "learned in production, under the load of the program: pairs of calls, of which a coin decides the order",
);

const TOOL: (&str, &str) = ("tool", concat!("libqtdec_mpi.so ", env!("CARGO_PKG_VERSION")));

impl Run {
    /// Returns the origin of maps and trees in JSON: this run, and the files of it and of earlier ones.
    pub(super) fn source(&self, files: &[String]) -> String {
        let facts = [(MACHINE, &*self.machine), (LIBRARY, &self.library), ("date", &self.date), TOOL, LOAD];
        let job = self.job.as_ref().map(|job| ("job", &*job.name));
        let facts =
            facts.into_iter().chain(job).map(|(key, value)| format!("{}: {}", quoted(key), quoted(value)));
        let files = format!("\"files\": {}", array(files.iter().map(|file| quoted(file))));
        format!("{{ {} }}", facts.chain([files]).collect::<Vec<_>>().join(", "))
    }
}

/// Returns the times of barriers, or of all other collectives, which have sizes; `None` if nothing was found or left open. There may be no times:
/// a run can have too few calls for a pair, and leaves that the next one need not wait as long.
pub(super) fn times(run: &Run, of_barriers: bool, summaries: &[Summary]) -> Result<Option<Times>, Problems> {
    let is_one = |summary: &&Summary| (summary.subject.collective == Collective::Barrier) == of_barriers;
    let mut summaries: Vec<&Summary> = summaries.iter().filter(is_one).collect();
    summaries.sort_by_key(|summary| summary.pairs.is_empty());
    if summaries.iter().all(|summary| summary.findings.is_empty()) {
        return Ok(None);
    }
    let mut times = Builder::new(header(run, of_barriers, &summaries)?)?;
    let launch = times.launch(&run.launch)?;
    if let Some(job) = &run.job {
        times.jobs.add(&run.launch, &job.name)?;
        times.jobs.describe(job)?;
    }
    // Communicators of one size have the same cells.
    let mut repeats: HashMap<&Subject, u32> = HashMap::new();
    for summary in summaries {
        let Subject { collective, ranks, bytes } = summary.subject;
        let repeat = repeats.entry(&summary.subject).or_default();
        for pair in &summary.pairs {
            *repeat += 1;
            for (method, time) in pair.methods.into_iter().zip(pair.times) {
                let method = &summary.methods[method];
                // There may be few times, by which `tune` could choose what lost in its pairs.
                if summary.has_lost(method) {
                    continue;
                }
                let segment =
                    if method.segment() == 0 { String::new() } else { method.segment().to_string() };
                let method = times.method(Method { name: method.name(), values: vec![segment] })?;
                let mut sizes = vec![u64::from(ranks), bytes];
                sizes.truncate(times.header().axes.len());
                let basis = Some(natural_basis_or_buffer(collective.name()));
                let series = Series { collective: Some(collective.name().to_owned()), basis, sizes, method };
                let series = times.series(series)?;
                let time = time as f64 / 1000.0;
                times.row(Row { time, series, launch, process: 1, sample: Sample::Repeat(*repeat) })?;
            }
        }
    }
    times.finish().map(Some)
}

fn header(run: &Run, of_barriers: bool, summaries: &[&Summary]) -> Result<Header, Problems> {
    let named = |name: &str, unit: &str| Named { name: name.to_owned(), unit: Some(unit.to_owned()) };
    let mut about = About::default();
    let sizes = (!of_barriers).then_some(("sizes", "message sizes are rounded down to powers of two"));
    let facts = [
        (MACHINE, &*run.machine),
        (LIBRARY, &run.library),
        (MEASURED, run.date.split('T').next().unwrap_or_default()),
        TOOL,
        (RANKS, "max"),
        LOAD,
    ];
    for (key, value) in facts.into_iter().chain(sizes) {
        let value: String = value.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        if !value.trim().is_empty() {
            about.add(key, value.trim())?;
        }
    }
    // Of communicators of one size, the first one to be asked is believed.
    let mut known: Vec<(&Subject, &crate::bench::Method)> = Vec::new();
    for summary in summaries {
        let key = (&summary.subject, &summary.methods[0]);
        if known.contains(&key) {
            continue;
        }
        known.push(key);
        for (finding, kind) in &summary.findings {
            let (key, line) = kind.line(finding);
            about.add(key, &line)?;
        }
    }
    let mut axes = vec![named("comm_size", "ranks")];
    if !of_barriers {
        axes.push(named("msg_size", "bytes"));
    }
    let parameters = vec![named(SEGMENT_SIZE, "bytes")];
    Ok(Header { about, axes, parameters, unit: Some(TimeUnit::Microseconds), ..Header::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Method;
    use crate::interposer::learning::beginnings::{Finding, Kind};
    use crate::interposer::learning::class::Pair;

    fn summary(collective: Collective, bytes: u64) -> Summary {
        let subject = Subject { collective, ranks: 8, bytes };
        let methods = vec![Method::named("default", 0), Method::named("own_pipeline", 8192)];
        let finding =
            Finding { subject: subject.clone(), method: methods[1].clone(), default: methods[0].clone() };
        let pairs = vec![
            Pair { methods: [0, 1], times: [2500, 1250] },
            Pair { methods: [1, 0], times: [1300, 2600] },
        ];
        Summary { subject, methods, pairs, findings: vec![(finding, Kind::Taken)] }
    }

    #[test]
    fn what_lost_is_named_without_its_times() {
        for (kind, key) in [(Kind::Cut, "cut"), (Kind::Dropped, "dropped")] {
            let mut summary = summary(Collective::Bcast, 1024);
            summary.findings[0].1 = kind;
            let mut text = Vec::new();
            times(&Run::default(), false, &[summary]).unwrap().unwrap().write(&mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            let line = format!("\n# {key}: bcast 8 1024 own_pipeline 8192 over default 0\n");
            assert!(text.contains(&line), "{text}");
            assert!(text.contains(",2.5\n") && !text.contains(",own_pipeline,"), "{text}");
        }
    }

    #[test]
    fn pairs_are_repeats_of_both_methods() {
        let run = Run {
            machine: "node*".to_owned(),
            library: "Open MPI 4.1.4".to_owned(),
            date: "2026-11-27T10:00:00Z".to_owned(),
            launch: "a".to_owned(),
            job: Some(Job { name: "71".to_owned(), ..Job::default() }),
        };
        let all = [
            summary(Collective::Bcast, 1024),
            summary(Collective::Barrier, 0),
            summary(Collective::Bcast, 1024),
        ];
        let text = |of_barriers| {
            let mut text = Vec::new();
            times(&run, of_barriers, &all).unwrap().unwrap().write(&mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        let bcast = text(false);
        assert!(bcast.starts_with(
            "# qtdec-times/1\n# machine: node*\n# library: Open MPI 4.1.4\n# measured: 2026-11-27\n"
        ));
        assert_eq!(bcast.matches("# taken: bcast 8 1024 own_pipeline 8192 over default 0\n").count(), 1);
        let rows = "8,1024,default,,bcast,buffer,71,a,1,1,2.5\n8,1024,default,,bcast,buffer,71,a,1,2,2.6\n\
                    8,1024,default,,bcast,buffer,71,a,1,3,2.5\n8,1024,default,,bcast,buffer,71,a,1,4,2.6\n\
                    8,1024,own_pipeline,8192,bcast,buffer,71,a,1,1,1.25\n";
        assert!(bcast.contains(rows), "{bcast}");
        assert!(text(true).contains("\n8,default,,barrier,buffer,71,a,1,1,2.5\n"), "{}", text(true));
        assert!(times(&run, true, &all[..1]).unwrap().is_none());
    }
}
