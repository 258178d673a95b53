//! What people may type: the one place of the readers that names options and commands. The readers only know values.

use std::ffi::OsStr;
use std::path::Path;

use qtdec_core::listing::{in_backticks, listed};
use qtdec_core::{Place, Problem};
use qtdec_times::collective::is_known;

use super::collective_name;
use super::columns::joined;
use super::table::rates::{is_rate, is_time};

const LONGEST_VALUE: usize = 40;

pub(super) fn several_constants(line: u64, name: &str, label: &str, known: u64, value: u64) -> Problem {
    let message = format!("the constant `{name}` of `{label}` is {value} here, and was {known} before");
    Problem::new(Place::Line(line), message).help(format!(
        "make methods of both with `+` in --columns method=…, make `{name}` an axis, or read one of them with --where"
    ))
}

pub(super) fn condition(line: u64, name: &str, value: &[u8], at: &str) -> Problem {
    let value = String::from_utf8_lossy(value);
    let shown: String = value.chars().take(LONGEST_VALUE).collect();
    let message = format!(
        "`{name}` changes among the times of one method at one point, and is neither an axis, part of the \
             method nor a repeat: it is `{shown}` here, and was different at {at}"
    );
    let (one, every) = (quoted(&format!("{name}={shown}")), quoted(name));
    let meaning = if is_known(&collective_name(&value)) {
        "the collective"
    } else {
        "an axis or, joined by `+`, a part of the method"
    };
    Problem::new(Place::Line(line), message).help(if is_rate(name) || is_time(name) {
        format!("it is measured: name it in place of the time, or pool its rows with --repeat {every}")
    } else {
        format!("choose rows with --where {one}, name it in --columns as {meaning}, or pool its rows with --repeat {every}")
    })
}

pub(super) fn axis(axis: &str) -> String {
    format!("specify it with --path '…{{{axis}}}…', a pattern of the paths, or --fixed {axis}=SIZE")
}

pub(super) const COMM_SIZE: &str =
    "specify it with --path '…{comm_size}…', a pattern of the paths, or --fixed comm_size=N";

pub(super) const NUMBER_OF_RANKS: &str =
    "specify their number with --path '…{comm_size}…', a pattern of the paths, or --fixed comm_size=N";

pub(super) const METHOD: &str =
    "specify it with --path '…{method}…', a pattern of the paths, or --fixed method=NAME";

pub(super) const ELEMENT_SIZE: &str =
    "give the size of an element with --element-size, such as 4 for MPI_INT and 8 for MPI_DOUBLE";

pub(super) fn format(names: &[&str]) -> String {
    format!("name it with --format: {}", names.join(", "))
}

pub(super) fn times_of_calls(places: &[&str]) -> String {
    let options = places.iter().map(|place| format!("--columns time={place}"));
    format!("choose those of calls {}", options.collect::<Vec<_>>().join(" or "))
}

/// Says how a benchmark without sizes in this file is read.
pub(super) fn arguments_or_path(file: &str) -> String {
    let extension = Path::new(file).extension().and_then(OsStr::to_str).unwrap_or("txt");
    let pattern = quoted(&format!("n{{n}}.{extension}"));
    format!(
        "give the sizes as arguments of the benchmark, or write a file for each size, and read them with --path {pattern}"
    )
}

/// Says that a text begins with several values of JSON, a line each.
pub(super) fn json_lines(text: &str) -> Problem {
    let help = if text.contains("\"busBw\"") {
        "rccl-tests writes it with `-Z json`: read the table that the test prints"
    } else {
        "if it has times, write them as a table, such as CSV with a column for each key"
    };
    Problem::new(Place::File, "each line of the file is a JSON value of its own, and no such file is read")
        .help(help)
}

pub(super) fn other_output(read: &str, others: &[&str]) -> String {
    format!(
        "the file is read as output of `{read}`, and has that of {} too: write each to a file of its own, or choose with --format",
        in_backticks(others)
    )
}

pub(super) const NUMBERS_OR_PATHS: &str = "measure with whole numbers or tuples of them, or name the sizes in the path of a file for each, such as --path 'n{n}.txt'";

pub(super) const GOOGLE_BENCHMARK_JSON: &str =
    "run it again with --benchmark_out=times.json --benchmark_out_format=json";

pub(super) const CRITERION_FOLDER: &str =
    "give the folder that criterion wrote, of one group of benchmarks: target/criterion/GROUP";

pub(super) const PYTEST_JSON: &str = "run it again with --benchmark-json=times.json";

pub(super) const JMH_CSV: &str = "run it again with -rf csv -rff times.csv";

pub(super) const HYPERFINE_JSON: &str = "run it again with --export-json times.json";

pub(super) const TABLE_OF_GO: &str =
    "write a table with a row for each of its lines: n,method,time and cells such as 64,merge,1520 ns/op";

pub(super) const TABLE_OF_JULIA: &str = "write a table with a row for each trial, of times in nanoseconds: n,method,time_ns and rows such as 64,merge,minimum(trial).time";

pub(super) const NO_USE_OF_BASES: &str = "there is no axis `msg_size`, to which --basis and --basis-in apply";

pub(super) fn no_argument(key: &str, column: &str, known: &str) -> Problem {
    Problem::new(Place::File, format!("--columns {key}={column} has no effect: {known}"))
        .help("--columns AXIS=ARGUMENT names the axes of a file without columns")
}

pub(super) fn earlier_runs(files: &str) -> String {
    format!("files of earlier runs were skipped; --path reads them: {files}")
}

pub(super) const EARLIER_GRID: &str = "remove the folder of all results and measure again, or read those of both runs with --path '**/sample.json'";

pub(super) fn no_columns_to_choose_by(format: &str) -> Problem {
    Problem::new(Place::File, format!("a file of the format `{format}` has no columns, which --where needs"))
        .help("leave --where out")
}

pub(super) fn no_columns(columns: &str, formats: &str) -> Problem {
    Problem::new(Place::File, format!("--columns {columns} has no effect, because the files have no columns"))
        .help(format!("leave it out, or name the format of tables with --format csv; these are of {formats}"))
}

pub(super) fn no_row(column: &str, value: &str, values: &str) -> Problem {
    Problem::new(Place::File, format!("--where {column}={value} matches no row"))
        .help(format!("the values of `{column}` are {values}"))
}

pub(super) fn no_row_for_all(filters: &[(String, String)]) -> Problem {
    let all = filters.iter().map(|(column, value)| format!("{column}={value}"));
    Problem::new(Place::File, "no row fits every --where")
        .help(format!("each of them alone matches some row: {}", all.collect::<Vec<_>>().join(", ")))
}

pub(super) fn given_by_files(name: &str, value: &str) -> Problem {
    let message =
        format!("--fixed {name}={value} has no effect, because the files have a `{name}` of their own");
    Problem::new(Place::File, message).help(format!("leave --fixed {name} out"))
}

pub(super) const BLOCKING_COLLECTIVES: &str =
    "only blocking collectives are read: choose one with --collective";

pub(super) fn collective(name: &str) -> String {
    format!("--collective {name}")
}

pub(super) const OTHER_COLLECTIVE_IN_PATH: &str =
    "rename the file, or write * in place of {collective} in --path";

pub(super) const COLLECTIVE_OF_PATH: &str =
    "read its name from the path with --path '…{collective}…', or choose one with --collective";

pub(super) fn collectives_of_folders(path: &str) -> String {
    format!("read the collectives from the folders with --path '{path}', or give one of the folders")
}

pub(super) fn one_folder(one: Option<&str>, runs: Option<&str>) -> String {
    match (one, runs) {
        (Some(one), None) => format!("choose one, such as with --path {}", quoted(one)),
        (Some(one), Some(runs)) => format!(
            "choose one, such as with --path {}; if they are runs on one machine, pool them with --path {}",
            quoted(one),
            quoted(runs)
        ),
        (None, _) => "choose one by its name in the pattern of --path, or give only its files".to_owned(),
    }
}

pub(super) fn words_of_names(choices: &[String], runs: &str) -> String {
    let choices: Vec<String> = choices.iter().map(|choice| format!("--path {}", quoted(choice))).collect();
    let choice = if choices.is_empty() { "a pattern in --path".to_owned() } else { choices.join(" or ") };
    format!(
        "if they are methods, such as two builds, read them as such with --path {}; if they are machines, choose one with {choice}; if they \
         are launches on one machine, with --path {}",
        quoted(&runs.replace("{run}", "{method}")),
        quoted(runs)
    )
}

pub(super) const WORDS_IN_PATTERN: &str = "if they are methods, write {method} in place of the word in the pattern of --path; if they are machines, write the word of one; if they are launches on one machine, write {run}";

pub(super) fn one_machine(column: &str, machines: &[&str]) -> String {
    let choices = machines.iter().map(|name| format!("--where {}", quoted(&format!("{column}={name}"))));
    let choices = choices.collect::<Vec<_>>().join(" or ");
    format!("choose one with {choices}, or pool them with --repeat {}", quoted(column))
}

pub(super) fn files_of_one_machine(name: &str) -> String {
    format!(
        "give the files of one, or choose them by a pattern of their paths with --path, or pool them with --repeat {}",
        quoted(name)
    )
}

/// Says what may be wrong with sizes that cannot be converted; `kept` is the basis that keeps them as they are.
pub(super) fn uneven_sizes(kept: Option<&str>) -> String {
    let doubt = "is --element-size right, or --basis-in?";
    match kept {
        None => doubt.to_owned(),
        Some(basis) => format!("{doubt} --basis {basis} keeps the sizes as the files count them"),
    }
}

pub(super) fn bases(names_collective: bool) -> String {
    let help = "all message sizes of a map must count the same bytes: choose these with --basis, and use --basis-in for files that do not specify what they count";
    // Each collective has a basis of its own.
    let several = "; if the files are of several collectives, read their names with --path '…{collective}…'";
    format!("{help}{}", if names_collective { "" } else { several })
}

pub(super) const MORE_RANKS: &str =
    "a repeat has times of more ranks than the communicator: are there several runs (--columns run=COLUMN)?";

pub(super) const STATISTICS_TWICE: &str = "a method has statistics twice at a point: the first ones are used (write each run to a file of its own, and tell them apart with --path '…{run}…')";

pub(super) fn too_many_times(mebibytes: usize) -> String {
    format!(
        "the times take more than the maximum of {mebibytes} MiB of memory: read fewer files at a time, or select rows with --where or --collective"
    )
}

/// Describes that the times of two files are different statistics over the ranks; each is given with its statistic.
pub(super) fn other_statistic([file, ranks]: [&str; 2], [other, others]: [&str; 2]) -> String {
    format!(
        "the times of `{file}` are the {ranks} over the ranks, those of `{other}` the {others}, and cannot be compared: \
         measure all with the same columns (`-f` of OSU's benchmarks), or read the averages of all files with --ranks mean"
    )
}

/// Says which columns are called like times; several of them are methods, or different times of one.
pub(super) fn columns_of_times(names: &[String]) -> String {
    let called = format!("columns called like times are {}", listed(names));
    match names {
        [only] => format!("{called}: --columns {}", quoted(&format!("time={only}"))),
        _ => called,
    }
}

pub(super) fn recognised(columns: &[(String, String)]) -> String {
    format!("the columns were recognised: --columns {}", quoted(&joined(columns)))
}

pub(super) fn other_unit(column: &str, named: &str, requested: &str) -> String {
    format!("`{column}` looks like times in {named}, but is read in {requested} because of --time-unit")
}

pub(super) fn other_basis(counted: &str, requested: &str) -> String {
    format!(
        "by their format, message sizes count `{counted}`, but they are read as `{requested}` because of --basis-in: if the format is right, \
         they are now wrong by a factor of the number of ranks"
    )
}

pub(super) fn unnamed_parts(named: &str) -> String {
    format!(
        "the parts of arguments have no names, and parameters are called after them: --columns {named} gives them such names"
    )
}

pub(super) fn column_of_segments(name: &str) -> String {
    format!("the column `{name}` is not used: --columns segment_size={name} adds it to the methods")
}

pub(super) fn method_of_sizes(column: &str) -> String {
    format!(
        "make it an axis, and name the columns of times, which are methods: --columns {}",
        quoted(&format!("NAME={column},time=ONE+OTHER"))
    )
}

pub(super) fn numbers_of_columns(columns: &str) -> String {
    format!("number them with --columns, from 1 on; the columns and their first values are {columns}")
}

pub(super) fn names_of_columns(columns: &str, is_text: bool) -> String {
    let encoding = if is_text { "" } else { ", and save the file as UTF-8" };
    format!(
        "the columns and their first values are {columns}; name yours with --columns and --where{encoding}"
    )
}

/// Quotes a text for a shell. The one character that cannot be quoted is NUL.
fn quoted(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| "''".to_owned(), std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use walkdir::WalkDir;

    /// Readers name no option: what people may type stands here.
    #[test]
    fn advice_stands_in_one_place() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/readers");
        let files = WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
        let mut named = Vec::new();
        for file in files.filter(|path| path.is_file() && !path.ends_with("advice.rs")) {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let is_option = |line: &&str| {
                let begins = |at: usize| line[at + 2..].starts_with(|next: char| next.is_ascii_lowercase());
                !line.trim_start().starts_with("//") && line.match_indices("--").any(|(at, _)| begins(at))
            };
            named.extend(code.lines().filter(is_option).map(|line| format!("{}: {line}", file.display())));
        }
        assert!(named.is_empty(), "move these to advice.rs:\n{}", named.join("\n"));
    }
}
