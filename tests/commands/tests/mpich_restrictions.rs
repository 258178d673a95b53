//! Restrictions of MPICH's algorithms, compared with the conditions above them in a selection file.
//!
//! What is said to break does so in Debian's 4.0.2, in calls of 3 or 4 ranks, apart from nodes that share no memory.

use std::fs;
use std::process::Command;

use qtdec_mpi_library::catalogue::Release;
use qtdec_mpi_library::tuning::{Severity, find_format};

/// Returns what breaks under the rules of a collective, and the notes.
fn found(collective: &str, rules: &str, release: Release) -> (Vec<String>, Vec<String>) {
    let text = format!("{{\"collective={collective}\": {rules}}}");
    let all = find_format("mpich").unwrap().check(text.as_bytes(), Some(release));
    let (mut broken, mut notes) = (Vec::new(), Vec::new());
    for finding in all {
        let message = finding.problem.message.to_string();
        match finding.severity {
            // The file has one collective, and often one kind of communicators.
            Severity::Fails if message.contains("that the file lacks") => {}
            Severity::Fails if message.contains("matches none of these conditions") => {}
            Severity::Fails => broken.push(message),
            Severity::Note => notes.push(message),
            severity => panic!("{severity:?}: {message}\n{text}"),
        }
    }
    (broken, notes)
}

/// Returns rules for communicators within a group as JSON, from conditions and names of algorithms without quotes. `@` begins the letter of a
/// composition.
fn rules(collective: &str, short: &str) -> String {
    let capital = collective[..1].to_uppercase() + &collective[1..];
    let mut json = String::new();
    for piece in short.split_inclusive(['{', '}', ':', ',']) {
        let (word, end) = piece.split_at(piece.trim_end_matches(['{', '}', ':', ',']).len());
        let quoted = match (word.trim(), end) {
            ("", _) => String::new(),
            (condition, ":") => format!("\"{condition}\""),
            (name, _) => match name.strip_prefix('@') {
                Some(letter) => {
                    format!("{{\"composition=MPIDI_{capital}_intra_composition_{letter}\": {{}}}}")
                }
                None => format!("{{\"algorithm=MPIR_{capital}_intra_{name}\": {{}}}}"),
            },
        };
        json.push_str(&quoted);
        json.push_str(end);
    }
    format!("{{\"comm_type=intra\": {json}}}")
}

#[test]
#[rustfmt::skip] // A line for a file.
fn each_algorithm_is_compared_with_the_conditions_above_it() {
    for (collective, short, expected) in [
        // A power of two.
        ("allgather", "recursive_doubling", "on 3 ranks"),
        ("allgather", "{comm_size<=2: recursive_doubling, comm_size=any: ring}", ""),
        ("allgather", "{comm_size<=4: recursive_doubling, comm_size=any: ring}", "on 3 ranks"),
        ("allgather", "{comm_size<=3: ring, comm_size<=4: recursive_doubling, comm_size=any: ring}", ""),
        ("allgather", "{comm_size<=8: ring, comm_size=any: recursive_doubling}", "on 9 ranks"),
        ("allgather", "{comm_size=pow2: recursive_doubling, comm_size=any: ring}", ""),
        ("allgather", "{comm_size=pow2: ring, comm_size=any: recursive_doubling}", "on 3 ranks"),
        ("allgather", "{total_msg_size<=81920: recursive_doubling, total_msg_size=any: ring}", "on 3 ranks"),
        ("allgatherv", "{comm_size<8: recursive_doubling, comm_size=any: ring}", "on 3 ranks"),
        ("iallgather", "sched_recursive_doubling", "on 3 ranks"),
        ("ibcast", "sched_scatter_recursive_doubling_allgather", "on 3 ranks"),
        ("bcast", "scatter_recursive_doubling_allgather", ""),
        // Enough elements, and an operation of MPI.
        ("allreduce", "{is_op_built_in=no: recursive_doubling, is_op_built_in=yes: reduce_scatter_allgather}", "1 element on 2 ranks"),
        ("allreduce", "{count<pow2: recursive_doubling, count=any: reduce_scatter_allgather}", "an operation of the program"),
        ("allreduce", "{is_op_built_in=no: recursive_doubling, is_op_built_in=yes: {count<pow2: recursive_doubling, count=any: reduce_scatter_allgather}}", ""),
        ("allreduce", "{is_commutative=no: recursive_doubling, is_commutative=yes: reduce_scatter_allgather}", "an operation of the program"),
        ("reduce", "{comm_size<=8: {is_op_built_in=no: binomial, is_op_built_in=yes: {count<=7: binomial, count=any: reduce_scatter_gather}}, comm_size=any: binomial}", ""),
        ("reduce", "{comm_size<=16: {is_op_built_in=no: binomial, is_op_built_in=yes: {count<=7: binomial, count=any: reduce_scatter_gather}}, comm_size=any: binomial}", "8 elements on 16 ranks"),
        ("reduce", "{avg_msg_size<=2048: binomial, avg_msg_size=any: reduce_scatter_gather}", "65 elements on 128 ranks"),
        // A commutative operation.
        ("reduce_scatter", "pairwise", "an operation that is not commutative"),
        ("reduce_scatter_block", "{total_msg_size<524288: recursive_halving, total_msg_size=any: recursive_doubling}", "an operation that is not commutative"),
        ("reduce_scatter", "{is_commutative=no: recursive_doubling, is_commutative=yes: pairwise}", ""),
        ("reduce_scatter", "{is_commutative=yes: pairwise, is_commutative=no: noncommutative}", "on 3 ranks"),
        ("reduce_scatter", "{is_commutative=yes: pairwise, is_commutative=no: {comm_size=pow2: noncommutative, comm_size=any: recursive_doubling}}", "not equally large"),
        ("reduce_scatter_block", "{is_commutative=yes: pairwise, is_commutative=no: {comm_size=pow2: noncommutative, comm_size=any: recursive_doubling}}", ""),
        // Buffers in place.
        ("alltoall", "pairwise", "with MPI_IN_PLACE"),
        ("alltoall", "{is_sendbuf_inplace=yes: pairwise, is_sendbuf_inplace=no: brucks}", "with MPI_IN_PLACE"),
        ("alltoall", "{is_sendbuf_inplace=yes: pairwise_sendrecv_replace, is_sendbuf_inplace=no: brucks}", ""),
        ("alltoallv", "pairwise_sendrecv_replace", "without MPI_IN_PLACE"),
        ("alltoallw", "scattered", "with MPI_IN_PLACE"),
        // Nodes.
        ("bcast", "smp", "one rank on each node"),
        ("bcast", "{comm_hierarchy=parent: smp, comm_hierarchy=any: binomial}", ""),
        ("bcast", "{comm_hierarchy=node: smp, comm_hierarchy=any: binomial}", "one rank on each node"),
        ("allreduce", "{avg_msg_size<=0: smp, avg_msg_size=any: recursive_doubling}", ""),
        ("allreduce", "{comm_hierarchy=parent: smp, comm_hierarchy=any: recursive_doubling}", "not commutative"),
        ("barrier", "{comm_size<=16: smp, comm_size=any: dissemination}", "one rank on each node"),
        ("scan", "{is_node_consecutive=no: smp, is_node_consecutive=yes: recursive_doubling}", "dealt out"),
        // Compositions of the device.
        ("allreduce", "{avg_msg_size<=2048: @gamma, avg_msg_size=any: @beta}", "on several nodes"),
        ("allreduce", "{comm_size=node_comm_size: @gamma, comm_size=any: @beta}", ""),
        ("allreduce", "{comm_hierarchy=parent: @alpha, comm_hierarchy=any: @beta}", "not commutative"),
        ("bcast", "@gamma", ""),
        ("bcast", "{comm_size<8: @alpha, comm_size=any: @gamma}", "one rank on each node"),
        ("bcast", "{comm_size=node_comm_size: @beta, comm_size=any: @gamma}", ""),
        ("reduce", "{is_commutative=yes: @beta, is_commutative=no: @gamma}", "one rank on each node"),
        ("barrier", "@alpha", "one rank on each node"),
    ] {
        let rules = rules(collective, short);
        let (broken, _) = found(collective, &rules, Release::new(4, 0));
        match expected {
            "" => assert!(broken.is_empty(), "{collective} {short}: {broken:?}"),
            _ => assert!(broken.iter().any(|message| message.contains(expected)), "{collective} {short}: {broken:?}"),
        }
    }
}

#[test]
fn releases_differ_where_their_sources_do() {
    let (old, new) = (Release::new(4, 0), Release::new(5, 0));
    let node = rules("allreduce", "{comm_hierarchy=node: @gamma, comm_hierarchy=any: @beta}");
    // From 5.0 on, every communicator without nodes of its own is of the kind `node`.
    assert!(found("allreduce", &node, old).0.is_empty());
    assert!(found("allreduce", &node, new).0[0].contains("on several nodes"));
    let leaders = rules("alltoall", "@alpha");
    assert!(found("alltoall", &leaders, old).1.iter().all(|note| !note.contains("in silence")));
    assert!(found("alltoall", &leaders, new).1.iter().any(|note| note.contains("to `beta`, in silence")));
    let ring = rules("allreduce", "ring");
    assert!(found("allreduce", &ring, new).0[0].contains("not commutative"));
}

#[test]
fn communicators_of_two_groups_are_told_apart() {
    let bcast = |rules: &str| found("bcast", rules, Release::new(4, 0));
    let inter = "{\"algorithm=MPIR_Bcast_inter_remote_send_local_bcast\": {}}";
    let intra = "{\"algorithm=MPIR_Bcast_intra_binomial\": {}}";
    let both = format!("{{\"comm_type=intra\": {intra}, \"comm_type=inter\": {inter}}}");
    assert_eq!(bcast(&both), (Vec::new(), Vec::new()));
    let swapped = format!("{{\"comm_type=inter\": {intra}, \"comm_type=intra\": {inter}}}");
    assert_eq!(bcast(&swapped).0.len(), 2);
    assert_eq!(bcast(inter).0.len(), 1);
    // Programs seldom have intercommunicators.
    let (broken, notes) = bcast(intra);
    assert!(broken.is_empty() && notes.len() == 1 && notes[0].contains("intercommunicators"), "{notes:?}");
}

#[test]
fn the_command_names_the_conditions_the_call_and_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let rules = rules("allreduce", "{avg_msg_size<=2048: @gamma, avg_msg_size=any: @beta}");
    fs::write(folder.path().join("ch4.json"), format!("{{\"collective=allreduce\": {rules}}}\n")).unwrap();
    let mut check = Command::new(qtdec_commands::qtdec());
    let output = check.current_dir(folder.path()).args(["mpi", "check", "ch4.json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stderr).unwrap();
    for part in [
        "needs all ranks on one node, and a call of allreduce on several nodes comes to it under collective=allreduce, comm_type=intra, \
         avg_msg_size<=2048",
        "put it below `comm_size=node_comm_size`",
        "ch4.json:1:",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}
