//! Finds everything that the patches add by its name.

use std::process::Command;

use qtdec_build::ItemOptions;
use qtdec_core::code::LayoutChoice;
use qtdec_core::{Axis, Basis, DecisionMap, DecisionTree, Document, Domain, Method, MethodIndex, Options};
use qtdec_mpi_library::catalogue::Library;
use qtdec_mpi_library::rules::{Call, RuleSet};
use qtdec_mpi_library::tuning::{Job, LibraryRules, RuleOptions, detect, find_format};
use qtdec_mpi_predict::models::{Form, formula};
use qtdec_mpi_predict::network::import;
use qtdec_mpi_predict::{Network, models, shipped, simulate};
use qtdec_mpi_schedule::{Collective, Request, Schedule, find};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions};
use qtdec_study::selection::Recipe;

/// Returns a map with `binomial` in three of four cells, and `chain` in the last.
fn map() -> DecisionMap {
    map_of(["binomial", "chain"])
}

/// Returns a map with one method in three of four cells, and another in the last.
fn map_of(methods: [&str; 2]) -> DecisionMap {
    let axes = vec![Axis::new("comm_size", [2, 8]), Axis::new("msg_size", [1, 1024])];
    let methods = methods.map(Method::new).to_vec();
    let domain = Domain::new(Some("bcast".to_owned()), axes, methods).unwrap();
    let methods: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells = [0, 0, 0, 1].map(|method| Some(methods[method]));
    DecisionMap::new(domain, cells.to_vec()).unwrap()
}

fn tree(encoding: &str, map: DecisionMap) -> DecisionTree {
    Options::parse(&[("encoding", encoding)]).unwrap().tree(Document::Map(map)).unwrap()
}

fn name(tree: &DecisionTree, sizes: &[u64]) -> String {
    tree.decide(sizes).map(|method| tree.domain().method(method).name.clone()).unwrap()
}

/// The output of the layout, compiled.
mod ladder {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Bcast {
        Binomial,
        Chain,
    }

    include!("ladder.rs");
}

fn main() {
    encoder();
    reader();
    rules();
    layout();
    tuning_format();
    library_algorithm();
    algorithm();
    network_format_and_formula();
    measured_library();
    subcommand();
}

fn encoder() {
    let majority = tree("majority", map());
    assert_eq!((majority.regions().len(), name(&majority, &[8, 1024])), (1, "binomial".to_owned()));
}

fn reader() {
    let times = "ranks=4 bytes=8 algorithm=ring us=2.5\nranks=4 bytes=8 algorithm=linear us=1.5\n";
    let (read, _) = readers::read_one("times", times.as_bytes(), &ReadOptions::default()).unwrap();
    let best = Recipe::default().map(&read, &mut Notes::default()).unwrap();
    let method = best.cells()[0].map(|method| &*best.domain().method(method).name);
    assert_eq!((best.cells().len(), method), (1, Some("linear")));
}

fn rules() {
    let rule = RuleSet::find("always-binomial").and_then(|rules| rules.rule("bcast")).unwrap();
    assert_eq!(rule(&Call::new(8, 8, Basis::Buffer)).algorithm, "binomial");
}

fn layout() {
    let exact = tree("quadtree", map());
    let style = ItemOptions { layout: LayoutChoice::parse("ladder").unwrap(), ..ItemOptions::named("bcast") };
    assert_eq!(style.function(&exact, "map.json").unwrap(), include_str!("ladder.rs"));
    for comm_size in [0, 7, 8, 9] {
        for msg_size in [0, 1023, 1024, 1025] {
            let decided = format!("{:?}", ladder::bcast(comm_size, msg_size)).to_lowercase();
            assert_eq!(decided, name(&exact, &[comm_size as u64, msg_size as u64]));
        }
    }
}

fn tuning_format() {
    let exact = tree("quadtree", map());
    let listing = find_format("listing").unwrap();
    let unit = listing.unit("bcast");
    let rules = LibraryRules::new(&exact, Library::OpenMpi, "bcast", unit, &RuleOptions::default()).unwrap();
    let text = listing.write(&[rules], None).unwrap().text;
    assert_eq!(detect(text.as_bytes()).map(|format| format.name), Some("listing"));
    let selection = listing.read(text.as_bytes(), Job::default()).unwrap();
    let decided = [(7, 4096), (8, 1024)].map(|(ranks, bytes)| selection.decide("bcast", ranks, bytes).name);
    assert_eq!(decided, ["binomial", "chain"].map(|name| Some(name.to_owned())));
}

fn library_algorithm() {
    let exact = tree("quadtree", map_of(["binomial", "cube"]));
    let format = find_format("open-mpi").unwrap();
    let unit = format.unit("bcast");
    let rules = LibraryRules::new(&exact, Library::OpenMpi, "bcast", unit, &RuleOptions::default()).unwrap();
    let text = format.write(&[rules], None).unwrap().text;
    let selection = format.read(text.as_bytes(), Job::default()).unwrap();
    let decided = selection.decide("bcast", 8, 1024);
    assert_eq!(decided.name.as_deref(), Some("hypercube"));
    let plan = ["plan", "--library", "open-mpi", "--collective", "bcast", "--np", "8", "--launcher", "srun"];
    assert!(printed("qtdec-mpi", &plan).contains("coll_tuned_bcast_algorithm=10"));
}

fn algorithm() {
    let double_ring = find(Collective::Barrier, "double_ring").unwrap();
    for (ranks, messages) in [(1, 0), (2, 4), (5, 10), (8, 16)] {
        let schedule = Schedule::build(double_ring, &Request::new(ranks, 0).unwrap()).unwrap();
        assert_eq!(schedule.verify().unwrap().counts().messages, messages);
    }
    let call = ["schedule", "barrier", "double_ring", "--comm-size", "4", "--msg-size", "0"];
    let counts = printed("qtdec-mpi", &call);
    assert!(counts.lines().any(|line| line.split_whitespace().eq(["messages", "8", "–"])), "{counts}");
}

/// The line holds the parameters of the shipped network. On it, the ring's time is the one of its schedule.
fn network_format_and_formula() {
    let torus = shipped("torus").unwrap();
    let read = import(b"LogGP L=2 g=1 G=0.0078125\n").unwrap().network;
    let time = |network: &Network, ranks, bytes: u64| {
        let call = models::Call::new(network, ranks, bytes);
        formula(Collective::Allgather, "ring").unwrap().predict(Form::Exact, &call).unwrap().seconds
    };
    for (bytes, microseconds) in [(1, 9.0), (1025, 33.0)] {
        let ring = find(Collective::Allgather, "ring").unwrap();
        let schedule = Schedule::build(ring, &Request::new(4, bytes).unwrap()).unwrap();
        let simulated = simulate(&schedule, &torus).unwrap().seconds();
        for seconds in [time(&torus, 4, bytes), time(&read, 4, bytes), simulated] {
            assert!((seconds * 1e6 - microseconds).abs() < 1e-9, "{bytes} bytes: {seconds} s");
        }
    }
    let predict = [
        "predict", "torus", "--collective", "allgather", "--comm-size", "4", "--msg-size", "1", "--form", "exact",
    ];
    assert!(printed("qtdec-mpi", &predict).contains("ring"));
}

fn measured_library() {
    let plan = ["plan", "--library", "ucc", "--collective", "bcast", "--np", "8", "--launcher", "srun"];
    let script = printed("qtdec-mpi", &plan);
    assert!(script.contains("UCC_TL_UCP_TUNE=bcast:@sag_knomial"), "{script}");
}

fn subcommand() {
    let file = std::env::temp_dir().join(format!("qtdec-extended-{}.json", std::process::id()));
    std::fs::write(&file, map().to_file().unwrap()).unwrap();
    let listed = printed("qtdec", &["methods", file.to_str().unwrap()]);
    std::fs::remove_file(file).unwrap();
    assert_eq!(listed, "binomial\nchain\n");
    assert!(printed("qtdec", &["--help"]).contains("List the methods of a map"));
}

/// Returns what a command of the extended programs prints; they are built in the same folder as this one.
fn printed(program: &str, arguments: &[&str]) -> String {
    let program = format!("extended-{program}{}", std::env::consts::EXE_SUFFIX);
    let program = std::env::current_exe().unwrap().with_file_name(program);
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
