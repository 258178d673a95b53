//! `qtdec-mpi observe`: which algorithm ran and how often, from what libraries and profilers print.

use std::fs::File;
use std::io::BufReader;

use clap::Args;

use qtdec_report::table::{Cell, Column, Form, Table};
use qtdec_study::observed::{Followed, Kind, Observed, Spent, Verdict, followed};
use qtdec_terminal::{Failure, Input, Outputs, TreeOptions, counted, deployed_tree, output, reported};

/// Show which algorithms ran and how often
///
/// Libraries and profilers print it.
/// These files are read: the profile of libqtdec_profile.so, the decisions of libqtdec_mpi.so with QTDEC_TRACE=1, the report of mpiP, and
/// Open MPI's log with --mca coll_base_verbose 30. What they do not say is told. Calls that one file counts are joined with the
/// algorithms that another names at the same sizes. A profile with times and without algorithms shows the collectives that take most of the
/// time; --output has the sizes. With --deployed, the calls are compared with the decisions of a tree, and the exit
/// code is 3 if another algorithm ran.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec-mpi observe profile.csv trace.txt -o observed.csv\n  qtdec-mpi observe trace.txt --deployed tree.json"
)]
pub(crate) struct Arguments {
    /// Read these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Write the counted calls to this file, a profile for qtdec weigh and qtdec-mpi tune
    #[arg(short, long, value_name = "PROFILE")]
    output: Option<String>,

    /// Compare the calls with this deployed map or tree, or that of a folder that qtdec-mpi tune wrote completely
    #[arg(long, value_name = "MAP|TREE|FOLDER")]
    deployed: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut outputs =
        Outputs::new(arguments.files.iter().map(String::as_str).chain(arguments.deployed.as_deref()));
    let output = arguments.output.as_deref().map(|name| outputs.add(name)).transpose()?;
    let mut observed = Observed::default();
    for name in &arguments.files {
        let file =
            File::open(name).map_err(|error| Failure::input(format!("cannot read `{name}`: {error}")))?;
        reported(name, observed.read(BufReader::new(file)))?;
    }
    let observed = observed.joined();
    observed.notes.lines().for_each(|note| output::note(&note));
    let form = if arguments.json { Form::Json } else { Form::Text };
    if let Some(output) = output {
        let uncounted = observed.calls().filter(|(_, count)| count.is_none()).count();
        if uncounted > 0 {
            let kinds = counted(uncounted as u64, "kind of calls was", "kinds of calls were");
            output::warn(&format!("{kinds} not counted by any file, and left out of `{}`", output.name()));
        }
        output.write(&observed.to_csv())?;
    }
    let Some(named) = &arguments.deployed else {
        let spent = observed.spent();
        let names_methods = observed.calls().any(|(kind, _)| kind.method.is_some());
        let shows_calls = arguments.json || names_methods || spent.is_empty();
        let table = if shows_calls { calls(&observed) } else { shares(&spent) };
        return output::print(&table.write(form));
    };
    let tree = Input::open(&deployed_tree(named, None)?)?.tree(&TreeOptions::default())?;
    let rows = reported(named, followed(&observed, &tree))?;
    output::print(&compared(&rows).write(form))?;
    judged(&rows)
}

/// Returns what each collective takes of the time in all of them, the most first.
fn shares(spent: &[Spent]) -> Table {
    let columns: [Column<'_, &Spent>; 4] = [
        ("collective", "collective", |spent| Cell::Text(spent.collective.clone())),
        ("share of time, %", "share", |spent| Cell::percent(Some(spent.share))),
        ("seconds", "seconds", |spent| Cell::Time(spent.seconds)),
        ("calls", "count", |spent| Cell::whole(Some(spent.calls))),
    ];
    Table::of(&columns, spent)
}

fn calls(observed: &Observed) -> Table {
    let columns: [Column<'_, (&Kind, Option<u64>)>; 5] = [
        ("collective", "collective", |(kind, _)| Cell::Text(kind.collective.clone())),
        ("comm_size", "comm_size", |(kind, _)| Cell::whole(kind.comm_size)),
        ("msg_size", "msg_size", |(kind, _)| Cell::whole(kind.msg_size)),
        ("method", "method", |(kind, _)| Cell::text(kind.method.clone())),
        ("count", "count", |(_, count)| Cell::whole(*count)),
    ];
    Table::of(&columns, observed.calls())
}

fn compared(rows: &[Followed]) -> Table {
    let columns: [Column<'_, &Followed>; 7] = [
        ("collective", "collective", |row| Cell::Text(row.kind.collective.clone())),
        ("comm_size", "comm_size", |row| Cell::whole(row.kind.comm_size)),
        ("msg_size", "msg_size", |row| Cell::whole(row.kind.msg_size)),
        ("method", "method", |row| Cell::text(row.kind.method.clone())),
        ("count", "count", |row| Cell::whole(row.count)),
        ("decided", "decided", |row| Cell::text(row.decided.clone())),
        ("verdict", "verdict", |row| Cell::Text(row.verdict.name().to_owned())),
    ];
    Table::of(&columns, rows)
}

fn judged(rows: &[Followed]) -> Result<(), Failure> {
    let kinds = |verdict: Verdict| rows.iter().filter(|row| row.verdict == verdict).count() as u64;
    let [obeyed, other] = [Verdict::Obeyed, Verdict::Other].map(kinds);
    let shown = |number: u64| counted(number, "kind of calls", "kinds of calls");
    if other > 0 {
        let message =
            format!("another algorithm than the tree decides ran in {} of {}", shown(other), obeyed + other);
        return Err(Failure::Negative(vec![message]));
    }
    output::note(&if obeyed > 0 {
        format!("the decided algorithm ran in all {} whose algorithm is known", shown(obeyed))
    } else {
        "no call shows whether the tree is followed".to_owned()
    });
    Ok(())
}
