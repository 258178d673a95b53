//! The fitted cost of every method.

use qtdec_core::{Diagnostics, Place, Problem, Problems};

use super::expression::EvaluationError;
use super::fit::{Values, kept};
use super::preset::{Source, Term, Terms};
use super::samples::Samples;
use crate::measurements::{Measurements, Statistic};

/// The cost of every method at any sizes, from terms that were fitted to its measured times.
///
/// ```
/// use qtdec_core::Method;
/// use qtdec_study::measurements::{MeasuredAxis, Measurements, Repeat, Statistic};
/// use qtdec_study::terms::{CostModel, Terms};
///
/// let mut measurements = Measurements::new(vec![MeasuredAxis::named("m")]);
/// let ring = measurements.method(Method::new("ring"));
/// for size in [1, 3, 10, 30, 100] {
///     let time = 5.0 + 2.0 * size as f64;
///     measurements.record(&[size], ring, Repeat { time, run: 0, file: 0 });
/// }
/// let model = CostModel::fit(&Terms::parse("1 + m")?, &measurements, Statistic::Median, &[ring]).unwrap();
/// assert!((model.time(0, &[50])? - 105.0).abs() < 1e-6);
/// # Ok::<(), qtdec_core::Problem>(())
/// ```
#[derive(Clone, Debug)]
pub struct CostModel {
    axes: Vec<String>,
    terms: Vec<Term>,
    methods: Vec<MethodModel>,
}

/// The cost of a method.
#[derive(Clone, Debug)]
pub struct MethodModel {
    /// The label of the method.
    pub label: String,
    /// The number of points at which it was measured.
    pub points: usize,
    /// The error at points that were left out, as the root of the mean square of ln(measured / predicted).
    pub error: f64,
    /// The form of its times.
    pub form: Form,
    /// The terms, in which constants are values.
    terms: Vec<Term>,
    samples: Samples,
}

/// The form of a method's times between its measured points. The variants are complete.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A sum of terms, by their numbers, with their coefficients.
    Terms(Vec<(usize, f64)>),
    /// Means of its nearest points, for a method whose times no sum of the terms follows.
    Samples,
}

/// A method is judged by its samples if these predict points that are left out with an error below this share of the fit's.
const MISFIT: f64 = 0.5;

impl CostModel {
    /// Fits the terms to the times of methods, by their numbers in the measurements.
    ///
    /// # Errors
    ///
    /// Fails for a name that is neither an axis nor a constant, a term without a value at a measured point, an axis with labels, and a
    /// method with fewer points than terms.
    pub fn fit(
        terms: &Terms,
        measurements: &Measurements,
        statistic: Statistic,
        methods: &[usize],
    ) -> Result<Self, Problems> {
        let axes: Vec<&str> = measurements.axes().iter().map(|axis| &*axis.name).collect();
        if let Some(axis) = measurements.axes().iter().find(|axis| axis.labels.is_some()) {
            let message = format!("the axis `{}` has labels, and terms need sizes", axis.name);
            let help = "make a map for each label with --split-by, or make the label part of the method";
            return Err(Problem::new(Place::File, message).help(help).into());
        }
        let constants: Vec<&str> = measurements.constants().collect();
        let terms = terms.bound(&axes, &constants)?;
        let labels: Vec<String> = measurements.labels().collect();
        let mut points: Vec<Vec<(&[u64], f64)>> = vec![Vec::new(); labels.len()];
        for (sizes, method, series) in measurements.all_series() {
            points[method].extend(series.get(statistic).map(|time| (sizes, time)));
        }
        let axes: Vec<String> = axes.into_iter().map(str::to_owned).collect();
        let mut model = Self { axes, terms, methods: Vec::new() };
        let mut check = Diagnostics::default();
        for &method in methods {
            let points = &mut points[method];
            // Which points are left out together does not depend on the order of the file.
            points.sort_by(|one, other| one.0.cmp(other.0));
            match model.of_method(&labels[method], points, &measurements.constants_of(&labels[method])) {
                Ok(of_method) => model.methods.push(of_method),
                Err(problem) => check.add(problem),
            }
        }
        check.finish(Some(model))
    }

    fn of_method(
        &self,
        label: &str,
        points: &[(&[u64], f64)],
        constants: &[(String, u64)],
    ) -> Result<MethodModel, Problem> {
        let (count, terms) = (points.len(), self.terms.len());
        if count <= terms {
            let message =
                format!("the method `{label}` was measured at {count} points, too few for {terms} terms");
            return Err(Problem::new(Place::File, message).help(format!(
                "measure it at {} points or more, use fewer terms, or exclude it with --exclude",
                terms + 1
            )));
        }
        let names = self.terms.iter().flat_map(|term| term.expression.names().zip(&term.sources));
        let mut needed = names.filter(|(_, source)| matches!(source, Source::Constant(_)));
        if let Some((name, _)) = needed.find(|(name, _)| !constants.iter().any(|(known, _)| known == name)) {
            let message = format!("the method `{label}` has no constant `{name}`, which the terms use");
            return Err(Problem::new(Place::File, message)
                .help("write it in the column of every row, or exclude the method with --exclude"));
        }
        let terms: Vec<Term> = self.terms.iter().map(|term| term.of_method(constants)).collect();
        let mut values = Values { columns: terms.len(), rows: Vec::new(), times: Vec::new() };
        for (sizes, time) in points {
            values.rows.extend(self.values(label, &terms, sizes)?);
            values.times.push(*time);
        }
        let (kept, of_fit) = kept(&values);
        let samples = Samples::new(points.iter().copied());
        let between = samples.left_out();
        let is_misfit = between < MISFIT * of_fit;
        Ok(MethodModel {
            label: label.to_owned(),
            points: count,
            error: if is_misfit { between } else { of_fit },
            form: if is_misfit { Form::Samples } else { Form::Terms(kept) },
            terms,
            samples,
        })
    }

    fn values(&self, label: &str, terms: &[Term], sizes: &[u64]) -> Result<Vec<f64>, Problem> {
        let values = terms.iter().map(|term| match term.value(sizes) {
            Ok(value) => Ok(value as f64),
            Err(error) => Err(self.without_value(term, error, label, sizes)),
        });
        values.collect()
    }

    fn without_value(&self, term: &Term, error: EvaluationError, label: &str, sizes: &[u64]) -> Problem {
        let message = format!("the term `{}`: {error}, for `{label}` at {}", term.expression, self.at(sizes));
        Problem::new(Place::File, message).help(error.remedy())
    }

    fn at(&self, sizes: &[u64]) -> String {
        let sizes = self.axes.iter().zip(sizes).map(|(axis, size)| format!("{axis}={size}"));
        sizes.collect::<Vec<_>>().join(" ")
    }

    /// Returns the time of a method, by its position among those that were fitted.
    ///
    /// # Errors
    ///
    /// Fails where a term has no value, or the time would be 0.
    pub fn time(&self, method: usize, sizes: &[u64]) -> Result<f64, Problem> {
        let of_method = &self.methods[method];
        let Form::Terms(terms) = &of_method.form else { return Ok(of_method.samples.time(sizes)) };
        let mut time = 0.0;
        for &(number, coefficient) in terms {
            let term = &of_method.terms[number];
            let value = term.value(sizes);
            let value = value.map_err(|error| self.without_value(term, error, &of_method.label, sizes))?;
            time += coefficient * value as f64;
        }
        if time > 0.0 {
            return Ok(time);
        }
        let message = format!("the fitted time of `{}` is 0 at {}", of_method.label, self.at(sizes));
        Err(Problem::new(Place::File, message).help("add the term 1"))
    }

    /// Returns the methods in the order in which they were given.
    pub fn methods(&self) -> &[MethodModel] {
        &self.methods
    }

    /// Returns the text of every term.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|term| &*term.expression.text)
    }

    /// Returns the terms that no method needs.
    pub fn useless(&self) -> Vec<&str> {
        let used = self.methods.iter().flat_map(|method| match &method.form {
            Form::Terms(terms) => &terms[..],
            Form::Samples => &[],
        });
        let used: Vec<usize> = used.map(|(number, _)| *number).collect();
        self.terms().enumerate().filter(|(number, _)| !used.contains(number)).map(|(_, text)| text).collect()
    }

    /// Returns the terms of each method, in which constants are values.
    pub(super) fn terms_of_methods(&self) -> impl Iterator<Item = &Term> {
        self.methods.iter().flat_map(|method| &method.terms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurements::{MeasuredAxis, Repeat};

    /// Times that jump follow no line; those of the other method do.
    #[test]
    fn a_method_that_the_terms_misfit_is_judged_by_its_samples() {
        let mut measurements = Measurements::new(vec![MeasuredAxis::named("m")]);
        let number =
            |measurements: &mut Measurements, name: &str| measurements.method(qtdec_core::Method::new(name));
        let methods = [number(&mut measurements, "jumps"), number(&mut measurements, "line")];
        for size in 1..=200_u64 {
            let jumps = if size % 100 < 50 { 1.0 } else { 1000.0 };
            for (method, time) in methods.into_iter().zip([jumps, 3.0 + size as f64]) {
                measurements.record(&[size], method, Repeat { time, run: 0, file: 0 });
            }
        }
        let terms = Terms::parse("1 + m").unwrap();
        let model = CostModel::fit(&terms, &measurements, Statistic::Median, &methods).unwrap();
        assert_eq!(model.methods()[0].form, Form::Samples);
        assert!(matches!(&model.methods()[1].form, Form::Terms(terms) if terms.len() == 2));
        assert!((model.time(0, &[75]).unwrap() - 1000.0).abs() < 1e-6);
    }
}
