//! Conversion of a row's sizes to those of the measurements.

use qtdec_core::domain::MAX_AXES;
use qtdec_core::{Message, Place, Problem};

use crate::readers::advice;
use crate::readers::counted::{Counted, Scaling};

/// The conversion of a file's sizes and times to those of the measurements.
#[derive(Default)]
pub(super) struct Convert {
    axes: Vec<Size>,
    /// The position of the communicator size among them.
    pub(super) comm_size: Option<usize>,
    basis: Option<Rebase>,
    /// The number of the measurements' time units in one of the file's.
    pub(super) time: f64,
}

/// The source of the size on an axis.
pub(super) enum Size {
    OfRow(usize),
    Fixed(u64),
}

/// A conversion of message sizes, with the positions of the axes that it needs.
#[derive(Clone, Copy)]
pub(super) struct Rebase {
    pub(super) comm_size: usize,
    pub(super) msg_size: usize,
    pub(super) from: Counted,
    pub(super) scaling: Scaling,
    /// Whether the user requested it.
    pub(super) requested: bool,
}

impl Convert {
    /// Creates the conversion for axes with these names, in order.
    pub(super) fn new(axes: Vec<Size>, names: &[String], basis: Option<Rebase>, time: f64) -> Self {
        let comm_size = names.iter().position(|name| name == "comm_size");
        Self { axes, comm_size, basis, time }
    }

    pub(super) fn sizes<'s>(
        &self,
        line: u64,
        row: &[u64],
        sizes: &'s mut [u64; MAX_AXES],
    ) -> Result<&'s mut [u64], Problem> {
        for (size, place) in sizes.iter_mut().zip(&self.axes) {
            *size = match place {
                Size::OfRow(position) => row[*position],
                Size::Fixed(size) => *size,
            };
        }
        let sizes = &mut sizes[..self.axes.len()];
        if self.comm_size.is_some_and(|axis| sizes[axis] == 0) {
            return Err(Problem::new(Place::Line(line), "the communicator size is 0"));
        }
        if let Some(basis @ Rebase { comm_size, msg_size, scaling, .. }) = &self.basis {
            let (size, ranks) = (sizes[*msg_size], sizes[*comm_size]);
            sizes[*msg_size] =
                scaling.apply(size, ranks).ok_or_else(|| basis.not_shared(line, size, ranks))?;
        }
        Ok(sizes)
    }
}

impl Rebase {
    /// Returns the fault of a size that has no whole counterpart for these ranks.
    fn not_shared(&self, line: u64, size: u64, ranks: u64) -> Problem {
        let message = Message::default().value(size);
        if self.scaling == Scaling::TimesRanks {
            let message = message.text(" bytes times ").value(ranks);
            return Problem::new(Place::Line(line), message.text(" ranks are more than a size can be"))
                .help(advice::uneven_sizes(None));
        }
        let message = message.text(" bytes cannot be divided evenly among ").value(ranks).text(" ranks");
        let kept = (!self.requested).then(|| self.from.name());
        Problem::new(Place::Line(line), message).help(advice::uneven_sizes(kept))
    }
}
