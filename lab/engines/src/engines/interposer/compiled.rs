//! Trees that are compiled into the interposer: they decide without a file, ranks compare them with those of files, and faults are told
//! when they are compiled.

use std::fs;
use std::process::Command;

use super::{NAME, Place, carried_out};
use xtask::files;
use xtask::run::target;

impl Place<'_> {
    pub(super) fn compiled_in(&self) -> Result<(), String> {
        let trees = self.folder.join("trees-to-compile");
        files::folder(&trees)?;
        let tree = |set: usize| fs::read(self.trees(set).join("bcast.tree.json"));
        let text = tree(0).map_err(|error| error.to_string())?;
        let build = |text: &[u8]| {
            files::write(trees.join("bcast.tree.json"), text)?;
            let mut command = Command::new(target().join("debug/qtdec-mpi"));
            command.args(["build", "--mpicc", &format!("mpicc.{}", self.library.ending), "--output"]);
            let output = command.arg(&self.folder).arg("--trees").arg(&trees).output();
            output.map_err(|error| error.to_string())
        };
        let refused = build(&text[..text.len() / 2])?;
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        if refused.status.success() || !told.contains("--trees") || !told.contains("bcast.tree.json: ") {
            return Err(format!("half a tree was compiled in: {told}"));
        }
        let built = build(&text)?;
        if !built.status.success() {
            return Err(String::from_utf8_lossy(&built.stderr).into_owned());
        }
        fs::remove_dir_all(&trees).map_err(|error| error.to_string())?;
        let few = ("few.c", 3, &[][..]);
        let (said, told) = self.said(few, "", &[("QTDEC_TRACE", "1")])?;
        let own: Vec<_> = told.lines().filter_map(carried_out).collect();
        if said != "all is well\n" || own.len() != 1 || own[0].0 != "bcast" {
            return Err(format!("{own:?} was carried out by what is compiled in: {said}{told}"));
        }
        // The same trees agree, whether they are in a file or not.
        let rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}";
        let some =
            |set: &str| format!("if [ {rank} = 1 ]; then export QTDEC_TREES={set}; fi; exec \"$0\" \"$@\"");
        let same = self.folder.join("same");
        files::folder(&same)?;
        files::write(same.join("bcast.tree.json"), &text)?;
        let (said, told) = self.said(few, &some("same"), &[])?;
        if said != "all is well\n" || told.contains(NAME) {
            return Err(format!("the same trees were said to differ: {said}{told}"));
        }
        self.one_line(few, &some("trees-1"), &[], "the ranks have different trees or settings")
    }
}
