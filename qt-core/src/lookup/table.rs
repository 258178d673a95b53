//! The lists and entries of a table.

use super::{Writer, index};
use crate::tree::DecisionTree;
use crate::tree::table::{Buckets, MAX_BYTES, Table, TooLarge};

pub(super) fn write(tree: &DecisionTree, bytes: &mut Writer) -> Result<(), TooLarge> {
    let table = Table::of(tree)?;
    let name = |axis: usize| tree.domain().axes()[axis].name.clone();
    for (axis, found) in table.axes.iter().enumerate() {
        let Some(found) = found else {
            // One element for all sizes, which are taken for zero and stay below its threshold.
            bytes.u64(0);
            bytes.u64(0);
            bytes.u64(0);
            bytes.bytes([63, 0]);
            bytes.u32(1);
            bytes.u64(1);
            bytes.u64(0);
            continue;
        };
        let mut thresholds: Vec<u64> = tree
            .root()
            .cuts()
            .filter(|(cut, _)| *cut == axis)
            .map(|(_, at)| tree.threshold(axis, at))
            .collect();
        thresholds.sort_unstable();
        thresholds.dedup();
        let buckets = Buckets::of(thresholds, MAX_BYTES).map_err(|(bytes, lower, upper)| TooLarge {
            bytes,
            most: MAX_BYTES,
            close: Some((name(axis), lower, upper)),
        })?;
        bytes.u64(buckets.lowest());
        bytes.u64(buckets.last());
        bytes.u64(buckets.begins_at_zero().into());
        bytes.bytes([buckets.shift() as u8, found.stride.ilog2() as u8]);
        bytes.u32(buckets.count());
        for bucket in buckets.list() {
            bytes.u64(bucket.threshold);
            bytes.u64((bucket.below * found.stride) as u64);
        }
    }
    bytes.u32(table.entries.len());
    let methods: Vec<u16> =
        table.entries.iter().map(|&entry| index(table.answers[usize::from(entry)])).collect();
    // All ones mean no decision, in either width.
    if methods.iter().all(|&method| method < u16::from(u8::MAX) || method == super::NONE) {
        bytes.bytes([1]);
        bytes.bytes(methods.into_iter().map(|method| method as u8).collect::<Vec<u8>>());
    } else {
        bytes.bytes([2]);
        bytes.bytes(methods.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    }
    Ok(())
}
