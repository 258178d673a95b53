//! The components that Open MPI selects for communicators, with `--mca coll_base_verbose 30`.
//!
//! ```text
//! [node:71] coll:base:comm_select: new communicator: MPI_COMM_WORLD (cid 0)
//! [node:71] coll:base:comm_select: selecting       tuned, priority  30, Enabled
//! ```
//!
//! Releases are built without the messages that name algorithms. The lines are those of 4.1.4 and 5.0.11, which were run.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use qtdec_core::Problem;

use super::{Format, Observed};
use crate::readers::each_line;

pub(super) const FORMAT: Format = Format {
    about: "Open MPI's selection of components with --mca coll_base_verbose 30",
    recognises: |head| head.contains(MARK),
    read,
};

const MARK: &str = "coll:base:comm_select: ";

fn read(input: &mut dyn BufRead, observed: &mut Observed) -> Result<(), Problem> {
    // The communicator of each process, and the components of each communicator, of which the last one has precedence.
    let mut current: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    let mut all: BTreeSet<(String, Vec<String>)> = BTreeSet::new();
    each_line(input, |_, text| {
        let Some((process, said)) = text.split_once(MARK) else { return Ok(()) };
        if let Some(name) = said.strip_prefix("new communicator: ") {
            let name = name.rsplit_once(" (cid").map_or(name, |(name, _)| name).to_owned();
            all.extend(current.insert(process.to_owned(), (name, Vec::new())));
        } else if let Some(selected) = said.strip_prefix("selecting ")
            && let Some((_, components)) = current.get_mut(process)
            && let Some((name, "Enabled")) =
                selected.split_once(',').and_then(|(name, rest)| Some((name, rest.rsplit(", ").next()?)))
        {
            components.insert(0, name.trim().to_owned());
        }
        Ok(())
    })?;
    all.extend(current.into_values());
    for (communicator, components) in all {
        observed.notes.add(format!("{communicator} has the components {}", components.join(", ")));
    }
    observed.notes.add(
        "Open MPI prints components only, the one with the highest priority first, and neither calls nor algorithms: times show \
         whether a tuning file is followed (qtdec verify)",
    );
    Ok(())
}
