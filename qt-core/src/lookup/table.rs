//! The entries of the table, one for every box.

use super::Writer;
use super::boxes::Boxes;
use crate::problem::Problem;
use crate::tree::DecisionTree;
use crate::tree::table::{MAX_BYTES, TooLarge};

pub(super) fn write(tree: &DecisionTree, bytes: &mut Writer) -> Result<(), Problem> {
    let boxes = Boxes::from_tree(tree)?;
    let taken = 2 * boxes.count();
    if taken > MAX_BYTES {
        return Err(TooLarge { bytes: taken.into(), most: MAX_BYTES, close: None }.into());
    }
    boxes.write(bytes);
    boxes.methods().into_iter().for_each(|method| bytes.u16(method));
    Ok(())
}
