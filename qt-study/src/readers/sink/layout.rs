//! The axes of a file's rows: where each size comes from, what message sizes count, and their conversion.

use std::collections::BTreeMap;

use qtdec_core::domain::MAX_AXES;
use qtdec_core::{Basis, Message, Place, Problem};

use crate::measurements::MeasuredAxis;
use crate::readers::advice;
use crate::readers::argument::Sample;
use crate::readers::columns::SIZES;
use crate::readers::counted::{Counted, Scaling};

/// All axes, those of the papers first, with the source of each size.
pub(super) struct Layout {
    pub(super) names: Vec<String>,
    pub(super) places: Vec<Size>,
    /// The axes on which all rows have one label, by their position.
    pub(super) labels: Vec<(usize, String)>,
}

impl Layout {
    /// Returns the axes of rows, and those of samples that are the same for all rows.
    pub(super) fn new(of_rows: &[&str], of_file: &BTreeMap<String, Sample>) -> Result<Self, Problem> {
        let fixed = of_file.keys().filter(|name| !of_rows.contains(&&***name));
        let mut names: Vec<String> =
            of_rows.iter().map(|name| (*name).to_owned()).chain(fixed.cloned()).collect();
        names.sort_by_key(|name| SIZES.iter().position(|first| first == name).unwrap_or(2));
        if names.len() > MAX_AXES {
            let message = format!("{} axes: {}; the maximum is {MAX_AXES}", names.len(), names.join(", "));
            return Err(Problem::new(Place::File, message));
        }
        let (mut places, mut labels) = (Vec::new(), Vec::new());
        for (axis, name) in names.iter().enumerate() {
            let of_row = of_rows.iter().position(|row| row == name).map(Size::OfRow);
            places.push(of_row.unwrap_or_else(|| match &of_file[name] {
                Sample::Size(size) => Size::Fixed(*size),
                Sample::Label(label) => {
                    labels.push((axis, label.clone()));
                    // The number of the label follows when the axes are known.
                    Size::Fixed(0)
                }
            }));
        }
        Ok(Self { names, places, labels })
    }

    /// Returns whether sizes that count these bytes can be converted by default.
    pub(super) fn can_convert(&self, from: Counted) -> bool {
        let has = |name: &&str| self.names.iter().any(|axis| axis == name);
        // Shares must be converted, and it is an error if they cannot be.
        SIZES.iter().all(has) || from == Counted::Share && has(&"msg_size")
    }

    /// Returns the axes with their units; `units` are those that the file states, `basis` is that of message sizes, and `labelled` are
    /// the axes that have labels.
    pub(super) fn axes(
        &self,
        units: Option<&BTreeMap<String, Option<String>>>,
        basis: Option<Basis>,
        labelled: &[String],
    ) -> Vec<MeasuredAxis> {
        let mut axes = Vec::new();
        for name in &self.names {
            let is_fixed = self.labels.iter().any(|(axis, _)| self.names[*axis] == *name);
            let mut axis = MeasuredAxis::named(name);
            axis.basis = basis.filter(|_| name == "msg_size");
            axis.labels = (is_fixed || labelled.contains(name)).then(Vec::new);
            if let Some(unit) = units.and_then(|units| units.get(name)) {
                axis.unit.clone_from(unit);
            }
            axes.push(axis);
        }
        axes
    }

    /// Returns the conversion of message sizes, or `None` if they remain as they are.
    pub(super) fn rebase(
        &self,
        from: Counted,
        to: Basis,
        requested: bool,
    ) -> Result<Option<Rebase>, Problem> {
        let Some(scaling) = from.to(to) else {
            let message = format!(
                "the message sizes count the bytes by {}, and cannot be converted to {}",
                from.name(),
                to.name()
            );
            let help = "only blocks and totals can be converted into each other, and shares into all others";
            return Err(Problem::new(Place::File, message).help(help));
        };
        if scaling == Scaling::AsIs {
            return Ok(None);
        }
        let position = |name: &str| self.names.iter().position(|axis| axis == name);
        match (position("comm_size"), position("msg_size")) {
            (Some(comm_size), Some(msg_size)) => {
                Ok(Some(Rebase { comm_size, msg_size, from, scaling, requested }))
            }
            _ => {
                let message = "the basis can only change if comm_size and msg_size are axes";
                Err(Problem::new(Place::File, message))
            }
        }
    }
}

/// Returns the names of axes with their bases.
pub(super) fn listed(axes: &[MeasuredAxis]) -> String {
    let described = axes.iter().map(|axis| match axis.basis {
        Some(basis) => format!("{} ({})", axis.name, basis.name()),
        None => axis.name.clone(),
    });
    described.collect::<Vec<_>>().join(", ")
}

/// The conversion of a file's sizes and times to those of the measurements.
pub(super) struct Convert {
    pub(super) axes: Vec<Size>,
    /// The position of the communicator size among them.
    pub(super) comm_size: Option<usize>,
    pub(super) basis: Option<Rebase>,
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
    comm_size: usize,
    msg_size: usize,
    from: Counted,
    scaling: Scaling,
    /// Whether the user requested it.
    requested: bool,
}

impl Convert {
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
