//! A compiled map compared with an MPI library's own rules: how much longer do their choices take than the best method?

use std::error::Error;

use qtdec::decision_map;
use qtdec_core::{DecisionMap, Document};
use qtdec_mpi::compare::{CallProperties, Calls, Chosen, choose};
use qtdec_mpi_library::catalogue::{Library, Matching};
use qtdec_mpi_library::rules::{Call, RuleSet};

/// The exact quadtree of allreduce on Fugaku.
#[decision_map("examples/build-script/maps/allreduce.json")]
const fn compiled(comm_size: u64, msg_size: u64) -> &'static str;

#[decision_map("examples/build-script/maps/allreduce.json", max_depth = 3)]
const fn compiled_small(comm_size: u64, msg_size: u64) -> &'static str;

/// Returns the choices of a compiled function at the points of the map.
fn by_function(map: &DecisionMap, function: fn(u64, u64) -> &'static str) -> Chosen {
    let decide = |cell| match map.domain().sizes(cell)[..] {
        [comm_size, msg_size] => map.domain().find_method(function(comm_size, msg_size)),
        _ => None,
    };
    Chosen::of((0..map.domain().cells()).map(decide).collect())
}

/// Returns the methods that are algorithms of Open MPI: Fujitsu MPI has them as well, and the times call them `default-ring` and the like.
fn algorithms(map: &DecisionMap) -> Vec<(String, String)> {
    let methods = map.domain().methods().iter();
    let named =
        methods.filter_map(|method| Some((method.name.clone(), method.name.strip_prefix("default-")?)));
    let known = |name: &str| Library::OpenMpi.find("allreduce", name).is_some();
    named.filter(|(_, name)| known(name)).map(|(method, name)| (method, name.to_owned())).collect()
}

/// Returns the choices of hand-written rules at the points of the map.
fn by_hand(map: &DecisionMap, name: &str) -> Result<Chosen, Box<dyn Error>> {
    let rules = RuleSet::find(name).ok_or("there are no such rules")?;
    let rule = rules.rule("allreduce").ok_or("there is no rule for allreduce")?;
    let matching = Matching::new(map.domain(), rules.library, "allreduce", &algorithms(map))?;
    let assumed = CallProperties { element_size: 4, commutative: true };
    let calls = Calls::new(map.domain(), "allreduce", assumed).map_err(|problem| problem.to_string())?;
    let runs = |choice, call: &Call| rules.runs("allreduce", choice, call);
    Ok(choose(map, &calls, (rules.library, &matching), |call| Some(rule(call)), runs))
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = include_bytes!("build-script/maps/allreduce.json");
    let Document::Map(map) = Document::from_json(file)? else { return Err("it is a tree".into()) };
    let mut all = vec![
        ("compiled", by_function(&map, compiled)),
        ("compiled, depth 3", by_function(&map, compiled_small)),
    ];
    for name in ["ft-mpi", "open-mpi-1.2", "open-mpi-4.1"] {
        all.push((name, by_hand(&map, name)?));
    }
    println!("slower than the best method, in per cent:");
    println!("{:17} {:>8} {:>8} {:>8}  cells", "", "mean", "median", "worst");
    for (name, chosen) in all {
        let quality = chosen.quality(&map);
        let Some(penalty) = quality.penalty else { continue };
        let (mean, median, worst) = (penalty.mean, penalty.median, penalty.max);
        println!("{name:17} {mean:8.2} {median:8.2} {worst:8.2}  {} of {}", penalty.cells, quality.cells);
    }
    Ok(())
}
