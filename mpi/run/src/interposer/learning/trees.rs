//! A map and a tree of what was decided about a collective: a class has the method in use at its end, and other calls the one that they had.

use std::collections::BTreeSet;

use qtdec_core::encode::{Quadtree, encode};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Domain, Method as Described, Problems};
use qtdec_mpi_library::catalogue::natural_basis;
use qtdec_mpi_schedule::Collective;

use super::beginnings::Subject;
use crate::bench::Method;
use crate::interposer::decision::Decision;
use qtdec_mpi_library::choice;

/// The library as it is set up.
pub(super) const LIBRARY: Method = Method::Default(choice::DEFAULT);

/// Makes a map of a collective, and its exact quadtree. `subjects` are the classes that are known of all collectives, `in_use` returns the
/// method of a class with a default, and `before` is the tree that decided; without one, the library did. Returns `None` if no class is
/// known, or if the tree before depends on more than ranks and bytes. `source` is the origin in JSON.
/// Fails if no file can hold so many numbers of ranks and sizes.
pub(super) fn learned(
    collective: Collective,
    subjects: &BTreeSet<Subject>,
    in_use: impl Fn(&Subject, &Method) -> Option<Method>,
    before: Option<&Decision>,
    source: &str,
) -> Result<Option<(DecisionMap, DecisionTree)>, Problems> {
    let own = || subjects.iter().filter(|subject| subject.collective == collective);
    let borders = before.map_or(Some([Vec::new(), Vec::new()]), Decision::borders);
    let (Some(borders), Some(_)) = (borders, own().next()) else { return Ok(None) };
    let axes = axes(collective, own(), borders);
    let grid = Domain::new(None, axes.clone(), vec![Described::new(choice::DEFAULT)])?;
    let mut methods: Vec<Method> = Vec::new();
    let mut places = Vec::new();
    for cell in 0..grid.cells() {
        let sizes = grid.sizes(cell);
        let (ranks, bytes) = (sizes[0], sizes.get(1).copied().unwrap_or(0));
        let chosen = before.and_then(|before| before.at(ranks, bytes)).unwrap_or(&LIBRARY);
        let default = if matches!(chosen, Method::Own { .. }) { chosen } else { &LIBRARY };
        let subject = Subject::of(collective, u32::try_from(ranks).unwrap_or(0), bytes);
        let known = subject.filter(|subject| subjects.contains(subject));
        let learned = known.and_then(|subject| in_use(&subject, default));
        let method = learned.filter(|method| method != default).unwrap_or_else(|| chosen.clone());
        let place = methods.iter().position(|known| *known == method);
        places.push(place.unwrap_or(methods.len()));
        if place.is_none() {
            methods.push(method);
        }
    }
    let methods = methods.iter().map(described).collect();
    let domain = Domain::new(Some(collective.name().to_owned()), axes, methods)?;
    let indexes: Vec<_> = domain.method_indexes().map(Some).collect();
    let cells = places.into_iter().map(|place| indexes[place]).collect();
    let map = DecisionMap::new(domain, cells)?.with_source(source)?;
    let tree = encode(&map, &Quadtree::default(), Borders::Floor)?;
    Ok(Some((map, tree)))
}

/// Returns the axes of the classes and of the borders before. A class ends where the next number of ranks or power of two begins.
fn axes<'s>(
    collective: Collective,
    subjects: impl Iterator<Item = &'s Subject>,
    [mut ranks, mut bytes]: [Vec<u64>; 2],
) -> Vec<Axis> {
    ranks.push(1);
    bytes.push(0);
    for subject in subjects {
        ranks.extend([u64::from(subject.ranks), u64::from(subject.ranks) + 1]);
        bytes.extend([subject.bytes, subject.bytes.saturating_mul(2)]);
    }
    let axis = |name: &str, unit: &str, values: Vec<u64>| {
        let values: Vec<u64> = BTreeSet::from_iter(values).into_iter().collect();
        Axis { unit: Some(unit.to_owned()), ..Axis::new(name, values) }
    };
    let mut axes = vec![axis("comm_size", "ranks", ranks)];
    if collective != Collective::Barrier {
        let basis = natural_basis(collective.name());
        axes.push(Axis { basis, ..axis("msg_size", "bytes", bytes) });
    }
    axes
}

fn described(method: &Method) -> Described {
    let segment_size = Some(u64::from(method.segment())).filter(|segment| *segment > 0);
    Described { segment_size, baseline: *method == LIBRARY, ..Described::new(method.name()) }
}

#[cfg(test)]
mod tests {
    use qtdec_core::Document;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::interposer::example;

    /// The last one is of broadcasts alone.
    const METHODS: [(&str, u32); 4] = [
        ("default", 0),
        ("own_linear", 0),
        ("own_two_level:inter=linear:intra=linear", 0),
        ("own_pipeline", 8192),
    ];

    fn of(at: usize) -> Method {
        Method::named(METHODS[at].0, METHODS[at].1)
    }

    fn read(collective: Collective, text: &str) -> Decision {
        let tree = Document::from_json(text.as_bytes()).unwrap().into_tree().unwrap();
        Decision::new(collective, tree).unwrap()
    }

    /// Returns sizes on both sides of all borders that there may be.
    fn sizes(most: u32) -> impl Iterator<Item = u64> {
        (0..most).flat_map(|power| [(1 << power) - 1, 1 << power, (1 << power) + 1]).chain([
            2999,
            3000,
            u64::MAX,
        ])
    }

    #[test]
    fn trees_decide_for_each_class_what_was_in_use() {
        let axes = r#"{"name": "msg_size", "values": [1, 3000]}, {"name": "comm_size", "values": [1, 6]}"#;
        let methods = r#"{"name": "own_linear"}, {"name": "binomial"}"#;
        let node = r#"["msg_size", 3000], "own_linear", ["comm_size", 6], "own_linear", "binomial""#;
        for seed in 0..60 {
            let mut random = Pcg64Mcg::seed_from_u64(seed);
            let mut below = |most: u64| random.next_u64() % most;
            let (collective, kinds, most) =
                if seed % 5 == 0 { (Collective::Barrier, 3, 0) } else { (Collective::Bcast, 4, u64::MAX) };
            let tree = read(collective, &example::text(collective, axes, methods, node));
            let before = (seed % 2 == 1).then_some(&tree);
            let classes: Vec<(Subject, Method, Method)> = (0..below(12))
                .map(|_| {
                    let (ranks, bytes) = (2 + below(7) as u32, 1 << below(20));
                    let subject = Subject::of(collective, ranks, bytes).unwrap();
                    (subject, of(below(2) as usize), of(below(kinds) as usize))
                })
                .collect();
            let in_use = |subject: &Subject, default: &Method| {
                let known = classes.iter().find(|(known, of, _)| known == subject && of == default);
                known.map(|(_, _, method)| method.clone())
            };
            let subjects = classes.iter().map(|(subject, ..)| subject.clone()).collect();
            let made = learned(collective, &subjects, in_use, before, r#"{"tool": "test"}"#).unwrap();
            assert_eq!(made.is_none(), subjects.is_empty());
            let Some((map, tree)) = made else { continue };
            assert!(tree.source().is_some_and(|source| source.contains("test")));
            let now = read(collective, &tree.to_file().unwrap());
            let points = (1..12).flat_map(|ranks| sizes(24).map(move |bytes| (ranks, bytes)));
            for (ranks, bytes) in points.filter(|(_, bytes)| *bytes <= most) {
                let library = Method::named("default", 0);
                let chosen =
                    before.and_then(|before| before.at(ranks, bytes)).cloned().unwrap_or(library.clone());
                let default = if chosen.name().starts_with("own_") { &chosen } else { &library };
                let class = Subject::of(collective, ranks as u32, bytes);
                let expected =
                    class.and_then(|class| in_use(&class, default)).filter(|method| method != default);
                assert_eq!(
                    now.at(ranks, bytes),
                    Some(&expected.unwrap_or(chosen)),
                    "{seed}: {ranks} {bytes}"
                );
            }
            let Ok(Document::Map(map)) = Document::from_json(map.to_file().unwrap().as_bytes()) else {
                panic!("it is a map")
            };
            assert_eq!(map.cells(), tree.cells());
        }
    }

    #[test]
    fn a_tree_that_depends_on_more_has_none_beside_it() {
        let axes = r#"{"name": "nodes", "values": [1, 4]}"#;
        let tree = read(
            Collective::Bcast,
            &example::text(Collective::Bcast, axes, r#"{"name": "own_linear"}"#, r#""own_linear""#),
        );
        let subjects = Subject::of(Collective::Bcast, 4, 8).into_iter().collect();
        let learned =
            |before| learned(Collective::Bcast, &subjects, |_, _| Some(of(1)), before, "{}").unwrap();
        assert!(learned(Some(&tree)).is_none() && learned(None).is_some());
    }
}
