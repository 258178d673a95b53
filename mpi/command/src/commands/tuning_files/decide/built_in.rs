//! The choices of a library's own rules, and the sizes between which they hold.

use qtdec_core::listing::listed;
use qtdec_mpi_library::catalogue::{SizeUnit, natural_basis_or_buffer};
use qtdec_mpi_library::rules::borders::borders;
use qtdec_mpi_library::rules::{Call, Choice, RuleSet};
use qtdec_mpi_library::tuning::Decision;
use qtdec_terminal::Failure;

use super::{Answer, Arguments, no_message, print_row, size_of};

/// The greatest size that rules compare: C's `int`.
const GREATEST: u64 = i32::MAX as u64;

/// A property that rules test of a number of ranks: its name, the numbers that have it, in order, as a function from 0, 1, …, and the last
/// argument.
type Property = (&'static str, fn(u64) -> u64, u64);

const RANKS: [Property; 3] = [
    ("", |ranks| ranks, 1 << 20),
    ("a power of two, ", |exponent| 1 << exponent, 31),
    ("even, ", |half| 2 * half, 1 << 19),
];

pub(super) fn run(arguments: &Arguments, rules: &RuleSet) -> Result<(), Failure> {
    let known: Vec<String> = rules.rules.iter().map(|(name, _)| (*name).to_owned()).collect();
    let collective = arguments.collective.as_deref().unwrap_or_default();
    let rule = rules.rule(collective).ok_or_else(|| {
        let message = if collective.is_empty() {
            "the collective is missing".to_owned()
        } else {
            format!("no rule for `{collective}`")
        };
        Failure::usage(format!("{}: {message}: choose one with --collective: {}", rules.name, listed(&known)))
    })?;
    let basis = natural_basis_or_buffer(collective);
    let commutative = !arguments.non_commutative;
    let call = |comm_size: u64, msg_size: u64| {
        let element_size = arguments.element_size.unwrap_or(1);
        Call { element_size, commutative, ..Call::new(comm_size, msg_size, basis) }
    };
    let decide = |comm_size, msg_size| rule(&call(comm_size, msg_size));
    let decision = |choice: Choice| {
        let known = rules.library.find(collective, choice.algorithm);
        let Choice { segment_size, fan_out, requests, .. } = choice;
        let algorithm = known.and_then(|known| known.number);
        Decision { algorithm, name: Some(choice.algorithm.to_owned()), segment_size, fan_out, requests }
    };
    let unit = if no_message(collective) { SizeUnit::Nothing } else { SizeUnit::of_basis(basis) };
    let comm_size = size_of("comm-size", arguments.comm_size)?;
    if arguments.over.is_some() {
        let bands = borders(GREATEST, |bytes| decide(comm_size, bytes));
        return print_row(
            bands.into_iter().map(|(from, choice)| (from, decision(choice))),
            unit,
            arguments.json,
        );
    }
    let msg_size = super::message(arguments, collective, unit)?;
    let choice = decide(comm_size, msg_size);
    let bytes = borders(GREATEST, |bytes| decide(comm_size, bytes));
    let of_ranks = RANKS.iter().find_map(|(property, ranks, most)| {
        let at = (0..=*most).take_while(|number| ranks(*number) <= comm_size).last()?;
        let bands = borders(*most, |number| decide(ranks(number), msg_size) == choice);
        let (from, below) = band(&bands, at)?;
        let is_wide = below.is_none_or(|below| below - from > 1);
        (ranks(at) == comm_size && is_wide).then(|| (*property, (ranks(from), below.map(ranks))))
    });
    let (property, of_ranks) = of_ranks.unwrap_or(("", (comm_size, comm_size.checked_add(1))));
    let mut rule = vec![format!("{property}{}", between("comm_size", of_ranks))];
    if unit != SizeUnit::Nothing {
        rule.push(between("msg_size", band(&bytes, msg_size).unwrap_or((0, None))));
    }
    let runs = rules.runs(collective, choice, &call(comm_size, msg_size));
    Answer {
        collective,
        decision: decision(choice),
        unit,
        rule: rule.into_iter().map(|rule| (rule, None)).collect(),
        runs: (runs != choice).then(|| decision(runs)),
    }
    .print(arguments.json)
}

/// Returns the beginning of the band that has a size, and that of the next.
fn band<T>(bands: &[(u64, T)], size: u64) -> Option<(u64, Option<u64>)> {
    let next = bands.partition_point(|(from, _)| *from <= size);
    Some((bands.get(next.checked_sub(1)?)?.0, bands.get(next).map(|(from, _)| *from)))
}

fn between(axis: &str, (from, below): (u64, Option<u64>)) -> String {
    match (from, below) {
        (0, None) => format!("every {axis}"),
        (0, Some(below)) => format!("{axis} < {below}"),
        (from, None) => format!("{from} <= {axis}"),
        (from, Some(below)) => format!("{from} <= {axis} < {below}"),
    }
}
