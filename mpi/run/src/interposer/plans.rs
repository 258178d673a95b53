//! What is done for calls: the schedules of those that are ours.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;
use qtdec_mpi_schedule::{Named, RankSchedule, Request};

use super::call::Call;
use super::trees::Trees;
use crate::bench::Method;
use crate::own::MOST_SEGMENTS;

/// The maximum number of operations of all schedules that are kept, which bounds their memory.
const OPERATIONS: usize = 1 << 18;

/// The maximum number of calls whose decisions are kept.
const CALLS: usize = 1 << 12;

#[derive(Debug)]
pub(super) struct Plan {
    pub(super) label: String,
    /// The operations of this rank, or why there are none. Then it is too late for the library: other ranks have theirs.
    pub(super) schedule: Result<RankSchedule, String>,
}

#[derive(Clone, Debug)]
pub(super) enum Choice {
    /// The library carries it out, for this reason.
    Library(String),
    Own(Arc<Plan>),
}

/// Decisions that were made, for calls by trees or by a method that is learned about.
#[derive(Debug, Default)]
pub(super) struct Plans {
    choices: HashMap<(Call, Option<Method>), Choice, FixedState>,
    operations: usize,
}

impl Plans {
    /// Returns what is done for a call, by this method or as trees say, and whether this was decided now. `may_cut` says whether an
    /// operation of the program may combine parts of operands.
    pub(super) fn choice(
        &mut self,
        trees: &Trees,
        may_cut: bool,
        call: &Call,
        method: Option<Method>,
    ) -> (Choice, bool) {
        let key = (*call, method);
        if let Some(choice) = self.choices.get(&key) {
            return (choice.clone(), false);
        }
        let choice = match &key.1 {
            Some(method) => carried_out(method, may_cut, call),
            None => match of_trees(trees, call) {
                Ok(method) => carried_out(method, may_cut, call),
                Err(reason) => Choice::Library(reason.to_owned()),
            },
        };
        let operations = match &choice {
            Choice::Own(plan) => plan.schedule.as_ref().map_or(0, |schedule| schedule.operations.len()),
            Choice::Library(_) => 0,
        };
        if self.operations + operations > OPERATIONS || self.choices.len() >= CALLS {
            self.choices.clear();
            self.operations = 0;
        }
        self.operations += operations;
        self.choices.insert(key, choice.clone());
        (choice, true)
    }
}

/// Returns the method that trees choose for a call by what all ranks know, or why there is none.
pub(super) fn of_trees<'t>(trees: &'t Trees, call: &Call) -> Result<&'t Method, &'static str> {
    let collective = call.collective().ok_or("it is not known")?;
    let decision = trees.of(collective).ok_or("there is no tree")?;
    let method = decision.method(call);
    if call.ranks_per_node() == 0 && method.map_or(decision.asks_nodes(), Method::needs_nodes) {
        return Err("its ranks neither fill one node after the other nor are placed on nodes in turn");
    }
    method.ok_or("the tree has no method")
}

fn carried_out(method: &Method, may_cut: bool, call: &Call) -> Choice {
    match accepted(method, may_cut, call) {
        Ok((own, request)) => {
            let schedule = own.algorithm().rank(&request, call.rank).map_err(|error| error.to_string());
            Choice::Own(Arc::new(Plan { label: method.label(), schedule }))
        }
        Err(reason) => Choice::Library(reason),
    }
}

/// Returns the algorithm by which a method of ours carries out a call, or why the library does.
pub(super) fn accepted(method: &Method, may_cut: bool, call: &Call) -> Result<(Named, Request), String> {
    let collective = call.collective().ok_or("it is not known")?;
    let elements = call.elements().ok_or("its elements have no size")?;
    let ranks = (call.ranks, call.placement());
    let (own, request) = match method.request(collective, ranks, elements, call.root) {
        None => return Err(of_the_library(&method.label())),
        Some(Err(error)) => return Err(format!("not {}, as {error}", method.label())),
        Some(Ok(found)) => found,
    };
    let request = request.commutative(call.is_commutative());
    if collective.is_reduction() && !call.is_commutative() && !own.keeps_order(&request) {
        return Err(format!("not {}, as the operation does not commute", method.label()));
    }
    if call.is_of_program() && !may_cut && !own.keeps_whole(&request) {
        return Err(format!(
            "not {}, as the operation is the program's and would combine parts of operands: QTDEC_CUT_OPERANDS=1 allows it",
            method.label()
        ));
    }
    if !is_small(&own, &request) {
        return Err(format!("not {}, as its schedule would be too large", method.label()));
    }
    Ok((own, request))
}

/// Returns why the library carries out the call of a method that is not ours, and what it then runs.
fn of_the_library(method: &str) -> String {
    if qtdec_mpi_library::choice::ALL.contains(&method) {
        return method.to_owned();
    }
    format!(
        "its own choice or a tuning file decides: {method} is not a schedule of qtdec, which cannot force it"
    )
}

fn is_small(own: &Named, request: &Request) -> bool {
    own.segments(request).max(1).saturating_mul(u64::from(request.comm_size())) <= MOST_SEGMENTS
}

#[cfg(test)]
mod tests {
    use std::fs;

    use qtdec_mpi_schedule::{Action, Algorithm, Collective};

    use crate::placement::Placement;

    use super::super::example;
    use super::*;

    fn trees(collective: Collective, name: &str, segment: Option<u64>) -> Trees {
        let folder = tempfile::tempdir().unwrap();
        let text = example::constant(collective, name, segment);
        fs::write(folder.path().join(format!("{collective}.tree.json")), text).unwrap();
        Trees::read(folder.path()).unwrap()
    }

    fn choice(trees: &Trees, call: &Call) -> Choice {
        Plans::default().choice(trees, false, call, None).0
    }

    fn reason(choice: Choice) -> String {
        match choice {
            Choice::Library(reason) => reason,
            Choice::Own(plan) => panic!("{} carries it out", plan.label),
        }
    }

    #[test]
    fn ours_are_planned_and_others_left_to_the_library() {
        let call = Call::new(Collective::Bcast, (4, 1, 0), 100);
        let own = trees(Collective::Bcast, "own_pipeline", Some(16));
        let mut plans = Plans::default();
        let (Choice::Own(plan), true) = plans.choice(&own, false, &call, None) else { panic!("it is ours") };
        assert_eq!(plan.label, "own_pipeline/16");
        assert_eq!(plan.schedule.as_ref().unwrap().operations.len(), 14);
        assert!(matches!(plans.choice(&own, false, &call, None), (Choice::Own(_), false)));
        let of_the_library = |name| reason(choice(&trees(Collective::Bcast, name, None), &call));
        assert_eq!(of_the_library("default"), "default");
        // The interposer does not know what runs: not what the tree says, unless a tuning file says it too.
        assert_eq!(
            of_the_library("pipeline"),
            "its own choice or a tuning file decides: pipeline is not a schedule of qtdec, which cannot force it"
        );
        let reduce = Call::new(Collective::Reduce, (4, 1, 0), 100);
        assert_eq!(reason(choice(&own, &reduce)), "there is no tree");
        let sites = trees(Collective::Bcast, "own_multirail_2x4", None);
        assert!(
            reason(choice(&sites, &call)).starts_with("not own_multirail_2x4, as the clusters 2x4 have 8")
        );
        let many = Call::new(Collective::Bcast, (4, 1, 0), 16 << 20);
        assert_eq!(reason(choice(&own, &many)), "not own_pipeline/16, as its schedule would be too large");
    }

    #[test]
    fn compositions_are_of_the_nodes_of_the_ranks() {
        let composed = trees(Collective::Reduce, "two_level:inter=binary/16:intra=linear", None);
        let call = Call::new(Collective::Reduce, (6, 1, 0), 100);
        let Choice::Own(plan) = choice(&composed, &call.on_nodes_of(3)) else { panic!("it is ours") };
        assert_eq!(plan.label, "own_two_level:inter=binary/16:intra=linear");
        assert_eq!(
            plan.schedule.as_ref().unwrap().operations.len(),
            1,
            "it sends to the root, which is in its node"
        );
        assert!(reason(choice(&composed, &call)).starts_with("its ranks neither fill one node"));
        // The nodes of ranks 0, 2, 4 and of 1, 3, 5: it leads the second.
        let Choice::Own(plan) = choice(&composed, &call.on_nodes_of(-2)) else { panic!("it is ours") };
        let operations = plan.schedule.as_ref().unwrap().operations.iter();
        let sends = operations.filter(|operation| matches!(operation.action, Action::Send { peer: 0, .. }));
        assert_eq!(sends.count(), 7);
        let ordered = reason(choice(&composed, &call.on_nodes_of(3).ordered()));
        assert!(ordered.ends_with("as the operation does not commute"), "{ordered}");
        let cut = reason(choice(&composed, &call.on_nodes_of(3).of_program()));
        assert!(cut.contains("would combine parts of operands"), "{cut}");
        let large = Call::new(Collective::Reduce, (6, 1, 0), 16 << 20).on_nodes_of(3);
        assert!(reason(choice(&composed, &large)).ends_with("as its schedule would be too large"));
    }

    #[test]
    fn calls_that_no_composition_serves_need_no_nodes() {
        let methods = r#"{"name": "own_linear"}, {"name": "own_two_level:inter=binary:intra=linear"}"#;
        let nodes = r#"["msg_size", 8], "own_linear", "own_two_level:inter=binary:intra=linear""#;
        let axes = r#"{"name": "msg_size", "values": [1, 8]}"#;
        let text = example::text(Collective::Bcast, axes, methods, nodes);
        let trees = Trees::new([(Collective::Bcast, text.as_bytes(), String::new())]).unwrap();
        let of = |bytes| choice(&trees, &Call::new(Collective::Bcast, (6, 1, 0), bytes));
        assert!(matches!(of(7), Choice::Own(_)));
        assert!(reason(of(8)).starts_with("its ranks neither fill one node"));
    }

    #[test]
    fn only_what_keeps_order_serves_an_operation_that_does_not_commute() {
        let call = Call::new(Collective::Reduce, (4, 1, 0), 100);
        let binary = trees(Collective::Reduce, "own_binary", None);
        assert!(matches!(choice(&binary, &call), Choice::Own(_)));
        let reason = reason(choice(&binary, &call.ordered()));
        assert_eq!(reason, "not own_binary, as the operation does not commute");
        let ordered = trees(Collective::Reduce, "own_in_order_binary", None);
        assert!(matches!(choice(&ordered, &call.ordered()), Choice::Own(_)));
    }

    #[test]
    fn operations_of_the_program_combine_whole_operands_unless_it_allows_parts() {
        let call = Call::new(Collective::Allreduce, (4, 1, 0), 100);
        let (cut, whole) = (
            trees(Collective::Allreduce, "own_rabenseifner", None),
            trees(Collective::Allreduce, "own_reduce_bcast", None),
        );
        assert!(matches!(choice(&cut, &call), Choice::Own(_)));
        assert!(matches!(choice(&whole, &call.of_program()), Choice::Own(_)));
        assert!(matches!(Plans::default().choice(&cut, true, &call.of_program(), None).0, Choice::Own(_)));
        assert_eq!(
            reason(choice(&cut, &call.of_program())),
            "not own_rabenseifner, as the operation is the program's and would combine parts of operands: QTDEC_CUT_OPERANDS=1 \
             allows it"
        );
        let in_segments = trees(Collective::Allreduce, "own_reduce_bcast", Some(16));
        assert!(
            reason(choice(&in_segments, &call.of_program()))
                .starts_with("not own_reduce_bcast/16, as the operation")
        );
        let one = Call::new(Collective::Allreduce, (4, 1, 0), 4);
        assert!(matches!(choice(&cut, &one.of_program()), Choice::Own(_)));
    }

    /// What one rank can build, every rank can: otherwise some would wait for others.
    #[test]
    fn the_largest_schedules_can_be_built_by_every_rank() {
        let ranks = 1 << 9;
        for entry in qtdec_mpi_schedule::all().filter(|entry| entry.is_segmented()) {
            let (collective, name) = (entry.collective(), entry.name());
            let bytes = MOST_SEGMENTS / ranks * 8;
            let listed = (Method::Own { name: name.to_owned(), clusters: None, segment: 8 }, bytes);
            let composed = Method::named(&format!("two_level:inter={name}/8:intra={name}/8"), 0);
            for (method, bytes) in [listed, (composed, bytes / 2)] {
                let request = method
                    .request(collective, (ranks as u32, Placement::Consecutive(16)), (bytes / 4, 4), 0)
                    .unwrap();
                let Ok((own, request)) = request else {
                    assert!(method.needs_nodes(), "{collective} {name}: {request:?}");
                    continue;
                };
                assert!(is_small(&own, &request), "{name}");
                for rank in [0, 1, 255, 511] {
                    assert!(own.algorithm().rank(&request, rank).is_ok(), "{collective} {}", method.label());
                }
            }
        }
    }
}
