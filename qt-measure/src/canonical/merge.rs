//! Times of several files as those of one.

use qtdec_core::{Place, Problem, Problems};

use super::builder::Builder;
use super::header::Named;
use super::times::{Method, Row, Series, Times};
use crate::measurements::TimeUnit;

impl Times {
    /// Returns these times with those of another file. The axes and the unit remain, and parameters of either are parameters of both.
    ///
    /// # Errors
    ///
    /// Fails for other axes, for another machine or library, if the unit of only one is known, and for rows that both have.
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
        }
        // The order of methods and launches is that of the files.
        builder.keep_order();
        for ((times, scale), (methods, launches)) in all.into_iter().zip(numbers) {
            let series = times
                .series
                .into_iter()
                .map(|series| builder.series(Series { method: methods[series.method as usize], ..series }));
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
