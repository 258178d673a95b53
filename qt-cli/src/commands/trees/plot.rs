//! `qtdec plot`: the figures of the papers for the user's data.

use clap::{Args, ValueEnum};
use qtdec_core::{DecisionMap, DecisionTree, Document};

use super::sweep::{self, swept};
use qtdec_report::bounds;
use qtdec_report::picture::{self, Bands, Picture};
use qtdec_study::study::sweep::{Over, Sweep, Value};
use qtdec_terminal::{
    Failure, PlaneArguments, PrintArguments, Progress, SourceArguments, one_of, output, picture_file,
};

/// Draw decision maps, penalty maps and curves
///
/// Without --output, the map or the tree is drawn in the terminal. A picture of a map shows it and the quadtree of every depth (or
/// threshold) side by side, in the same colours; for the budget, the smallest trees.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec plot map.json --outlines -o map.svg\n  qtdec plot map.json --figure construction --width 90 -o figure.pdf"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    subject: SourceArguments,

    /// Write the picture to this .svg or .pdf file
    #[arg(short, long, value_name = "FILE", value_parser = picture_file)]
    output: Option<String>,

    /// Draw decision maps, penalty maps, curves of depth and penalty against the varied option, the penalty against the mean depth
    /// for both ways to limit a tree (construction), how far the best methods of a predicted map are from the lower bound of any
    /// algorithm (bound), or the times of all methods along the axis that --at leaves (times)
    #[arg(long, value_name = "FIGURE", value_enum, default_value = "maps", requires = "output")]
    figure: Figure,

    /// Vary this option
    #[arg(long, value_name = "WHAT", value_parser = one_of(&Over::LIMITS), default_value = "depth")]
    over: Over,

    /// Use these values, instead of every depth or every 5 per cent
    #[arg(long, value_name = "VALUE,…", value_delimiter = ',')]
    values: Option<Vec<String>>,

    /// Colour penalties in fine steps, or in the steps of the papers of 2006 and 2007
    #[arg(long, value_name = "BANDS", value_parser = one_of(&Bands::ALL), default_value = "fine")]
    bands: Bands,

    /// Outline the regions
    #[arg(long)]
    outlines: bool,

    #[command(flatten)]
    plane: PlaneArguments,

    #[command(flatten)]
    print: PrintArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Figure {
    Maps,
    Penalties,
    Curves,
    Construction,
    Bound,
    Times,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut outputs = arguments.subject.outputs();
    let target = arguments.output.as_deref().map(|name| outputs.add(name)).transpose()?;
    let document = arguments.subject.document()?;
    let Some(target) = target else { return in_terminal(arguments, &document) };
    let picture = match document {
        Document::Map(map) => of_map(arguments, &map)?,
        Document::Tree(_) if arguments.figure != Figure::Maps => {
            return Err(Failure::input("a tree has no costs: give the map instead, or draw --figure maps"));
        }
        Document::Tree(tree) => {
            picture::tree(&tree, &arguments.plane.resolve_tree(&tree)?, arguments.outlines)
        }
    };
    let progress = Progress::new(1);
    progress.begin("the picture");
    arguments.print.write(&target, picture)
}

fn in_terminal(arguments: &Arguments, document: &Document) -> Result<(), Failure> {
    let (domain, plane, decisions) = match document {
        Document::Map(map) => (map.domain(), arguments.plane.resolve(map.domain())?, map.cells().to_vec()),
        Document::Tree(tree) => (tree.domain(), arguments.plane.resolve_tree(tree)?, tree.cells()),
    };
    output::print_styled(&picture::in_terminal(&decisions, domain, &plane))
}

fn of_map(arguments: &Arguments, map: &DecisionMap) -> Result<Picture, Failure> {
    let Arguments { figure, over, outlines, bands, .. } = *arguments;
    let no_costs =
        || Failure::input(format!("`{}` has no costs, which penalties need", arguments.subject.name()));
    if map.costs().is_none() && matches!(figure, Figure::Curves | Figure::Construction | Figure::Times) {
        return Err(no_costs());
    }
    let plane = || arguments.plane.resolve(map.domain());
    Ok(match figure {
        Figure::Maps => picture::map_and_trees(map, &limited(arguments, map)?, &plane()?, outlines),
        Figure::Penalties => {
            let trees = limited(arguments, map)?;
            picture::penalties_of_trees(map, &trees, &plane()?, bands).ok_or_else(no_costs)?
        }
        Figure::Curves => {
            let (sweep, trees) = trees(arguments, map, over, arguments.values.clone())?;
            let value = |value: &Value| value.name.parse::<f64>().unwrap_or(f64::NAN);
            let values: Vec<(f64, &DecisionTree)> = sweep.values.iter().map(value).zip(&trees).collect();
            picture::curves(over.title(), &values)
        }
        Figure::Construction => {
            let [(_, by_depth), (_, by_threshold)] =
                [trees(arguments, map, Over::Depth, None)?, trees(arguments, map, Over::Threshold, None)?];
            picture::construction(&by_depth, &by_threshold)
        }
        Figure::Bound => {
            let distances = bounds::of_map(map).ok_or_else(|| {
                Failure::input(format!(
                    "`{}` has no lower bound, which needs a network: it is known of maps that qtdec-mpi predict writes with --form \
                     simulated or exact, and without noise",
                    arguments.subject.name()
                ))
            })?;
            picture::distances_to_bound(map, &distances, &plane()?)
        }
        Figure::Times => picture::times_along_axis(map, &plane()?).ok_or_else(|| {
            Failure::usage(
                "times are drawn along one axis: choose a size on each other one, such as --at msg_size=64K",
            )
        })?,
    })
}

fn limited(arguments: &Arguments, map: &DecisionMap) -> Result<Vec<(String, DecisionTree)>, Failure> {
    let values = match (&arguments.values, arguments.over) {
        // A picture with twenty maps would be unreadable.
        (None, Over::Threshold) => Some(["25", "50", "75", "90", "100"].map(str::to_owned).to_vec()),
        (values, _) => values.clone(),
    };
    let (sweep, trees) = trees(arguments, map, arguments.over, values)?;
    let limits = sweep.values.iter().map(|value| sweep.limit(value));
    Ok(limits.zip(trees).collect())
}

fn trees(
    arguments: &Arguments,
    map: &DecisionMap,
    over: Over,
    values: Option<Vec<String>>,
) -> Result<(Sweep, Vec<DecisionTree>), Failure> {
    let name = arguments.subject.name();
    let sweep = swept(&name, Sweep::new(over, values, Vec::new(), map))?;
    let trees = sweep::trees(&name, &sweep, map)?;
    Ok((sweep, trees))
}
