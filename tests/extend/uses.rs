//! Finds everything that the patches add by its name.

use qtdec_build::ItemOptions;
use qtdec_core::code::find_layout;
use qtdec_core::{Axis, Basis, DecisionMap, DecisionTree, Document, Domain, Method, MethodIndex, Options};
use qtdec_mpi::catalogue::Library;
use qtdec_mpi::rules::{Call, RuleSet};
use qtdec_measure::notes::Notes;
use qtdec_measure::readers::{self, ReadOptions};
use qtdec_measure::selection::Recipe;
use qtdec_tune::tuning::{Job, LibraryRules, RuleOptions, detect, find_format};
use qtdec_tune::vocabulary::MPI;

/// Returns a map with `binomial` in three of four cells, and `chain` in the last.
fn map() -> DecisionMap {
    let axes = vec![Axis::new("comm_size", [2, 8]), Axis::new("msg_size", [1, 1024])];
    let methods = vec![Method::new("binomial"), Method::new("chain")];
    let domain = Domain::new(Some("bcast".to_owned()), axes, methods).unwrap();
    let methods: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells = [0, 0, 0, 1].map(|method| Some(methods[method]));
    DecisionMap::new(domain, cells.to_vec()).unwrap()
}

fn tree(encoding: &str) -> DecisionTree {
    Options::parse(&[("encoding", encoding)]).unwrap().tree(Document::Map(map())).unwrap()
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
    let majority = tree("majority");
    assert_eq!((majority.regions().len(), name(&majority, &[8, 1024])), (1, "binomial".to_owned()));

    let times = "ranks=4 bytes=8 algorithm=ring us=2.5\nranks=4 bytes=8 algorithm=linear us=1.5\n";
    let (read, _) = readers::read_one("times", times.as_bytes(), &ReadOptions::new(MPI)).unwrap();
    let best = Recipe::default().map(&read, &mut Notes::default()).unwrap();
    let method = best.cells()[0].map(|method| &*best.domain().method(method).name);
    assert_eq!((best.cells().len(), method), (1, Some("linear")));

    let rule = RuleSet::find("always-binomial").and_then(|rules| rules.rule("bcast")).unwrap();
    assert_eq!(rule(&Call::new(8, 8, Basis::Buffer)).algorithm, "binomial");

    let exact = tree("quadtree");
    let style = ItemOptions { layout: find_layout("ladder").unwrap().into(), ..ItemOptions::named("bcast") };
    assert_eq!(style.function(&exact, "map.json").unwrap(), include_str!("ladder.rs"));
    for comm_size in [0, 7, 8, 9] {
        for msg_size in [0, 1023, 1024, 1025] {
            let decided = format!("{:?}", ladder::bcast(comm_size, msg_size)).to_lowercase();
            assert_eq!(decided, name(&exact, &[comm_size as u64, msg_size as u64]));
        }
    }

    let listing = find_format("listing").unwrap();
    let unit = listing.unit("bcast");
    let rules = LibraryRules::new(&exact, Library::OpenMpi, "bcast", unit, &RuleOptions::default()).unwrap();
    let text = listing.write(&[rules], None).unwrap().text;
    assert_eq!(detect(text.as_bytes()).map(|format| format.name()), Some("listing"));
    let selection = listing.read(text.as_bytes(), Job::default()).unwrap();
    let decided = [(7, 4096), (8, 1024)].map(|(ranks, bytes)| selection.decide("bcast", ranks, bytes).name);
    assert_eq!(decided, ["binomial", "chain"].map(|name| Some(name.to_owned())));
}
