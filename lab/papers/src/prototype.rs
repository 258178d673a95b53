//! The decision functions of the papers' prototypes: code of four quadrants for each node, and a tree of nodes and pointers.
//!
//! Pješivac-Grbović, Fagg and Dongarra 2006, and Pješivac-Grbović, Bosilca, Fagg, Angskun and Dongarra 2007, sections 3.2 to 3.4. Nothing is
//! merged or simplified, unless the quadtree itself merges leaves.

use std::fmt::Write;

use qtdec_core::encode::{Quadrant, Quadrants, Quadtree};
use qtdec_core::{Borders, DecisionMap, Domain};

/// The bytes of a node of [`Prototype::pointers`] on a machine of 64 bits: two sizes and four pointers, of which a leaf has one as null.
pub const NODE_BYTES: u64 = 48;

/// The answer of the branch that the papers call an error, which no size reaches.
pub const ERROR: u32 = u32::MAX;

/// A quadtree of a map, as the papers' prototypes have it.
#[derive(Clone, Debug)]
pub struct Prototype {
    domain: Domain,
    quadrants: Quadrants,
}

/// The filled-in indexes of a block, from the first to the one after the last, on both axes.
type Square = [(usize, usize); 2];

impl Prototype {
    /// Makes the quadtree of a map.
    ///
    /// # Errors
    ///
    /// Fails if the map does not have two axes of sizes, if it has empty cells, or if the quadtree cannot be made.
    pub fn new(map: &DecisionMap, quadtree: &Quadtree) -> Result<Self, String> {
        let axes = map.domain().axes();
        if axes.len() != 2 || axes.iter().any(|axis| axis.values().is_none()) {
            return Err(
                "the papers' prototypes decide by two sizes: take a map with two axes of sizes".to_owned()
            );
        }
        if map.cells().contains(&None) {
            return Err("the papers' maps are full: fill the empty cells with `qtdec map --gaps`".to_owned());
        }
        let quadrants = quadtree.quadrants(map).map_err(|problem| problem.to_string())?;
        Ok(Self { domain: map.domain().clone(), quadrants })
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> u64 {
        self.quadrants.root.nodes()
    }

    /// Returns `pub fn decide(comm_size: u64, msg_size: u64) -> u32`, whose parameters are named like the axes and which returns the number of
    /// a method: for each node a chain of four conditions, with both borders on both axes, and a branch for an error.
    pub fn code(&self) -> String {
        let [rows, columns] = self.names();
        let mut source = format!("pub fn decide({rows}: u64, {columns}: u64) -> u32 {{\n");
        self.write_code(&self.quadrants.root, self.whole(), 1, &mut source);
        source + "}\n"
    }

    /// Returns the same function over nodes that point to their four quadrants.
    pub fn pointers(&self) -> String {
        let [rows, columns] = self.names();
        let mut source = format!(
            "pub enum Node {{\n    Leaf(u32),\n    /// The greatest sizes of the upper and of the left half, and the quadrants.\n    \
             Quadrants {{ rows: u64, columns: u64, quadrants: [&'static Node; 4] }},\n}}\n\n\
             pub fn decide({rows}: u64, {columns}: u64) -> u32 {{\n    let mut node = &N0;\n    loop {{\n        match node {{\n            \
             Node::Leaf(method) => return *method,\n            \
             Node::Quadrants {{ rows, columns, quadrants }} => {{\n                \
             node = quadrants[2 * ({rows} > *rows) as usize + ({columns} > *columns) as usize];\n            \
             }}\n        }}\n    }}\n}}\n\n",
        );
        self.write_pointers(&self.quadrants.root, self.whole(), &mut 0, &mut source);
        source
    }

    /// Returns the names of both axes, which are those of parameters.
    fn names(&self) -> [String; 2] {
        [0, 1].map(|axis| {
            let name = &self.domain.axes()[axis].name;
            // The field `rows` of a node hides no parameter.
            format!("{}{name}", if ["rows", "columns"].contains(&&**name) { "of_" } else { "" })
        })
    }

    fn whole(&self) -> Square {
        [(0, self.quadrants.side()); 2]
    }

    fn write_code(&self, block: &Quadrant, square: Square, depth: usize, source: &mut String) {
        let indent = "    ".repeat(depth);
        match block {
            Quadrant::Leaf(method) => {
                let number = method.map_or(ERROR, |method| method.get() as u32);
                write_to(source, format_args!("{indent}{number}\n"));
            }
            Quadrant::Divided(parts) => {
                source.push_str(&indent);
                for (part, quadrant) in parts.iter().zip(quadrants(square)) {
                    write_to(source, format_args!("if {} {{\n", self.condition(quadrant)));
                    self.write_code(part, quadrant, depth + 1, source);
                    write_to(source, format_args!("{indent}}} else "));
                }
                write_to(
                    source,
                    format_args!(
                        "{{\n{indent}    {ERROR} // an error: no quadrant has these sizes\n{indent}}}\n"
                    ),
                );
            }
        }
    }

    /// Returns the condition of a block. Blocks on the boundary are open there, and a block that repeats the sample of another is empty.
    fn condition(&self, square: Square) -> String {
        let mut conditions = Vec::new();
        for (axis, (from, end)) in square.into_iter().enumerate() {
            let [first, last] = [from, end].map(|index| self.quadrants.first_sample(axis, index));
            if first == last {
                return "false".to_owned();
            }
            let (name, of_axis) = (&self.names()[axis], &self.domain.axes()[axis]);
            if first > 0 {
                conditions.push(format!("{name} >= {}", of_axis.threshold(first, Borders::Floor)));
            }
            if last < of_axis.len() {
                conditions.push(format!("{name} < {}", of_axis.threshold(last, Borders::Floor)));
            }
        }
        if conditions.is_empty() { "true".to_owned() } else { conditions.join(" && ") }
    }

    /// Writes a node after its descendants, and returns its number.
    fn write_pointers(
        &self,
        block: &Quadrant,
        square: Square,
        next: &mut usize,
        source: &mut String,
    ) -> usize {
        let number = *next;
        *next += 1;
        match block {
            Quadrant::Leaf(method) => {
                let method = method.map_or(ERROR, |method| method.get() as u32);
                write_to(source, format_args!("static N{number}: Node = Node::Leaf({method});\n"));
            }
            Quadrant::Divided(parts) => {
                let numbers: Vec<String> = parts
                    .iter()
                    .zip(quadrants(square))
                    .map(|(part, quadrant)| {
                        format!("&N{}", self.write_pointers(part, quadrant, next, source))
                    })
                    .collect();
                let [rows, columns] = [0, 1].map(|axis| {
                    let cut = self.quadrants.first_sample(axis, middle(square[axis]));
                    let of_axis = &self.domain.axes()[axis];
                    // Behind the last sample, every size is in the first half.
                    if cut < of_axis.len() { of_axis.threshold(cut, Borders::Floor) - 1 } else { u64::MAX }
                });
                write_to(
                    source,
                    format_args!(
                        "static N{number}: Node = Node::Quadrants {{ rows: {rows}, columns: {columns}, quadrants: [{}] }};\n",
                        numbers.join(", ")
                    ),
                );
            }
        }
        number
    }
}

fn middle((from, end): (usize, usize)) -> usize {
    usize::midpoint(from, end)
}

/// Returns the quadrants of a square: NW, NE, SW, SE.
fn quadrants(square: Square) -> [Square; 4] {
    let [(top, bottom), (left, right)] = square;
    let [row, column] = square.map(middle);
    [
        [(top, row), (left, column)],
        [(top, row), (column, right)],
        [(row, bottom), (left, column)],
        [(row, bottom), (column, right)],
    ]
}

fn write_to(source: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = source.write_fmt(what);
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use qtdec_core::encode::{self, Fill};
    use qtdec_core::{Axis, Method};
    use xtask::run::rustc;

    use super::*;

    fn map() -> DecisionMap {
        let axes = vec![
            Axis::new("comm_size", [2, 3, 5, 8, 13]),
            Axis::new("msg_size", [1, 4, 1024, 4096, 65_536, 1 << 20]),
        ];
        let methods = ["a", "b", "c"].map(Method::new).to_vec();
        let best = |sizes: &[u64]| ((sizes[0] * 7 + u64::from(sizes[1].ilog2()) * 5) % 11 % 3) as usize;
        let map = DecisionMap::from_costs(axes, methods, |sizes, method| {
            Some(if best(sizes) == method.get() { 1.0 } else { 2.0 })
        });
        map.unwrap()
    }

    /// Both forms, compiled, decide like the encoded tree next to every border and at the ends.
    #[test]
    fn the_compiled_forms_decide_like_the_tree() {
        let map = map();
        let near = |axis: usize| {
            let values = map.domain().axes()[axis].values().unwrap().to_vec();
            values
                .into_iter()
                .flat_map(|size| [size - 1, size, size + 1])
                .chain([u64::MAX])
                .collect::<Vec<u64>>()
        };
        let (rows, columns) = (near(0), near(1));
        let mut program = String::new();
        let mut checks = String::new();
        let options = [Fill::Stretch, Fill::Last].into_iter().flat_map(|fill| {
            [None, Some(0), Some(1), Some(2)].into_iter().flat_map(move |max_depth| {
                [false, true].map(|collapse| Quadtree { max_depth, fill, collapse, ..Quadtree::default() })
            })
        });
        for (number, quadtree) in options.enumerate() {
            let prototype = Prototype::new(&map, &quadtree).unwrap();
            let tree = encode::encode(&map, &quadtree, Borders::Floor).unwrap();
            assert_eq!(prototype.nodes(), tree.statistics().encoding.nodes);
            let (code, pointers) = (prototype.code(), prototype.pointers());
            write_to(
                &mut program,
                format_args!("mod c{number} {{ {code} }}\nmod p{number} {{ {pointers} }}\n"),
            );
            for (&row, &column) in rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column)))
            {
                let expected = tree.decide(&[row, column]).unwrap().get();
                write_to(
                    &mut checks,
                    format_args!(
                        "    assert_eq!([c{number}::decide({row}, {column}), p{number}::decide({row}, {column})], [{expected}; 2]);\n"
                    ),
                );
            }
        }
        write_to(
            &mut program,
            format_args!("fn main() {{\n    assert_eq!(size_of::<p0::Node>(), {NODE_BYTES});\n{checks}}}\n"),
        );
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("program.rs");
        fs::write(&source, program).unwrap();
        let binary = folder.path().join("program");
        let mut compiler = rustc();
        compiler
            .current_dir(folder.path())
            .args(["--edition=2024", "--cap-lints=allow"])
            .arg(&source)
            .arg("-o")
            .arg(&binary);
        assert!(compiler.status().unwrap().success());
        assert!(Command::new(binary).status().unwrap().success());
    }

    /// The papers' count: four conditions for each inner node, and one branch for an error.
    #[test]
    fn every_inner_node_has_four_conditions_and_an_error() {
        let prototype = Prototype::new(&map(), &Quadtree::default()).unwrap();
        let inner = (prototype.nodes() / 4) as usize;
        let code = prototype.code();
        assert_eq!(code.matches("if ").count(), 4 * inner);
        assert_eq!(code.matches("// an error").count(), inner);
        assert_eq!(prototype.pointers().matches("\nstatic N").count() as u64, prototype.nodes());
    }

    #[test]
    fn other_maps_are_refused() {
        let axes = vec![Axis::new("n", [1, 2])];
        let map = DecisionMap::from_costs(axes, vec![Method::new("a")], |_, _| Some(1.0)).unwrap();
        let reason = Prototype::new(&map, &Quadtree::default()).unwrap_err();
        assert_eq!(reason, "the papers' prototypes decide by two sizes: take a map with two axes of sizes");
    }
}
