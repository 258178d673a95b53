//! Operations of a program that count on whole operands: schedules that cut them are not used, unless the program allows it.

use super::{NAME, Place, carried_out};

impl Place<'_> {
    /// Runs the program with each set of algorithms, where operations may be given parts of operands, and where not.
    pub(super) fn whole(&self) -> Result<(), String> {
        let ranks = if self.library.ending == "openmpi" { 4 } else { 2 };
        let (mut left, mut own) = (0, 0);
        for set in 0..self.sets {
            let trees = self.trees(set).display().to_string();
            let settings = [("QTDEC_TREES", &*trees), ("QTDEC_TRACE", "1"), ("QTDEC_CUT_OPERANDS", "1")];
            let (_, told) = self.said(("whole.c", ranks, &[]), "", &settings[..2])?;
            left += told.lines().filter(|line| line.contains("would combine parts of operands")).count();
            own += told.lines().filter_map(carried_out).count();
            let (_, told) = self.said(("whole.c", ranks, &["cut".to_owned()]), "", &settings)?;
            let lines = told.lines().filter(|line| line.contains(NAME));
            if let Some(line) = lines.into_iter().find(|line| carried_out(line).is_none()) {
                return Err(format!("the program allows parts of operands, but the interposer said {line}"));
            }
        }
        if left > 0 && own > 0 {
            return Ok(());
        }
        Err(format!("of whole.c, {own} calls were ours and {left} were left to {}", self.library.ending))
    }
}
