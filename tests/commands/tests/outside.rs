//! Tuning files outside of what was measured: the library chooses for larger communicators, in every format.

use qtdec_core::encode::{self, Greedy};
use qtdec_core::{Axis, Basis, Borders, DecisionMap, DecisionTree, Domain, Method};
use qtdec_mpi_library::catalogue::{Library, Need, natural_basis_or_buffer};
use qtdec_mpi_library::tuning::{Format, Job, LibraryRules, RuleOptions, formats};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const COMM_SIZES: [u64; 3] = [4, 6, 8];

/// Sizes of messages that were measured, and others.
const MESSAGES: [u64; 6] = [0, 1, 64, 4096, 65536, 1 << 30];

/// Numbers of ranks beyond those that were measured.
const BEYOND: [u64; 5] = [9, 16, 4096, 1 << 20, i32::MAX as u64];

/// A file with one rule for each collective.
const WHOLE: &[u8] = include_bytes!("commands.in/whole.json");

/// Returns a tree that chooses among up to `most` algorithms at random, by the number of ranks alone if the library ignores messages.
fn tree(library: Library, collective: &str, looks: bool, most: usize, chance: &mut Pcg64) -> DecisionTree {
    let known = library.algorithms(collective).iter().filter(|known| {
        known.needs.iter().all(|need| *need == Need::OutOfPlace) && known.lifetime.since.is_none()
    });
    let methods: Vec<Method> = known.take(most).map(|known| Method::new(known.name)).collect();
    let mut axes = vec![Axis::new("comm_size", COMM_SIZES)];
    if looks {
        let basis = Some(natural_basis_or_buffer(collective));
        axes.push(Axis { basis, ..Axis::new("msg_size", [64, 4096, 65536]) });
    }
    let domain = Domain::new(Some(collective.to_owned()), axes, methods).unwrap();
    let all: Vec<_> = domain.method_indexes().collect();
    let columns = domain.cells() / COMM_SIZES.len();
    let mut cells: Vec<_> =
        (0..domain.cells()).map(|_| Some(all[chance.random_range(0..all.len())])).collect();
    if chance.random() {
        // The number of ranks makes no difference.
        cells = cells[..columns].repeat(COMM_SIZES.len());
    }
    encode::encode(&DecisionMap::new(domain, cells).unwrap(), &Greedy, Borders::Floor).unwrap()
}

/// Returns the formats that are written, by themselves or beside others, with the file that rules are inserted into.
fn written() -> impl Iterator<Item = (&'static Format, Option<&'static [u8]>)> {
    let all = formats().iter().copied();
    all.map(|format| (format, format.lacks_whole_file.map(|_| WHOLE))).filter(|(format, into)| {
        // A format whose files are only read says so.
        format.write(&[], *into).is_ok() || format.name.ends_with("-han")
    })
}

/// Calls `check` with rules of every collective of every format, and with what the file that they are inserted into has already.
fn each(
    options: &RuleOptions,
    mut check: impl FnMut(&Format, &LibraryRules, &dyn Fn(u64, u64) -> [Option<String>; 2]),
) {
    let mut chance = Pcg64::seed_from_u64(4096);
    for (format, into) in written() {
        for known in format.library.collectives() {
            let (name, unit) = (known.name, format.unit(known.name));
            let is_in_file = into
                .is_none_or(|into| String::from_utf8_lossy(into).contains(&format!("\"collective={name}\"")));
            let is_served = format.write(&[LibraryRules::left_to_library(name)], into).is_ok();
            for most in [1, 1, 2, 3] {
                let looks = unit.basis().is_some();
                let tree = tree(format.library, name, looks, most, &mut chance);
                if tree.domain().methods().is_empty() || !is_in_file || !is_served {
                    continue;
                }
                let rules = LibraryRules::new(&tree, format.library, name, unit, options).unwrap();
                let text = format.write(std::slice::from_ref(&rules), into).unwrap().text;
                let read = |text: &[u8]| format.read(text, Job::default()).unwrap();
                let (ours, before) = (read(text.as_bytes()), into.map(read));
                check(format, &rules, &|ranks, bytes| {
                    let before = before.as_ref().and_then(|file| file.decide(name, ranks, bytes).name);
                    [ours.decide(name, ranks, bytes).name, before]
                });
            }
        }
    }
}

/// A format in which only the number of bytes or the number of ranks can be tested says that its rules have no end.
#[test]
fn the_library_chooses_beyond_the_largest_communicator_that_was_measured() {
    let (mut seen, mut without_end) = (Vec::new(), 0);
    each(&RuleOptions::default(), |format, rules, decide| {
        let extent = rules.extent.as_deref().unwrap();
        let has_end = extent.contains("end at 8 ranks, the most that were measured");
        if !has_end {
            assert!(
                format.library.tests_one_size() && extent.contains("also serve more than 8 ranks"),
                "{extent}"
            );
            without_end += 1;
        }
        assert!(rules.notes.iter().any(|note| note == extent));
        for ranks in BEYOND.into_iter().filter(|_| has_end) {
            for bytes in MESSAGES {
                let [ours, before] = decide(ranks, bytes);
                assert_eq!(
                    ours, before,
                    "{} {}: {ranks} ranks, {bytes} bytes",
                    format.name, rules.collective
                );
            }
        }
        let is_forced = |(ranks, bytes): (u64, u64)| decide(ranks, bytes)[0].is_some();
        assert!(COMM_SIZES.into_iter().flat_map(|ranks| MESSAGES.map(|bytes| (ranks, bytes))).any(is_forced));
        seen.push(format.name);
    });
    seen.dedup();
    let expected: Vec<&str> = written().map(|(format, _)| format.name).collect();
    assert_eq!(seen, expected);
    assert!(expected.len() >= 5 && without_end > 0, "{expected:?}");
}

#[test]
fn rules_go_on_if_that_is_asked() {
    let extended = RuleOptions { extend: true, ..RuleOptions::default() };
    each(&extended, |format, rules, decide| {
        let extent = rules.extent.as_deref().unwrap();
        let is_endless = extent.contains("also serve more than 8 ranks");
        for bytes in MESSAGES {
            let of_the_last = rules.bands.get(8, bytes).algorithm.is_some();
            for ranks in BEYOND.into_iter().filter(|_| is_endless && of_the_last) {
                let place = format!("{} {}: {ranks} ranks, {bytes} bytes", format.name, rules.collective);
                assert_eq!(decide(ranks, bytes)[0], decide(8, bytes)[0], "{place}");
            }
        }
    });
}

/// A tree of one leaf has no tests, but it was measured somewhere.
#[test]
fn a_single_decision_ends_too() {
    let axes = vec![
        Axis::new("comm_size", [4, 8]),
        Axis { basis: Some(Basis::Buffer), ..Axis::new("msg_size", [64]) },
    ];
    let domain = Domain::new(Some("bcast".to_owned()), axes, vec![Method::new("binomial")]).unwrap();
    let only = domain.method_indexes().next();
    let tree =
        encode::encode(&DecisionMap::new(domain, vec![only; 2]).unwrap(), &Greedy, Borders::Floor).unwrap();
    for (options, expected, said) in [
        (
            RuleOptions::default(),
            [true, true, false, false],
            "end at 8 ranks, the most that were measured (--extend continues them); those of 4 ranks also serve fewer; those of 64 bytes also serve smaller messages, and those of 64 bytes larger ones",
        ),
        (
            RuleOptions { guard: true, ..RuleOptions::default() },
            [false, true, false, false],
            "the library chooses for fewer than 4",
        ),
        (
            RuleOptions { max_comm_size: Some(16), ..RuleOptions::default() },
            [true, true, true, false],
            "end at 16 ranks, and no more than 8 were measured",
        ),
        (RuleOptions { extend: true, ..RuleOptions::default() }, [true; 4], "also serve more than 8 ranks"),
    ] {
        let unit = Library::OpenMpi.unit("bcast");
        let rules = LibraryRules::new(&tree, Library::OpenMpi, "bcast", unit, &options).unwrap();
        assert_eq!([3, 8, 9, 4096].map(|ranks| rules.bands.get(ranks, 64).algorithm.is_some()), expected);
        let extent = rules.extent.unwrap();
        assert!(extent.starts_with("the rules of bcast ") && extent.contains(said), "{extent}");
    }
}
