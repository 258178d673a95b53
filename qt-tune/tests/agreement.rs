//! `qtdec plan` and `qtdec emit` agree on the algorithms that there are.

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Domain, Method};
use qtdec_tune::campaign::plan::{self, DEFAULT, LIBRARIES, Segments};
use qtdec_tune::libraries::{self, open_mpi};
use qtdec_tune::tuning::{Job, PlanOptions, formats};

/// A file of one rule for each collective.
const WHOLE: &[u8] = include_bytes!("commands.in/whole.json");

/// The library whose algorithms a script measures.
fn library(planned: &dyn plan::Library) -> libraries::Library {
    match planned.name() {
        "open-mpi" => libraries::Library::OpenMpi,
        "mpich" => libraries::Library::Mpich,
        other => panic!("{other}"),
    }
}

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
        let library = library(planned);
        for collective in planned.collectives() {
            for algorithm in planned.algorithms(collective) {
                assert_ne!(algorithm.name, DEFAULT, "{collective}: this is the library's own choice");
                let found = library.find(collective, algorithm.name);
                let found =
                    found.unwrap_or_else(|| panic!("{collective}: `{}` is not known", algorithm.name));
                if algorithm.id > 0 {
                    let numbered = library.numbered(collective, algorithm.id.into());
                    assert_eq!(numbered, Some(found), "{collective} {}", algorithm.id);
                }
                let sizes: &[Option<u64>] = match algorithm.segments {
                    Segments::None => &[None],
                    Segments::Any => &[None, Some(8192)],
                    Segments::Needed => &[Some(8192)],
                };
                for &segment_size in sizes {
                    let method = Method { segment_size, ..Method::new(algorithm.name) };
                    written(library, collective, &method, found);
                }
            }
        }
    }
}

/// Every form of the library's holds the method as this algorithm, with its segment size.
fn written(library: libraries::Library, collective: &str, method: &Method, algorithm: &libraries::Algorithm) {
    for format in formats().into_iter().filter(|format| format.library() == library && format.is_written()) {
        let tree = always(collective, method);
        let options = PlanOptions { release: format.releases().first().copied(), ..PlanOptions::default() };
        let planned =
            qtdec_tune::tuning::Plan::new(&tree, library, collective, format.unit(collective), &options);
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
        let library = library(planned);
        let oldest = formats().into_iter().find(|format| format.library() == library);
        let oldest = oldest.and_then(|format| format.releases().first().copied());
        let is_left_out = |collective: &str, name: &str| {
            let left_out = planned.left_out().iter().filter(|left_out| !left_out.why.is_empty());
            let mut left_out = left_out.filter(|left_out| left_out.collective == collective);
            left_out.any(|left_out| left_out.algorithm.is_none_or(|algorithm| algorithm == name))
        };
        // These are all collectives that have algorithms in either library.
        for collective in open_mpi::COLLECTIVES.iter().map(|collective| collective.name) {
            for algorithm in library.algorithms(collective) {
                let measured = planned.algorithms(collective).iter();
                let is_measured = measured
                    .filter(|measured| library.find(collective, measured.name) == Some(algorithm))
                    .count();
                let is_left_out = is_left_out(collective, algorithm.name) || !algorithm.is_in(oldest);
                let what = format!("{} {collective} {}", planned.name(), algorithm.name);
                assert_eq!(is_measured, usize::from(!is_left_out), "{what}");
            }
        }
    }
}

#[test]
fn segments_are_measured_where_they_are_heeded() {
    for planned in LIBRARIES {
        for collective in planned.collectives() {
            for algorithm in planned.algorithms(collective) {
                let found = library(planned).find(collective, algorithm.name).unwrap();
                assert_eq!(
                    algorithm.segments != Segments::None,
                    found.segmented,
                    "{collective} {}",
                    found.name
                );
            }
        }
    }
}

#[test]
fn what_fails_is_not_measured() {
    for planned in LIBRARIES {
        for collective in planned.collectives() {
            for algorithm in planned.algorithms(collective) {
                let found = library(planned).find(collective, algorithm.name).unwrap();
                let needs: Vec<_> = algorithm.needs.iter().filter_map(|need| need.requirement()).collect();
                let requires = found.requires(library(planned), collective);
                assert!(
                    requires.is_none_or(|requires| needs.contains(&requires)),
                    "{collective} {}",
                    found.name
                );
            }
        }
    }
}
