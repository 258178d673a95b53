//! The writer of the bytes that `qtdec-lookup` loads and whose format it documents.
//!
//! The two crates share nothing but the format: a program that only looks up decisions needs only the small one.

mod boxes;
mod guarded_sizes;

use crate::domain::{Domain, MethodIndex};
use crate::problem::Problem;
use crate::tree::DecisionTree;
use crate::tree::table::{MAX_BYTES, too_large};
use boxes::Boxes;

/// The entry for no decision.
const NONE: u16 = u16::MAX;

/// Returns the tree as a table.
///
/// # Errors
///
/// Returns an error if the entries take more than 4 MiB, or if a method may run only under a condition that compares two sizes with each
/// other.
pub fn table(tree: &DecisionTree) -> Result<Vec<u8>, Problem> {
    let mut bytes = Writer::default();
    bytes.names(tree.domain());
    let boxes = Boxes::from_tree(tree)?;
    let taken = 2 * boxes.count();
    if taken > MAX_BYTES {
        return Err(too_large(taken.into(), None));
    }
    boxes.write(&mut bytes);
    boxes.methods().into_iter().for_each(|method| bytes.u16(method));
    Ok(bytes.finish())
}

/// Returns the sizes on each axis at which the table's lookup changes, possibly with duplicates.
///
/// The list is empty for a tree that has no table. The table gives the same answer between two of these sizes, so comparing the answers at and
/// next to each of them proves the table equal to its tree.
pub fn edges(tree: &DecisionTree) -> Vec<Vec<u64>> {
    Boxes::from_tree(tree)
        .map_or_else(|_| Vec::new(), |boxes| boxes.axes().map(|axis| axis.edges()).collect())
}

/// The bytes after the checksum.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn bytes(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.extend_from_slice(bytes.as_ref());
    }

    fn u16(&mut self, number: u16) {
        self.bytes(number.to_le_bytes());
    }

    fn u32(&mut self, number: u32) {
        self.bytes(number.to_le_bytes());
    }

    fn u64(&mut self, number: u64) {
        self.bytes(number.to_le_bytes());
    }

    fn names(&mut self, domain: &Domain) {
        self.bytes([domain.axes().len() as u8]);
        for axis in domain.axes() {
            self.name(&axis.name);
        }
        self.u16(domain.methods().len() as u16);
        for (index, method) in domain.methods().iter().enumerate() {
            self.u64(method.id.unwrap_or(index as u64));
            self.name(&method.label());
        }
    }

    /// Writes a name. A name that is too long for its length field is cut off at a character boundary.
    fn name(&mut self, name: &str) {
        let ends = name.char_indices().map(|(start, char)| start + char.len_utf8());
        let length = ends.take_while(|&end| u16::try_from(end).is_ok()).last().unwrap_or(0);
        self.u16(length as u16);
        self.bytes(&name[..length]);
    }

    fn finish(self) -> Vec<u8> {
        let mut all = b"qtdec\0\x01T".to_vec();
        // FNV-1a.
        let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        all.extend(self.0.iter().fold(0xCBF2_9CE4_8422_2325, hash).to_le_bytes());
        all.extend(self.0);
        all
    }
}

fn index(method: Option<MethodIndex>) -> u16 {
    method.map_or(NONE, |method| method.get() as u16)
}
