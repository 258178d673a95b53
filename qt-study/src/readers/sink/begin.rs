//! The beginning of a file's rows: their axes, what their sizes count, and the unit of their times.

use std::collections::BTreeMap;

use qtdec_core::Problem;
use qtdec_times::collective::natural_basis;

use super::convert::{Convert, Size};
use super::layout::Layout;
use super::{Begun, FileSink};
use crate::measurements::TimeUnit;
use crate::readers::advice;
use crate::readers::argument::{Sample, is_label};
use crate::readers::axis_name::SIZES;
use crate::readers::collective_name;
use crate::readers::counted::Counted;

impl FileSink<'_, '_> {
    /// Begins a part of the file whose rows have these axes; those that the path or the user fix are added. Returns `None`
    /// if it is not compatible with what was read before.
    ///
    /// `counted` is what the file's message sizes count, `unit` that of its times, `ranks` the statistic over its ranks.
    pub(in crate::readers) fn begin(
        &mut self,
        axes: &[&str],
        counted: Option<Counted>,
        unit: Option<TimeUnit>,
        ranks: Option<&str>,
    ) -> Option<()> {
        let part = self.part();
        let layout = self.layout(axes)?;
        let begun = self.converted(part, layout, counted, unit).map(|convert| Begun {
            axes_of_rows: axes.iter().map(|name| (*name).to_owned()).collect(),
            convert,
            run: self.begun.get(&part).and_then(|begun| begun.run),
            ranks: ranks.map(str::to_owned),
            has_rows: false,
        });
        match begun {
            Ok(begun) => {
                self.begun.insert(part, begun);
                Some(())
            }
            Err(problem) => {
                self.faults.add(problem);
                None
            }
        }
    }

    /// Returns all axes, with the sizes that the path or the user fix.
    fn layout(&mut self, of_rows: &[&str]) -> Option<Layout> {
        let has_label = |name: &str, text: &str| !SIZES.contains(&name) && is_label(text);
        let fixed: Vec<(String, String)> = self
            .known
            .sizes()
            .iter()
            .filter(|(name, _)| !of_rows.contains(&&***name))
            .map(|(name, text)| (name.clone(), text.clone()))
            .collect();
        for (name, _) in &fixed {
            self.builder.selectors.used(name);
        }
        let sample = |(name, text): (String, String)| {
            let sample = if has_label(&name, &text) {
                Sample::Label(text)
            } else {
                Sample::Size(self.whole(&name, &text)?)
            };
            Some((name, sample))
        };
        let samples: Vec<Option<(String, Sample)>> = fixed.into_iter().map(sample).collect();
        let samples = samples.into_iter().collect::<Option<BTreeMap<String, Sample>>>()?;
        match Layout::new(of_rows, &samples) {
            Ok(layout) => Some(layout),
            Err(problem) => {
                self.faults.add(problem);
                None
            }
        }
    }

    /// Returns the conversion of rows to the times of a collective.
    fn converted(
        &mut self,
        part: usize,
        mut layout: Layout,
        counted: Option<Counted>,
        unit: Option<TimeUnit>,
    ) -> Result<Convert, Problem> {
        let options = self.options();
        let from = options.basis_in.or(counted);
        if let (Some(requested), Some(counted)) = (options.basis_in, counted)
            && requested != counted
        {
            self.builder.notes.add(advice::other_basis(counted.name(), requested.name()));
        }
        let collective = self.builder.parts.get(part).collective.as_deref().map(collective_name);
        let natural = || {
            let from = from.filter(|from| self.units.is_none() && layout.can_convert(*from))?;
            let named = collective.or_else(|| self.builder.collectives.only());
            from.natural(named.and_then(|name| natural_basis(&name)))
        };
        let to = options.basis.or_else(natural);
        let axes = layout.axes(self.units.as_ref(), to.or_else(|| from?.basis()), &self.labelled);
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
        Ok(Convert::new(layout.places, &layout.names, basis, time))
    }
}
