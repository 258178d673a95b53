//! Times of several files as those of one.

use qtdec_core::{Place, Problem, Problems};

use crate::builder::Builder;
use crate::header::{Header, Named};
use crate::times::{Method, Row, Series, Times};
use crate::unit::TimeUnit;

/// The numbers of the methods and of the launches of times in a builder.
type Numbers = (Vec<u32>, Vec<u32>);

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
                    let message = format!("a file has the parameter {one}, and those before {other}");
                    return Err(Problem::new(Place::File, message).help("give both the same unit").into());
                }
            }
        }
        let scale = TimeUnit::scale(other.header.unit, header.unit)?;
        let mut builder = Builder::new(header)?;
        let [ours, theirs] = [self.known_to(&mut builder, None)?, other.known_to(&mut builder, None)?];
        // The order of methods and launches is that of the files.
        builder.keep_order();
        self.add_to(&mut builder, &ours, 1.0, |series| series)?;
        other.add_to(&mut builder, &theirs, scale, |series| {
            let sizes = series.sizes.iter().zip(&labels);
            let sizes = sizes.map(|(&size, moved)| moved.as_ref().map_or(size, |moved| moved[size as usize]));
            Series { sizes: sizes.collect(), ..series }
        })?;
        builder.finish()
    }

    /// Makes methods with their orders, launches and jobs known to a builder that has the parameters, and returns the numbers of the methods
    /// and of the launches there. Times that name no collective are of this one.
    pub(crate) fn known_to(
        &self,
        builder: &mut Builder,
        collective: Option<&str>,
    ) -> Result<Numbers, Problem> {
        let methods =
            self.methods.iter().map(|method| builder.method(self.extended(method, builder.header())));
        let methods = methods.collect::<Result<Vec<u32>, Problem>>()?;
        for known in self.collectives() {
            for method in self.methods_of(known) {
                builder.order(known.or(collective), methods[method as usize]);
            }
        }
        let launches = self.launches.iter().map(|launch| builder.launch(launch));
        let launches = launches.collect::<Result<Vec<u32>, Problem>>()?;
        builder.jobs.merge(&self.jobs)?;
        Ok((methods, launches))
    }

    /// Adds the rows to a builder that knows their methods and launches, with scaled times and with changed series.
    pub(crate) fn add_to(
        self,
        builder: &mut Builder,
        (methods, launches): &Numbers,
        scale: f64,
        change: impl Fn(Series) -> Series,
    ) -> Result<(), Problem> {
        let series = self.series.into_iter().map(|series| {
            let method = methods[series.method as usize];
            builder.series(change(Series { method, ..series }))
        });
        let series = series.collect::<Result<Vec<u32>, Problem>>()?;
        self.rows.into_iter().try_for_each(|row| {
            let (series, launch) = (series[row.series as usize], launches[row.launch as usize]);
            builder.row(Row { time: row.time * scale, series, launch, ..row })
        })
    }

    /// Returns a method with the values of all parameters of another header.
    fn extended(&self, method: &Method, header: &Header) -> Method {
        let values = header.parameters.iter().map(|parameter| {
            let position = self.header.parameters.iter().position(|known| known.name == parameter.name);
            position.map_or_else(String::new, |position| method.values[position].clone())
        });
        Method { name: method.name.clone(), values: values.collect() }
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
                Some(theirs.iter().map(|label| position_among(ours, label)).collect())
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

/// Returns the position of a label, which is added if it is new.
fn position_among(labels: &mut Vec<String>, label: &str) -> u64 {
    let position = labels.iter().position(|known| known == label).unwrap_or(labels.len());
    if position == labels.len() {
        labels.push(label.to_owned());
    }
    position as u64
}

fn described(named: &Named) -> String {
    match &named.unit {
        Some(unit) => format!("`{}` in {unit}", named.name),
        None => format!("`{}`", named.name),
    }
}
