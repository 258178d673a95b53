//! What learning costs where the default is the best already: a program of small calls, with the trees of runs that learned.

use xtask::files;

use super::super::table::table;
use super::program::{Program, files, gain};

/// The runs that make the trees, and the pairs of runs, each of which begins with nothing else.
const LEARNING: u8 = 3;
const PAIRS: u8 = 20;
const ARGUMENTS: [&str; 2] = ["1024", "10000"];

/// Measures pairs of runs, and counts those in which another method took over.
pub(super) fn measure(program: &Program<'_>) -> Result<String, String> {
    let folder = |name: &str| program.chain.folder.join(name);
    let learns = program.settings("best", &[("QTDEC_LEARN", "best")])?;
    for _ in 0..LEARNING {
        program.run(&learns, &ARGUMENTS)?;
    }
    let trees = ("QTDEC_TREES", "best/trees");
    let without = program.settings("without", &[trees])?;
    let (mut ratios, mut changed) = (Vec::new(), 0);
    for pair in 1..=PAIRS {
        let name = format!("best-{pair}");
        let with = program.settings(&name, &[trees, ("QTDEC_LEARN", &name)])?;
        ratios.push(program.pair(pair, [&without, &with], &ARGUMENTS)?);
        let mut taken = Vec::new();
        for path in files(&folder(&name))? {
            let text = files::read(&path)?;
            taken.extend(text.lines().filter(|line| line.starts_with("# taken: ")).map(str::to_owned));
        }
        println!("{taken:?}");
        changed += u32::from(!taken.is_empty());
    }
    let [mean, interval] = gain(&ratios)?;
    let titles =
        ["where the default is best", "pairs of runs", "gain over the default, %", "95 %", "takeovers"];
    let mut table = table(titles, 1);
    table.add_row(["first run".to_owned(), PAIRS.to_string(), mean, interval, changed.to_string()]);
    Ok(table.to_string())
}
