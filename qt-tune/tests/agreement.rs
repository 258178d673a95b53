//! `qtdec plan` and `qtdec emit` agree on the algorithms that there are.

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Domain, Method};
use qtdec_mpi::catalogue::{Algorithm, Library, Measured, Segments};
use qtdec_tune::campaign::plan::{DEFAULT, LIBRARIES, MeasuredAlgorithm};
use qtdec_tune::tuning::{Job, LibraryRules, RuleOptions, formats};

/// A file of one rule for each collective.
const WHOLE: &[u8] = include_bytes!("commands.in/whole.json");

/// A tree that chooses one method everywhere.
fn always(collective: &str, method: &Method) -> DecisionTree {
    let axes = vec![Axis::new("comm_size", vec![2, 8])];
    let domain = Domain::new(Some(collective.to_owned()), axes, vec![method.clone()]).unwrap();
    let only = domain.method_indexes().next();
    let map = DecisionMap::new(domain, vec![only; 2]).unwrap();
    encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap()
}

#[test]
fn whatever_is_measured_can_be_written() {
    for planned in LIBRARIES {
        let library = planned.library();
        for collective in planned.collectives() {
            for MeasuredAlgorithm { name, algorithm } in planned.algorithms(collective) {
                assert_ne!(name, DEFAULT, "{collective}: this is the library's own choice");
                assert_eq!(library.find(collective, name), Some(algorithm), "{collective} {name}");
                let sizes: &[Option<u64>] = match algorithm.segments {
                    Segments::Ignored => &[None],
                    Segments::Optional => &[None, Some(8192)],
                    Segments::Needed => &[Some(8192)],
                };
                for &segment_size in sizes {
                    let method = Method { segment_size, ..Method::new(name) };
                    written(library, collective, &method, algorithm);
                }
            }
        }
    }
}

/// Every form of the library's holds the method as this algorithm, with its segment size.
fn written(library: Library, collective: &str, method: &Method, algorithm: &Algorithm) {
    for format in
        formats().iter().copied().filter(|format| format.library() == library && format.is_written())
    {
        let tree = always(collective, method);
        let options = RuleOptions { release: format.releases().first().copied(), ..RuleOptions::default() };
        let planned = LibraryRules::new(&tree, library, collective, format.unit(collective), &options);
        let planned = planned.unwrap_or_else(|problems| panic!("{collective} {}: {problems}", method.name));
        let into = (format.name() == "mpich").then_some(WHOLE);
        let text = format.write(&[planned], into).unwrap().text;
        let decision = format.read(text.as_bytes(), Job::default()).unwrap().decide(collective, 2, 100);
        let read = (decision.name.as_deref(), decision.segment_size);
        assert_eq!(read, (Some(algorithm.name), method.segment_size), "{collective}\n{text}");
    }
}

#[test]
fn every_algorithm_is_measured_or_left_out_for_a_reason() {
    for planned in LIBRARIES {
        for collective in planned.library().collectives() {
            let measured = planned.algorithms(collective.name);
            for algorithm in collective.algorithms {
                let count = measured.iter().filter(|measured| measured.algorithm == algorithm).count();
                let is_left_out = matches!(algorithm.measured, Measured::No(_));
                let is_newer = !algorithm.is_in(Some(planned.release()));
                let what = format!("{} {} {}", planned.name(), collective.name, algorithm.name);
                assert_eq!(count, usize::from(!is_left_out && !is_newer), "{what}");
            }
        }
    }
}

#[test]
fn a_script_measures_segments_where_they_are_heeded() {
    for planned in LIBRARIES {
        for collective in planned.collectives() {
            for MeasuredAlgorithm { algorithm, .. } in planned.algorithms(collective) {
                let forced = planned.force(collective, algorithm, 4096).join(" ");
                assert_eq!(
                    forced.contains("4096"),
                    algorithm.is_segmented(),
                    "{collective} {}",
                    algorithm.name
                );
            }
        }
    }
}

#[test]
fn a_script_is_for_the_oldest_release_that_files_are_for() {
    for planned in LIBRARIES {
        let format = formats().iter().copied().find(|format| format.library() == planned.library());
        let oldest = format.and_then(|format| format.releases().first().copied());
        assert_eq!(Some(planned.release()), oldest, "{}", planned.name());
    }
}
