//! What was measured, and the map of it.

use std::fs;
use std::path::Path;

use qtdec_core::{Axis, DecisionMap, Method, MethodIndex, median};
use serde_json::Value;

use crate::Error;
use crate::rounds::Repeats;

/// The times of all methods at all points.
#[derive(Clone, Debug)]
pub struct Measured {
    pub(crate) axes: Vec<Axis>,
    pub(crate) methods: Vec<Method>,
    pub(crate) repeats: Repeats,
    pub(crate) source: Value,
}

impl Measured {
    /// Returns the repeats of a method at a point, in nanoseconds, in the order of measuring. Points are numbered in row-major order and
    /// methods in theirs.
    ///
    /// # Panics
    ///
    /// Panics if there is no such point or method.
    pub fn repeats(&self, point: usize, method: usize) -> &[f64] {
        &self.repeats.times[point][method]
    }

    /// Returns the map that chooses the method with the lowest median at every point.
    ///
    /// The costs are medians in nanoseconds, and the source has the machine, the date and the number of rounds.
    ///
    /// # Errors
    ///
    /// Returns an error if the axes or methods are invalid.
    ///
    /// # Panics
    ///
    /// Never: a map that was made from times has them.
    pub fn map(&self) -> Result<DecisionMap, Error> {
        let mut cells = self.repeats.times.iter();
        let mut cell = None;
        let map =
            DecisionMap::from_costs(self.axes.clone(), self.methods.clone(), |_, method: MethodIndex| {
                if method.get() == 0 {
                    cell = cells.next();
                }
                median(cell?[method.get()].as_slice())
            })?;
        let mut costs = map.costs().expect("the map has the times").clone();
        costs.unit = Some("ns".to_owned());
        costs.statistic = Some("median".to_owned());
        Ok(map
            .with_costs(costs)?
            .with_recipe(r#"{"statistic":"median"}"#)?
            .with_source(self.source.to_string())?)
    }

    /// Writes the map to a file, which a build may be reading: the file is replaced as a whole.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`map`](Self::map) and of the file system.
    pub fn write_map(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let text = self.map()?.to_file().map_err(|problem| Error::Invalid(problem.into()))?;
        let failed = |error| Error::Write(path.to_owned(), error);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
        let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written.map_err(failed)
    }
}
