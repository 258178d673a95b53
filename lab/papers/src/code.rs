//! `qtdec-papers code`: the decision function of the papers' prototypes for a map.

use std::path::PathBuf;

use clap::ValueEnum;
use qtdec_core::encode::{Fill, Quadtree};
use qtdec_papers::prototype::{NODE_BYTES, Prototype};
use qtdec_papers::read;

use crate::memory;
use crate::trees::{conditions, lines};

/// The map, the tree and the form.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Read this map, packed or not
    #[arg(value_name = "MAP")]
    map: PathBuf,

    /// Write the code that the papers print, or their tree of nodes and pointers
    #[arg(long, value_enum, default_value_t = Form::Paper)]
    form: Form,

    /// Limit the depth
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,

    /// Make a block a leaf when one method has at least this share of it, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0)]
    threshold: f64,

    /// Merge sibling leaves with the same method, as in the 2007 paper
    #[arg(long)]
    collapse: bool,

    /// Fill the grid up with the last sample, instead of all samples about equally often
    #[arg(long)]
    fill_last: bool,
}

/// A form of the papers.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    Paper,
    Pointers,
}

pub(crate) fn write(arguments: &Arguments) -> Result<(), String> {
    print!("{}", source(arguments)?);
    Ok(())
}

/// Returns the function under a comment that says how large it is in each of the papers' prototypes.
fn source(arguments: &Arguments) -> Result<String, String> {
    let map = read::map(&arguments.map)?;
    let quadtree = Quadtree {
        max_depth: arguments.max_depth,
        threshold: arguments.threshold,
        collapse: arguments.collapse,
        fill: if arguments.fill_last { Fill::Last } else { Fill::Stretch },
        ..Quadtree::default()
    };
    let prototype = Prototype::new(&map, &quadtree)?;
    let nodes = prototype.nodes();
    let inner = nodes / 4;
    let methods = map.domain().methods().len() as u64;
    let (head, source) = match arguments.form {
        Form::Paper => {
            let of_2006 = if inner == 0 { 1 } else { lines(inner) };
            let sizes =
                format!("{} conditions, {of_2006} lines by the count of the 2006 paper", conditions(inner));
            (sizes, prototype.code())
        }
        Form::Pointers => {
            let sizes = format!(
                "{} bytes here, {} in the prototype of 2006, {} with sizes and methods in that of 2007",
                NODE_BYTES * nodes,
                memory::of_2006(nodes),
                memory::of_2007(nodes, methods)
            );
            (sizes, prototype.pointers())
        }
    };
    Ok(format!("// {nodes} nodes, {inner} of them inner ones: {head}.\n{source}"))
}

#[cfg(test)]
mod tests {
    use xtask::run::root;

    use super::*;

    /// The exact merged tree of reduce on Grig has 897 nodes, as in `2007-table-3`.
    #[test]
    fn the_head_has_the_sizes_of_the_prototypes() {
        let of = |form| {
            source(&Arguments {
                map: root().join("mpi/command/maps/grig-reduce.json.xz"),
                form,
                max_depth: None,
                threshold: 100.0,
                collapse: true,
                fill_last: false,
            })
        };
        let code = of(Form::Paper).unwrap();
        let head = "// 897 nodes, 224 of them inner ones: 896 conditions, 3805 lines by the count of the 2006 paper.\n";
        assert!(code.starts_with(head), "{}", code.lines().next().unwrap());
        let pointers = of(Form::Pointers).unwrap();
        let head = "// 897 nodes, 224 of them inner ones: 43056 bytes here, 93288 in the prototype of 2006, 43480 with sizes and methods in that of 2007.\n";
        assert!(pointers.starts_with(head), "{}", pointers.lines().next().unwrap());
    }

    #[test]
    fn a_file_without_a_map_is_named() {
        let map = root().join("Cargo.toml");
        let arguments = Arguments {
            map,
            form: Form::Paper,
            max_depth: None,
            threshold: 100.0,
            collapse: false,
            fill_last: false,
        };
        let reason = source(&arguments).unwrap_err();
        assert!(reason.contains("Cargo.toml: "), "{reason}");
    }
}
