//! Open MPI's own reader and lookups, called through `dlopen`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use qtdec_core::Basis;
use qtdec_mpi_library::catalogue::{Library, Release, SizeUnit};
use qtdec_mpi_library::tuning::Severity;
use qtdec_mpi_library::tuning::open_mpi::{check, write};

use super::malformed::{MUTATIONS, mutated};
use super::maps::{self, Exported, number};
use super::script::Script;
use crate::engines::deployed::rules;
use xtask::machine;

/// The release in Debian.
const RELEASE: Release = Release::new(4, 1);

/// The component that holds the reader.
const COMPONENT: &str = "openmpi/lib/openmpi3/mca_coll_tuned.so";

/// Returns the component, where Python can ask it.
pub(crate) fn component() -> Result<PathBuf, String> {
    let component = machine::library(COMPONENT)?;
    machine::command("python3").map(|()| component)
}

pub(crate) fn prove(component: &Path) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut script = Script::new(folder.path());

    let (repository, others) = maps::of_repository(RELEASE)?;
    let random = maps::random(RELEASE)?;
    let mut texts = export(&mut script, &repository)?;
    let repository_points = script.questions() - texts.len() as u64;
    texts.extend(export(&mut script, &random)?);
    let exported = texts.len() as u64;
    let points = script.questions() - exported;
    mutated(&mut script, &texts)?;
    let mutated_points = script.questions() - exported - points - MUTATIONS;
    script.run(component)?;
    Ok(format!(
        "{exported} exported files agree at {points} points; {} of the files, {repository_points} of the points are of \
         {} (another {others} have axes that its files do not look at); and {MUTATIONS} mutated files are accepted or \
         dropped as predicted and agree at {mutated_points} more",
        repository.len(),
        described(&repository),
    ))
}

/// Describes the number of maps and their collectives.
fn described(repository: &[Exported]) -> String {
    let names: BTreeSet<&str> = repository.iter().map(|exported| &*exported.name).collect();
    let mut collectives: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for exported in repository {
        collectives.entry(exported.known.name).or_default().insert(&exported.name);
    }
    let collectives: Vec<String> =
        collectives.iter().map(|(collective, names)| format!("{collective} {}", names.len())).collect();
    let stand_ins = repository.iter().filter(|exported| exported.has_stand_ins());
    let stand_ins: BTreeSet<&str> = stand_ins.map(|exported| &*exported.name).collect();
    format!(
        "the repository's {} maps and trees ({}), where in {} Open MPI's algorithms stand for others",
        names.len(),
        collectives.join(", "),
        stand_ins.len()
    )
}

/// Queries the decisions of every exported file around every threshold on both axes. Returns the texts of the files.
fn export(script: &mut Script<'_>, all: &[Exported]) -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    for exported in all {
        let Exported { name, tree, known, options, .. } = exported;
        let plan =
            rules(Library::OpenMpi, known, tree, options).map_err(|fault| format!("{name}: {fault}"))?;
        let text = write(&[plan], None).map_err(|problem| format!("{name}: {problem}"))?.text;
        if check(text.as_bytes(), Some(RELEASE)).iter().any(|finding| finding.severity != Severity::Note) {
            return Err(format!("what was written for {name} does not pass the check:\n{text}"));
        }
        script.file(text.as_bytes(), true)?;
        breakpoints(script, exported);
        texts.push(text);
    }
    Ok(texts)
}

fn breakpoints(script: &mut Script<'_>, exported: &Exported) {
    let Exported { tree, known, .. } = exported;
    let around = |name: &str, more: &[u64]| {
        let axis = tree.domain().find_axis(name);
        let cuts = tree.root().cuts().filter(|(cut, _)| Some(*cut) == axis);
        let thresholds = cuts.map(|(axis, at)| tree.threshold(axis, at));
        let mut sizes: Vec<u64> = thresholds
            .flat_map(|size| [size.saturating_sub(1), size, size.saturating_add(1)])
            .chain(more.iter().copied())
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    };
    // Every communicator size if each has rules of its own, otherwise those around thresholds.
    let multiplied = exported.is_multiplied();
    let largest = if multiplied { exported.largest() } else { u64::from(i32::MAX as u32) };
    let more: Vec<u64> = if multiplied { (1..=largest).collect() } else { vec![1, 2, 3, 1 << 20] };
    let ranks = around("comm_size", &more);
    let mut sizes = around("msg_size", &[0, 1, 1 << 40]);
    // No message has more bytes: the library's numbers end there.
    sizes.retain(|size| i64::try_from(*size).is_ok());
    let per_rank = known.unit == SizeUnit::PerRank && exported.basis() != Basis::Block;
    for ranks in ranks.into_iter().filter(|ranks| (1..=largest).contains(ranks)) {
        for &size in &sizes {
            // If the library rounds the bytes per rank down, the tree's thresholds are those of whole ones.
            let (own, queried) = match (multiplied, per_rank) {
                (true, _) => (size, size * ranks),
                (_, true) => (size.next_multiple_of(ranks), size.div_ceil(ranks)),
                _ => (size, size),
            };
            script.ask(number(known), ranks, queried, exported.expected(ranks, own));
        }
    }
    if multiplied {
        for &size in &sizes {
            script.ask(number(known), largest + 1, size, (0, 0, 0));
        }
    }
}
