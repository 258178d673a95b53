//! A byte for every box, or a root and pages that equal rows of boxes share.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::boxes::Boxes;
use super::{NONE, Writer};
use crate::tree::DecisionTree;

/// The boxes that share a page.
const PAGE: usize = 8;

/// The bytes that one level may take for each node of the decision tree.
const BYTES_OF_NODE: usize = 4;

/// `None` where a byte is not enough for the methods, or two for the pages that are needed.
pub(super) fn write(tree: &DecisionTree, bytes: &mut Writer) -> Option<()> {
    let boxes = Boxes::of(tree);
    let methods: Vec<u8> = boxes.methods().into_iter().map(entry).collect::<Option<_>>()?;
    boxes.write(bytes);
    // A binary tree has one node less than twice as many as it has leaves.
    if methods.len() <= BYTES_OF_NODE * (2 * tree.root().leaves() - 1) {
        one(&methods, bytes);
        return Some(());
    }
    match Pages::of(&methods) {
        Some(pages) if pages.bytes() < methods.len() => pages.write(bytes),
        Some(_) => one(&methods, bytes),
        None => return None,
    }
    Some(())
}

/// An index of a method in one byte; all ones are no decision.
fn entry(method: u16) -> Option<u8> {
    if method == NONE { Some(u8::MAX) } else { u8::try_from(method).ok().filter(|&method| method < u8::MAX) }
}

fn one(methods: &[u8], bytes: &mut Writer) {
    bytes.bytes([1]);
    bytes.bytes(methods);
}

/// The pages that differ, and the number of that of each eight boxes.
struct Pages {
    root: Vec<u16>,
    pages: Vec<[u8; PAGE]>,
}

impl Pages {
    fn of(methods: &[u8]) -> Option<Self> {
        let mut numbers: HashMap<[u8; PAGE], u16> = HashMap::new();
        let (mut root, mut pages) = (Vec::new(), Vec::new());
        for chunk in methods.chunks(PAGE) {
            let mut page = [chunk[chunk.len() - 1]; PAGE];
            page[..chunk.len()].copy_from_slice(chunk);
            root.push(match numbers.entry(page) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    pages.push(page);
                    *new.insert(u16::try_from(pages.len() - 1).ok()?)
                }
            });
        }
        Some(Self { root, pages })
    }

    fn bytes(&self) -> usize {
        2 * self.root.len() + PAGE * self.pages.len()
    }

    fn write(&self, bytes: &mut Writer) {
        bytes.bytes([2]);
        self.root.iter().for_each(|&number| bytes.u16(number));
        bytes.u32(self.pages.len() as u32);
        bytes.bytes(self.pages.as_flattened());
    }
}
