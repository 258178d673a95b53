//! The calls of a smoke test: the sizes at the borders of the rules, and just below them.

use std::collections::BTreeSet;
use std::fmt;

use qtdec_core::Basis;
use qtdec_mpi_library::catalogue::{SizeUnit, natural_basis_or_buffer};
use qtdec_mpi_library::rules;
use qtdec_mpi_library::tuning::{Selection, counted};
use qtdec_mpi_schedule::Collective;

use super::super::layout::{Blocks, Layout, element_size};
use super::super::ruled::Ruled;
use crate::abilities::measured;
use crate::mpi::lengths;

/// The most calls; of more, as many are made that are evenly spaced among them.
const MOST: usize = 500;

/// The most bytes of the buffers of a call on a rank.
const LARGEST: u64 = 16 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Planned {
    pub(super) collective: Collective,
    pub(super) ranks: u32,
    /// The size of a [`Layout`].
    pub(super) bytes: u64,
    pub(super) root: u32,
}

impl fmt::Display for Planned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { collective, ranks, bytes, root } = self;
        write!(f, "{collective} of {bytes} bytes on {ranks} ranks")?;
        if collective.is_rooted() { write!(f, ", root {root}") } else { Ok(()) }
    }
}

/// Returns the calls of collectives with rules that as many ranks can make, those on one number of ranks together, and what is not called in
/// words; or why no rule decides any of them.
pub(super) fn calls(
    selection: &dyn Selection,
    ruled: &[Ruled],
    size: u32,
) -> Result<(Vec<Planned>, Vec<String>), String> {
    let mut left_out: Vec<String> = Vec::new();
    let (mut list, mut too_large) = (Vec::new(), 0);
    let mut is_forced = false;
    for Ruled { collective: name, least } in ruled {
        let Some(collective) = measured().find(|known| known.name() == name) else {
            left_out.push(format!("{name}, which qtdec-bench does not call"));
            continue;
        };
        let starts = selection.starts(name).0;
        for ranks in at_borders(&starts, size) {
            for bytes in sizes(selection, collective, ranks) {
                if bytes > LARGEST || buffers(collective, ranks, bytes) > LARGEST {
                    too_large += 1;
                    continue;
                }
                let basis = natural_basis_or_buffer(name);
                let call = rules::Call::new(u64::from(ranks), bytes, basis);
                let compared = call.in_unit(selection.unit(name));
                let decision = selection.decide(name, u64::from(ranks), compared);
                is_forced |= u64::from(ranks) >= *least && !decision.is_library();
                let root = if collective.is_rooted() { list.len() as u32 % ranks } else { 0 };
                list.push(Planned { collective, ranks, bytes, root });
            }
        }
    }
    if !is_forced {
        return Err(none(selection, ruled, size));
    }
    list.sort_by_key(|planned| planned.ranks);
    let beyond = ruled.iter().filter_map(|ruled| first_forced(selection, ruled, u64::from(size) + 1)).min();
    left_out.extend(beyond.map(|from| format!("the rules from {from} ranks on")));
    if too_large > 0 {
        left_out.push(format!("{} with more than 16 MiB on a rank", counted(too_large, "call")));
    }
    if list.len() > MOST {
        left_out.push(format!("{} between the others", counted(list.len() - MOST, "call")));
        list = (0..MOST).map(|number| list[number * list.len() / MOST]).collect();
    }
    Ok((list, left_out))
}

/// Returns why no rule decides any call.
fn none(selection: &dyn Selection, ruled: &[Ruled], size: u32) -> String {
    let first =
        ruled.iter().filter_map(|ruled| Some((first_forced(selection, ruled, 0)?, &ruled.collective))).min();
    let why = first.map_or_else(
        || "they leave the choice to the library".to_owned(),
        |(first, collective)| format!("those of {collective} are for {first} ranks and more"),
    );
    format!("no rule is for the communicators of a launch of {}: {why}", counted(size as usize, "rank"))
}

/// Returns the least number of ranks, from one on, at which rules of a file begin that force an algorithm of a collective.
fn first_forced(selection: &dyn Selection, Ruled { collective, least }: &Ruled, from: u64) -> Option<u64> {
    let is_forced = |ranks: &u64| {
        let sizes = selection.message_starts(collective, *ranks);
        *ranks >= from && sizes.iter().any(|size| !selection.decide(collective, *ranks, *size).is_library())
    };
    selection.starts(collective).0.into_iter().filter(is_forced).min().map(|first| first.max(*least))
}

/// Returns the numbers of ranks at borders, just below them, of the fewest and of all ranks. One rank alone has nothing to do.
fn at_borders(starts: &[u64], size: u32) -> BTreeSet<u32> {
    let at = starts.iter().flat_map(|from| [from.saturating_sub(1), *from]);
    let at = at.filter_map(|ranks| u32::try_from(ranks).ok()).chain([2, size]);
    at.filter(|ranks| (2..=size).contains(ranks)).collect()
}

/// Returns the sizes at the borders of the rules for so many ranks, and just below them.
fn sizes(selection: &dyn Selection, collective: Collective, ranks: u32) -> BTreeSet<u64> {
    if collective == Collective::Barrier {
        return BTreeSet::from([0]);
    }
    let (name, element) = (collective.name(), element_size(collective));
    let (unit, ranks) = (selection.unit(name), u64::from(ranks));
    let starts = selection.message_starts(name, ranks).into_iter();
    let sizes = starts.map(|from| match (natural_basis_or_buffer(name), unit) {
        (Basis::Block, SizeUnit::TimesRanks | SizeUnit::Total) => from.div_ceil(ranks),
        (Basis::Total | Basis::Buffer, SizeUnit::PerRank) => from.saturating_mul(ranks),
        _ => from,
    });
    let at = sizes.map(|size| size.div_ceil(element).saturating_mul(element));
    // A call without bytes has no result: the first size is one element.
    at.chain([element])
        .flat_map(|at| [at.saturating_sub(element), at])
        .map(|bytes| bytes.max(element))
        .collect()
}

/// Returns the bytes of all buffers of a call on a root.
fn buffers(collective: Collective, ranks: u32, bytes: u64) -> u64 {
    let layout = Layout { collective, ranks, bytes, blocks: Blocks::EQUAL };
    let (send, receive, data) = lengths(collective, layout.extent(0), true);
    (send + receive + data) as u64
}

#[cfg(test)]
mod tests {
    use qtdec_mpi_library::tuning::{Job, Selection, find_format};

    use super::{LARGEST, MOST, Planned, calls};

    fn rules(text: &str) -> Box<dyn Selection> {
        find_format("open-mpi").unwrap().read(text.as_bytes(), Job::default()).unwrap()
    }

    fn called(text: &str, ruled: &str, size: u32) -> Result<(Vec<Planned>, Vec<String>), String> {
        let ruled: Vec<_> = ruled.split(',').map(|ruled| ruled.parse().unwrap()).collect();
        calls(&*rules(text), &ruled, size)
    }

    /// Bcast from 4 ranks on: binomial (6), from 8 KiB on chain (2).
    const BCAST: &str = "1\n7\n2\n0\n1\n0 0 0 0\n4\n2\n0 6 0 0\n8192 2 0 0\n";

    #[test]
    fn sizes_are_called_at_borders_and_just_below_in_both_directions() {
        let (list, left_out) = called(BCAST, "bcast:4", 5).unwrap();
        let sizes: Vec<(u32, u64)> =
            list.iter().map(|Planned { ranks, bytes, .. }| (*ranks, *bytes)).collect();
        let [four, five] = [4, 5].map(|ranks| [1, 8191, 8192].map(|bytes| (ranks, bytes)));
        assert_eq!(sizes, [&[(2, 1), (3, 1)], &four[..], &five].concat());
        assert!(left_out.is_empty());
        assert!(list.iter().all(|planned| planned.root < planned.ranks));
        assert!(list.iter().any(|planned| planned.root > 0));
    }

    #[test]
    fn sizes_are_those_that_the_library_compares_in_whole_elements() {
        // Allgather from 100 bytes in all on: of each 50 on 2 ranks, and 34 on 3. Allreduce from 10 bytes on: 3 integers.
        let text = "2\n0\n1\n0\n2\n0 1 0 0\n100 2 0 0\n2\n1\n0\n2\n0 1 0 0\n10 3 0 0\n";
        let (list, _) = called(text, "allgather:0,allreduce:0", 3).unwrap();
        let sizes: Vec<u64> = list.iter().map(|planned| planned.bytes).collect();
        assert_eq!(sizes, [1, 49, 50, 4, 8, 12, 1, 33, 34, 4, 8, 12]);
    }

    #[test]
    fn what_is_left_out_is_stated() {
        let wide = BCAST.replace("8192", &(LARGEST + 1).to_string());
        let (list, left_out) = called(&wide, "bcast:4,alltoallw:2", 4).unwrap();
        assert_eq!(list.len(), 4, "{list:?}");
        assert_eq!(
            left_out,
            ["alltoallw, which qtdec-bench does not call", "1 call with more than 16 MiB on a rank"]
        );
        let rows: Vec<String> =
            (0..600).map(|row| format!("{} 6 0 0\n{} 2 0 0\n", row * 16, row * 16 + 8)).collect();
        let rows = rows.concat();
        let many = format!("1\n7\n2\n0\n1200\n{rows}64\n1\n0 6 0 0\n");
        let (list, left_out) = called(&many, "bcast:0", 4).unwrap();
        assert_eq!(list.len(), MOST);
        assert_eq!(left_out.len(), 2, "{left_out:?}");
        assert_eq!(left_out[0], "the rules from 64 ranks on");
        let ended = called(&many.replace("64\n1\n0 6 0 0\n", "64\n1\n0 0 0 0\n"), "bcast:0", 4).unwrap();
        assert_eq!(ended.1, left_out[1..], "where rules end, nothing is left out");
    }

    #[test]
    fn rules_for_other_machines_are_a_failure() {
        let expected = "no rule is for the communicators of a launch of 4 ranks: those of bcast are for 64 ranks and more";
        for known in ["bcast:64", "bcast:0"] {
            let reason = called(&BCAST.replace("\n4\n", "\n64\n"), known, 4).unwrap_err();
            assert_eq!(reason, expected);
        }
        let left = BCAST.replace(" 6 ", " 0 ").replace(" 2 0", " 0 0");
        assert!(called(&left, "bcast:4", 4).unwrap_err().ends_with("they leave the choice to the library"));
    }
}
