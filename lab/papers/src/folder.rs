//! A folder with every table and figure, to be read beside the papers.

use std::fmt::Write;
use std::path::Path;

use qtdec_report::picture::{Picture, Print};
use xtask::files;

use crate::item::{Item, Shown};
use crate::items;

/// Writes a page for each paper, a file for each table and picture, and an index.
///
/// # Errors
///
/// Returns the file that cannot be written, or the item that cannot be computed.
pub(crate) fn write(folder: &Path) -> Result<(), String> {
    files::folder(folder)?;
    let mut index = String::from(
        "# The papers' tables and figures\n\n\
         For each column that a paper prints, a table has one of the paper's (*implied* where the number follows from others in print), one of \
         ours, and their ratio, ours over the paper's. What was fitted and what was assumed stands above each table.\n",
    );
    for paper in &items::PAPERS {
        let mut page = format!("# {}\n", paper.title);
        let name = format!("{}.md", paper.prefix);
        write_to(&mut index, format_args!("\n## {}\n\n", paper.title));
        for item in paper.items() {
            let shown = (item.make)().map_err(|reason| format!("{}: {reason}", item.id))?;
            page += &section(item, &shown, folder)?;
            write_to(&mut index, format_args!("- [{}]({name}#{}): {}\n", item.id, anchor(item), item.title));
        }
        files::write(folder.join(name), page)?;
    }
    files::write(folder.join("index.md"), index)?;
    println!("{}: read index.md", folder.display());
    Ok(())
}

/// Returns the anchor that readers of Markdown give to the title of an item.
fn anchor(item: &Item) -> String {
    item.id.replace('.', "")
}

/// Writes the files of an item, and returns its part of the page.
fn section(item: &Item, shown: &Shown, folder: &Path) -> Result<String, String> {
    let mut text = format!("\n## {}\n\n{}.\n\n{}\n", item.id, capitalised(item.title), item.about);
    for (number, table) in shown.tables.iter().enumerate() {
        let name = file_name(item, number, "csv");
        files::write(folder.join(&name), table.csv())?;
        // Whole maps are only in their files.
        if table.len() <= LONGEST {
            write_to(&mut text, format_args!("\n{}", table.markdown()));
        }
        write_to(&mut text, format_args!("\n[{name}]({name})\n"));
    }
    for (caption, preformatted) in &shown.texts {
        write_to(&mut text, format_args!("\n{caption}:\n\n```text\n{}\n```\n", preformatted.trim_end()));
    }
    for (number, (caption, picture)) in shown.pictures.iter().enumerate() {
        let name = file_name(item, number, "svg");
        let svg = picture.print(print(picture)).map_err(|fault| format!("{}: {fault}", item.id))?;
        files::write(folder.join(&name), svg)?;
        write_to(&mut text, format_args!("\n{caption}:\n\n![{caption}]({name})\n"));
    }
    Ok(text)
}

/// Returns the size of a picture on paper: one column of a page, or two for several panels.
fn print(picture: &Picture) -> Print {
    Print { width: if picture.panels.len() > 1 { 180.0 } else { 90.0 }, font: 7.0 }
}

/// Returns the name of the file of a table or picture, of which the first has number 0.
fn file_name(item: &Item, number: usize, ending: &str) -> String {
    if number == 0 { format!("{}.{ending}", item.id) } else { format!("{}-{}.{ending}", item.id, number + 1) }
}

/// The most rows of a table on a page.
const LONGEST: usize = 100;

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn write_to(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(what);
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Every item of the list yields something, which the folder has and the index names.
    #[test]
    fn every_item_is_in_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path()).unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let index = read("index.md");
        for (paper, item) in
            items::PAPERS.iter().flat_map(|paper| paper.items().map(move |item| (paper, item)))
        {
            let page = read(&format!("{}.md", paper.prefix));
            assert!(page.contains(&format!("\n## {}\n", item.id)), "{}", item.id);
            assert!(index.contains(&format!("#{})", anchor(item))), "{}", item.id);
            let has = |ending: &str| folder.path().join(format!("{}.{ending}", item.id)).is_file();
            assert!(has("csv") || has("svg"), "{} yields nothing", item.id);
        }
        let bands = read("2007-figure-3.svg");
        assert!(bands.starts_with("<svg"), "{bands}");
    }
}
