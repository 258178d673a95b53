//! Partial results of reductions.

use std::collections::BTreeMap;

use super::{Buffer, Builder, Part, Span, TooLarge};

/// The side of an operand relative to a rank's data, in rank order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// The data that one rank has combined so far. Bytes that were never combined remain in the send buffer and are not copied.
#[derive(Debug)]
pub(super) struct Partial {
    /// The place of combined bytes, at the same offsets as in the send buffer.
    into: Part,
    /// The combined ranges, as start and end.
    combined: BTreeMap<u64, u64>,
}

impl Partial {
    /// Creates an input that has not been combined; results go to `into`, which is as long as the input.
    pub(super) fn new(into: Part) -> Self {
        Self { into, combined: BTreeMap::new() }
    }

    /// Returns the current places of the bytes of `span`.
    pub(super) fn parts(&self, span: Span) -> Vec<Part> {
        let end = span.offset + span.bytes;
        let mut parts = Vec::new();
        let mut at = span.offset;
        let before = self.combined.range(..span.offset).next_back();
        for (&start, &stop) in before.into_iter().chain(self.combined.range(span.offset..end)) {
            let (start, stop) = (start.max(at), stop.min(end));
            if start >= stop {
                continue;
            }
            parts.push(Span { offset: at, bytes: start - at }.within_buffer(Buffer::Send));
            parts.push(Span { offset: start, bytes: stop - start }.within(self.into));
            at = stop;
        }
        parts.push(Span { offset: at, bytes: end - at }.within_buffer(Buffer::Send));
        parts.retain(|part| part.bytes > 0);
        parts
    }

    /// Combines the bytes of `span` with `operand`.
    pub(super) fn absorb(
        &mut self,
        span: Span,
        operand: Part,
        side: Side,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        let mut at = 0;
        for part in self.parts(span) {
            let other = operand.slice(at, part.bytes);
            let into = self.into.slice(span.offset + at, part.bytes);
            match side {
                Side::Left => ops.reduce(&[other, part], into)?,
                Side::Right => ops.reduce(&[part, other], into)?,
            }
            at += part.bytes;
        }
        if span.bytes > 0 {
            let end = self.combined.entry(span.offset).or_default();
            *end = (*end).max(span.offset + span.bytes);
            self.join(span.offset);
        }
        Ok(())
    }

    /// Joins the range that starts at `offset` with those it overlaps or touches.
    fn join(&mut self, offset: u64) {
        let mut start = offset;
        let mut end = self.combined[&offset];
        if let Some((&before, &stop)) = self.combined.range(..offset).next_back()
            && stop >= offset
        {
            start = before;
            end = end.max(stop);
        }
        while let Some((&next, &stop)) = self.combined.range(start + 1..).next()
            && next <= end
        {
            end = end.max(stop);
            self.combined.remove(&next);
        }
        self.combined.insert(start, end);
    }
}

/// Two places for consecutive messages: one is received while the other is combined.
#[derive(Debug)]
pub(super) struct Slots {
    longest: u64,
    places: [Option<Part>; 2],
    turn: usize,
}

impl Slots {
    /// Creates places for messages of at most `longest` bytes, which are allocated from scratch memory when needed.
    pub(super) const fn new(longest: u64) -> Self {
        Self { longest, places: [None; 2], turn: 0 }
    }

    pub(super) fn next(&mut self, bytes: u64, ops: &mut Builder) -> Part {
        let longest = self.longest;
        let place = self.places[self.turn].get_or_insert_with(|| ops.scratch(longest));
        self.turn = 1 - self.turn;
        place.slice(0, bytes)
    }
}
