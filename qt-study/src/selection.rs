//! Conversion of measurements to a map.

pub(crate) mod gaps;
mod grid;
mod recorded;
mod ties;
mod units;

pub use gaps::Gaps;
pub use grid::{GridError, GridSizes, grid_error};
pub use recorded::Recorded;
pub use ties::{Distinction, TieRule, least_rank_sum_p_value, rank_sum_p_value};

use qtdec_core::listing::{cells as noun, listed};
use qtdec_core::similar::did_you_mean;
use qtdec_core::{
    Axis, Costs, DecisionMap, Diagnostics, Domain, Method, MethodIndex, Place, Problem, Problems,
    Requirement, Ties,
};
use qtdec_times::about::BASELINE;
use qtdec_times::is_bimodal;

use crate::launches::incomplete;
use crate::measurements::{Measurements, Series, Statistic, TimeUnit};
use crate::notes::Notes;
use crate::study::line::Line;
use crate::terms::{Filled, Terms};

/// The maximum number of costs in a map; the file of a larger map could not be read.
const MAX_COSTS: usize = 1 << 25;

/// The options for converting measurements to a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipe {
    /// The MPI collective, by MPI's name in lower case, or `None` for that of the measurements.
    pub collective: Option<String>,
    /// The statistic of the repeats. `None` means the median, or an available one if the files hold only statistics.
    pub statistic: Option<Statistic>,
    /// Methods that are the library's own choice (the baseline): they have costs, and are chosen where they are best, apart from
    /// the one that is [called `baseline`](Method::BASELINE), which is never chosen.
    pub baseline: Vec<String>,
    /// Whether the baseline only has costs and is never chosen.
    pub no_default: bool,
    /// Methods to omit.
    pub exclude: Vec<String>,
    /// Methods that can only run under a requirement.
    pub requires: Vec<(String, Requirement)>,
    /// The rule that decides which methods count as equal to the best.
    pub ties: Option<TieRule>,
    /// The treatment of cells without times.
    pub gaps: Gaps,
    /// Sizes in no file, at which the times of each method are interpolated.
    pub grid: Vec<GridSizes>,
    /// The terms whose fitted sums fill a dense grid, instead of the measured one.
    pub terms: Option<Terms>,
}

impl Recipe {
    /// Returns whether maps have times that were not measured.
    pub fn fills_in_times(&self) -> bool {
        self.gaps == Gaps::Interpolate || !self.grid.is_empty() || self.terms.is_some()
    }

    /// Returns the recipe with a baseline, if it names none: the methods that the times name, or else the one called `baseline`.
    #[must_use]
    pub fn or_baseline_of(self, measurements: &Measurements) -> Self {
        if !self.baseline.is_empty() {
            return self;
        }
        let kept: Vec<String> = measurements.labels().filter(|label| !self.exclude.contains(label)).collect();
        let mut baseline: Vec<String> =
            kept.iter().filter(|label| measurements.about.has(BASELINE, label)).cloned().collect();
        if baseline.is_empty() {
            baseline.extend(kept.into_iter().filter(|label| label == Method::BASELINE));
        }
        Self { baseline, ..self }
    }

    /// Returns the recipe of maps that price decisions: only measured times are prices.
    #[must_use]
    pub fn of_prices(&self) -> Self {
        Self { grid: Vec::new(), terms: None, gaps: Gaps::Empty, ..self.clone() }
    }

    /// Returns the map: at every point, the method with the smallest statistic. Of tied methods, the baseline is chosen, or else the
    /// one first seen.
    ///
    /// # Errors
    ///
    /// Fails if a baseline or excluded method was not measured, no method is left, the files do not contain a statistic, or
    /// names do not make a valid domain.
    pub fn map(&self, measurements: &Measurements, notes: &mut Notes) -> Result<DecisionMap, Problems> {
        self.map_with_fit(measurements, notes).map(|(map, _)| map)
    }

    /// Returns the map, and the fitted times that it holds if there are terms.
    ///
    /// # Errors
    ///
    /// Fails like [`map`](Self::map), and for terms that do not fit the times; see [`Filled::new`].
    pub fn map_with_fit(
        &self,
        measurements: &Measurements,
        notes: &mut Notes,
    ) -> Result<(DecisionMap, Option<Filled>), Problems> {
        let methods: Vec<Method> = measurements.methods().cloned().collect();
        self.check_names(&methods)?;
        let kept: Vec<usize> =
            (0..methods.len()).filter(|&method| !self.exclude.contains(&methods[method].label())).collect();
        let measured: Vec<Axis> =
            (0..measurements.axes().len()).map(|axis| measurements.grid_axis(axis)).collect();
        let mut of_statistic = Notes::default();
        let statistic = self.statistic_of(measurements, &mut of_statistic)?;
        let filled = self.terms.as_ref();
        let filled = filled.map(|terms| Filled::new(terms, measurements, statistic, &kept)).transpose()?;
        let axes = match &filled {
            Some(filled) => filled.axes.clone(),
            None => grid::extended(measured.clone(), &self.grid)?,
        };
        let collective = self.collective.clone().or_else(|| measurements.collective.clone());
        let described = kept.iter().map(|&method| self.described(&methods[method])).collect();
        let domain = Domain::new(collective, axes, described)?;
        check_costs(domain.cells(), kept.len())?;
        notes.merge(&of_statistic);
        for launch in incomplete(measurements, |method| kept.contains(&method)) {
            notes.add(launch);
        }
        let of_cells = Grid { measurements, domain: &domain, kept: &kept };
        let values: Vec<Option<f64>> = match &filled {
            Some(filled) => filled.times.iter().copied().map(Some).collect(),
            None => self.measured_values(&of_cells, &measured, statistic, notes),
        };
        let mut costs = Costs::new(kept.len(), values);
        costs.unit = measurements.unit.map(TimeUnit::name).map(str::to_owned);
        costs.statistic = Some(statistic_text(statistic, measurements, filled.is_some()));

        let choosable: Vec<MethodIndex> =
            domain.method_indexes().filter(|&method| self.may_choose(domain.method(method))).collect();
        let mut cells = best(&domain, &costs, &choosable);
        let ties = self.ties(filled.as_ref(), &cells, &costs, &choosable, &of_cells);
        self.gaps.fill(&domain, &mut cells, notes);
        note_unpriced(&cells, &costs, &choosable, notes);
        of_cells.note_two_modes(&cells, statistic, notes);
        if let Some(note) = units::in_another_unit(&domain, &costs) {
            notes.add(note);
        }

        let map = DecisionMap::new(domain.clone(), cells)?.with_costs(costs)?;
        for line in Line::all(&map) {
            notes.add(line.described(&map));
        }
        let map = match ties {
            Some(ties) => map.with_ties(ties)?,
            None => map,
        };
        // Fitted times are encoded otherwise, and only the recipe of a map tells that they are.
        let map = match &filled {
            Some(_) => map.with_recipe(Recorded { recipe: self.clone(), ..Recorded::default() }.to_json())?,
            None => map,
        };
        Ok((map, filled))
    }

    /// Returns whether cells may choose a method that the recipe [described](Self::described).
    fn may_choose(&self, method: &Method) -> bool {
        !(self.no_default && method.baseline || method.is_never_chosen())
    }

    fn described(&self, method: &Method) -> Method {
        let label = method.label();
        let own = self.requires.iter().filter(|(name, _)| *name == label);
        let requires = own.map(|(_, requirement)| *requirement).collect();
        Method { baseline: self.baseline.contains(&label), requires, ..method.clone() }
    }

    /// Returns the methods that count as equal to the best of each cell. Fitted times differ from true ones, so that some always do.
    fn ties(
        &self,
        filled: Option<&Filled>,
        cells: &[Option<MethodIndex>],
        costs: &Costs,
        choosable: &[MethodIndex],
        of_cells: &Grid<'_>,
    ) -> Option<Ties> {
        let of_fit = || filled.map(|_| TieRule { tolerance: Filled::TIES, distinction: None });
        let exact = TieRule { tolerance: 0.0, distinction: None };
        let is_exact =
            |cell: usize| self.ties.is_none() && filled.is_some_and(|filled| filled.is_measured(cell));
        let rule = self.ties.or_else(of_fit)?;
        Some(rule.ties_or(&exact, is_exact, cells, costs, choosable, of_cells))
    }

    /// Returns the costs of the measured grid, with interpolated ones where the recipe asks for them.
    fn measured_values(
        &self,
        of_cells: &Grid<'_>,
        measured: &[Axis],
        statistic: Statistic,
        notes: &mut Notes,
    ) -> Vec<Option<f64>> {
        let domain = of_cells.domain;
        let mut values: Vec<Option<f64>> =
            (0..domain.cells()).flat_map(|cell| of_cells.costs(cell, statistic)).collect();
        self.gaps.interpolate(domain, &mut values, notes);
        if !self.grid.is_empty() {
            grid::fill(domain, measured, &mut values);
        }
        values
    }

    fn check_names(&self, methods: &[Method]) -> Result<(), Problems> {
        let labels: Vec<String> = methods.iter().map(Method::label).collect();
        let mut check = Diagnostics::default();
        let named =
            self.baseline.iter().chain(&self.exclude).chain(self.requires.iter().map(|(name, _)| name));
        for name in named.filter(|name| !labels.contains(name)) {
            let known = listed(&labels);
            let help = match did_you_mean(name, labels.iter().map(String::as_str)) {
                Some(meant) => format!("did you mean `{meant}`? The methods are {known}"),
                None => format!("the methods are {known}"),
            };
            check.add(Problem::new(Place::File, format!("no method is called `{name}`")).help(help));
        }
        let mut others = methods.iter().filter(|method| !self.exclude.contains(&method.label()));
        if !others.any(|method| self.may_choose(&self.described(method))) {
            check.add(Problem::new(Place::File, "no method is left to choose"));
        }
        check.finish(Some(()))
    }

    /// Returns the requested statistic, or one that every series has.
    fn statistic_of(&self, measurements: &Measurements, notes: &mut Notes) -> Result<Statistic, Problem> {
        let has =
            |statistic: Statistic| measurements.all_series().all(|(_, _, series)| series.has(statistic));
        let requested = self.statistic.unwrap_or_default();
        if has(requested) {
            return Ok(requested);
        }
        let others = [Statistic::Mean, Statistic::Min, Statistic::Max];
        let given: Vec<Statistic> = others.into_iter().filter(|&statistic| has(statistic)).collect();
        match (self.statistic, given.first()) {
            (None, Some(&other)) => {
                notes.add(format!("the files contain neither repeats nor medians: the map uses the {other}"));
                Ok(other)
            }
            (_, None) => {
                let message = format!("the files do not contain the {requested} of every point");
                let help = "some contain repeats or other statistics: read these separately";
                Err(Problem::new(Place::File, message).help(help))
            }
            (Some(_), Some(_)) => {
                let given = given.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let message = format!("the files contain neither repeats nor the {requested}");
                Err(Problem::new(Place::File, message).help(format!("they contain {given}")))
            }
        }
    }
}

/// Checks that the file of a map could be read.
fn check_costs(cells: usize, methods: usize) -> Result<(), Problem> {
    if cells * methods <= MAX_COSTS {
        return Ok(());
    }
    let message = format!("{cells} cells of {methods} methods each");
    Err(Problem::new(Place::File, message).help(format!(
        "a map can have at most {MAX_COSTS} times: make a map for each size of an axis with --split-by"
    )))
}

/// Returns the best method of each cell. Of equally good ones the default is kept, or else the first is taken.
fn best(domain: &Domain, costs: &Costs, choosable: &[MethodIndex]) -> Vec<Option<MethodIndex>> {
    let mut default_first = choosable.to_vec();
    default_first.sort_by_key(|&method| !domain.method(method).baseline);
    let cells = (0..domain.cells()).map(|cell| {
        let sizes = domain.sizes(cell);
        let running = default_first.iter().filter(|method| domain.may_run(**method, &sizes));
        costs.cheapest(cell, running.copied())
    });
    cells.collect()
}

/// Notes how many of the cells with times lack those of some methods.
fn note_unpriced(cells: &[Option<MethodIndex>], costs: &Costs, choosable: &[MethodIndex], notes: &mut Notes) {
    let has_time = |cell: usize| choosable.iter().any(|&method| costs.get(cell, method).is_some());
    let lacks_times = |cell: usize| choosable.iter().any(|&method| costs.get(cell, method).is_none());
    let priced = || (0..cells.len()).filter(|&cell| cells[cell].is_some() && has_time(cell));
    let unpriced = priced().filter(|&cell| lacks_times(cell)).count();
    let all = priced().count();
    if unpriced > 0 {
        notes.add(format!(
            "{unpriced} of {all} {} lack the times of some methods: if a tree chooses one of those, the \
                     cell counts as `unpriced`, and not in the penalty",
            noun(all)
        ));
    }
}

/// Returns how the costs of a map were made.
fn statistic_text(statistic: Statistic, measurements: &Measurements, is_fitted: bool) -> String {
    let described = match &measurements.ranks {
        Some(ranks) => format!("{statistic} over repeats, {ranks} over ranks"),
        None => statistic.to_string(),
    };
    if is_fitted { format!("{described} of fitted times") } else { described }
}

/// The measurements, by the cells and methods of the future map.
struct Grid<'a> {
    measurements: &'a Measurements,
    domain: &'a Domain,
    /// The number of each of the map's methods in the measurements.
    kept: &'a [usize],
}

impl Grid<'_> {
    fn series(&self, cell: usize, method: usize) -> Option<&Series> {
        self.measurements.series(&self.domain.sizes(cell), self.kept[method])
    }

    fn costs(&self, cell: usize, statistic: Statistic) -> Vec<Option<f64>> {
        (0..self.kept.len()).map(|method| self.series(cell, method)?.get(statistic)).collect()
    }

    fn note_two_modes(&self, cells: &[Option<MethodIndex>], statistic: Statistic, notes: &mut Notes) {
        let winner = |cell: usize| Some((cell, self.series(cell, cells[cell]?.get())?));
        // Other cells of the grid have no times: communicator sizes may have different message sizes.
        let measured: Vec<(usize, &Series)> = (0..cells.len()).filter_map(winner).collect();
        let flagged: Vec<usize> = measured
            .iter()
            .filter(|(_, series)| is_bimodal(&series.sorted()))
            .map(|(cell, _)| *cell)
            .collect();
        if let Some(&first) = flagged.first() {
            notes.add(format!(
                "{} of {} {} are bimodal, such as {}: over a fifth of the repeats take over 5 times as long as the fastest{}",
                flagged.len(),
                measured.len(),
                noun(measured.len()),
                self.domain.place(first),
                match statistic {
                    Statistic::Median => "; if these count, try --statistic geomean, else min",
                    _ => "",
                }
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurements::{MeasuredAxis, Repeat};

    /// Sizes converted to another basis differ between numbers of ranks: most of the grid is empty.
    #[test]
    fn bimodal_cells_are_counted_among_those_that_were_measured() {
        let axes = ["comm_size", "msg_size"].map(MeasuredAxis::named).to_vec();
        let mut measurements = Measurements::new(axes);
        let method = measurements.method(Method::new("ring"));
        for ranks in [3, 5, 7] {
            for size in [60, 600] {
                for time in [1.0, 9.0, 1.0, 9.0, 1.0] {
                    let time = if ranks == 3 { time } else { 1.0 };
                    measurements.record(&[ranks, size / ranks], method, Repeat { time, run: 0, file: 0 });
                }
            }
        }
        let mut notes = Notes::default();
        let map = Recipe::default().map(&measurements, &mut notes).unwrap();
        assert_eq!(map.cells().len(), 18);
        let reported: Vec<String> = notes.lines().filter(|line| line.contains("bimodal")).collect();
        assert!(
            reported.len() == 1 && reported[0].starts_with("2 of 6 cells are bimodal, such as comm_size=3"),
            "{reported:?}"
        );
    }
}
