//! Every format of tuning files: a written file is accepted, decides like the tree, and can be imported again.

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Basis, Borders, DecisionMap, DecisionTree, Domain, Method};
use qtdec_mpi_library::catalogue::{Library, Need};
use qtdec_mpi_library::tuning::selection::map_of;
use qtdec_mpi_library::tuning::{
    Format, Job, LibraryRules, RuleOptions, Setting, Severity, Written, detect, find_format, recognise,
};
use qtdec_testkit::maps::{Pattern, Plan as Coloured};

/// Returns a coloured grid whose colours are algorithms in all releases of a library.
fn tree(collective: &str, library: Library, basis: Basis, plan: &Coloured) -> DecisionTree {
    let coloured = plan.map();
    let is_special = |need: &Need| [Need::Hierarchy, Need::InPlace].contains(need);
    let known: Vec<_> = library
        .algorithms(collective)
        .iter()
        .filter(|algorithm| algorithm.lifetime.since.is_none() && !algorithm.needs.iter().any(is_special))
        .collect();
    let method = |index: usize| {
        let segment_size = Some(1000 * index as u64 + 1);
        Method { segment_size, ..Method::new(known[index % known.len()].name) }
    };
    let axis = |axis: &Axis| {
        let values = axis.values().expect("these are sizes").to_vec();
        if axis.name == "comm_size" {
            Axis::new("comm_size", (0..values.len() as u64).map(|index| 2 + 5 * index).collect::<Vec<_>>())
        } else {
            Axis { basis: Some(basis), ..Axis::new("msg_size", values) }
        }
    };
    let methods = (0..coloured.domain().methods().len()).map(method).collect();
    let axes = coloured.domain().axes().iter().map(axis).collect();
    let domain = Domain::new(Some(collective.to_owned()), axes, methods).expect("it is sound");
    let map = DecisionMap::new(domain, coloured.cells().to_vec()).expect("it is sound");
    encode::encode(&map, &Quadtree::default(), Borders::Geometric).expect("a quadtree needs nothing")
}

fn around(sizes: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut around: Vec<u64> =
        sizes.flat_map(|size| [size.saturating_sub(1), size, size + 1]).chain([0, 1, 1 << 30]).collect();
    around.sort_unstable();
    around.dedup();
    around
}

fn written_decides_as_planned(format: &Format, collective: &str, basis: Basis, into: Option<&[u8]>) {
    for (seed, pattern) in
        [Pattern::Noise, Pattern::Smooth, Pattern::Stripes, Pattern::Equal].into_iter().enumerate()
    {
        let coloured = Coloured { nulls: 10, ..Coloured::new(&[6, 9], pattern, seed as u64) };
        let tree = tree(collective, format.library, basis, &coloured);
        let options = RuleOptions { max_comm_size: Some(40), ..RuleOptions::default() };
        let unit = format.unit(collective);
        let plan =
            LibraryRules::new(&tree, format.library, collective, unit, &options).expect("all is known");
        let Written { text, .. } =
            format.write(std::slice::from_ref(&plan), into).expect("all can be written");
        let faults: Vec<_> = format
            .check(text.as_bytes(), None)
            .into_iter()
            .filter(|finding| finding.severity != Severity::Note)
            .collect();
        assert!(faults.is_empty(), "{faults:?}\n{text}");
        let selection = format.read(text.as_bytes(), Job::default()).expect("what is written is accepted");
        assert!(selection.collectives().iter().any(|known| known == collective), "{collective}");

        let bands = plan.bands.communicators();
        let messages = bands.iter().flat_map(|(_, messages)| messages);
        let forced = messages.clone().filter(|(_, setting)| setting.algorithm.is_some()).count();
        assert!(text.len() >= forced * format.least_bytes_of_rule, "{forced} rules in {} bytes", text.len());
        let msg_sizes = around(messages.map(|(from, _)| *from));
        for comm_size in around(bands.iter().map(|(from, _)| *from)).into_iter().filter(|size| *size > 0) {
            for &msg_size in &msg_sizes {
                let Setting { algorithm, segment_size, .. } = *plan.bands.get(comm_size, msg_size);
                let decision = selection.decide(collective, comm_size, msg_size);
                if into.is_some() && algorithm.is_none() {
                    // Where the choice is left to the library, the previous content of the file applies.
                    continue;
                }
                let decided = (decision.name.as_deref(), decision.segment_size);
                let planned = (algorithm.map(|algorithm| algorithm.name), segment_size);
                assert_eq!(decided, planned, "{collective}, {comm_size} ranks, {msg_size} bytes\n{text}");
            }
        }

        // The imported map equals the file for all sizes.
        let map = map_of(&*selection, collective).expect("its algorithms are all known");
        for comm_size in around(bands.iter().map(|(from, _)| *from)) {
            for &msg_size in &msg_sizes {
                let label = selection.decide(collective, comm_size, msg_size).label();
                let method = map.decide(&[comm_size, msg_size], Borders::Floor).expect("the map has no gaps");
                assert_eq!(map.domain().method(method).label(), label, "{comm_size} ranks, {msg_size} bytes");
            }
        }
    }
}

#[test]
fn rules_files_of_open_mpi() {
    for name in ["open-mpi", "open-mpi-json"] {
        let format = find_format(name).expect("it is one of them");
        for (collective, bases) in [
            ("bcast", &[Basis::Buffer][..]),
            ("reduce", &[Basis::Buffer]),
            ("allreduce", &[Basis::Buffer]),
            ("alltoall", &[Basis::Block, Basis::Total]),
            ("reduce_scatter", &[Basis::Block, Basis::Total]),
            ("allgatherv", &[Basis::Block]),
            ("gather", &[Basis::Block]),
        ] {
            for basis in bases {
                written_decides_as_planned(format, collective, *basis, None);
            }
        }
    }
}

#[test]
fn open_mpi_looks_at_no_message_sizes_of_scans() {
    let tree = tree("scan", Library::OpenMpi, Basis::Buffer, &Coloured::new(&[3, 3], Pattern::Noise, 1));
    let unit = find_format("open-mpi").expect("it is one of them").unit("scan");
    let refused =
        LibraryRules::new(&tree, Library::OpenMpi, "scan", unit, &RuleOptions::default()).unwrap_err();
    let message = refused.to_string();
    assert!(message.contains("the library ignores message sizes for `scan`"), "{message}");
}

/// A file with one rule for each collective.
const WHOLE: &[u8] = include_bytes!("commands.in/whole.json");

#[test]
fn selection_files_of_mpich() {
    let format = find_format("mpich").expect("it is one of them");
    assert!(format.check(WHOLE, None).is_empty(), "{:?}", format.check(WHOLE, None));
    for (collective, bases) in [
        ("bcast", &[Basis::Buffer][..]),
        ("alltoall", &[Basis::Block]),
        ("allgather", &[Basis::Block, Basis::Total]),
        ("allgatherv", &[Basis::Total]),
        ("gather", &[Basis::Block]),
        ("reduce_scatter_block", &[Basis::Block]),
        ("reduce_scatter", &[Basis::Total]),
    ] {
        for basis in bases {
            written_decides_as_planned(format, collective, *basis, Some(WHOLE));
        }
    }
}

#[test]
fn variables_of_intel_mpi() {
    let format = find_format("intel-mpi").expect("it is one of them");
    for (collective, bases) in [
        ("bcast", &[Basis::Buffer][..]),
        ("allreduce", &[Basis::Buffer]),
        ("exscan", &[Basis::Buffer]),
        ("allgather", &[Basis::Block, Basis::Total]),
        ("alltoall", &[Basis::Block]),
        ("allgatherv", &[Basis::Block, Basis::Total]),
        ("reduce_scatter", &[Basis::Block, Basis::Total]),
    ] {
        for basis in bases {
            written_decides_as_planned(format, collective, *basis, None);
        }
    }
}

#[test]
fn defects_of_the_variables_of_intel_mpi() {
    use Severity::{Dropped, Note, Wrong};
    let file = |value: &str| format!("# a comment\nexport I_MPI_ADJUST_BCAST='{value}'\n");
    for sound in
        ["8", "0", "1:0-9;2:10-2147483647", "1:@1-4;2:@5-2147483647;", "1:0-9;0:10-99;3:100-2147483647"]
    {
        assert_eq!(found("intel-mpi", &file(sound)), [], "{sound}");
    }
    for documented in ["1:0-9;2:10", "1:0-9@1-4;2:0-9@5", "3:0-2047@1-15,4096-8191@1-15;", "1:@1-15"] {
        let severities: Vec<Severity> =
            found("intel-mpi", &file(documented)).into_iter().map(|(as_bad, ..)| as_bad).collect();
        assert_eq!(severities, [Note], "{documented}");
    }
    for (value, severity, message) in [
        ("binomial", Dropped, "`binomial` is not the number of an algorithm"),
        ("1:0-4K", Dropped, "`0-4K` is not a condition that Intel documents"),
        ("1:-9", Dropped, "`-9` is not a condition"),
        ("1:0-9@", Dropped, "`0-9@` is not a condition"),
        ("1:0-9,", Dropped, "`` is not a condition"),
        ("1:0-99999999999999999999", Dropped, "`0-99999999999999999999` is not a condition"),
        ("1:0-9;;2:10", Dropped, "there is no number"),
        ("", Dropped, "there is no number"),
        ("1:0-9;2:9-12", Wrong, "`2:9-12` overlaps with `1:0-9`"),
        ("5;2:0-1024", Wrong, "`2:0-1024` overlaps with `5`"),
        ("1:0-9@4-8;2:5-6@8", Wrong, "`2:5-6@8-8` overlaps with `1:0-9@4-8`"),
        ("1:9-0", Wrong, "there are no sizes from 9 to 0"),
        ("1:0-9@8-4", Wrong, "there are no numbers of processes from 8 to 4"),
        ("65", Wrong, "65 is not a known preset for bcast"),
        ("22", Note, "22 is a preset: Intel's reference lists 14 algorithms for bcast"),
        ("1:0-9;2:10", Note, "2021.18.1 applies `2:10-10` to 11 bytes too"),
        ("1:10-19;2:20-2147483647", Note, "2021.18.1 applies `1:10-19` to 0 bytes too"),
        ("2:1000-2147483647;1:0-999", Note, "2021.18.1 applies `2:1000-2147483647` to 0 bytes too"),
        ("1:@1-15", Note, "2021.18.1 applies `1:@1-15` to 16 processes too"),
        (
            "1:0-9@1-4;2:10-99@1-4",
            Note,
            "2021.18.1 ignores the message sizes of a variable with numbers of processes",
        ),
        (
            "23",
            Wrong,
            "23 is greater than 22, the last preset for bcast in 2021.18.1, which ignores the variable",
        ),
    ] {
        let all = found("intel-mpi", &file(value));
        let is_it = |(as_bad, on, said): &(Severity, Option<usize>, String)| {
            *as_bad == severity && *on == Some(2) && said.starts_with(message)
        };
        assert!(all.iter().any(is_it), "{value}: {message}\n{all:?}");
    }
    for (text, severity, line, message) in [
        ("mpirun ./a\n", Wrong, None, "no variable I_MPI_ADJUST_… is set"),
        (
            "\nI_MPI_ADJUST_IBCAST=1\n",
            Note,
            Some(2),
            "I_MPI_ADJUST_IBCAST is not for a known blocking \
             collective",
        ),
        ("I_MPI_ADJUST_BARRIER=2:0-9@1-4\n", Wrong, Some(1), "Intel MPI ignores message sizes for barrier"),
        (
            "I_MPI_ADJUST_SCAN=1\n\nI_MPI_ADJUST_SCAN=2\n",
            Wrong,
            Some(3),
            "I_MPI_ADJUST_SCAN is set again: the value of line 1 is overwritten",
        ),
        ("export I_MPI_ADJUST_SCAN=1:0-9;2\n", Wrong, Some(1), "a shell ends the value at its first `;`"),
        ("export I_MPI_ADJUST_SCAN='1:0-9;\n2'\n", Dropped, Some(1), "the quote does not end on its line"),
    ] {
        let all = found("intel-mpi", text);
        let is_it = |(as_bad, on, said): &(Severity, Option<usize>, String)| {
            *as_bad == severity && *on == line && said.starts_with(message)
        };
        assert!(all.iter().any(is_it), "{message}\n{all:?}");
    }
    let long = file(&"1:0-9@1-2,".repeat(20_000));
    let reported =
        "I_MPI_ADJUST_BCAST has 200019 bytes, which exceeds Linux's limit of 131071 bytes per variable";
    assert!(found("intel-mpi", &long).iter().any(|(as_bad, _, said)| *as_bad == Dropped && said == reported));
}

/// A script that sets nothing still has its format, and nothing is wrong with it.
#[test]
fn a_variable_that_no_rule_needs_is_unset() {
    let format = find_format("intel-mpi").expect("it is in the list");
    let default = Method { baseline: true, ..Method::new("default") };
    let domain = Domain::new(Some("bcast".to_owned()), vec![Axis::new("comm_size", vec![2])], vec![default])
        .expect("it is sound");
    let only = domain.method_indexes().next();
    let map = DecisionMap::new(domain, vec![only]).expect("it is sound");
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing");
    let unit = format.unit("bcast");
    let rules = LibraryRules::new(&tree, format.library, "bcast", unit, &RuleOptions::default());
    let Written { text, .. } =
        format.write(&[rules.expect("all is known")], None).expect("all can be written");
    assert_eq!(text, "unset I_MPI_ADJUST_BCAST\n");
    assert_eq!(detect(text.as_bytes()).map(|format| format.name), Some("intel-mpi"));
    assert_eq!(found("intel-mpi", &text), []);
}

#[test]
fn rules_of_other_collectives_are_kept() {
    let tree = tree("bcast", Library::IntelMpi, Basis::Buffer, &Coloured::new(&[1, 1], Pattern::Equal, 1));
    let written = |before: &str| {
        let format = find_format("intel-mpi").expect("it is one of them");
        let options = RuleOptions {
            methods: vec![("binomial".to_owned(), "knomial".to_owned())],
            extend: true,
            ..RuleOptions::default()
        };
        let plan = LibraryRules::new(&tree, format.library, "bcast", format.unit("bcast"), &options)
            .expect("it is known");
        format.write(&[plan], Some(before.as_bytes())).map(|written| written.text)
    };
    let before = "setenv I_MPI_ADJUST_BCAST 3\nmpirun -genv I_MPI_ADJUST_SCAN \"1:0-9;2\" -genv I_MPI_ADJUST_IBCAST 2 ./a\n";
    let after =
        "export I_MPI_ADJUST_BCAST='8'\nexport I_MPI_ADJUST_SCAN='1:0-9;2'\nexport I_MPI_ADJUST_IBCAST='2'\n";
    assert_eq!(written(before).as_deref(), Ok(after));
    assert!(written("I_MPI_ADJUST_SCAN='1").is_err());
}

#[test]
fn mpich_needs_a_complete_file() {
    let format = find_format("mpich").expect("it is one of them");
    let refused = format.write(&[], None).unwrap_err().to_string();
    assert!(refused.starts_with("MPICH aborts if the file lacks a collective"), "{refused}");
}

/// Returns the severity, the line and the message of each finding.
fn found(format: &str, text: &str) -> Vec<(Severity, Option<usize>, String)> {
    let format = find_format(format).expect("it is one of them");
    let line = |place: &qtdec_core::Place| Some(text[..place.resolve(text)?.start].split('\n').count());
    let findings = format.check(text.as_bytes(), format.releases.first().copied()).into_iter();
    findings
        .map(|finding| (finding.severity, line(&finding.problem.place), finding.problem.message.to_string()))
        .collect()
}

#[test]
fn defects_of_the_json_of_open_mpi() {
    use Severity::{Dropped, Wrong};
    let rule = r#"{ "msg_size_min": 0, "msg_size_max": "inf", "alg": 6 }"#;
    let file = |communicator: &str, message: &str| {
        format!(
            "{{ \"collectives\": {{\n\"bcast\": [\n{{ {communicator}\n\"rules\": [\n{message} ] }} ] }} }}"
        )
    };
    assert_eq!(found("open-mpi-json", &file("", rule)), []);
    for (text, severity, line, message) in [
        (
            "{".to_owned(),
            Dropped,
            Some(1),
            "not JSON: EOF while parsing an object: Open MPI ignores the whole file",
        ),
        ("{}".to_owned(), Dropped, None, "there is no object `collectives`"),
        (
            file("", rule).replace("bcast", "reducescatter"),
            Dropped,
            Some(2),
            "there is no collective `reducescatter`",
        ),
        (file("", rule).replace("bcast", "gatherv"), Wrong, Some(2), "Open MPI never uses rules for gatherv"),
        (
            file("\"comm_size_min\": \"two\",", rule),
            Dropped,
            Some(3),
            "`comm_size_min` must be a whole number or \"inf\"",
        ),
        (file("\"comm_size_max\": \"inf\",", rule), Wrong, Some(3), "`comm_size_max` is stored as -1"),
        (
            file("\"comm_rank_distribution\": \"per-node\",", rule),
            Wrong,
            Some(3),
            "there is no distribution \"per-node\"",
        ),
        (file("", &rule.replace("alg", "algorithm")), Wrong, Some(5), "`algorithm` is skipped"),
        (file("", &rule.replace("\"alg\": 6", "\"segsize\": 6")), Wrong, Some(5), "a rule without `alg`"),
        (
            file("", &rule.replace("alg\": 6", "alg\": 66")),
            Wrong,
            Some(5),
            "bcast has no algorithm 66: the rule never applies",
        ),
        (
            file("", &format!("{rule},\n{rule}")),
            Wrong,
            Some(6),
            "an earlier rule applies to all message sizes of this one",
        ),
        (file("", &rule.replace("\"inf\"", "-1")), Wrong, Some(5), "`msg_size_max` is negative"),
    ] {
        let all = found("open-mpi-json", &text);
        let is_it = |(as_bad, on, said): &(Severity, Option<usize>, String)| {
            *as_bad == severity && *on == line && said.starts_with(message)
        };
        assert!(all.iter().any(is_it), "line {line:?}: {message}\n{text}\n{all:?}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn defects_of_the_selection_file_of_mpich() {
    use Severity::{Dropped, Fails, Wrong};
    let whole = std::str::from_utf8(WHOLE).expect("it is text");
    let malformed = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        whole.replacen(from, to, 1)
    };
    let line_of = |what: &str| whole[..whole.find(what).expect("it is there")].split('\n').count();
    let bcast = line_of("avg_msg_size<=12288");
    for (text, severity, line, message) in [
        ("[]".to_owned(), Dropped, None, "the file is not an object"),
        (whole[..whole.len() / 2].to_owned(), Dropped, None, "not JSON"),
        (
            malformed("collective=bcast", "collective=ibcast"),
            Fails,
            None,
            "MPICH aborts in the first call of a collective that the file lacks: bcast",
        ),
        (
            malformed("Bcast_intra_binomial", "Bcast_intra_knomial"),
            Dropped,
            Some(line_of("Bcast_intra_binomial")),
            "MPICH has no `MPIR_Bcast_intra_knomial` for bcast",
        ),
        (
            malformed("Bcast_intra_binomial", "Bcast_intra_pipelined_tree"),
            Dropped,
            Some(line_of("Bcast_intra_binomial")),
            "MPICH 4.0 has no `MPIR_Bcast_intra_pipelined_tree`, and aborts at its start",
        ),
        (
            malformed("avg_msg_size<=12288", "avg_msg_size<=12K"),
            Wrong,
            Some(bcast),
            "the limit of `avg_msg_size<=12K` is read as 12",
        ),
        (
            malformed("avg_msg_size<=12288", "avg_msg_size<=4294967298"),
            Wrong,
            Some(bcast),
            "the limit of `avg_msg_size<=4294967298` is read as 2",
        ),
        (
            malformed(
                "\"algorithm=MPIR_Bcast_intra_binomial\": {}",
                "\"algorithm=MPIR_Bcast_intra_binomial\": 3",
            ),
            Dropped,
            Some(line_of("comm_size<8")),
            "the parameters of an algorithm must be an object",
        ),
        (
            malformed("\"algorithm=MPIR_Bcast_intra_binomial\": {}", ""),
            Dropped,
            Some(line_of("comm_size<8")),
            "this object contains neither a condition nor an algorithm",
        ),
        (
            malformed("MPIR_Scan_intra_recursive_doubling", "MPIR_Scan_intra_recursive_dubling"),
            Dropped,
            Some(line_of("MPIR_Scan_intra_recursive_doubling")),
            "MPICH has no `MPIR_Scan_intra_recursive_dubling`",
        ),
        (
            malformed("collective=scan", "collective=skan"),
            Dropped,
            Some(line_of("collective=scan")),
            "MPICH has no collective `skan`",
        ),
        (
            malformed("MPIR_Bcast_intra_binomial", "MPIR_Reduce_intra_binomial"),
            Fails,
            Some(line_of("Bcast_intra_binomial")),
            "`MPIR_Reduce_intra_binomial` does not run bcast",
        ),
        (
            malformed("avg_msg_size=any", "any"),
            Dropped,
            Some(line_of("avg_msg_size=any")),
            "`any` is not a condition",
        ),
        (
            format!("{}{}{}", "{\"comm_type=intra\":".repeat(40), "{}", "}".repeat(40)),
            Dropped,
            None,
            "objects are nested more than 32 deep",
        ),
        (
            format!("{{\"avg_msg_size=any\": {whole}}}"),
            Dropped,
            None,
            "conditions on the communicator alone lead to no `collective=`",
        ),
        (
            malformed("avg_msg_size<=12288", "message_size<=12288"),
            Dropped,
            Some(bcast),
            "`message_size<=12288` is not a condition",
        ),
        (
            malformed("avg_msg_size=any", "avg_msg_size<=99999"),
            Dropped,
            Some(line_of("comm_size=any")),
            "MPICH aborts at its start if none of these conditions matches",
        ),
        (
            malformed("avg_msg_size=any", "avg_msg_size<=9"),
            Wrong,
            Some(line_of("avg_msg_size=any")),
            "`avg_msg_size<=9` is never reached",
        ),
        (
            malformed("comm_size<8", "comm_size=any "),
            Dropped,
            Some(line_of("comm_size=any")),
            "`comm_size=any` follows a condition that matches every call",
        ),
        (
            malformed(
                "\"algorithm=MPIR_Gather_intra_binomial\": {}",
                "\"avg_msg_size=any\": {\"algorithm=MPIR_Gather_intra_binomial\": {}}, \"avg_msg_size<=3\": {\"algorithm=MPIR_Gather_intra_binomial\": {}}",
            ),
            Fails,
            Some(line_of("Gather_intra_binomial")),
            "avg_msg_size is not defined for gather",
        ),
        (
            malformed(
                "\"algorithm=MPIR_Allreduce_intra_recursive_doubling\": {}",
                "\"avg_msg_size<=8\": {\"algorithm=MPIR_Allreduce_intra_recursive_doubling\": {}}, \"comm_size<9\": {\"algorithm=MPIR_Allreduce_intra_recursive_doubling\": {}}, \"comm_size=any\": {\"algorithm=MPIR_Allreduce_intra_recursive_doubling\": {}}",
            ),
            Wrong,
            Some(line_of("Allreduce_intra_recursive_doubling")),
            "below a condition on calls, `comm_size<9` is read as `comm_size<=9`",
        ),
        (
            format!("{whole}{}", " ".repeat(4096 - whole.len() % 4096)),
            Wrong,
            None,
            "the size of the file is a multiple of 4096 bytes",
        ),
    ] {
        let all = found("mpich", &text);
        let is_it = |(as_bad, on, said): &(Severity, Option<usize>, String)| {
            *as_bad == severity && (line.is_none() || *on == line) && said.starts_with(message)
        };
        assert!(all.iter().any(is_it), "line {line:?}: {message}\n{all:?}");
    }
}

#[test]
fn duplicate_keys_are_reported_and_rejected() {
    let open_mpi =
        "{ \"collectives\": {\n  \"bcast\": [{ \"rules\": [{ \"alg\": 6 }] }],\n  \"bcast\": [] } }";
    let whole = std::str::from_utf8(WHOLE).expect("it is text");
    let again = whole.replacen("\"collective=bcast\"", "\"collective=bcast\": {},\n\"collective=bcast\"", 1);
    let line = again[..again.find("\n\"collective=bcast").expect("it is there")].split('\n').count();
    for (format, text, key, first) in [
        ("open-mpi-json", open_mpi, "bcast", 2),
        ("mpich", &again, "collective=bcast", line),
        ("mvapich", &again, "collective=bcast", line),
    ] {
        let message =
            format!("`{key}` is also set on line {first}, and it is unspecified which of the two counts");
        let expected = (Severity::Wrong, Some(first + 1), message.clone());
        assert!(found(format, text).contains(&expected), "{format}: {:?}", found(format, text));
        let format = find_format(format).expect("it is one of them");
        let read =
            format.read(text.as_bytes(), Job::default()).map(|_| ()).expect_err("it is open what it says");
        assert!(read.to_string().starts_with(&message), "{read}");
        if format.is_written {
            let written = format.write(&[], Some(text.as_bytes())).expect_err("it is open what is kept");
            assert!(written.to_string().starts_with(&message), "{written}");
        }
    }
}

#[test]
fn mpich_rules_can_test_more_than_sizes() {
    let format = find_format("mpich").expect("it is one of them");
    let axes = vec![
        Axis::new("comm_size", [2]),
        Axis { basis: Some(Basis::Buffer), ..Axis::new("msg_size", [1, 64]) },
    ];
    let methods = vec![Method::new("binomial"), Method::new("rabenseifner")];
    let domain = Domain::new(Some("reduce".to_owned()), axes, methods).expect("it is sound");
    let cells = domain.method_indexes().map(Some).collect();
    let map = DecisionMap::new(domain, cells).expect("it is sound");
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing");
    let options = RuleOptions { extend: true, ..RuleOptions::default() };
    let plan = LibraryRules::new(&tree, Library::Mpich, "reduce", format.unit("reduce"), &options);
    let text = format.write(&[plan.expect("all is known")], Some(WHOLE)).expect("all can be written").text;
    assert!(format.check(text.as_bytes(), None).is_empty());
    let selection = format.read(text.as_bytes(), Job::default()).expect("it is accepted");
    let name = |ranks: u64, bytes: u64| selection.decide("reduce", ranks, bytes).name.unwrap_or_default();
    assert_eq!((name(8, 63), name(8, 64)), ("binomial".to_owned(), "reduce_scatter_gather".to_owned()));
    // There are fewer bytes than ranks.
    assert_eq!(name(128, 64), "binomial");
    assert_eq!(name(127, 64), "reduce_scatter_gather");
}

#[test]
fn ranks_per_node_choose_among_rules_of_mvapich() {
    let format = find_format("mvapich").expect("it is one of them");
    let rule = |name: &str| format!("{{ \"algorithm=MPIR_Bcast_intra_{name}\": {{}} }}");
    let text = format!(
        "{{ \"collective=bcast\": {{ \"comm_avg_ppn<=4\": {}, \"comm_avg_ppn=any\": {{ \"comm_hierarchy=parent\": {}, \
         \"comm_hierarchy=any\": {} }} }} }}",
        rule("tree"),
        rule("smp"),
        rule("osu_pipelined")
    );
    let name = |ranks_per_node: u64, ranks: u64| {
        let selection = format.read(text.as_bytes(), Job { ranks_per_node }).expect("it can be read");
        selection.decide("bcast", ranks, 8).name.unwrap_or_default()
    };
    assert_eq!([name(4, 64), name(8, 64)], ["tree", "smp"]);
    // With one rank per node, or a single rank, there are no communicators within nodes; with all ranks on one node,
    // there are.
    assert_eq!([name(1, 8), name(8, 1), name(8, 8), name(8, 4)], ["tree", "tree", "smp", "tree"]);
    assert_eq!(name(8, 6), "smp");
}

/// Writes rules for broadcasts below and above 2^31 bytes, with this segment size.
fn beyond_int(format: &str, segment: Option<u64>) -> Result<Written, String> {
    let format = find_format(format).expect("it is one of them");
    let axes = vec![
        Axis::new("comm_size", [2]),
        Axis { basis: Some(Basis::Buffer), ..Axis::new("msg_size", [1, 1 << 31]) },
    ];
    let methods = vec![
        Method { segment_size: segment, ..Method::new("binomial") },
        Method { segment_size: segment, ..Method::new("scatter_allgather_ring") },
    ];
    let domain = Domain::new(Some("bcast".to_owned()), axes, methods).expect("it is sound");
    let cells = domain.method_indexes().map(Some).collect();
    let map = DecisionMap::new(domain, cells).expect("it is sound");
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing");
    let options = RuleOptions {
        methods: vec![("scatter_allgather_ring".to_owned(), name_in(format))],
        ..RuleOptions::default()
    };
    let plan = LibraryRules::new(&tree, format.library, "bcast", format.unit("bcast"), &options)
        .expect("all is known");
    let into = (format.name == "mpich").then_some(WHOLE);
    format.write(&[plan], into).map_err(|problems| problems.to_string())
}

fn name_in(format: &Format) -> String {
    format.library.algorithms("bcast").last().expect("there are some").name.to_owned()
}

#[test]
fn rules_beyond_the_greatest_size_are_omitted_with_a_note() {
    for format in ["mpich", "intel-mpi"] {
        let notes = beyond_int(format, None).expect("all else can be written").notes;
        let reported = "bcast: the rules from 2147483648 bytes on are omitted";
        assert!(notes.iter().any(|note| note.starts_with(reported)), "{format}: {notes:?}");
    }
    for format in ["open-mpi", "open-mpi-json"] {
        beyond_int(format, Some(1 << 20)).expect("its sizes have 64 bits");
        let refused = beyond_int(format, Some(1 << 31)).expect_err("a segment size has 32");
        assert!(refused.contains("the segment size 2147483648 of `"), "{format}: {refused}");
    }
}

/// A library that multiplies by the ranks needs separate rules for each number of ranks: more than a million rules
/// are rejected.
#[test]
fn rules_for_every_number_of_ranks_have_an_end() {
    let axes = vec![
        Axis::new("comm_size", [2, 1 << 32]),
        Axis { basis: Some(Basis::Block), ..Axis::new("msg_size", [1, 64, 4096]) },
    ];
    let methods = vec![Method::new("ring"), Method::new("brucks"), Method::new("recursive_doubling")];
    let domain = Domain::new(Some("allgather".to_owned()), axes, methods).expect("it is sound");
    let all: Vec<_> = domain.method_indexes().collect();
    let cells = [0, 1, 0, 1, 0, 1].map(|method| Some(all[method])).to_vec();
    let map = DecisionMap::new(domain, cells).expect("it is sound");
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing");
    let plan = |max_comm_size| {
        let options = RuleOptions { max_comm_size, ..RuleOptions::default() };
        LibraryRules::new(&tree, Library::Mpich, "allgather", Library::Mpich.unit("allgather"), &options)
    };
    let refused = plan(None).expect_err("there are three rules for each").to_string();
    assert!(refused.contains("the maximum is 1048576") && refused.contains("--max-comm-size"), "{refused}");
    plan(Some(1000)).expect("these are few");
}

/// Covers a file that differs only if each rank is alone on its node, or there is a single rank.
#[test]
fn one_node_of_mpich_begins_at_two_ranks() {
    let format = find_format("mpich").expect("it is one of them");
    let rule = |name: &str| format!("{{ \"algorithm=MPIR_Bcast_intra_{name}\": {{}} }}");
    let text = format!(
        "{{ \"collective=bcast\": {{ \"comm_size=node_comm_size\": {}, \"comm_size=any\": {} }} }}",
        rule("smp"),
        rule("binomial")
    );
    let read = |ranks_per_node| format.read(text.as_bytes(), Job { ranks_per_node }).expect("it is accepted");
    let name = |ranks_per_node: u64, ranks: u64| {
        read(ranks_per_node).decide("bcast", ranks, 8).name.unwrap_or_default()
    };
    for (ranks_per_node, ranks, expected) in [
        (1, 1, "binomial"),
        (1, 2, "binomial"),
        (4, 1, "binomial"),
        (4, 2, "smp"),
        (4, 4, "smp"),
        (4, 5, "binomial"),
    ] {
        assert_eq!(name(ranks_per_node, ranks), expected, "{ranks_per_node} {ranks}");
    }
    for ranks_per_node in [1, 4] {
        let map = map_of(&*read(ranks_per_node), "bcast").expect("all can be told");
        for ranks in 1..=10 {
            let starts = map.domain().axes()[0].values().expect("they are numbers");
            let cell = starts.iter().rposition(|start| *start <= ranks).unwrap_or(0);
            let method = map.cells()[cell].expect("there are no gaps");
            assert_eq!(
                *map.domain().method(method).name,
                *name(ranks_per_node, ranks),
                "{ranks_per_node} {ranks}"
            );
        }
    }
}

#[test]
fn algorithms_of_others_than_mpich_itself() {
    let text = |name: &str| {
        format!("{{ \"collective=bcast\": {{ \"comm_type=intra\": {{ \"algorithm={name}\": {{}} }} }} }}")
    };
    let named = |text: &str| detect(text.as_bytes()).map(|format| format.name);
    let of_mvapich = text("MPIR_Bcast_intra_osu_pipelined");
    assert_eq!(named(&of_mvapich), Some("mvapich"));
    assert_eq!(named(&text("MPIR_Bcast_intra_smp")), Some("mpich"));
    let mpich = find_format("mpich").expect("it is one of them");
    let read = |text: &str| mpich.read(text.as_bytes(), Job::default()).map(|_| ());
    assert!(
        read(&of_mvapich).unwrap_err().to_string().contains("MPICH has no `MPIR_Bcast_intra_osu_pipelined`")
    );
    // Layers of the device have files of their own, in the same format. They need not hold every collective.
    for (leaf, variable) in [
        (
            "algorithm=MPIDI_POSIX_mpi_bcast_release_gather",
            "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE",
        ),
        ("composition=MPIDI_Bcast_intra_composition_gamma", "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE"),
    ] {
        let of_the_device = text("X").replace("algorithm=X", leaf);
        read(&of_the_device).expect("it may be such a file");
        let reported = mpich.check(of_the_device.as_bytes(), None);
        assert_eq!(reported.len(), 1, "{reported:?}");
        assert_eq!(reported[0].severity, Severity::Note);
        assert!(reported[0].problem.message.to_string().contains(variable), "{reported:?}");
    }
    // In one file with MPICH's own, it is a fault of the place.
    let own = "\"comm_type=inter\": { \"algorithm=MPIR_Bcast_inter_remote_send_local_bcast\": {} }, \"comm_type=intra\"";
    let both = text("MPIDI_POSIX_mpi_bcast_release_gather").replace("\"comm_type=intra\"", own);
    let reported = mpich.check(both.as_bytes(), None);
    let is_of_layer = |finding: &&qtdec_mpi_library::tuning::Finding| {
        finding.problem.message.to_string().contains("belongs to the device layer")
    };
    assert_eq!(reported.iter().find(is_of_layer).map(|finding| finding.severity), Some(Severity::Note));
}

#[test]
fn a_file_keeps_its_header_with_its_requests() {
    let format = find_format("open-mpi").expect("it is one of them");
    for (rule, header, note) in [
        (
            "0 4 0 0 8",
            true,
            "a rule has a number of requests: releases before 5.0.7 drop the whole file in silence",
        ),
        ("0 4 0 0", false, "the header is omitted: no rule has a number of requests, which alone needs it"),
    ] {
        let before = format!("rule-file-version-2\n1 3 1 2 1\n{rule}\n");
        let written = format.write(&[], Some(before.as_bytes())).expect("it is accepted from 5.0.7 on");
        let text = &written.text;
        assert_eq!(text.starts_with("rule-file-version-2\n# "), header, "{text}");
        assert!(text.ends_with(&format!("2 # ranks and more\n1 # message sizes\n{rule}\n")), "{text}");
        assert!(written.notes.iter().any(|known| known == note), "{:?}", written.notes);
    }
}

#[test]
fn comments_stand_after_a_header() {
    let format = find_format("open-mpi").expect("it is one of them");
    for (text, expected) in [
        ("rule-file-version-2\n# b\n1\n", "rule-file-version-2\n# a\n# b\n1\n"),
        ("# b\n1\n", "# a\n# b\n1\n"),
    ] {
        assert_eq!(format.commented("# a\n", text), expected);
    }
    assert_eq!(recognise(b"rule-file-version-2\n# b\n0\n").map(|format| format.name), Some("open-mpi"));
}
