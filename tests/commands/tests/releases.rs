//! Rules for a release contain no algorithm that it lacks, and every algorithm that it has can be written.

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Domain, Method, Problems};
use qtdec_mpi_library::catalogue::Release;
use qtdec_mpi_library::tuning::{Finding, Format, LibraryRules, RuleOptions, Severity, formats};

/// A file with one rule for each collective.
const WHOLE: &[u8] = include_bytes!("commands.in/whole.json");

/// Returns a tree that chooses one method everywhere.
pub(crate) fn always(collective: &str, method: &Method) -> DecisionTree {
    let axes = vec![Axis::new("comm_size", vec![2, 8])];
    let domain = Domain::new(Some(collective.to_owned()), axes, vec![method.clone()]).unwrap();
    let only = domain.method_indexes().next();
    let map = DecisionMap::new(domain, vec![only; 2]).unwrap();
    encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap()
}

fn plan(
    format: &Format,
    collective: &str,
    method: &str,
    release: Option<Release>,
) -> Result<LibraryRules, Problems> {
    let options = RuleOptions { release, ..RuleOptions::default() };
    LibraryRules::new(
        &always(collective, &Method::new(method)),
        format.library,
        collective,
        format.unit(collective),
        &options,
    )
}

/// Returns a file with this one rule.
fn written(format: &Format, plan: LibraryRules) -> String {
    let into = format.lacks_whole_file.map(|_| WHOLE);
    format.write(&[plan], into).unwrap().text
}

fn faults(format: &Format, text: &str, release: Option<Release>) -> Vec<Finding> {
    let findings = format.check(text.as_bytes(), release).into_iter();
    findings.filter(|finding| finding.severity != Severity::Note).collect()
}

#[test]
fn what_a_release_has_can_be_written_and_what_it_lacks_is_refused() {
    let (mut written_rules, mut refused) = (0, 0);
    for format in formats().iter().copied().filter(|format| format.is_written) {
        for release in format.releases.iter().copied() {
            for collective in format.library.collectives().iter().map(|collective| collective.name) {
                for algorithm in format.library.algorithms(collective) {
                    let planned = plan(format, collective, algorithm.name, Some(release));
                    let what = format!("{} {release}, {collective} {}", format.name, algorithm.name);
                    if algorithm.is_in(Some(release)) {
                        let text =
                            written(format, planned.unwrap_or_else(|problems| panic!("{what}: {problems}")));
                        let own =
                            |finding: &Finding| finding.problem.message.to_string().contains(algorithm.name);
                        let found = faults(format, &text, Some(release));
                        assert!(!found.iter().any(own), "{what}: {found:?}\n{text}");
                        written_rules += 1;
                    } else {
                        let refusal = planned.expect_err(&what).to_string();
                        let expected = format!("{release} has no `{}` for {collective}", algorithm.name);
                        assert!(refusal.contains(&expected), "{what}: {refusal}");
                        assert!(refusal.contains(" --release "), "{what}: {refusal}");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(written_rules > refused && refused > 0, "{written_rules} rules, {refused} refusals");
}

#[test]
fn a_check_finds_every_rule_that_a_release_cannot_run() {
    for format in formats().iter().copied().filter(|format| format.is_written) {
        for release in format.releases.iter().copied() {
            for collective in format.library.collectives().iter().map(|collective| collective.name) {
                for algorithm in format.library.algorithms(collective) {
                    let planned = plan(format, collective, algorithm.name, None);
                    let text = written(format, planned.expect("no release is named"));
                    let lacks = format!("{release} has no ");
                    let found = faults(format, &text, Some(release));
                    let is_found = found.iter().any(|finding| {
                        finding.problem.message.to_string().contains(&lacks)
                            && finding.problem.message.to_string().contains(algorithm.name)
                    });
                    let is_lacked = !algorithm.is_in(Some(release));
                    assert_eq!(
                        is_found, is_lacked,
                        "{} {release}, {collective} {}",
                        format.name, algorithm.name
                    );
                }
            }
        }
    }
}

#[test]
fn rules_are_for_the_oldest_release_unless_another_is_named() {
    let oldest: Vec<(&str, Option<String>)> = (formats().iter())
        .map(|format| (format.name, format.releases.first().map(Release::to_string)))
        .collect();
    let expected = [
        ("open-mpi", Some("4.1")),
        ("open-mpi-json", Some("6.0")),
        ("open-mpi-han", Some("5.0")),
        ("mpich", Some("4.0")),
        ("mvapich", None),
        ("intel-mpi", None),
    ];
    assert_eq!(oldest, expected.map(|(name, release)| (name, release.map(str::to_owned))));
    for format in formats() {
        assert!(format.releases.is_sorted(), "{}", format.name);
    }
}

/// Returns the broadcasts of Open MPI that cause a warning, with or without a segment size.
fn warned(segment_size: Option<u64>) -> Vec<&'static str> {
    let format = formats()[0];
    let is_warned = |name: &str| {
        let method = Method { segment_size, ..Method::new(name) };
        let tree = always("bcast", &method);
        let unit = format.unit("bcast");
        let plan = LibraryRules::new(&tree, format.library, "bcast", unit, &RuleOptions::default()).unwrap();
        let text = format.write(std::slice::from_ref(&plan), None).unwrap().text;
        let notes = format.check(text.as_bytes(), None);
        let is_noted = notes.iter().any(|note| note.problem.message.to_string().contains("corrupts data"));
        assert_eq!(is_noted, !plan.warnings.is_empty(), "{name}\n{text}");
        is_noted
    };
    let names = format.library.algorithms("bcast").iter().map(|algorithm| algorithm.name);
    names.filter(|name| is_warned(name)).collect()
}

#[test]
fn broadcasts_of_open_mpi_that_corrupt_mixed_datatypes_are_warned_of() {
    assert_eq!(warned(None), ["split_binary_tree", "scatter_allgather", "scatter_allgather_ring"]);
    let all_but_linear = [
        "chain",
        "pipeline",
        "split_binary_tree",
        "binary_tree",
        "binomial",
        "knomial",
        "scatter_allgather",
        "scatter_allgather_ring",
    ];
    assert_eq!(warned(Some(8192)), all_but_linear);
}
