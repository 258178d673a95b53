//! What is expected of methods before any call: canonical times, predicted or measured, which say what to try first.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use qtdec_core::median;
use qtdec_mpi_library::catalogue::natural_basis_or_buffer;
use qtdec_mpi_schedule::{Collective, Named};
use qtdec_times::{Header, LIBRARY, SEGMENT_SIZE, Series, Times, read};

use super::beginnings::Subject;
use crate::bench::Method;
use crate::own::PREFIX;

/// The maximum length of a file: every rank reads it.
const LONGEST: u64 = 1 << 26;

/// Our own schedules at the points of a file, the fastest first.
#[derive(Debug, Default, Hash)]
pub(super) struct Prior {
    points: BTreeMap<Subject, Vec<Method>>,
}

impl Prior {
    /// Reads a file of canonical times over `comm_size`, or `nodes` and `ppn`, and `msg_size`.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let told = |error: String| format!("{}: {error}", path.display());
        let about = fs::metadata(path).map_err(|error| told(error.to_string()))?;
        if !about.is_file() || about.len() > LONGEST {
            return Err(told(format!("it is not a regular file of at most {} MiB", LONGEST >> 20)));
        }
        let file = File::open(path).map_err(|error| told(error.to_string()))?;
        let times = read(&mut BufReader::new(file), |_| ()).map_err(|problems| {
            let first = problems.to_string().lines().next().unwrap_or_default().to_owned();
            told(format!(
                "{first}: give canonical times without compression, as qtdec-mpi predict -o times.csv"
            ))
        })?;
        let prior = Self::of(&times);
        if prior.points.is_empty() {
            return Err(told("it has no times of our own schedules over comm_size and msg_size".to_owned()));
        }
        Ok(prior)
    }

    fn of(times: &Times) -> Self {
        let mut repeats: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for row in times.rows() {
            repeats.entry(row.series).or_default().push(row.time);
        }
        let (series, methods): (Vec<&Series>, Vec<_>) = (times.series().collect(), times.methods().collect());
        let mut all: Vec<(f64, Subject, Method)> = Vec::new();
        for (number, repeats) in repeats {
            let series = series[number as usize];
            let subject = subject(times.header(), series);
            let method = subject.as_ref().and_then(|subject| {
                method(times.header(), subject.collective, methods[series.method as usize])
            });
            if let (Some(subject), Some(method), Some(time)) = (subject, method, median(repeats)) {
                all.push((time, subject, method));
            }
        }
        all.sort_by(|(one, ..), (other, ..)| one.total_cmp(other));
        let mut points: BTreeMap<Subject, Vec<Method>> = BTreeMap::new();
        for (_, subject, method) in all {
            let methods = points.entry(subject).or_default();
            // Of one with several segment sizes, the fastest counts.
            if !methods.iter().any(|known| known.name() == method.name()) {
                methods.push(method);
            }
        }
        Self { points }
    }

    /// Returns the methods at the point of a collective with the nearest number of ranks, and then the nearest bytes.
    pub(super) fn at(&self, collective: Collective, ranks: u32, bytes: u64) -> &[Method] {
        let own = self.points.iter().filter(|(subject, _)| subject.collective == collective);
        let distance = |subject: &Subject| {
            [ratio(u64::from(subject.ranks), u64::from(ranks)), ratio(subject.bytes, bytes)]
        };
        let nearest = own.min_by(|(one, _), (other, _)| {
            let [of_one, of_other] = [distance(one), distance(other)];
            of_one[0].total_cmp(&of_other[0]).then(of_one[1].total_cmp(&of_other[1]))
        });
        nearest.map_or(&[], |(_, methods)| methods)
    }
}

/// Returns the larger of two sizes over the smaller one: a quotient alone, so that all ranks have the same.
fn ratio(one: u64, other: u64) -> f64 {
    one.max(other).max(1) as f64 / one.min(other).max(1) as f64
}

/// Returns the collective, the ranks and the bytes of times, if calls have them.
fn subject(header: &Header, series: &Series) -> Option<Subject> {
    let name = series.collective.as_deref()?;
    let collective = Collective::ALL.into_iter().find(|known| known.name() == name)?;
    let (mut ranks, mut bytes) = (1_u64, 0);
    for (axis, size) in header.axes.iter().zip(&series.sizes) {
        match &*axis.name {
            "comm_size" | "nodes" | "ppn" => ranks = ranks.checked_mul(*size)?,
            "msg_size" => bytes = *size,
            _ => return None,
        }
    }
    let is_natural = series.basis.is_none_or(|basis| basis == natural_basis_or_buffer(name));
    let is_one = is_natural && ranks > 1 && (bytes > 0 || collective == Collective::Barrier);
    is_one.then_some(Subject { collective, ranks: u32::try_from(ranks).ok()?, bytes })
}

/// Returns our own schedule of a name and parameters. Predicted times name schedules as they are, and measured ones those of the library.
fn method(header: &Header, collective: Collective, described: &qtdec_times::Method) -> Option<Method> {
    let mut segment = 0;
    for (parameter, value) in header.parameters.iter().zip(&described.values) {
        if parameter.name == SEGMENT_SIZE && !value.is_empty() {
            segment = value.parse().ok()?;
        } else if !value.is_empty() {
            return None;
        }
    }
    let is_predicted = !header.about.has_key(LIBRARY) && Named::find(collective, &described.name).is_ok();
    let prefix = if is_predicted { PREFIX } else { "" };
    let method = Method::named(&format!("{prefix}{}", described.name), segment);
    let is_own = matches!(method, Method::Own { .. }) && method.check(collective).is_ok();
    is_own.then_some(method)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prior(text: &str) -> Result<Prior, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("times.csv");
        fs::write(&path, text).unwrap();
        Prior::read(&path)
    }

    fn labels(prior: &Prior, collective: Collective, ranks: u32, bytes: u64) -> Vec<String> {
        prior.at(collective, ranks, bytes).iter().map(Method::label).collect()
    }

    #[test]
    fn the_nearest_point_has_our_schedules_in_the_order_of_their_times() {
        let predicted = "# qtdec-times/1\n# axis comm_size: ranks\n# axis msg_size: bytes\n# parameter segment_size: bytes\n\
            comm_size,msg_size,method,segment_size,collective,launch,repeat,time_us\n\
            8,1024,binomial,,bcast,,1,5\n8,1024,linear,,bcast,,1,4\n8,65536,binomial,,bcast,,1,9\n\
            8,65536,pipeline,1024,bcast,,1,8\n8,65536,pipeline,8192,bcast,,1,7\n64,1024,binary,,bcast,,1,7\n";
        let all = prior(predicted).unwrap();
        assert_eq!(labels(&all, Collective::Bcast, 8, 2000), ["own_linear", "own_binomial"]);
        assert_eq!(labels(&all, Collective::Bcast, 9, 60_000), ["own_pipeline/8192", "own_binomial"]);
        assert_eq!(labels(&all, Collective::Bcast, 40, 60_000), ["own_binary"]);
        assert!(labels(&all, Collective::Reduce, 8, 1024).is_empty());
        let measured = prior(
            "# qtdec-times/1\n# library: Open MPI 4.1.4\n# axis nodes: nodes\n# axis ppn: ranks\n# axis msg_size: bytes\nnodes,ppn,msg_size,method,collective,launch,repeat,time_us\n\
             4,2,64,binomial,bcast,,1,1\n4,2,64,own_binary,bcast,,1,3\n4,2,64,own_linear,bcast,,1,2\n4,2,64,own_linear,bcast,,2,9\n",
        );
        assert_eq!(labels(&measured.unwrap(), Collective::Bcast, 8, 64), ["own_binary", "own_linear"]);
    }

    #[test]
    fn files_without_times_of_ours_are_told_in_one_line() {
        for (text, expected) in [
            ("a,b\n", "give canonical times without compression"),
            (
                "# qtdec-times/1\n# axis depth: levels\ndepth,method,launch,repeat,time_us\n1,binomial,,1,1\n",
                "it has no times of our own schedules over comm_size and msg_size",
            ),
        ] {
            let told = prior(text).unwrap_err();
            assert!(told.contains(expected) && told.lines().count() == 1, "{told}");
        }
        let told = Prior::read(Path::new("/dev/zero")).unwrap_err();
        assert!(told.starts_with("/dev/zero: it is not a regular file"), "{told}");
    }
}
