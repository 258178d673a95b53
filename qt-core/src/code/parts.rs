//! Division of large functions into parts.
//!
//! Compile time grows faster than the size of a function, and the parser recurses into nested branches. Large trees are therefore
//! divided into parts, each a function of its own.

use crate::tree::{Arm, Block, Condition};

/// The maximum number of leaves of an undivided function.
pub(super) const MAX_WHOLE: usize = 256;

/// The maximum number of leaves of a part, counting a call to another part as one. With so few, nearly every jump has the short
/// two-byte form.
pub(super) const MAX_LEAVES: usize = 32;

/// The maximum nesting of branches in a part.
const MAX_LEVELS: usize = 64;

/// Moves blocks into parts until the rest and every part are small enough. Leaves a small block unchanged.
pub(super) fn split(block: Block) -> (Block, Vec<Block>) {
    let mut parts = Vec::new();
    let is_small = block.leaves() <= MAX_WHOLE && block.levels() <= MAX_LEVELS;
    let block = if is_small { block } else { cut(block, &mut parts).block };
    (block, parts)
}

/// A block that is small enough.
struct Cut {
    block: Block,
    leaves: usize,
    levels: usize,
}

fn cut(block: Block, parts: &mut Vec<Block>) -> Cut {
    let Block::Branches { arms, otherwise } = block else { return Cut { block, leaves: 1, levels: 0 } };
    let mut arms: Vec<(Condition, Cut)> =
        arms.into_iter().map(|arm| (arm.when, cut(arm.then, parts))).collect();
    let mut leaves: usize = 1 + arms.iter().map(|(_, then)| then.leaves).sum::<usize>();
    for (_, then) in &mut arms {
        if then.levels >= MAX_LEVELS {
            leaves -= then.leaves - 1;
            move_out(then, parts);
        }
    }
    while leaves > MAX_LEAVES
        && let Some((_, largest)) =
            arms.iter_mut().max_by_key(|(_, then)| then.leaves).filter(|(_, then)| then.leaves > 1)
    {
        leaves -= largest.leaves - 1;
        move_out(largest, parts);
    }
    let levels = 1 + arms.iter().map(|(_, then)| then.levels).max().unwrap_or(0);
    let mut arms: Vec<Arm> = arms.into_iter().map(|(when, then)| Arm { when, then: then.block }).collect();
    let mut otherwise = otherwise;
    // A chain of single leaves is cut from its end.
    while leaves > MAX_LEAVES {
        let rest = arms.split_off(arms.len().saturating_sub(MAX_LEAVES - 1));
        leaves -= rest.len();
        otherwise = Box::new(moved_out(Block::Branches { arms: rest, otherwise }, parts));
    }
    Cut { block: Block::Branches { arms, otherwise }, leaves, levels }
}

fn move_out(cut: &mut Cut, parts: &mut Vec<Block>) {
    let block = std::mem::replace(&mut cut.block, Block::Answer(None));
    *cut = Cut { block: moved_out(block, parts), leaves: 1, levels: 0 };
}

fn moved_out(block: Block, parts: &mut Vec<Block>) -> Block {
    parts.push(block);
    Block::Part(parts.len() - 1)
}
