//! The writer of the bytes that `qtdec-lookup` loads and whose format it documents.
//!
//! The two crates share nothing but the format: a program that only looks up decisions needs only the small one.

mod boxes;
mod guarded_sizes;

use crate::domain::Domain;
use crate::problem::Problem;
use crate::tree::DecisionTree;
use crate::tree::table::{MAX_BYTES, too_large};
use boxes::Boxes;

/// Returns the tree as a table.
///
/// # Errors
///
/// Returns an error if the entries take more than 4 MiB, or if a method may run only under a condition that compares two sizes with each
/// other.
pub fn table(tree: &DecisionTree) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    write_names(tree.domain(), &mut bytes);
    let boxes = Boxes::from_tree(tree)?;
    let taken = 2 * boxes.count();
    if taken > MAX_BYTES {
        return Err(too_large(taken.into(), None));
    }
    boxes.axes().for_each(|axis| axis.write(&mut bytes));
    bytes.extend(boxes.methods().into_iter().flat_map(u16::to_le_bytes));
    // FNV-1a.
    let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    let checksum = bytes.iter().fold(0xCBF2_9CE4_8422_2325, hash);
    Ok([b"qtdec\0\x01T", &checksum.to_le_bytes()[..], &bytes].concat())
}

/// Returns the sizes on each axis at which the table's lookup changes, possibly with duplicates.
///
/// The list is empty for a tree that has no table. The table gives the same answer between two of these sizes, so comparing the answers at and
/// next to each of them proves the table equal to its tree.
pub fn edges(tree: &DecisionTree) -> Vec<Vec<u64>> {
    Boxes::from_tree(tree)
        .map_or_else(|_| Vec::new(), |boxes| boxes.axes().map(|axis| axis.edges()).collect())
}

fn write_names(domain: &Domain, bytes: &mut Vec<u8>) {
    bytes.push(domain.axes().len() as u8);
    for axis in domain.axes() {
        write_name(&axis.name, bytes);
    }
    bytes.extend((domain.methods().len() as u16).to_le_bytes());
    for (index, method) in domain.methods().iter().enumerate() {
        bytes.extend(method.id.unwrap_or(index as u64).to_le_bytes());
        write_name(&method.label(), bytes);
    }
}

/// Writes a name. A name that is too long for its length field is cut off at a character boundary.
fn write_name(name: &str, bytes: &mut Vec<u8>) {
    let ends = name.char_indices().map(|(start, char)| start + char.len_utf8());
    let length = ends.take_while(|&end| u16::try_from(end).is_ok()).last().unwrap_or(0);
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(&name.as_bytes()[..length]);
}
