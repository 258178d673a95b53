//! Tests of the page with every item of the papers and its state.

use std::collections::BTreeMap;
use std::fs;

use clap::CommandFactory;
use xtask::run::root;

use crate::{Arguments, items};

fn page() -> String {
    fs::read_to_string(root().join("lab/results/papers-items.md")).unwrap()
}

/// Returns the cells of each row.
fn rows(page: &str) -> Vec<Vec<&str>> {
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| item"));
    rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

/// Returns what stands in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_item_has_a_state_and_the_page_counts_them() {
    let page = page();
    let rows = rows(&page);
    let mut states: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        let [number, _, _, state, why] = row[..] else { panic!("{row:?}") };
        assert_eq!(number, (index + 1).to_string());
        assert!(["works", "**partly**", "**missing**", "does not apply"].contains(&state), "{row:?}");
        assert!(!why.is_empty(), "{row:?}");
        *states.entry(state).or_default() += 1;
    }
    let counted = format!(
        "Of the {} items, {} work and {} work partly; missing: {}; not applicable: {}.",
        rows.len(),
        states["works"],
        states["**partly**"],
        states["**missing**"],
        states["does not apply"]
    );
    assert!(page.contains(&counted), "the page should say: {counted}");
}

/// Returns the options of every subcommand of a program, as its own tests record them.
fn recorded(slots: &str) -> BTreeMap<&str, Vec<&str>> {
    let lines = slots.lines().filter_map(|line| line.trim_start().split_once("  ")?.1.split_once(": "));
    lines.map(|(command, options)| (command, options.split_whitespace().collect())).collect()
}

/// Every command of the page is one, with its options, and every table and figure that it names is in the list.
#[test]
fn every_command_of_the_page_exists() {
    let (page, own) = (page(), Arguments::command());
    let slots = ["qt-cli", "mpi/command"]
        .map(|package| fs::read_to_string(root().join(package).join("tests/slots.txt")).unwrap());
    let [general, mpi] = [&slots[0], &slots[1]].map(|slots| recorded(slots));
    let mut seen = 0;
    for command in rows(&page).iter().flat_map(|row| quoted(row[4])) {
        let words: Vec<&str> = command.split_whitespace().collect();
        let options = words.iter().filter_map(|word| word.strip_prefix("--"));
        match words[..] {
            ["qtdec-papers", name, ..] => match own.find_subcommand(name) {
                Some(task) => options.for_each(|option| {
                    assert!(task.get_arguments().any(|known| known.get_long() == Some(option)), "{command}");
                }),
                None => drop(items::find(name).unwrap_or_else(|reason| panic!("{command}: {reason}"))),
            },
            [program @ ("qtdec" | "qtdec-mpi"), task, ..] => {
                let two = words.iter().take(3).skip(1).copied().collect::<Vec<_>>().join(" ");
                let recorded = if program == "qtdec" { &general } else { &mpi };
                let known = recorded.get(task).or_else(|| recorded.get(&*two));
                let known = known.unwrap_or_else(|| panic!("there is no `{command}`"));
                options.for_each(|option| assert!(known.contains(&option), "{command}"));
            }
            _ => continue,
        }
        seen += 1;
    }
    assert!(seen > 90, "{seen}");
}

#[test]
fn every_table_and_figure_is_an_item() {
    let page = page();
    let claims = ["2006-table-1", "2007-section-4.1", "2007-assumptions", "c45-figure-2"];
    for item in items::all().filter(|item| !claims.contains(&item.id)) {
        assert!(page.contains(&format!("`qtdec-papers {}`", item.id)), "{}", item.id);
    }
}
