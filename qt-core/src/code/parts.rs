//! Division of large functions into parts.
//!
//! Compile time grows faster than the size of a function, and the parser recurses into nested branches. Large trees are therefore
//! divided into parts, each a function of its own.

use crate::tree::Block;

/// The maximum number of leaves of an undivided function.
pub(super) const MAX_WHOLE: usize = 256;

/// The maximum number of leaves of a part, counting a call to another part as one. With so few, nearly every jump has the short
/// two-byte form.
pub(super) const MAX_LEAVES: usize = 32;

/// The maximum nesting of branches in a part.
const MAX_LEVELS: usize = 64;

/// Moves blocks into parts until the rest and every part are small enough. Leaves a small block unchanged.
pub(super) fn split(mut block: Block) -> (Block, Vec<Block>) {
    let mut parts = Vec::new();
    let is_small = block.leaves() <= MAX_WHOLE && block.levels() <= MAX_LEVELS;
    if !is_small {
        cut(&mut block, &mut parts);
    }
    (block, parts)
}

/// The size of a block that is small enough.
#[derive(Clone, Copy)]
struct Size {
    leaves: usize,
    levels: usize,
}

fn cut(block: &mut Block, parts: &mut Vec<Block>) -> Size {
    let Block::Branches { arms, otherwise } = block else { return Size { leaves: 1, levels: 0 } };
    let mut sizes = Vec::with_capacity(arms.len());
    let mut leaves = 1;
    for arm in &mut *arms {
        let mut size = cut(&mut arm.then, parts);
        if size.levels >= MAX_LEVELS {
            size = move_out(&mut arm.then, parts);
        }
        leaves += size.leaves;
        sizes.push(size);
    }
    while leaves > MAX_LEAVES {
        let divided = sizes.iter().enumerate().filter(|(_, size)| size.leaves > 1);
        let Some((largest, size)) = divided.max_by_key(|(_, size)| size.leaves) else { break };
        leaves -= size.leaves - 1;
        sizes[largest] = move_out(&mut arms[largest].then, parts);
    }
    let levels = 1 + sizes.iter().map(|size| size.levels).max().unwrap_or(0);
    // A chain of single leaves is cut from its end.
    while leaves > MAX_LEAVES {
        let rest = arms.split_off(arms.len().saturating_sub(MAX_LEAVES - 1));
        leaves -= rest.len();
        let last = std::mem::replace(otherwise, Box::new(Block::Answer(None)));
        **otherwise = Block::Branches { arms: rest, otherwise: last };
        move_out(otherwise, parts);
    }
    Size { leaves, levels }
}

fn move_out(block: &mut Block, parts: &mut Vec<Block>) -> Size {
    let call = Block::Part(parts.len());
    parts.push(std::mem::replace(block, call));
    Size { leaves: 1, levels: 0 }
}
