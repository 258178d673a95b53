//! From a tree to the bytes that `qtdec-lookup` loads, whose documentation describes them.
//!
//! The two crates share nothing but the form of the bytes: a program that only looks decisions up needs no more than the
//! small one.

mod boxes;
mod table;

use crate::domain::{Domain, MethodIndex};
use crate::problem::Problem;
use crate::tree::DecisionTree;
use boxes::Boxes;

/// What stands for no decision.
const NONE: u16 = u16::MAX;

/// The tree as a table.
///
/// # Errors
///
/// Entries of more than [`MAX_BYTES`](crate::tree::table::MAX_BYTES), and methods that may run only where a condition holds
/// that compares two sizes with each other.
pub fn table(tree: &DecisionTree) -> Result<Vec<u8>, Problem> {
    let mut bytes = Writer::default();
    bytes.names(tree.domain());
    table::write(tree, &mut bytes)?;
    Ok(bytes.finish())
}

/// The sizes on each axis that the table looks up elsewhere than the next smaller ones, some several times.
///
/// There are none for a tree that has no table. Between two of these the table answers alike: what is asked at each and next to it proves it equal to its tree.
pub fn edges(tree: &DecisionTree) -> Vec<Vec<u64>> {
    Boxes::of(tree).map_or_else(|_| Vec::new(), |boxes| boxes.axes().map(|axis| axis.edges()).collect())
}

/// The bytes behind the checksum.
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

    /// A name of more bytes than can be counted is cut off, where a character ends.
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

/// The index of a method, or what stands for none.
fn index(method: Option<MethodIndex>) -> u16 {
    method.map_or(NONE, |method| method.get() as u16)
}
