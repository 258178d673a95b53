//! HAN's rules file: on two nodes, calls with an algorithm run it, and all others run what HAN runs without any file.

use std::path::Path;

use qtdec_core::{Axis, DecisionTree, Method};
use qtdec_mpi_library::catalogue::open_mpi::COLLECTIVES;
use qtdec_mpi_library::catalogue::{Algorithm, Library, SizeUnit, TunedCollective};
use qtdec_mpi_library::rules::Choice;
use qtdec_mpi_library::tuning::open_mpi::{self, HAN, write};
use qtdec_mpi_library::tuning::open_mpi_han::{HAN_FILE, beside, kept_by};
use qtdec_mpi_library::tuning::{Format, LibraryRules, RuleOptions};

use super::nodes::{Nodes, mpirun};
use super::spy::observed;
use crate::engines::deployed;
use crate::engines::observed::{Called, Program, basis, written};

/// The message sizes from which the maps have an algorithm, leave the choice to the library, and have another algorithm.
const THRESHOLDS: [u64; 3] = [64, 1024, 16_384];

/// The numbers of ranks: HAN's communicators within nodes and between them are smaller than the first, from which the maps begin.
const RANKS: [u64; 3] = [8, 10, 12];

/// Checks all collectives that HAN serves, and returns the number of calls with an algorithm and of those without.
pub(super) fn routes(program: &Program, nodes: &Nodes, folder: &Path) -> Result<[u64; 2], String> {
    let known: Vec<&TunedCollective> = COLLECTIVES.iter().filter(|known| HAN.contains(&known.name)).collect();
    let options = RuleOptions {
        guard: true,
        max_comm_size: RANKS.last().copied(),
        release: Some(program.release()),
        ..RuleOptions::default()
    };
    let trees: Vec<DecisionTree> =
        known.iter().map(|known| tree(known, program)).collect::<Result<_, _>>()?;
    let (mut rules, mut own) = (Vec::new(), Vec::new());
    for (known, tree) in known.iter().zip(&trees) {
        let in_terms_of = |format: &Format| {
            LibraryRules::new(tree, Library::OpenMpi, known.name, format.unit(known.name), &options)
                .map_err(|problems| format!("{}: {problems}", known.name))
        };
        let classic = in_terms_of(&open_mpi::CLASSIC)?;
        own.push(beside(&classic, in_terms_of(&HAN_FILE)?));
        rules.push(classic);
    }
    let mut file = write(&rules, None).map_err(|problem| problem.to_string())?;
    file.switches = kept_by(file.switches);
    let beside = HAN_FILE.write(&own, None).map_err(|problems| problems.to_string())?;
    let settings = [written(folder, "routed.conf", &file)?, written(folder, "han.conf", &beside)?].concat();

    let mut counts = [0; 2];
    for ranks in RANKS {
        // HAN makes its communicators in the first calls, which are not compared.
        let first = known.iter().map(|known| (known.name, 1));
        let calls: Vec<Called> = first.chain(known.iter().flat_map(|known| sizes(known))).collect();
        let plain = program.run(&mut mpirun(program, (ranks, nodes), ""), &calls)?;
        let routed = program.run(&mut mpirun(program, (ranks, nodes), &settings), &calls)?;
        for (((name, size), plain), routed) in calls.iter().zip(plain).zip(routed).skip(known.len()) {
            let at = known.iter().position(|known| known.name == *name).ok_or("it is one of them")?;
            let domain = trees[at].domain();
            let method =
                trees[at].decide(&[ranks, *size][..domain.axes().len()]).ok_or("the map has no gaps")?;
            let method = domain.method(method);
            let expected = if method.baseline {
                plain
            } else {
                let algorithm = known[at].find(&method.name).ok_or("it is one of the library's")?;
                let choice = Choice {
                    algorithm: algorithm.name,
                    segment_size: Some(0),
                    fan_out: algorithm.fan_out,
                    requests: None,
                };
                vec![observed(known[at], &choice); routed.len()]
            };
            if routed != expected {
                return Err(format!(
                    "{name} of {size} bytes on {ranks} ranks of two nodes: {routed:?} ran, not {expected:?}, under\n{}{}",
                    file.text, beside.text
                ));
            }
            counts[usize::from(method.baseline)] += 1;
        }
    }
    Ok(counts)
}

/// Returns the calls of a collective on both sides of every threshold.
fn sizes(known: &TunedCollective) -> Vec<Called> {
    if known.unit == SizeUnit::Nothing {
        return vec![(known.name, 1)];
    }
    THRESHOLDS.iter().flat_map(|size| [size - 1, *size]).map(|size| (known.name, size)).collect()
}

/// Returns a tree with two algorithms, between which the choice is left to the library.
fn tree(known: &TunedCollective, program: &Program) -> Result<DecisionTree, String> {
    let is_usable = |algorithm: &&Algorithm| {
        algorithm.needs.is_empty() && algorithm.fan_out.is_none() && algorithm.is_in(Some(program.release()))
    };
    let usable: Vec<&Algorithm> = known.algorithms.iter().filter(is_usable).collect();
    let (Some(first), Some(second)) = (usable.first(), usable.last()) else {
        return Err(format!("{} has no algorithm without conditions", known.name));
    };
    let own = Method { baseline: true, ..Method::new("default") };
    let methods = vec![Method::new(first.name), own, Method::new(second.name)];
    let mut axes = vec![Axis::new("comm_size", vec![RANKS[0]])];
    let mut cells = vec![0];
    if known.unit != SizeUnit::Nothing {
        axes.push(Axis {
            basis: Some(basis(known.name)),
            ..Axis::new("msg_size", [&[1], &THRESHOLDS[..]].concat())
        });
        cells = vec![1, 0, 1, 2];
    }
    deployed::tree(known.name, axes, methods, cells)
}
