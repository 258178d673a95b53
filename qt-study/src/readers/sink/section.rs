//! The beginning of rows that have something in common: their axes, what their sizes count, and the unit of their times.

use std::collections::BTreeMap;

use qtdec_core::{Method, Place, Problem};
use qtdec_times::collective::natural_basis;

use super::layout::{Convert, Layout, Size};
use super::{FileSink, PartNumber};
use crate::measurements::TimeUnit;
use crate::readers::advice;
use crate::readers::argument::{Sample, is_label};
use crate::readers::collective_name;
use crate::readers::columns::SIZES;
use crate::readers::counted::Counted;

/// What a format says of all rows that follow.
#[derive(Default)]
pub(in crate::readers) struct Section<'s> {
    /// The names of the sizes in a row. Axes that the path or the user fix are added.
    pub(in crate::readers) axes: &'s [&'s str],
    /// Those that have labels instead of sizes.
    pub(in crate::readers) labelled: &'s [String],
    /// The units of the axes, if the file determines them. Its sizes are then only converted on request.
    pub(in crate::readers) units: Option<&'s BTreeMap<String, Option<String>>>,
    /// The fault of rows that lack the communicator size, and its remedy, if neither the path nor the user fixes it.
    pub(in crate::readers) lacking: Option<[&'s str; 2]>,
    /// What message sizes count, if the format defines it.
    pub(in crate::readers) counted: Option<Counted>,
    pub(in crate::readers) unit: Option<TimeUnit>,
    /// The statistic over the ranks of a repeat.
    pub(in crate::readers) ranks: Option<&'s str>,
    pub(in crate::readers) method: MethodOf<'s>,
    /// The machine, if the format names it.
    pub(in crate::readers) machine: Option<&'s str>,
}

/// Where the method of rows is named.
pub(in crate::readers) enum MethodOf<'s> {
    /// In the path or by the user, else it is this one.
    Path(Option<&'s str>),
    /// Before the rows.
    Section(Method),
    /// In each row.
    Row,
}

impl Default for MethodOf<'_> {
    fn default() -> Self {
        Self::Path(None)
    }
}

pub(in crate::readers) struct Rows {
    pub(in crate::readers) part: PartNumber,
    /// The method of all rows, unless each names its own.
    pub(in crate::readers) method: Option<usize>,
    /// The names of the sizes in a row.
    pub(super) axes: Vec<String>,
    pub(super) convert: Convert,
    /// The run of rows that name none, once there are such rows.
    pub(super) run: Option<u16>,
    /// The statistic over the ranks, if it is known.
    pub(super) ranks: Option<String>,
    pub(super) are_empty: bool,
}

impl FileSink<'_, '_> {
    /// Begins rows. Returns `None` if they are not compatible with what was read before, or lack something.
    pub(in crate::readers) fn begin(&mut self, part: PartNumber, mut section: Section<'_>) -> Option<Rows> {
        let method = std::mem::take(&mut section.method);
        if let Some([fault, remedy]) = section.lacking
            && self.known.size("comm_size").is_none()
        {
            self.faults.add(Problem::new(Place::File, fault).help(remedy));
            self.method_of(part, method);
            return None;
        }
        let layout = self.layout(section.axes)?;
        let convert =
            self.converted(part, layout, &section).map_err(|problem| self.faults.add(problem)).ok()?;
        let method = self.method_of(part, method)?;
        if let Some(machine) = section.machine {
            self.builder.machines.add("machine", None, machine, machine);
        }
        let axes = section.axes.iter().map(|name| (*name).to_owned()).collect();
        let ranks = section.ranks.map(str::to_owned);
        Some(Rows { part, method, axes, convert, run: None, ranks, are_empty: true })
    }

    /// Returns the method of all rows, `Some(None)` if each names its own, and `None` if there is none.
    fn method_of(&mut self, part: PartNumber, method: MethodOf<'_>) -> Option<Option<usize>> {
        match method {
            MethodOf::Row => Some(None),
            MethodOf::Section(method) => Some(Some(self.method(part, method))),
            MethodOf::Path(default) => self.fixed_method(part, default).map(Some),
        }
    }

    /// Returns all axes, with the sizes that the path or the user fix.
    fn layout(&mut self, of_rows: &[&str]) -> Option<Layout> {
        let mut fixed: Vec<(String, String)> = self.known.sizes.clone().into_iter().collect();
        fixed.retain(|(name, _)| !of_rows.contains(&&**name));
        for (name, _) in &fixed {
            self.builder.selectors.used(name);
        }
        let samples: Vec<Option<(String, Sample)>> =
            fixed.into_iter().map(|(name, text)| self.fixed_sample(name, text)).collect();
        let samples = samples.into_iter().collect::<Option<BTreeMap<String, Sample>>>()?;
        Layout::new(of_rows, &samples).map_err(|problem| self.faults.add(problem)).ok()
    }

    fn fixed_sample(&mut self, name: String, text: String) -> Option<(String, Sample)> {
        let sample = if !SIZES.contains(&&*name) && is_label(&text) {
            Sample::Label(text)
        } else {
            Sample::Size(self.whole(&name, &text)?)
        };
        Some((name, sample))
    }

    /// Returns the conversion of rows to the times of a collective.
    fn converted(
        &mut self,
        PartNumber(part): PartNumber,
        mut layout: Layout,
        section: &Section<'_>,
    ) -> Result<Convert, Problem> {
        let Section { counted, unit, .. } = *section;
        let options = self.options;
        let from = options.basis_in.or(counted);
        if let (Some(requested), Some(counted)) = (options.basis_in, counted)
            && requested != counted
        {
            self.builder.notes.add(advice::other_basis(counted.name(), requested.name()));
        }
        let collective = self.builder.parts.get(part).collective.as_deref().map(collective_name);
        let to = options.basis.or_else(|| {
            let from = from.filter(|from| section.units.is_none() && layout.can_convert(*from))?;
            let named = collective.or_else(|| self.builder.collectives.only());
            from.natural(named.and_then(|name| natural_basis(&name)))
        });
        let axes = layout.axes(section.units, to.or_else(|| from?.basis()), section.labelled);
        let basis = match (from, to) {
            (Some(from), Some(to)) => layout.rebase(from, to, options.basis.is_some())?,
            _ => None,
        };
        let is_named = self.known.collective.is_some() || options.collective.is_some();
        let times = self.builder.parts.get(part);
        let time = times.agree(axes, unit.or(options.time_unit), is_named)?;
        for (axis, label) in std::mem::take(&mut layout.labels) {
            layout.places[axis] = Size::Fixed(times.measurements.label(axis, &label));
        }
        let comm_size = layout.names.iter().position(|name| name == "comm_size");
        Ok(Convert { axes: layout.places, comm_size, basis, time })
    }

    /// Returns the size that stands for a label on an axis that has labels.
    pub(in crate::readers) fn label(&mut self, rows: &Rows, axis: &str, label: &str) -> Option<u64> {
        let measurements = self.measurements(rows.part);
        let position = measurements.axes().iter().position(|known| known.name == axis)?;
        Some(measurements.label(position, label))
    }
}
