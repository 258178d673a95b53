//! What a command says of fitted times.

use qtdec_study::terms::{Filled, Form, MethodModel};
use serde_json::{Value, json};

use crate::{counted, output};

/// The member of a map's source that describes fitted times.
pub const MEMBER: &str = "fitted";

/// The encoding of trees of fitted times: borders of a formula lie on lines that are oblique to the axes, of which a quadtree makes
/// several times as many regions.
pub const ENCODING: &str = "greedy";

/// Prints the error of every method at points that were left out, the terms that no method needs, and the methods that are judged by
/// their samples.
pub fn report(filled: &Filled) {
    let model = &filled.model;
    let useless = model.useless();
    if !useless.is_empty() {
        output::note(&format!(
            "no method needs {} to predict points that are left out: dropped",
            useless.iter().map(|term| format!("the term {term}")).collect::<Vec<_>>().join(" and ")
        ));
    }
    let terms: Vec<&str> = model.terms().collect();
    for method in model.methods() {
        let MethodModel { label, points, .. } = method;
        let points = counted(*points as u64, "point", "points");
        let error = percent(method);
        match &method.form {
            Form::Terms(kept) => {
                let is_kept = |number: usize| kept.iter().any(|(known, _)| *known == number);
                let dropped: Vec<&str> = (0..terms.len())
                    .filter(|&number| !is_kept(number) && !useless.contains(&terms[number]))
                    .map(|number| terms[number])
                    .collect();
                let without = match &dropped[..] {
                    [] => String::new(),
                    dropped => format!(", without {}", dropped.join(" and ")),
                };
                output::note(&format!("{label}: {points}, off by {error:.1} % where left out{without}"));
            }
            Form::Samples => output::warn(&format!(
                "no sum of the terms follows the times of {label}: it is judged by the nearest of its {points}, off by \
                 {error:.1} % where left out"
            )),
        }
    }
    if filled.fit_wins {
        output::note(
            "fitted times decide better than measured ones on repeats that were left out, and take their place everywhere",
        );
    } else {
        let cells = counted(filled.measured.len() as u64, "cell", "cells");
        output::note(&format!(
            "{cells} of {} with measured times, the others with fitted ones",
            filled.cells()
        ));
    }
}

pub fn source(filled: &Filled) -> Value {
    let terms: Vec<&str> = filled.model.terms().collect();
    let methods: Vec<Value> = filled.model.methods().iter().map(|model| method(model, &terms)).collect();
    json!({ MEMBER: { "measured_cells": filled.measured.len(), "methods": methods } })
}

fn method(model: &MethodModel, terms: &[&str]) -> Value {
    let form = match &model.form {
        Form::Terms(kept) => {
            kept.iter().map(|(number, factor)| json!({ "term": terms[*number], "factor": factor })).collect()
        }
        Form::Samples => json!("samples"),
    };
    json!({ "method": model.label, "points": model.points, "left_out_percent": percent(model), "terms": form })
}

/// Returns the error of a method where points are left out, in per cent.
fn percent(method: &MethodModel) -> f64 {
    100.0 * (method.error.exp() - 1.0)
}
