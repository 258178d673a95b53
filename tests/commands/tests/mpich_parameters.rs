//! Algorithms of MPICH 5 whose parameters a selection file must give.

use qtdec_core::Method;
use qtdec_mpi_library::catalogue::{Library, Release};
use qtdec_mpi_library::tuning::{Job, LibraryRules, RuleOptions, Severity, find_format};

use crate::releases::always;

const WHOLE: &str = include_str!("commands.in/whole.json");

/// Returns a complete file of 5.0.
fn whole() -> String {
    let dissemination = "\"algorithm=MPIR_Barrier_intra_dissemination\": {}";
    assert!(WHOLE.contains(dissemination));
    WHOLE.replace(dissemination, "\"algorithm=MPIR_Barrier_intra_k_dissemination\": {\"k=2\": {}}")
}

/// Returns a complete file with this method for a collective, or the reason why there is none.
fn written(collective: &str, method: &Method) -> Result<String, String> {
    let format = find_format("mpich").unwrap();
    let options = RuleOptions { release: Some(Release::new(5, 0)), ..RuleOptions::default() };
    let tree = always(collective, method);
    let plan = LibraryRules::new(&tree, Library::Mpich, collective, format.unit(collective), &options);
    let plan = plan.map_err(|problems| problems.to_string())?;
    let written = format.write(&[plan], Some(whole().as_bytes()));
    written.map(|written| written.text).map_err(|problems| problems.to_string())
}

/// Returns the object of the only algorithm of this name in a file, without blanks.
fn members(text: &str, function: &str) -> String {
    let text: String = text.split_whitespace().collect();
    let start = text.find(&format!("algorithm={function}\":")).expect("the file has the algorithm");
    let rest = &text[start..];
    let end = rest.find("}}").map_or(rest.len(), |end| end + 2);
    rest[..end].to_owned()
}

#[test]
fn methods_set_the_fan_out_and_the_segments_and_the_rest_is_as_where_the_algorithm_is_forced() {
    let piped = Method { segment_size: Some(4096), ..Method::new("pipelined_tree:fanout=3") };
    for (collective, method, expected) in [
        ("barrier", Method::new("recexch"), "recexch\":{\"k=2\":{},\"single_phase_recv=0\":{}}"),
        ("allgather", Method::new("k_brucks:fanout=4"), "k_brucks\":{\"k=4\":{}}"),
        (
            "bcast",
            piped,
            "pipelined_tree\":{\"tree_type=kary\":{},\"k=3\":{},\"is_non_blocking=1\":{},\"chunk_size=4096\":{},\
             \"recv_pre_posted=0\":{}}",
        ),
        (
            "allreduce",
            Method::new("tree"),
            "tree\":{\"tree_type=knomial_1\":{},\"k=2\":{},\"chunk_size=0\":{},\"buffer_per_child=0\":{}}",
        ),
    ] {
        let text = written(collective, &method).unwrap();
        let name = method.name.split(':').next().unwrap();
        let capital = collective[..1].to_uppercase() + &collective[1..];
        let function = format!("MPIR_{capital}_intra_{name}");
        let found = members(&text, &function);
        assert_eq!(found.strip_prefix(&format!("algorithm=MPIR_{capital}_intra_")), Some(expected));
        // The file says the same when it is read.
        let rules = find_format("mpich").unwrap().read(text.as_bytes(), Job::default()).unwrap();
        let decision = rules.decide(collective, 8, 64);
        assert_eq!(decision.name.as_deref(), Some(name));
        assert_eq!(decision.segment_size, method.segment_size, "{name}");
        let fan_out = method.name.split_once('=').map_or(2, |(_, number)| number.parse().unwrap());
        assert_eq!(decision.fan_out, Some(fan_out), "{name}");
    }
}

#[test]
fn numbers_that_mpich_cannot_use_are_refused() {
    for (method, expected) in [
        ("tree:fanout=0", "the fan-out 0 of `tree` is not from 1 to 2147483647"),
        ("tree:fanout=2147483648", "the fan-out 2147483648 of `tree` is not from 1 to 2147483647"),
    ] {
        let fault = written("bcast", &Method::new(method)).unwrap_err();
        assert!(fault.contains(expected), "{fault}");
    }
    let fault = written("allgather", &Method::new("k_brucks:fanout=1")).unwrap_err();
    assert!(fault.contains("the fan-out 1 of `k_brucks` is not from 2 to"), "{fault}");
}

#[test]
fn the_check_names_parameters_that_are_missing_or_unusable() {
    let format = find_format("mpich").unwrap();
    let faults = |text: &str| -> Vec<(Severity, String)> {
        let found = format.check(text.as_bytes(), Some(Release::new(5, 0)));
        let found = found.into_iter().filter(|finding| finding.severity != Severity::Note);
        found.map(|finding| (finding.severity, finding.problem.message.to_string())).collect()
    };
    assert_eq!(faults(&whole()), []);
    let missing = "`k_dissemination` lacks `k`: MPICH takes what is in memory";
    assert_eq!(faults(&whole().replace("\"k=2\": {}", "")), [(Severity::Fails, missing.to_owned())]);
    for (text, expected) in [
        ("k=1", "the fan-out `k=1` is not from 2 to 2147483647"),
        ("k = 4", ""),
        ("k=two", "the fan-out `k=two` is not from 2 to 2147483647"),
    ] {
        let found = faults(&whole().replace("k=2", text));
        let expected = (!expected.is_empty()).then(|| (Severity::Fails, expected.to_owned()));
        assert_eq!(found, Vec::from_iter(expected), "{text}");
    }
}
