//! The writer of the keys that map files and tree files share.

use super::{Axis, Domain, Method, Samples};
use crate::json::{array, object, quoted};

impl Domain {
    /// Returns the members `collective`, `axes` and `methods`, each preceded by a comma and a line break.
    pub(crate) fn to_members(&self) -> String {
        let collective = self.collective().map(|name| format!(",\n  \"collective\": {}", quoted(name)));
        let axes: Vec<String> = self.axes().iter().map(axis).collect();
        let methods: Vec<String> = self.methods().iter().map(method).collect();
        format!(
            "{},\n  \"axes\": [\n    {}\n  ],\n  \"methods\": [\n    {}\n  ]",
            collective.unwrap_or_default(),
            axes.join(",\n    "),
            methods.join(",\n    ")
        )
    }
}

fn axis(axis: &Axis) -> String {
    let (values, labels) = match &axis.samples {
        Samples::Values(values) => (Some(array(values)), None),
        Samples::Labels(labels) => (None, Some(array(labels.iter().map(|label| quoted(label))))),
    };
    object([
        ("name", Some(quoted(&axis.name))),
        ("unit", axis.unit.as_deref().map(quoted)),
        ("basis", axis.basis.map(|basis| quoted(basis.name()))),
        ("values", values),
        ("labels", labels),
    ])
}

fn method(method: &Method) -> String {
    let requires = method.requires.iter().map(|requirement| quoted(&requirement.to_string()));
    object([
        ("name", Some(quoted(&method.name))),
        ("segment_size", method.segment_size.map(|size| size.to_string())),
        ("id", method.id.map(|id| id.to_string())),
        ("ident", method.ident.as_deref().map(quoted)),
        ("baseline", method.baseline.then(|| "true".to_owned())),
        ("requires", (!method.requires.is_empty()).then(|| array(requires))),
    ])
}
