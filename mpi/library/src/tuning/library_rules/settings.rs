//! The library's setting for each method.

use std::collections::BTreeSet;

use crate::catalogue::open_mpi::REQUESTS_SINCE;
use crate::catalogue::open_mpi::han::Levels;
use crate::catalogue::{Algorithm, Lack, Library, Matching, Release};
use qtdec_core::listing::shortened;
use qtdec_core::similar::did_you_mean;
use qtdec_core::{DecisionTree, Diagnostics, Domain, Method, MethodIndex, Path, Place, Problem, Problems};

use super::{RuleOptions, Setting};
use crate::tuning::format_with;

/// Returns the library's setting for each method. The library must know those that the tree uses.
pub(super) fn settings(
    tree: &DecisionTree,
    library: Library,
    collective: &str,
    options: &RuleOptions,
    notes: &mut Vec<String>,
) -> Result<Vec<Setting>, Problems> {
    let domain = tree.domain();
    let matching = Matching::new(domain, library, collective, &options.methods)
        .map_err(|fault| Problem::new(Place::File, fault))?;
    let used: BTreeSet<MethodIndex> = tree.root().methods().flatten().collect();
    let mut check = Diagnostics::default();
    let mut settings = vec![Setting::default(); domain.methods().len()];
    for &index in &used {
        let method = domain.method(index);
        if method.baseline {
            continue;
        }
        let Some(algorithm) = matching.get(index) else {
            check.add_with(|| unknown(library, collective, index, method));
            continue;
        };
        if let Some((release, lack)) = options.release.zip(algorithm.lack(options.release)) {
            check.add_with(|| lacking((library, release), collective, index, method, (algorithm, lack)));
            continue;
        }
        let number = |key: &str| matching.parameter(domain, index, key);
        let segment_size = segment_size(algorithm, method, library, notes);
        let requests = number("reqs").filter(|_| algorithm.limits_requests(segment_size.is_some()));
        if number("reqs").is_some() && requests.is_none() {
            notes.push(ignores_requests(algorithm, method, library));
        }
        if let (Some(release), Some(_)) = (options.release, requests)
            && release < REQUESTS_SINCE
        {
            check.add_with(|| no_requests(library, release, index, method));
        }
        settings[index.get()] = Setting {
            algorithm: Some(algorithm),
            segment_size,
            fan_out: number("fanout").or(algorithm.fan_out),
            requests,
        };
    }
    notes.extend(taken_for(tree, library, &matching, &used));
    if let Some(problem) = several_of_variables(domain, collective, &used, &settings) {
        check.add_with(|| problem);
    }
    check.finish(Some(settings))
}

/// Returns the fault of a tree with an algorithm of Open MPI's component HAN that only variables choose, which hold for all calls of the
/// collective, and with another one or calls that are left to HAN.
fn several_of_variables(
    domain: &Domain,
    collective: &str,
    used: &BTreeSet<MethodIndex>,
    settings: &[Setting],
) -> Option<Problem> {
    let is_by_variables = |index: &&MethodIndex| {
        let Setting { algorithm, segment_size, .. } = settings[index.get()];
        let levels = algorithm.and_then(Levels::of);
        levels.is_some_and(|levels| !levels.are_in_files(collective, segment_size.is_some()))
    };
    let mut by_variables = used.iter().filter(is_by_variables);
    let (first, second) = (*by_variables.next()?, by_variables.next());
    let is_left = |index: &&MethodIndex| domain.method(**index).baseline;
    let (other, why) = match (second, used.iter().find(is_left)) {
        (Some(other), _) => (other, "which hold for all calls"),
        (None, Some(left)) => (left, "which also hold for the calls that are left to the library"),
        (None, None) => return None,
    };
    let (label, other) = (domain.method(first).label(), domain.method(*other).label());
    let message = format!(
        "`{label}`: no file chooses this algorithm of HAN for {collective}, only variables do, {why}; the decisions also have `{other}`"
    );
    let help = format!("make the map without one of them, with --exclude '{label}' or --exclude '{other}'");
    Some(Problem::new(Path::root().key("methods").index(first.get()), message).help(help))
}

/// Describes which methods were matched to algorithms with other names, for users to check.
fn taken_for(
    tree: &DecisionTree,
    library: Library,
    matching: &Matching,
    used: &BTreeSet<MethodIndex>,
) -> Option<String> {
    let mut pairs: Vec<String> = Vec::new();
    for &index in used.iter().filter(|index| matching.is_guessed(**index)) {
        let name = &tree.domain().method(index).name;
        let Some(algorithm) = matching.get(index) else { continue };
        let pair = format!("`{name}` for `{}`", algorithm.name);
        if *name != algorithm.name && !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    let how = format!("methods matched to algorithms of {} (correct this with --method)", library.name());
    (!pairs.is_empty()).then(|| format!("{how}: {}", pairs.join(", ")))
}

fn unknown(library: Library, collective: &str, index: MethodIndex, method: &Method) -> Problem {
    let known: Vec<&str> = library.algorithms(collective).iter().map(|algorithm| algorithm.name).collect();
    let name = shortened(&method.name);
    let message = format!("{} has no `{name}` for {collective}", library.name());
    let (meant, algorithm) = match did_you_mean(&method.name, known.iter().copied()) {
        Some(meant) => (format!("did you mean `{meant}`? M"), meant),
        None => ("m".to_owned(), "ALGORITHM"),
    };
    let help = format!(
        "{meant}atch it to one of its algorithms with --method '{name}={algorithm}': {}",
        known.join(", ")
    );
    Problem::new(Path::root().key("methods").index(index.get()), message).help(help)
}

fn lacking(
    (library, release): (Library, Release),
    collective: &str,
    index: MethodIndex,
    method: &Method,
    (algorithm, lack): (&Algorithm, Lack),
) -> Problem {
    let (name, label) = (library.name(), method.label());
    let which = if label == algorithm.name { String::new() } else { format!("`{label}`: ") };
    let message = format!("{which}{name} {release} has no `{}` for {collective}: {lack}", algorithm.name);
    let without = format!("exclude `{}` from the map", method.name);
    let help = match format_with(library, algorithm) {
        Some((format, release)) => {
            format!(
                "write rules for {release}, with `qtdec-mpi emit --target {} --release {release}`, or {without}",
                format.name
            )
        }
        None => without,
    };
    Problem::new(Path::root().key("methods").index(index.get()), message).help(help)
}

/// Returns the segment size of a method, with a note if the algorithm ignores it.
fn segment_size(
    algorithm: &Algorithm,
    method: &Method,
    library: Library,
    notes: &mut Vec<String>,
) -> Option<u64> {
    let segment_size = method.segment_size.filter(|_| algorithm.is_segmented());
    if method.segment_size.is_some() && segment_size.is_none() {
        notes.push(format!(
            "the segment size of `{}` is dropped: {} accepts none for `{}`",
            method.label(),
            library.name(),
            algorithm.name
        ));
    }
    segment_size
}

fn ignores_requests(algorithm: &Algorithm, method: &Method, library: Library) -> String {
    let when = if algorithm.limits_requests(true) { " without segments" } else { "" };
    format!(
        "the number of requests of `{}` is dropped: {}'s `{}` ignores it{when}",
        method.label(),
        library.name(),
        algorithm.name
    )
}

/// Returns the fault that the rules of a release cannot limit the requests of a method.
fn no_requests(library: Library, release: Release, index: MethodIndex, method: &Method) -> Problem {
    let (name, label) = (library.name(), method.label());
    let message = format!(
        "`{label}`: the rules of {name} {release} have no number of requests, {REQUESTS_SINCE} is the first release that reads one"
    );
    let help = format!(
        "write rules for {REQUESTS_SINCE} or later, with --release {REQUESTS_SINCE}, or exclude `{}` from the map",
        method.name
    );
    Problem::new(Path::root().key("methods").index(index.get()), message).help(help)
}
