//! The file of HAN sends to `tuned` the calls that rules are for, and no other, and says the components of HAN's levels.

use std::fs;
use std::process::Command;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Basis, Borders, DecisionMap, DecisionTree, Domain, Method, MethodIndex};
use qtdec_mpi_library::catalogue::{Library, Release};
use qtdec_mpi_library::tuning::Severity::{self, Dropped, Note, Wrong};
use qtdec_mpi_library::tuning::open_mpi_han::{HAN_FILE, beside};
use qtdec_mpi_library::tuning::{Format, Job, LibraryRules, RuleOptions, find_format, recognise};

/// Returns a tree whose choice is the library's own in every second cell.
fn tree(collective: &str) -> DecisionTree {
    let basis = if collective == "bcast" { Basis::Buffer } else { Basis::Block };
    let axes = vec![
        Axis::new("comm_size", vec![8, 16]),
        Axis { basis: Some(basis), ..Axis::new("msg_size", vec![1, 100, 5000]) },
    ];
    let methods = vec![Method { baseline: true, ..Method::new("default") }, Method::new("linear")];
    let domain = Domain::new(Some(collective.to_owned()), axes, methods).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells = [0, 1, 0, 1, 0, 1].map(|cell: usize| Some(indexes[cell])).to_vec();
    let map = DecisionMap::new(domain, cells).unwrap();
    encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap()
}

fn rules(format: &Format, collective: &str) -> LibraryRules {
    let options = RuleOptions { guard: true, ..RuleOptions::default() };
    let unit = format.unit(collective);
    LibraryRules::new(&tree(collective), Library::OpenMpi, collective, unit, &options).unwrap()
}

/// The file of a site has numbers for collectives and levels.
#[test]
fn a_file_of_han_is_known_by_its_components() {
    let numbered = "1 # collectives\n2 # allreduce\n1 # levels\n2 # global\n1 # sizes\n1 # ranks\n2 # messages\n0 han @simple\n\
                    16384 tuned\n";
    let format = recognise(numbered.as_bytes()).expect("it has components");
    assert_eq!(format.name, HAN_FILE.name);
    assert!(format.check(numbered.as_bytes(), None).iter().all(|found| found.severity == Note));
    // In the file of `tuned`, a name in the place of a number is a mistake.
    assert!(recognise(b"1\n7\n1\n4\n1\n0 binomial 0 0\n").is_none());
}

#[test]
fn both_files_agree_on_which_calls_are_for_tuned() {
    let classic = find_format("open-mpi").unwrap();
    let mut compared = 0;
    for collective in ["bcast", "allgather"] {
        let rules_of_classic = rules(classic, collective);
        let own = beside(&rules_of_classic, rules(&HAN_FILE, collective));
        let text = HAN_FILE.write(&[own], None).unwrap().text;
        let routes = HAN_FILE.read(text.as_bytes(), Job::default()).unwrap();
        let file = classic.write(&[rules_of_classic], None).unwrap().text;
        let file = classic.read(file.as_bytes(), Job::default()).unwrap();
        for ranks in [1, 2, 7, 8, 9, 15, 16, 17, 100] {
            for bytes in [0, 1, 99, 100, 4999, 5000, 100_000] {
                // Open MPI compares the bytes of all ranks in the classic file, and those of a block in the other.
                let total = if collective == "bcast" { bytes } else { bytes * ranks };
                let is_ruled = !file.decide(collective, ranks, total).is_library();
                let component = routes.decide(collective, ranks, bytes).name;
                let expected = is_ruled.then_some("tuned");
                assert_eq!(
                    component.as_deref(),
                    expected,
                    "{collective}, {ranks} ranks, {bytes} bytes\n{text}"
                );
                compared += usize::from(is_ruled);
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

/// A file that HAN accepts.
pub(crate) const FILE: &str = "2 # collectives\nbcast\n1\nglobal_communicator\n2\n1\n1\n0 han\n8\n2\n0 han\n4096 tuned\n\
                    barrier\n1\nglobal_communicator\n1\n1\n1\n0 tuned\n";

/// Returns the findings in a file, as severities and the beginnings of messages.
fn found(text: &str) -> Vec<(Severity, String)> {
    let found = HAN_FILE.check(text.as_bytes(), None).into_iter();
    found.map(|finding| (finding.severity, finding.problem.message.to_string())).collect()
}

/// Files for broadcasts, as `coll_han_dynamic_file.c` of 5.0.9 reads them. `{}` in a case stands for the usual rules.
#[test]
fn a_check_tells_what_han_keeps_to_itself() {
    const RULES: &str = "2\n1\n1\n0 han\n8\n2\n0 han\n4096 tuned\n";
    const OF_OTHERS: &str =
        "serves no bcast on communicators on several nodes: the next component does, `tuned` by default";
    const SILENT: &str = "`sm` serves no level with its own priority, and `tuned` does instead";
    const OF_PARTS: &str =
        "serves no bcast on communicators of HAN's: the next component does, `tuned` by default";
    assert_eq!(found(FILE), []);
    let octal =
        |read: &str, text: &str| format!("HAN reads {read} from `{text}`, and goes on after its digits");
    let cases: Vec<(&str, Vec<(Severity, String)>)> = vec![
        // Collectives and levels by name and by number.
        ("1\nbcast\n1\nglobal_communicator\n{}", vec![]),
        ("1\n7\n1\nglobal_communicator\n{}", vec![]),
        ("1\n07\n1\nglobal_communicator\n{}", vec![]),
        ("1\nbcast\n1\n2\n{}", vec![]),
        ("1\n7\n1\n02\n{}", vec![]),
        ("1\n22\n1\n2\n{}", vec![(Dropped, "`22` is not a collective: HAN ignores the file".into())]),
        ("1\n-1\n1\n2\n{}", vec![(Dropped, "`-1` is not a collective: HAN ignores the file".into())]),
        ("1\n7x\n1\n2\n{}", vec![(Dropped, "`7x` is not a collective: HAN ignores the file".into())]),
        ("1\nbroadcast\n1\n2\n{}", vec![(Dropped, "`broadcast` is not a collective: HAN ignores the file".into())]),
        ("1\nbcast\n1\n3\n{}", vec![(Dropped, "`3` is not a level: HAN ignores the file".into())]),
        ("1\nbcast\n1\nglobal\n{}", vec![(Dropped, "`global` is not a level: HAN ignores the file".into())]),
        // Collectives that HAN does not serve.
        ("1\nalltoall\n1\n2\n{}", vec![(Wrong, "HAN has no rules for alltoall: these are not used".into())]),
        ("1\ngatherv\n1\n2\n{}", vec![(Wrong, "HAN has no rules for gatherv: these are not used".into())]),
        ("1\n21\n1\n2\n{}", vec![(Wrong, "HAN has no rules for neighbor_alltoallw: these are not used".into())]),
        ("1\nallgatherv\n1\n2\n{}", vec![(Wrong, "HAN has no rules for allgatherv: these are not used".into())]),
        ("1\nallgatherv\n1\n0\n1\n1\n1\n0 tuned\n", vec![]),
        // Components, which have no numbers.
        ("1\nbcast\n1\n2\n1\n1\n1\n0 basic\n", vec![]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 sm\n", vec![(Wrong, format!("`sm` {OF_OTHERS}"))]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 adapt\n", vec![(Wrong, format!("`adapt` {OF_OTHERS}"))]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 libnbc\n", vec![(Wrong, format!("`libnbc` {OF_OTHERS}"))]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 self\n", vec![(Wrong, format!("`self` {OF_OTHERS}"))]),
        ("1\nbcast\n1\nintra_node\n1\n1\n1\n0 sm\n", vec![(Note, SILENT.into())]),
        ("1\nbcast\n1\ninter_node\n1\n1\n1\n0 sm\n", vec![(Wrong, format!("`sm` {OF_PARTS}"))]),
        ("1\nbcast\n1\nintra_node\n1\n1\n1\n0 han\n", vec![(Wrong, format!("`han` {OF_PARTS}"))]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 6\n", vec![(Dropped, "`6` is not a component: HAN ignores the file".into())]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 fast\n", vec![(Dropped, "`fast` is not a component: HAN ignores the file".into())]),
        // Algorithms of HAN, and segments.
        ("1\nbcast\n1\n2\n1\n1\n1\n0 han@simple\n", vec![(Dropped, "`han@simple` is not a component: HAN ignores the file".into())]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 han @simple\n", vec![]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 han @2\n", vec![]),
        ("1\nbcast\n1\n2\n1\n1\n1\n0 han @reproducible\n", vec![(Dropped, "`reproducible` is not an algorithm of HAN: HAN ignores the file".into())]),
        ("1\nbcast\n1\n0\n1\n1\n1\n0 tuned [1024 2048]\n", vec![]),
        // Names that are given again.
        ("2\nbcast\n1\n2\n{}7\n1\n2\n{}", vec![(Wrong, "bcast is named again further on: HAN uses the last rules for it, and not these".into())]),
        ("1\nbcast\n2\n2\n{}global_communicator\n{}", vec![(Wrong, "global_communicator is named again further on: HAN uses the last rules for it, and not these".into())]),
        // Counts.
        ("2\nbcast\n1\n2\n{}", vec![(Dropped, "the file ends where a collective is expected".into())]),
        ("1\nbcast\n1\n2\n{}barrier\n", vec![(Wrong, "HAN does not read what follows the rules that are counted".into())]),
        ("0\n", vec![(Dropped, "the number of collectives is 0, and HAN ignores the file unless it is 1 or more".into())]),
        ("-1\nbcast\n", vec![
            (Wrong, octal("-1", "-1")),
            (Dropped, "the number of collectives is -1, and HAN ignores the file unless it is 1 or more".into()),
        ]),
        ("1\nbcast\n0\n", vec![(Note, "the number of levels is 0: HAN has no rules here, and chooses by itself".into())]),
        ("1\nbcast\n1\n2\n1\n1\n0\n", vec![(Note, "the number of message sizes is 0: HAN has no rules here, and chooses by itself".into())]),
        ("", vec![(Dropped, "the file ends where the number of collectives is expected".into())]),
        ("1\nbcast\n1\n2\n2\n1\n1\n0 han\n8\n2\n0 han\n4096", vec![(Dropped, "the file ends where a component is expected".into())]),
        // Sizes.
        ("1\nbcast\n1\n2\n1\n2\n1\n0 han\n", vec![(Dropped, "the first of its kind, a communicator size, is 2: HAN ignores the file unless it is 1 or less".into())]),
        ("1\nbcast\n1\n2\n1\n1\n1\n64 han\n", vec![(Dropped, "the first of its kind, a message size, is 64: HAN ignores the file unless it is 1 or less".into())]),
        ("1\nbcast\n1\n2\n1\n0\n1\n0 han\n", vec![(Dropped, "a communicator size is 0, and HAN ignores the file unless it is 1 or more".into())]),
        ("1\nbcast\n1\n2\n1\n1\n2\n0 han\n0 tuned\n", vec![(Wrong, "sizes must increase: this rule hides those before it that begin later".into())]),
        ("1\nbcast\n1\n2\n2\n1\n1\n0 han\n4294967300\n1\n0 tuned\n", vec![(Wrong, "HAN stores the communicator size 4294967300 as 4".into())]),
        // Numbers that are read as C's.
        ("1\nbcast\n1\n2\n2\n1\n1\n0 han\n010\n1\n0 tuned\n", vec![(Wrong, octal("8", "010"))]),
        ("1\nbcast\n1\n2\n2\n1\n1\n0 han\n0x10\n1\n0 tuned\n", vec![(Wrong, octal("16", "0x10"))]),
        ("1\nbcast\n1\n2\n1\n01\n2\n00 han\n0100 tuned\n", vec![]),
        ("1\nbcast\n1\n2\n1\n1\n2\n0 han\n4k tuned\n", vec![
            (Wrong, octal("4", "4k")),
            (Dropped, "`k` is not a component: HAN ignores the file".into()),
        ]),
        ("collectives 1\nbcast\n1\n2\n{}", vec![(Wrong, "HAN skips `collectives`, as it expects a number".into())]),
        ("1 # one\nbcast # comment\n1# level\n2\n{}# end\n", vec![]),
    ];
    assert!(cases.len() >= 36);
    for (text, expected) in cases {
        let text = text.replace("{}", RULES);
        assert_eq!(found(&text), expected, "{text}");
        let is_dropped = expected.iter().any(|(severity, _)| *severity == Dropped);
        assert_eq!(HAN_FILE.read(text.as_bytes(), Job::default()).is_err(), is_dropped, "{text}");
    }
}

/// What is decided is what runs: numbers as names, the last of several rules, and another component for one without the function.
#[test]
fn a_file_decides_as_han_reads_it() {
    for (text, expected) in [
        ("1\n07\n1\n2\n2\n1\n1\n0 han\n010\n1\n0 tuned\n", [None, Some("tuned")]),
        ("1\nbcast\n1\n2\n2\n1\n1\n0 basic\n8\n1\n0 sm\n", [Some("basic"), Some("tuned")]),
        ("2\nbcast\n1\n2\n1\n1\n1\n0 tuned\n7\n1\n2\n1\n1\n1\n0 han\n", [None, None]),
        ("1\nbcast\n2\nglobal_communicator\n1\n1\n1\n0 tuned\n2\n1\n1\n1\n0 basic\n", [Some("basic"); 2]),
    ] {
        let rules = HAN_FILE.read(text.as_bytes(), Job::default()).unwrap();
        let decided = [7, 8].map(|ranks| rules.decide("bcast", ranks, 64).name);
        assert_eq!(decided.each_ref().map(Option::as_deref), expected, "{text}");
    }
}

#[test]
fn emit_writes_both_files_and_leaves_han_its_priority() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bcast.tree.json"), tree("bcast").to_json()).unwrap();
    let emit = |options: &[&str]| {
        let mut command = Command::new(qtdec_commands::qtdec());
        command.args([
            "mpi",
            "emit",
            "bcast.tree.json",
            "-o",
            "rules.conf",
            "--han",
            "han.conf",
            "--target",
            "open-mpi",
        ]);
        let output = command.args(options).current_dir(folder.path()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, refused) = emit(&[]);
    assert_eq!(code, Some(2), "{refused}");
    assert!(refused.contains("--han needs --target open-mpi --release 5.0"), "{refused}");
    assert!(!folder.path().join("han.conf").exists());

    let (code, told) = emit(&["--release", "5.0"]);
    assert_eq!(code, Some(0), "{told}");
    for (setting, is_told) in [
        ("OMPI_MCA_coll_han_use_dynamic_file_rules=1", true),
        ("han.conf", true),
        ("rules.conf", true),
        ("OMPI_MCA_coll_han_priority", false),
    ] {
        assert_eq!(told.contains(setting), is_told, "{setting}: {told}");
    }
    let written = fs::read_to_string(folder.path().join("han.conf")).unwrap();
    let rules = "bcast\n1 # level\nglobal_communicator\n4 # communicator sizes\n\
                 1 # ranks and more\n1 # message sizes\n0 han\n\
                 8 # ranks and more\n3 # message sizes\n0 han\n100 tuned\n5000 han\n\
                 16 # ranks and more\n3 # message sizes\n0 tuned\n100 han\n5000 tuned\n\
                 17 # ranks and more\n1 # message sizes\n0 han\n";
    assert!(written.ends_with(rules), "{written}");
}

const TUNED: &str = "han:inter=tuned:intra=tuned";
const ADAPT: &str = "han:inter=adapt:intra=tuned";
const BOTH: &str = "han:inter=adapt:intra=sm";

/// Returns a tree on 8 and 16 ranks and 1, 100 and 5000 bytes that chooses one of these methods in each cell, and the library by the place 0.
fn tree_of(methods: &[Method], cells: [usize; 6]) -> DecisionTree {
    let axes = vec![
        Axis::new("comm_size", vec![8, 16]),
        Axis { basis: Some(Basis::Buffer), ..Axis::new("msg_size", vec![1, 100, 5000]) },
    ];
    let default = Method { baseline: true, ..Method::new("default-han") };
    let methods = [&[default], methods].concat();
    let domain = Domain::new(Some("bcast".to_owned()), axes, methods).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let map = DecisionMap::new(domain, cells.map(|cell| Some(indexes[cell])).to_vec()).unwrap();
    encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap()
}

fn rules_of(tree: &DecisionTree) -> LibraryRules {
    let options = RuleOptions { guard: true, ..RuleOptions::default() };
    LibraryRules::new(tree, Library::OpenMpi, "bcast", HAN_FILE.unit("bcast"), &options).unwrap()
}

#[test]
fn a_file_says_the_components_of_levels_and_is_read_again() {
    let methods = [TUNED, ADAPT, BOTH, "binomial"].map(Method::new);
    let rules = rules_of(&tree_of(&methods, [0, 2, 4, 1, 0, 3]));
    let written = HAN_FILE.write(&[beside(&rules, rules.clone())], None).unwrap();
    let expected = "bcast\n3 # levels\nglobal_communicator\n4 # communicator sizes\n\
                    1 # ranks and more\n1 # message sizes\n0 han\n\
                    8 # ranks and more\n3 # message sizes\n0 han\n100 han @simple\n5000 tuned\n\
                    16 # ranks and more\n3 # message sizes\n0 han @simple\n100 han\n5000 han @simple\n\
                    17 # ranks and more\n1 # message sizes\n0 han\n\
                    inter_node\n1 # communicator sizes\n1 # ranks and more\n2 # message sizes\n0 tuned\n100 adapt\n\
                    intra_node\n1 # communicator sizes\n1 # ranks and more\n2 # message sizes\n0 tuned\n5000 sm\n";
    assert!(written.text.ends_with(expected), "{}", written.text);
    assert!(found(&written.text).iter().all(|(severity, _)| *severity == Note), "{:?}", found(&written.text));
    for told in ["HAN's allgathers", "it also serves MPI_Ibcast"] {
        assert!(written.notes.iter().any(|note| note.contains(told)), "{:?}", written.notes);
    }
    let script = written.switches.script(None);
    for (setting, count) in [("coll_adapt_priority=20\n", 1), ("coll_sm_priority=20\n", 1), ("module", 0)] {
        assert_eq!(script.matches(setting).count(), count, "{script}");
    }
    let read = HAN_FILE.read(written.text.as_bytes(), Job::default()).unwrap();
    for ranks in [1, 7, 8, 15, 16, 17] {
        for bytes in [0, 99, 100, 4999, 5000, 1 << 20] {
            let algorithm = rules.bands.get(ranks, bytes).algorithm.map(|algorithm| algorithm.name);
            let expected = algorithm.map(|name| if name == "binomial" { "tuned" } else { name });
            let decided = read.decide("bcast", ranks, bytes).name;
            assert_eq!(decided.as_deref(), expected, "{ranks} ranks, {bytes} bytes\n{}", written.text);
        }
    }
    assert_eq!(read.starts("bcast").1.iter().filter(|from| **from == 5000).count(), 3);
}

#[test]
fn components_by_the_ranks_of_a_level_have_no_name() {
    let rules = "2\n1\n1\n0 adapt\n4\n1\n0 tuned\n";
    let text = format!(
        "1\nbcast\n2\ninter_node\n{rules}global_communicator\n1\n1\n2\n0 han @simple\n64 han @intra\n"
    );
    let read = HAN_FILE.read(text.as_bytes(), Job::default()).unwrap();
    assert_eq!(read.decide("bcast", 8, 1).name.as_deref(), Some("han:simple"));
    assert!(read.decide("bcast", 8, 64).is_library());
    // HAN's own barriers are the simple ones, and its simple reductions ask no file.
    let text = "2\nbarrier\n2\n0\n1\n1\n1\n0 sm\n2\n1\n1\n1\n0 han\nreduce\n2\n1\n1\n1\n1\n0 adapt\n2\n1\n1\n1\n0 han @simple\n";
    let read = HAN_FILE.read(text.as_bytes(), Job::default()).unwrap();
    assert_eq!(read.decide("barrier", 8, 0).name.as_deref(), Some("han:inter=tuned:intra=sm"));
    assert_eq!(read.decide("reduce", 8, 1).name.as_deref(), Some(TUNED));
}

#[test]
fn what_the_file_of_han_cannot_say_is_refused() {
    let refused = |rules: &LibraryRules, format: &Format| {
        format.write(std::slice::from_ref(rules), None).unwrap_err().to_string()
    };
    let rules = rules_of(&tree_of(&[ADAPT, BOTH].map(Method::new), [1, 1, 0, 1, 2, 0]));
    let told = refused(&rules, &HAN_FILE);
    for part in [
        "bcast of 100 bytes has `han:inter=adapt:intra=tuned` from 8 ranks on",
        "`han:inter=adapt:intra=sm` from 16 ranks on",
        "--exclude han:inter=adapt:intra=sm",
    ] {
        assert!(told.contains(part), "{told}");
    }
    for format in ["open-mpi", "open-mpi-json"] {
        let told = refused(&rules, find_format(format).unwrap());
        assert!(told.contains("`han:inter=adapt:intra=tuned` of bcast is an algorithm of HAN"), "{told}");
        assert!(told.contains("--release 5.0 --han FILE"), "{told}");
    }

    let cut = Method { segment_size: Some(65536), ..Method::new(BOTH) };
    let made = |cells| {
        let tree =
            tree_of(&[cut.clone(), Method::new("han:inter=libnbc:intra=sm"), Method::new("binomial")], cells);
        let unit = HAN_FILE.unit("bcast");
        LibraryRules::new(&tree, Library::OpenMpi, "bcast", unit, &RuleOptions::default())
    };
    for (cells, other) in
        [([1, 1, 2, 1, 1, 2], "han:inter=libnbc:intra=sm"), ([0, 1, 1, 3, 1, 1], "default-han")]
    {
        let told = made(cells).unwrap_err().to_string();
        assert!(
            told.contains("no file chooses this algorithm of HAN for bcast, only variables do"),
            "{told}"
        );
        assert!(told.contains(&format!("or --exclude '{other}'")), "{told}");
    }
    let script = HAN_FILE.write(&[made([1, 1, 3, 1, 1, 3]).unwrap()], None).unwrap().switches.script(None);
    for variable in ["bcast_up_module=1", "bcast_low_module=1", "bcast_segsize=65536"] {
        assert!(script.contains(&format!("export OMPI_MCA_coll_han_{variable}\n")), "{script}");
    }
    let old = RuleOptions { release: Some(Release::new(4, 1)), ..RuleOptions::default() };
    let tree = tree_of(&[Method::new(ADAPT)], [1; 6]);
    let told = LibraryRules::new(&tree, Library::OpenMpi, "bcast", HAN_FILE.unit("bcast"), &old)
        .unwrap_err()
        .to_string();
    assert!(
        told.contains(
            "Open MPI 4.1 has no `han:inter=adapt:intra=tuned` for bcast: 5.0 is the first release"
        ),
        "{told}"
    );
}

#[test]
fn emit_writes_the_components_of_levels_beside_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let tree = tree_of(&[BOTH, "binomial"].map(Method::new), [1, 0, 2, 1, 0, 2]);
    fs::write(folder.path().join("tree.json"), tree.to_json()).unwrap();
    let emit = |options: &[&str]| {
        let mut command = Command::new(qtdec_commands::qtdec());
        command.args([
            "mpi",
            "emit",
            "tree.json",
            "-o",
            "rules.conf",
            "--target",
            "open-mpi",
            "--release",
            "5.0",
        ]);
        let output = command.args(options).current_dir(folder.path()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, told) = emit(&[]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("is an algorithm of HAN, and this file has those of `tuned`"), "{told}");

    let (code, told) = emit(&["--han", "han.conf"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("HAN's allgathers") && !told.contains("OMPI_MCA_coll_han_priority"), "{told}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let rules = read("rules.conf");
    assert!(
        rules.contains("0 0 0 0 # left to Open MPI\n5000 6 0 0 # binomial\n") && !rules.contains("han:"),
        "{rules}"
    );
    assert!(read("han.conf").contains("0 han @simple\n100 han\n5000 tuned\n"), "{}", read("han.conf"));
}
