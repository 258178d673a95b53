//! Comparisons on the paths through generated branches.

use std::fs;
use std::path::{Path, PathBuf};

use qtdec_build::{ItemOptions, LayoutChoice};
use qtdec_core::{DecisionTree, Document, Options};
use quote::ToTokens;
use syn::{BinOp, Block, Expr, ExprIf, ExprMatch, Item, ItemFn, Stmt, UnOp};

/// Returns the maps of which the generated code is recorded.
fn maps() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let mut maps: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    maps.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    maps.sort();
    maps
}

fn tree(map: &Path, encoding: &str) -> Option<DecisionTree> {
    let document = Document::from_json(&fs::read(map).unwrap()).unwrap();
    Options::parse(&[("encoding", encoding)]).unwrap().tree(document).ok()
}

/// The comparisons that the paths through a function have made.
#[derive(Default)]
struct Paths {
    known: Vec<String>,
    repeated: Vec<String>,
    count: usize,
}

impl Paths {
    /// Follows the paths through a function and through those inside.
    fn follow_function(&mut self, function: &ItemFn) {
        for statement in &function.block.stmts {
            if let Stmt::Item(Item::Fn(inner)) = statement {
                self.follow_function(inner);
            }
        }
        self.follow_block(&function.block);
    }

    /// Follows the paths through an expression.
    fn follow(&mut self, expr: &Expr) {
        let before = self.known.len();
        match expr {
            Expr::If(ExprIf { cond, then_branch, else_branch: Some((_, otherwise)), .. }) => {
                self.compare(cond);
                self.follow_block(then_branch);
                self.follow(otherwise);
            }
            Expr::Match(ExprMatch { expr, arms, .. }) => {
                let Expr::Tuple(compared) = &**expr else { panic!("{}", expr.to_token_stream()) };
                for one in &compared.elems {
                    self.compare(one);
                }
                for arm in arms {
                    self.follow(&arm.body);
                }
            }
            Expr::Block(block) => self.follow_block(&block.block),
            _ => self.count += 1,
        }
        self.known.truncate(before);
    }

    fn follow_block(&mut self, block: &Block) {
        match block.stmts.last() {
            Some(Stmt::Expr(expr, None)) => self.follow(expr),
            other => panic!("{}", other.to_token_stream()),
        }
    }

    /// Adds the comparisons of a condition, each in one form for both of its outcomes.
    fn compare(&mut self, condition: &Expr) {
        let text = |expr: &Expr| expr.to_token_stream().to_string();
        let comparison = match condition {
            Expr::Paren(inner) => return self.compare(&inner.expr),
            Expr::Unary(not) if matches!(not.op, UnOp::Not(_)) => return self.compare(&not.expr),
            Expr::Binary(binary) => match binary.op {
                BinOp::And(_) | BinOp::Ne(_) => {
                    return [&binary.left, &binary.right].into_iter().for_each(|side| self.compare(side));
                }
                BinOp::Eq(_) if !matches!(*binary.right, Expr::Lit(_)) => {
                    return [&binary.left, &binary.right].into_iter().for_each(|side| self.compare(side));
                }
                BinOp::Lt(_) | BinOp::Ge(_) => format!("{} < {}", text(&binary.left), text(&binary.right)),
                _ => text(condition),
            },
            other => text(other),
        };
        if self.known.contains(&comparison) {
            self.repeated.push(comparison.clone());
        }
        self.known.push(comparison);
    }
}

#[test]
fn no_path_makes_a_comparison_twice() {
    let mut paths = Paths::default();
    for map in maps() {
        for encoding in ["quadtree", "optimal", "c45", "rle", "greedy"] {
            let Some(tree) = tree(&map, encoding) else { continue };
            let layout = LayoutChoice::BRANCHES;
            let options = ItemOptions { optional: !tree.is_total(), layout, ..ItemOptions::named("decide") };
            let text = options.function(&tree, "map.json").unwrap();
            paths.follow_function(&syn::parse_str(&text).unwrap());
            assert!(paths.repeated.is_empty(), "{encoding} {}: {:?}\n{text}", map.display(), paths.repeated);
        }
    }
    assert!(paths.count > 2000, "{}", paths.count);
}

#[test]
fn a_known_communicator_size_is_not_compared_again() {
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/many_guarded.json");
    let text = ItemOptions::named("decide").file(&tree(&map, "quadtree").unwrap(), "map.json").unwrap();
    let mut lines = text.lines().peekable();
    let mut known = 0;
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        if !line.trim_start_matches([' ', '}']).trim_start_matches("else ").starts_with("if comm_size == ") {
            continue;
        }
        known += 1;
        while let Some(inner) = lines.next_if(|inner| inner.len() - inner.trim_start().len() > indent) {
            assert!(!inner.contains("comm_size <") && !inner.contains("comm_size >"), "{inner}\n{text}");
        }
    }
    assert!(known > 2, "{text}");
}
