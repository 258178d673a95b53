//! `qtdec-mpi measure` and `qtdec-mpi emit` know the same algorithms.

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Domain, Method};
use qtdec_mpi::campaign::measure::{DEFAULT, LIBRARIES, MeasuredAlgorithm, MeasuredLibrary};
use qtdec_mpi_library::catalogue::mpich::parameters::{Value, parameters};
use qtdec_mpi_library::catalogue::{Algorithm, Library, Measured, Release, Segments};
use qtdec_mpi_library::tuning::diff::{Function, differences};
use qtdec_mpi_library::tuning::selection::map_of;
use qtdec_mpi_library::tuning::{Finding, Job, LibraryRules, RuleOptions, Severity, find_format, formats};

/// A file with one rule for each collective.
const WHOLE: &[u8] = include_bytes!("commands.in/whole.json");

/// Returns a tree that chooses one method everywhere.
fn always(collective: &str, method: &Method) -> DecisionTree {
    let axes = vec![Axis::new("comm_size", vec![2, 8])];
    let domain = Domain::new(Some(collective.to_owned()), axes, vec![method.clone()]).unwrap();
    let only = domain.method_indexes().next();
    let map = DecisionMap::new(domain, vec![only; 2]).unwrap();
    encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap()
}

/// Returns the libraries that can be measured, with each release that a script can be for.
fn planned() -> Vec<(&'static MeasuredLibrary, Release)> {
    let of = |library: &&'static MeasuredLibrary| {
        let releases = find_format(library.name).unwrap().releases;
        let releases = if releases.is_empty() { vec![library.release] } else { releases.to_vec() };
        releases.into_iter().map(|release| (*library, release)).collect::<Vec<_>>()
    };
    LIBRARIES.iter().flat_map(of).collect()
}

#[test]
fn whatever_is_measured_can_be_written() {
    for (planned, release) in planned() {
        let library = planned.library;
        for collective in planned.collectives(release) {
            for MeasuredAlgorithm { name, algorithm } in planned.algorithms(collective, release) {
                assert_ne!(name, DEFAULT, "{collective}: this is the library's own choice");
                assert_eq!(library.find(collective, name), Some(algorithm), "{collective} {name}");
                let sizes: &[Option<u64>] = match algorithm.segments {
                    Segments::Ignored => &[None],
                    Segments::Optional => &[None, Some(8192)],
                    Segments::Needed => &[Some(8192)],
                };
                for &segment_size in sizes {
                    let method = Method { segment_size, ..Method::new(name) };
                    written((library, release), collective, &method, algorithm);
                }
            }
        }
    }
}

/// Checks that every format for a release of the library writes the method as this algorithm, with its segment size.
fn written((library, release): (Library, Release), collective: &str, method: &Method, algorithm: &Algorithm) {
    for format in formats().iter().copied().filter(|format| format.library == library && format.is_written) {
        let tree = always(collective, method);
        let later = format.releases.iter().copied().find(|later| *later >= release);
        let options = RuleOptions { release: later, ..RuleOptions::default() };
        let planned = LibraryRules::new(&tree, library, collective, format.unit(collective), &options);
        let planned = planned.unwrap_or_else(|problems| panic!("{collective} {}: {problems}", method.name));
        let into = format.lacks_whole_file.map(|_| WHOLE);
        let text = format.write(&[planned], into).unwrap().text;
        let decision = format.read(text.as_bytes(), Job::default()).unwrap().decide(collective, 2, 100);
        let read = (decision.name.as_deref(), decision.segment_size, decision.fan_out);
        // A file of MPICH 5 has a segment size for a method without one: that with which it is forced.
        let without = match library {
            Library::Mpich => parameters(collective, algorithm.name).iter().find_map(|one| match one.value {
                Value::SegmentSize(bytes) => Some(bytes).filter(|bytes| *bytes > 0),
                _ => None,
            }),
            _ => None,
        };
        let expected = (Some(algorithm.name), method.segment_size.or(without), algorithm.fan_out);
        assert_eq!(read, expected, "{collective}\n{text}");
    }
}

/// Open MPI's parameters have a default fan-out of 4, but its rules do not: 0 makes a single chain.
#[test]
fn a_chain_without_a_fan_out_is_written_as_it_was_forced() {
    let planned = LIBRARIES.iter().find(|planned| planned.library == Library::OpenMpi).unwrap();
    for collective in ["bcast", "reduce"] {
        let chain = planned.library.find(collective, "chain").unwrap();
        let forced = (planned.force)(collective, chain, 0).join(" ");
        assert!(forced.contains("_algorithm=2") && !forced.contains("fanout"), "{forced}");
        let given = |algorithm: &str| vec![("chain".to_owned(), algorithm.to_owned())];
        for (methods, expected) in
            [(vec![], 4), (given("chain"), 4), (given("2"), 4), (given("chain:fanout=8"), 8)]
        {
            let tree = always(collective, &Method::new("chain"));
            let options = RuleOptions { methods, extend: true, ..RuleOptions::default() };
            for (name, fan_out) in [("open-mpi", "0 2 {} 0 # chain"), ("open-mpi-json", "\"faninout\": {}")] {
                let format = find_format(name).unwrap();
                let unit = format.unit(collective);
                let plan = LibraryRules::new(&tree, Library::OpenMpi, collective, unit, &options).unwrap();
                let text = format.write(&[plan], None).unwrap().text;
                assert!(text.contains(&fan_out.replace("{}", &expected.to_string())), "{text}");
                let read = format.read(text.as_bytes(), Job::default()).unwrap();
                let found = differences(
                    &Function::from_tree(&tree, Some(Library::OpenMpi)).unwrap(),
                    &Function::from_selection(&*read, collective),
                );
                assert_eq!(found.is_empty(), expected == 4, "{found:?}");
            }
        }
    }
}

#[test]
fn a_limit_of_requests_is_written_as_it_was_forced() {
    let planned = LIBRARIES.iter().find(|planned| planned.library == Library::OpenMpi).unwrap();
    let forced = (planned.limit)("alltoall", 16).unwrap();
    assert_eq!(forced, "OMPI_MCA_coll_tuned_alltoall_algorithm_max_requests=16");
    let segmented = Method { segment_size: Some(8192), ..Method::new("binomial:reqs=2") };
    for (collective, method, classic, json) in [
        (
            "alltoall",
            Method::new("linear_sync:reqs=16"),
            "0 4 0 0 16 # linear_sync",
            "\"alg\": 4, \"reqs\": 16",
        ),
        ("alltoall", Method::new("linear_sync:reqs=0"), "0 4 0 0 0 # linear_sync", "\"alg\": 4, \"reqs\": 0"),
        ("reduce", segmented, "0 5 0 8192 2 # binomial", "\"seg_size\": 8192, \"reqs\": 2"),
    ] {
        let tree = always(collective, &method);
        for (name, expected) in [("open-mpi", classic), ("open-mpi-json", json)] {
            let format = find_format(name).unwrap();
            let unit = format.unit(collective);
            let options = RuleOptions { extend: true, ..RuleOptions::default() };
            let plan = LibraryRules::new(&tree, Library::OpenMpi, collective, unit, &options).unwrap();
            let text = format.write(&[plan], None).unwrap().text;
            let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(flat.contains(expected), "{text}");
            assert_eq!(text.starts_with("rule-file-version-2\n"), name == "open-mpi", "{text}");
            let read = format.read(text.as_bytes(), Job::default()).unwrap();
            let label = read.decide(collective, 2, 1 << 20).label();
            assert_eq!(label, method.label().replace(":reqs=0", ""));
            let found = differences(
                &Function::from_tree(&tree, Some(Library::OpenMpi)).unwrap(),
                &Function::from_selection(&*read, collective),
            );
            assert_eq!(found, [], "{text}");
        }
    }
}

#[test]
fn requests_are_written_only_for_releases_that_read_them() {
    let written = |method: &str, release: Option<&str>| {
        let release = release.map(|release| release.parse().unwrap());
        let options = RuleOptions { release, ..RuleOptions::default() };
        let tree = always("alltoall", &Method::new(method));
        let unit = find_format("open-mpi").unwrap().unit("alltoall");
        LibraryRules::new(&tree, Library::OpenMpi, "alltoall", unit, &options)
    };
    for release in ["4.1", "4.1.8", "5.0", "5.0.6"] {
        let refused = written("linear_sync:reqs=16", Some(release)).unwrap_err().to_string();
        let expected = format!("the rules of Open MPI {release} have no number of requests");
        assert!(refused.contains(&expected) && refused.contains("--release 5.0.7"), "{refused}");
    }
    for release in [None, Some("5.0.7"), Some("5.0.11"), Some("6.0")] {
        assert!(written("linear_sync:reqs=16", release).is_ok());
    }
    let dropped = written("pairwise:reqs=16", Some("4.1")).unwrap();
    let note = "the number of requests of `pairwise:reqs=16` is dropped: Open MPI's `pairwise` ignores it";
    assert!(dropped.notes.iter().any(|known| known == note), "{:?}", dropped.notes);
}

/// A file whose rule has no fan-out keeps its meaning if it is imported and written again.
#[test]
fn a_chain_of_a_rule_without_a_fan_out_is_a_single_one() {
    let json = r#"{ "collectives": { "bcast": [{ "rules": [{ "alg": 2 }] }] } }"#;
    for (name, text, again) in
        [("open-mpi", "1 7 1 2 1 0 2 0 0", "0 2 1 0 # chain"), ("open-mpi-json", json, "\"faninout\": 1")]
    {
        let format = find_format(name).unwrap();
        let map = map_of(&*format.read(text.as_bytes(), Job::default()).unwrap(), "bcast").unwrap();
        let methods: Vec<String> = map.domain().methods().iter().map(Method::label).collect();
        assert_eq!(methods, ["chain:fanout=1"]);
        let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap();
        let options = RuleOptions::default();
        let plan = LibraryRules::new(&tree, Library::OpenMpi, "bcast", format.unit("bcast"), &options);
        let written = format.write(&[plan.unwrap()], None).unwrap().text;
        assert!(written.contains(again), "{written}");
        let is_noted = |text: &str| {
            let found = format.check(text.as_bytes(), None);
            let is_it = |note: &Finding| note.problem.message.to_string().starts_with("without a fan-out");
            found.iter().any(|note| note.severity == Severity::Note && is_it(note))
        };
        assert_eq!([is_noted(text), is_noted(&written)], [true, false], "{name}");
    }
}

#[test]
fn every_algorithm_is_measured_or_excluded_for_a_reason() {
    for (planned, release) in planned() {
        for collective in planned.library.collectives() {
            let measured = planned.algorithms(collective.name, release);
            for algorithm in collective.algorithms {
                let count = measured.iter().filter(|measured| measured.algorithm == algorithm).count();
                let is_left_out = matches!(algorithm.measured, Measured::No(_));
                let is_lacked = !algorithm.is_in(Some(release));
                let what = format!("{} {release} {} {}", planned.name, collective.name, algorithm.name);
                assert_eq!(count, usize::from(!is_left_out && !is_lacked), "{what}");
            }
        }
    }
}

#[test]
fn a_script_measures_segments_only_of_algorithms_that_use_them() {
    for (planned, release) in planned() {
        for collective in planned.collectives(release) {
            for MeasuredAlgorithm { algorithm, .. } in planned.algorithms(collective, release) {
                let forced = (planned.force)(collective, algorithm, 4096).join(" ");
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
        let format = formats().iter().copied().find(|format| format.library == planned.library);
        // The variables of Intel MPI are for no release.
        if let Some(oldest) = format.and_then(|format| format.releases.first().copied()) {
            assert_eq!(planned.release, oldest, "{}", planned.name);
        }
    }
}

/// The default is measured as it is after a deployment: every setting with which `qtdec-mpi measure` measures is one of the tuning file, and
/// every other one of these names the file.
#[test]
fn what_is_measured_has_the_switches_of_what_is_deployed() {
    for planned in LIBRARIES {
        let of_library =
            formats().iter().filter(|format| format.library == planned.library && format.is_written);
        for format in of_library {
            let oldest = planned.release;
            let first = |name| Some((planned.algorithms(name, oldest).first()?.name, name));
            let (known, collective) = planned.collectives(oldest).into_iter().find_map(first).unwrap();
            let tree = always(collective, &Method::new(known));
            let options = RuleOptions { release: format.releases.first().copied(), ..RuleOptions::default() };
            let unit = format.unit(collective);
            let rules = LibraryRules::new(&tree, format.library, collective, unit, &options).unwrap();
            let into = format.lacks_whole_file.map(|_| WHOLE);
            let switches = format.write(&[rules], into).unwrap().switches;
            let script = switches.script(Some("/FILE"));
            let mut deployed: Vec<&str> = script
                .lines()
                .filter_map(|line| line.strip_prefix("export "))
                .filter(|setting| !setting.ends_with("=/FILE"))
                .collect();
            let of_collective = (planned.switch_of)(collective);
            let mut measured = planned.switches.to_vec();
            measured.extend(of_collective.as_deref());
            deployed.sort_unstable();
            measured.sort_unstable();
            assert_eq!(deployed, measured, "{}", format.name);
        }
    }
}
