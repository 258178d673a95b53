//! `qtdec c45`: the size and the errors of C4.5 trees, as in Tables 1 to 3 of the second paper.

use clap::Args;
use qtdec_core::Borders;
use qtdec_core::encode::{C45, Encoder, Fit, Report};

use qtdec_report::table::{Cell, Form, Table};
use qtdec_terminal::input::Input;
use qtdec_terminal::output::FormArguments;
use qtdec_terminal::{Failure, output};

/// Show the size and the errors of C4.5 trees, before and after pruning
///
/// Each weight and confidence level gives a row. For a single tree, its text is printed too: each leaf with the number of its
/// cells and of those with another method. The tests are those of the code that `emit --encoding c45` writes with the same
/// options.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec c45 map.json --weight 2,4,8 --confidence 5,25")]
pub(crate) struct Arguments {
    /// Read this map, or - for standard input
    #[arg(value_name = "MAP")]
    map: String,

    /// Require at least this many cases in two outcomes of a test
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "2")]
    weight: Vec<String>,

    /// Prune at these confidence levels in per cent; lower values prune more
    #[arg(long, value_name = "PERCENT,…", value_delimiter = ',', default_value = "25")]
    confidence: Vec<String>,

    /// Estimate errors with the constants of C4.5 Release 8 (r8) or of Weka's J48 (j48)
    #[arg(long, value_name = "r8|j48", default_value = "r8")]
    constants: String,

    /// Place the borders in the printed tree as the same option of `encode` and `emit` does: at the upper of two samples, halfway,
    /// halfway on a logarithmic scale, or at the lower one, as C4.5 itself does
    #[arg(long, value_name = "floor|arithmetic|geometric|ceiling", default_value = "floor")]
    borders: String,

    #[command(flatten)]
    form: FormArguments,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::open_map(&arguments.map)?;
    let map = input.map()?;
    let mut table = Table::new(&[
        ("setting", "setting"),
        ("before: size", "before_size"),
        ("errors", "before_errors"),
        ("%", "before_errors_percent"),
        ("after: size", "after_size"),
        ("leaves", "after_leaves"),
        ("errors", "after_errors"),
        ("%", "after_errors_percent"),
        ("predicted %", "predicted_percent"),
    ]);
    let mut trees = Vec::new();
    for (weight, confidence) in arguments
        .weight
        .iter()
        .flat_map(|weight| arguments.confidence.iter().map(move |level| (weight, level)))
    {
        let (c45, borders) = options(weight, confidence, arguments)?;
        let Report { before, after, tree } = input.check(c45.report(&map, borders).map_err(Into::into))?;
        let percent = |fit: Fit| Cell::Number(100.0 * fit.errors as f64 / (fit.cases as f64).max(1.0));
        table.row([
            Cell::Text(format!("-m {weight} -c {confidence}")),
            Cell::Whole(before.size),
            Cell::Whole(before.errors),
            percent(before),
            Cell::Whole(after.size),
            Cell::Whole(after.leaves),
            Cell::Whole(after.errors),
            percent(after),
            Cell::Number(after.predicted),
        ]);
        trees.push(tree);
    }
    let form = arguments.form.form();
    let mut text = table.write(form);
    if let (Form::Text, [tree]) = (form, &trees[..]) {
        text = format!("{text}\n{tree}");
    }
    output::print(&text)
}

/// Returns the encoder with these options and the borders, or the errors in all of them.
fn options(weight: &str, confidence: &str, arguments: &Arguments) -> Result<(C45, Borders), Failure> {
    let mut c45 = C45::default();
    let given = [("weight", weight), ("confidence", confidence), ("constants", &arguments.constants)];
    let fault =
        |option: &str, expected: &str, value: &str| format!("--{option} is {expected}, not `{value}`");
    let mut faults: Vec<String> = given
        .into_iter()
        .filter_map(|(option, value)| {
            c45.set(option, value).err().map(|expected| fault(option, &expected, value))
        })
        .collect();
    let borders = Borders::parse(&arguments.borders).map_err(|expected| {
        faults.push(fault("borders", &expected, &arguments.borders));
    });
    match borders {
        Ok(borders) if faults.is_empty() => Ok((c45, borders)),
        _ => Err(Failure::Usage(faults.join("\n"))),
    }
}
