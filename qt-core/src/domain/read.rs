//! The parser of the keys that map files and tree files share.

use super::{Axis, Basis, Domain, Method, Requirement, Samples};
use crate::json::{Object, PlacedValue};
use crate::listing::in_backticks;
use crate::problem::{Diagnostics, Path, Problem};

impl Domain {
    /// The top-level keys that both kinds of file share; `$schema` is for the author's editor.
    pub(crate) const KEYS: [&str; 4] = ["collective", "axes", "methods", "$schema"];

    pub(crate) fn read(file: &Object<'_>, check: &mut Diagnostics) -> Option<Self> {
        let collective = file.optional("collective", check, PlacedValue::string)?;
        let axes = file.require("axes", check).and_then(|axes| axes.every(check, read_axis));
        let methods = file.require("methods", check).and_then(|methods| methods.every(check, read_method));
        let (axes, methods) = (axes?, methods?);
        if axes.iter().all(Option::is_some) && methods.iter().all(Option::is_some) {
            let (axes, methods) = (axes.into_iter().flatten(), methods.into_iter().flatten());
            return check.note(Self::new(collective, axes.collect(), methods.collect()));
        }
        // There is no domain, but everything that could be read is still checked, so that all problems are reported at once.
        let (axes_path, methods_path) = (Path::root().key("axes"), Path::root().key("methods"));
        for (index, axis) in axes.iter().enumerate() {
            if let Some(axis) = axis {
                axis.check(&axes_path.index(index), check);
            }
        }
        for (index, method) in methods.iter().enumerate() {
            if let Some(method) = method {
                method.check(&methods_path.index(index), check);
            }
        }
        None
    }

    pub(crate) fn read_methods(file: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Vec<Method>> {
        let methods = file.member("methods")?.every(check, read_method)?;
        Some(methods.into_iter().flatten().collect())
    }
}

fn read_axis(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Axis> {
    let object = value.object(&["name", "unit", "basis", "values", "labels"], check)?;
    let name = object.require("name", check).and_then(|value| value.string(check));
    let unit = object.optional("unit", check, PlacedValue::string);
    let basis = object.optional("basis", check, |value, check| value.one_of("basis", &Basis::ALL, check));
    let samples = match (object.get("values"), object.get("labels")) {
        (Some(values), None) => values.all(check, PlacedValue::whole).map(Samples::Values),
        (None, Some(labels)) => labels.all(check, PlacedValue::string).map(Samples::Labels),
        (values, _) => {
            let fault = if values.is_some() { "not both" } else { "but has neither" };
            check.refuse(Problem::new(
                value.path.clone(),
                format!("an axis has `values` or `labels`, {fault}"),
            ))
        }
    };
    Some(Axis { name: name?, unit: unit?, basis: basis?, samples: samples? })
}

fn read_method(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Method> {
    let keys = ["name", "segment_size", "id", "ident", "baseline", "requires"];
    let object = value.object(&keys, check)?;
    let name = object.require("name", check).and_then(|value| value.string(check));
    let segment_size = object.optional("segment_size", check, PlacedValue::whole);
    let id = object.optional("id", check, PlacedValue::whole);
    let ident = object.optional("ident", check, PlacedValue::string);
    let baseline = object.optional("baseline", check, PlacedValue::boolean);
    let requires = object.optional("requires", check, |value, check| value.all(check, read_requirement));
    Some(Method {
        name: name?,
        segment_size: segment_size?,
        id: id?,
        ident: ident?,
        baseline: baseline?.unwrap_or(false),
        requires: requires?.unwrap_or_default(),
    })
}

fn read_requirement(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Requirement> {
    let text = value.string(check)?;
    Requirement::parse(&text).or_else(|| {
        let problem = Problem::new(value.path.clone(), format!("unknown requirement `{text}`"));
        check.refuse(problem.help(format!("a method may require {}", in_backticks(&Requirement::FORMS))))
    })
}
