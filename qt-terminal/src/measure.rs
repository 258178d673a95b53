//! Options for reading times and for making a map from them, of `qtdec map`.

use clap::Args;
use qtdec_core::DecisionMap;

use crate::destination::Outputs;
use crate::lacking::{completed, lacking};
use crate::mapping::MapArguments;
use crate::progress::Progress;
use crate::reading::ReadArguments;
use crate::reports::reported;
use crate::{Failure, fitted, output};
use qtdec_study::measurements::{Measurements, Statistic};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions, some_of};
use qtdec_study::selection::{GridError, GridSizes, Recipe, Recorded, grid_error};

/// Options for reading files with times and for making a map from them.
#[derive(Debug, Args)]
pub struct MeasureArguments {
    #[command(flatten)]
    reading: ReadArguments,

    #[command(flatten)]
    map: MapArguments,
}

impl MeasureArguments {
    /// Reads the files and returns the measurements with the warnings; shows the progress in a terminal.
    pub fn read(&self, files: &[String]) -> Result<(Measurements, Notes), Failure> {
        let options = self.reading.options();
        let read = ReadArguments::with(|watch| readers::read(files, &options, watch));
        let (measurements, notes) = read.map_err(|failure| Self::with_lacking(failure, files, &options))?;
        self.reading.print_notes(&notes)?;
        Ok((self.map.cleaning().apply(measurements), notes))
    }

    /// Adds the options that the command line lacks to the failure to read files.
    fn with_lacking(failure: Failure, files: &[String], options: &ReadOptions) -> Failure {
        match lacking(files, options) {
            Some((lacks, _)) if lacks.len() > 1 => completed(failure, &some_of(files), &lacks),
            _ => failure,
        }
    }

    /// Returns the outputs of a command that reads the files.
    pub fn outputs(&self, files: &[String]) -> Outputs {
        self.reading.outputs(files)
    }

    /// Returns the map and the warnings; `files` is the name of the measurements in messages.
    pub fn map(&self, measurements: &Measurements, files: &str) -> Result<(DecisionMap, Notes), Failure> {
        let mut notes = Notes::default();
        let progress = Progress::new(1);
        progress.begin("the best methods");
        let made = self.recipe(measurements).map_with_fit(measurements, &mut notes);
        let (map, filled) = reported(files, made)?;
        drop(progress);
        self.reading.print_notes(&notes)?;
        let map = match filled {
            Some(filled) => {
                fitted::report(&filled);
                reported(files, map.with_source(fitted::source(&filled).to_string()))?
            }
            None => map,
        };
        self.report_grid_error(measurements, files)?;
        Ok((map, notes))
    }

    /// Returns a map of a part of the measurements, without repeating the warnings about the whole. If `price` is
    /// set, that statistic determines the costs and thus the best methods.
    pub fn priced_map(
        &self,
        measurements: &Measurements,
        files: &str,
        price: Option<Statistic>,
    ) -> Result<DecisionMap, Failure> {
        let mut recipe = self.recipe(measurements);
        recipe.statistic = price.or(recipe.statistic);
        reported(files, recipe.map(measurements, &mut Notes::default()))
    }

    /// Returns the options for making a map from measurements.
    fn recipe(&self, measurements: &Measurements) -> Recipe {
        let collective = self.reading.collective().map(str::to_lowercase);
        Recipe { collective, ..self.map.recipe(measurements) }
    }

    /// Returns the options as a map records them.
    pub fn recorded(&self, measurements: &Measurements) -> Recorded {
        Recorded {
            recipe: self.recipe(measurements),
            cleaning: self.map.cleaning(),
            filters: self.reading.filters.clone(),
        }
    }

    /// Reports the error of interpolated times, estimated at measured sizes.
    fn report_grid_error(&self, measurements: &Measurements, files: &str) -> Result<(), Failure> {
        if self.map.grid.is_empty() {
            return Ok(());
        }
        let recipe = Recipe { grid: Vec::new(), ..self.recipe(measurements) };
        let measured = reported(files, recipe.map(measurements, &mut Notes::default()))?;
        for GridSizes { axis, .. } in &self.map.grid {
            let Some(GridError { cells, times, interpolated, floor }) = grid_error(&measured, axis) else {
                output::note(&format!(
                    "{axis} has fewer than three sizes: the error of its interpolation is unknown"
                ));
                continue;
            };
            output::note(&format!(
                "with every other {axis} left out ({cells} cells), interpolated times are off by {:.1} % in \
                     the median; choices based on them cost {interpolated:.2} points, and choices of the \
                     next smaller size {floor:.2}",
                100.0 * ((times / 100.0).exp() - 1.0),
            ));
        }
        Ok(())
    }
}
