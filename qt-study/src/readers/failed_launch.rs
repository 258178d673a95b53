//! Records of launches that failed, which job scripts leave where their times would be.

/// Returns whether the file at this path, found in a folder, is such a record: `measure.sh` of `qtdec-mpi plan` names it so.
pub(super) fn is_record(path: &str) -> bool {
    path.ends_with(".failed")
}

/// Describes this number of launches, of which some are named.
pub(super) fn described(count: usize, names: &str) -> String {
    let begin = match count {
        1 => "1 launch failed, and has no times".to_owned(),
        count => format!("{count} launches failed, and have no times"),
    };
    format!("{begin}: {names} say why")
}
