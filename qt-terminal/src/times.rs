//! Times that need no options, and what to type for those that do.

use std::fs::File;
use std::io::{self, BufRead, Read};

use qtdec_core::{DecisionMap, Place, Problem};
use qtdec_study::canonical::is_canonical;
use qtdec_study::measurements::Measurements;
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions, some_of, unpacked};
use qtdec_study::selection::Recipe;

use crate::missing_options::lacking;
use crate::reading::ReadArguments;
use crate::{Advice, Failure, Progress, output, reported, reports};

/// Returns the options for times that need none, of one collective if it is given.
pub fn options(collective: Option<&str>) -> ReadOptions {
    ReadOptions { collective: collective.map(str::to_owned), ..ReadOptions::default() }
}

/// Reads canonical times, or files that need no options, and prints the warnings. Others are refused with the command that makes
/// canonical times of them.
pub fn read(files: &[String], collective: Option<&str>) -> Result<(Measurements, Notes), Failure> {
    read_with(files, &options(collective))
}

fn read_with(files: &[String], options: &ReadOptions) -> Result<(Measurements, Notes), Failure> {
    let read = ReadArguments::with(|watch| readers::read(files, options, watch));
    let (measurements, notes) =
        read.map_err(|failure| to_be_read(failure, files, lacking(files, options)))?;
    notes.lines().for_each(|line| output::warn(&line));
    Ok((measurements, notes))
}

/// Reads the times of every collective in one pass, and prints the warnings.
pub fn each(files: &[String]) -> Result<Vec<Measurements>, Failure> {
    each_where(files, &[], |_| None)
}

/// Reads times like [`each`], those alone of which the columns have these values. If they name no collective, they are of the one that
/// `collective` finds in them: what their sizes count depends on it.
pub fn each_where(
    files: &[String],
    values: &[(String, String)],
    collective: impl Fn(&Measurements) -> Option<String>,
) -> Result<Vec<Measurements>, Failure> {
    let options = ReadOptions { filters: values.to_vec(), ..options(None) };
    let read = ReadArguments::with(|watch| readers::read_each(files, &options, watch));
    let (all, notes) = read.map_err(|failure| {
        let is_choice = |lack: &String| lack.starts_with("--collective ");
        let lacks = lacking(files, &options);
        to_be_read(failure, files, lacks.map(|all| all.into_iter().filter(|lack| !is_choice(lack)).collect()))
    })?;
    if let [only] = &all[..]
        && only.collective.is_none()
        && let Some(collective) = collective(only)
    {
        return Ok(vec![read_with(files, &ReadOptions { collective: Some(collective), ..options })?.0]);
    }
    notes.lines().for_each(|line| output::warn(&line));
    Ok(all)
}

/// Makes a map with the defaults of `qtdec map`, and prints the warnings.
pub fn map(
    measurements: &Measurements,
    recipe: &Recipe,
    files: &str,
) -> Result<(DecisionMap, Notes), Failure> {
    let mut notes = Notes::default();
    let progress = Progress::new(1);
    progress.begin("the best methods");
    let map = reported(files, recipe.map(measurements, &mut notes))?;
    drop(progress);
    notes.lines().for_each(|line| output::warn(&line));
    Ok((map, notes))
}

/// Adds the command that makes canonical times of files with these options, or with others if they are not known.
pub fn to_be_read(failure: Failure, files: &[String], lacks: Option<Vec<String>>) -> Failure {
    let Failure::Input(mut all) = failure else { return failure };
    // A map among several files is no file with times, and a file that cannot be opened needs no options.
    let exist = files.iter().all(|file| file == "-" || std::path::Path::new(file).exists());
    let is_json = files.iter().any(|file| begins_like_json(file));
    // Canonical times that lack nothing are not improved by reading them.
    let is_complete =
        lacks.is_none() && files.iter().all(|file| is_canonical(&String::from_utf8_lossy(&beginning(file))));
    if !exist || is_json || is_complete {
        return Failure::Input(all);
    }
    let lacks = lacks.unwrap_or_else(|| vec!["OPTIONS".to_owned()]);
    let command = lacks.into_iter().fold(Advice::to_read(files), Advice::with);
    let problem =
        Problem::new(Place::File, "this command reads canonical times, and files that need no options");
    let help = format!("make canonical times of the others with {}", command.line());
    all.extend(reports(&some_of(files), &problem.help(help).into()));
    Failure::Input(all)
}

/// Returns the first bytes of a file or, without consuming them, of standard input; nothing for a folder.
fn beginning(path: &str) -> Vec<u8> {
    let start = || {
        if path == "-" {
            return io::stdin().lock().fill_buf().map(<[u8]>::to_vec);
        }
        let mut start = Vec::new();
        unpacked(Box::new(File::open(path)?))?.take(BEGINNING).read_to_end(&mut start)?;
        Ok(start)
    };
    start().unwrap_or_default()
}

/// Returns whether a file begins like a map or a tree.
pub fn begins_like_json(path: &str) -> bool {
    let start = beginning(path);
    start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start).trim_ascii_start().starts_with(b"{")
}

/// The number of bytes by which kinds of files are told apart.
const BEGINNING: u64 = 1 << 14;
