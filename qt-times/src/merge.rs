//! Times of several files as those of one.

use qtdec_core::{Place, Problem, Problems};

use crate::builder::Builder;
use crate::header::{Header, Named};
use crate::times::{Method, Row, Series, Times};
use crate::unit::TimeUnit;

impl Times {
    /// Returns these times with those of another file. The axes and the unit remain, and parameters of either are parameters of both.
    ///
    /// # Errors
    ///
    /// Fails for other axes, for another machine or library, if the unit of only one is known, for a launch of two jobs, and for rows that both have.
    pub fn merge(self, other: Self) -> Result<Self, Problems> {
        let mut header = self.header.clone();
        header.about.merge(&other.header.about)?;
        if header.axes != other.header.axes {
            let names = |axes: &[Named]| axes.iter().map(described).collect::<Vec<_>>().join(", ");
            let message = format!("the axes of a file are {}", names(&other.header.axes));
            let message = format!("{message}, and {} in those before", names(&header.axes));
            return Err(Problem::new(Place::File, message)
                .help("read files with other axes, or other units of them, one by one")
                .into());
        }
        let labels = labels_of_both(&mut header, &other.header)?;
        for parameter in &other.header.parameters {
            match header.parameters.iter().find(|known| known.name == parameter.name) {
                None => header.parameters.push(parameter.clone()),
                Some(known) if known == parameter => {}
                Some(known) => {
                    let (one, other) = (described(parameter), described(known));
                    return Err(Problem::new(
                        Place::File,
                        format!("a file has the parameter {one}, and those before {other}"),
                    )
                    .help("give both the same unit")
                    .into());
                }
            }
        }
        let scale = scale(other.header.unit, header.unit)?;
        let mut builder = Builder::new(header)?;
        let all = [(self, 1.0), (other, scale)];
        let mut numbers = Vec::new();
        for (times, _) in &all {
            let methods = times.methods.iter().map(|method| builder.method(times.extended(method, &builder)));
            let methods = methods.collect::<Result<Vec<u32>, Problem>>()?;
            for collective in times.collectives() {
                for method in times.methods_of(collective) {
                    builder.order(collective, methods[method as usize]);
                }
            }
            let launches = times.launches.iter().map(|launch| builder.launch(launch));
            numbers.push((methods, launches.collect::<Result<Vec<u32>, Problem>>()?));
            builder.jobs(&times.jobs)?;
        }
        // The order of methods and launches is that of the files.
        builder.keep_order();
        for ((is_other, (times, scale)), (methods, launches)) in
            [false, true].into_iter().zip(all).zip(numbers)
        {
            let moved = |axis: usize, size: u64| match &labels[axis] {
                Some(positions) if is_other => positions[size as usize],
                _ => size,
            };
            let series = times.series.into_iter().map(|series| {
                let sizes = series.sizes.iter().enumerate().map(|(axis, size)| moved(axis, *size)).collect();
                builder.series(Series { method: methods[series.method as usize], sizes, ..series })
            });
            let series = series.collect::<Result<Vec<u32>, Problem>>()?;
            for row in times.rows {
                let (series, launch) = (series[row.series as usize], launches[row.launch as usize]);
                builder.row(Row { time: row.time * scale, series, launch, ..row })?;
            }
        }
        builder.finish()
    }

    /// Returns a method with the values of all parameters of the builder.
    fn extended(&self, method: &Method, builder: &Builder) -> Method {
        let value = |parameter: &Named| {
            let position = self.header.parameters.iter().position(|known| known.name == parameter.name);
            position.map_or_else(String::new, |position| method.values[position].clone())
        };
        Method { name: method.name.clone(), values: builder.header().parameters.iter().map(value).collect() }
    }
}

/// Adds the labels of another header with the same axes to each labelled axis, and returns the new position of each of the other's.
fn labels_of_both(header: &mut Header, other: &Header) -> Result<Vec<Option<Vec<u64>>>, Problem> {
    let mut positions = Vec::new();
    for axis in &other.axes {
        let (ours, theirs) = (header.labels.get_mut(&axis.name), other.labels.get(&axis.name));
        positions.push(match (ours, theirs) {
            (None, None) => None,
            (Some(ours), Some(theirs)) => {
                let position = |label: &String| {
                    let known = ours.iter().position(|known| known == label);
                    known.unwrap_or_else(|| {
                        ours.push(label.clone());
                        ours.len() - 1
                    })
                };
                Some(theirs.iter().map(position).map(|position| position as u64).collect())
            }
            _ => {
                let message =
                    format!("the axis `{}` has labels in some files and sizes in others", axis.name);
                return Err(Problem::new(Place::File, message).help("read these files one by one"));
            }
        });
    }
    Ok(positions)
}

/// Returns the factor that converts times of one unit to another.
fn scale(from: Option<TimeUnit>, to: Option<TimeUnit>) -> Result<f64, Problem> {
    match (from, to) {
        (Some(from), Some(to)) => Ok(from.in_units_of(to)),
        (None, None) => Ok(1.0),
        _ => Err(Problem::new(
            Place::File,
            "the unit of the times is known for some files and unknown for others",
        )
        .help("specify it with --time-unit")),
    }
}

fn described(named: &Named) -> String {
    match &named.unit {
        Some(unit) => format!("`{}` in {unit}", named.name),
        None => format!("`{}`", named.name),
    }
}
