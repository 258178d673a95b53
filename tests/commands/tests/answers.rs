//! What commands say in the end: at most so many lines and words, counted on the examples of the guide.

use std::fs;
use std::path::Path;

/// Returns the output that a chapter of the guide shows for the first command that begins with these words. The guide's own test compares
/// it with what the command prints.
fn shown(chapter: &str, command: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guide/src").join(chapter);
    let text = fs::read_to_string(file).unwrap();
    let (_, rest) =
        text.split_once(&format!("```console\n$ {command}")).expect("the chapter has the command");
    let (block, _) = rest.split_once("\n```").unwrap();
    let (_, output) = block.split_once('\n').unwrap();
    assert!(!output.lines().any(|line| line == "..."), "{command} is shown in part");
    output.to_owned()
}

#[test]
fn answers_are_short() {
    for (chapter, command, lines, words) in [
        ("measure.md", "qtdec-mpi tune qtdec-results --library open-mpi -o tuned", 12, 130),
        ("measure.md", "qtdec-mpi measure --library open-mpi --collective bcast,allreduce", 6, 80),
        (
            "measure.md",
            "qtdec-mpi measure --library open-mpi --collective bcast --np 2..1024 --launcher srun --verify tuned",
            6,
            80,
        ),
    ] {
        let output = shown(chapter, command);
        assert!(output.lines().count() <= lines, "{command}: {output}");
        assert!(output.split_whitespace().count() <= words, "{command}: {output}");
    }
}
