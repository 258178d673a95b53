//! The attribute on a function: the map becomes its body.

use proc_macro2::{Span, TokenStream, TokenTree};
use qtdec_core::code::{Function, Parameter, ReturnKind, Wrapper, type_fault};
use qtdec_core::encode::SearchLimit;
use qtdec_core::similar::did_you_mean;
use qtdec_core::{Axis, DecisionTree, Options, Samples, Syntax, visible};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, FnArg, GenericParam, Generics, Ident, Pat, ReturnType, Signature, Type, parse_quote};

use crate::duplicate;
use crate::errors::Errors;
use crate::file::MapFile;
use crate::parse::{Arguments, GivenOption, MapFn, Renamed};
use crate::warning::warning;

pub(crate) fn expand(arguments: &Arguments, mut item: MapFn, mut errors: Errors) -> TokenStream {
    duplicate::check(&mut item.attrs, &mut errors);
    let decided = decide(arguments, &item, &mut errors);
    let MapFn { attrs, vis, sig, body } = item;
    match decided {
        Some(Decided { doc, tracker, warnings, decision }) if errors.is_empty() => {
            let gap = attrs.iter().any(is_doc).then(|| quote!(#[doc = ""]));
            quote!(#(#attrs)* #gap #[doc = #doc] #vis #sig { #tracker #warnings #decision })
        }
        // Keep the item, so that code that uses it causes no further errors.
        _ => {
            let errors = errors.to_tokens();
            let body = body.unwrap_or_else(|| quote!(::core::unimplemented!()));
            quote!(#(#attrs)* #[allow(unused_variables, unreachable_code)] #vis #sig { #errors #body })
        }
    }
}

fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// The parts of a function that come from its map.
struct Decided {
    doc: String,
    tracker: TokenStream,
    warnings: TokenStream,
    decision: TokenStream,
}

fn decide(arguments: &Arguments, item: &MapFn, errors: &mut Errors) -> Option<Decided> {
    let returned = returned(&item.sig, errors);
    let options = options(arguments, errors);
    let [name, others @ ..] = &arguments.files[..] else {
        if errors.is_empty() {
            errors.span(Span::call_site(), "expected a path: #[decision_map(\"maps/file.json\")]");
        }
        return None;
    };
    for other in others {
        errors.span(other.span, "a function takes a single map");
    }
    let file = MapFile::open(name, errors)?;
    let document = file.document(errors)?;
    let options = options?;
    let contradicted = document.warning();
    let has_gaps = document.has_gaps();
    let tree = file.check(options.tree(document), errors)?;
    let parameters = parameters(arguments, item, &tree, errors);
    let (returns, wrapper) = returned?;
    let nameable = is_nameable(returns.ty(), &item.sig.generics);
    let function = Function {
        tree: &tree,
        layout: options.layout(),
        parameters: parameters?,
        returns,
        wrapper,
        nameable,
        variants_at: file.span(),
        true_labels: options.true_labels().to_vec(),
        in_scope: item.sig.to_token_stream(),
        fallback: item.body.clone(),
    };
    let aliases = function.alias_checks();
    let decision = file.check(function.body(), errors)?.code;
    let decision = quote!(#aliases #decision);
    let doc =
        format!("{}{}`: {}.", duplicate::DECIDED_BY, visible::line(file.name()), tree.statistics().summary());
    let idle = item.body.as_ref().filter(|_| tree.is_total()).map(|body| {
        let first = body.clone().into_iter().next();
        let hint = if has_gaps { "; `empty = \"strict\"` leaves its empty cells to the body" } else { "" };
        let message = format!("the body never runs: the map answers everywhere{hint}");
        warning(first.map_or(item.sig.ident.span(), |first| first.span()), &message)
    });
    let contradicted = contradicted.map(|message| warning(file.span(), &message));
    let warnings = quote!(#idle #contradicted);
    Some(Decided { doc, tracker: file.tracker(), warnings, decision })
}

fn options(arguments: &Arguments, errors: &mut Errors) -> Option<Options> {
    let given: Vec<(String, &str)> =
        arguments.options.iter().map(|option| (option.name.to_string(), &*option.value)).collect();
    let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (&**name, *value)).collect();
    match Options::parse(&given) {
        Ok(options) => Some(options.within(SearchLimit::BUILD)),
        Err(faults) => {
            for fault in &faults {
                let GivenOption { name, value_span, .. } = &arguments.options[fault.index];
                let span = if fault.is_of_value { *value_span } else { name.span() };
                errors.span(span, fault.message.render(Syntax::Attribute));
            }
            None
        }
    }
}

/// Returns the parameter of every axis, matched by the axis's name or by the name that the attribute gives.
fn parameters(
    arguments: &Arguments,
    item: &MapFn,
    tree: &DecisionTree,
    errors: &mut Errors,
) -> Option<Vec<Parameter>> {
    let axes: Vec<&str> = tree.domain().axes().iter().map(|axis| &*axis.name).collect();
    let listed = axes.iter().map(|axis| format!("`{axis}`")).collect::<Vec<_>>().join(", ");
    let declared: Vec<Declared<'_>> = item.sig.inputs.iter().filter_map(Declared::of).collect();
    let forms = Options::forms();
    let options: Vec<&str> =
        forms.iter().map(|(form, _)| form.name).chain(Options::code_option_names()).collect();
    // A misspelled name counts as the one that was meant, so that it is one error.
    let mut given: Vec<(String, String, &Ident)> = Vec::new();
    for Renamed { axis: axis_name, parameter } in &arguments.renamed {
        let mut axis = axis_name.unraw().to_string();
        let mut name = parameter.unraw().to_string();
        if !axes.contains(&&*axis) && options.contains(&&*axis) {
            let message = format!("the value of an option must be in quotes: {axis} = \"{name}\"");
            errors.at(parameter, message);
            continue;
        }
        if !axes.contains(&&*axis) {
            let meant = did_you_mean(&axis, axes.iter().chain(&options).copied());
            let message =
                format!("`{axis}` is not an axis of the map, whose axes are {listed}{}", help(meant));
            errors.at(axis_name, message);
            if meant.is_some_and(|meant| options.contains(&meant)) {
                continue;
            }
            axis = meant.map_or(axis, str::to_owned);
        }
        if !declared.iter().any(|declared| declared.is(parameter)) {
            let names: Vec<String> = declared.iter().filter_map(Declared::name).collect();
            let meant = did_you_mean(&name, names.iter().map(String::as_str));
            errors.at(parameter, format!("the function has no parameter `{name}`{}", help(meant)));
            name = meant.map_or(name, str::to_owned);
        }
        given.push((axis, name, axis_name));
    }
    let mut taken = vec![false; declared.len()];
    let mut parameters = Vec::with_capacity(axes.len());
    let mut missing: Vec<&str> = Vec::new();
    for (index, axis) in axes.iter().enumerate() {
        let mut renamed = given.iter().filter(|(given, ..)| given == axis);
        let wanted = renamed.next().map(|(_, name, _)| &**name);
        if let Some((.., second)) = renamed.next() {
            errors.at(second, format!("the axis `{axis}` is given twice"));
        }
        let name = wanted.unwrap_or(axis);
        let Some(found) = declared.iter().position(|declared| declared.name().is_some_and(|own| own == name))
        else {
            if wanted.is_none() {
                missing.push(*axis);
            }
            continue;
        };
        if std::mem::replace(&mut taken[found], true) {
            errors.at(declared[found].pat, format!("`{name}` gives the size on two axes"));
        }
        let axis = &tree.domain().axes()[index];
        if let Some(fault) = type_fault(declared[found].ty, axis) {
            errors.at(declared[found].ty, fault);
        }
        parameters.extend(declared[found].parameter(axis, &item.sig.generics));
    }
    // A parameter given for something that is not an axis has been reported already, and is that of a missing axis.
    let misnamed: Vec<&str> =
        given.iter().filter(|(axis, ..)| !axes.contains(&&**axis)).map(|(_, name, _)| &**name).collect();
    if misnamed.len() >= missing.len() {
        missing.clear();
    }
    let is_unknown = |declared: &Declared<'_>| {
        // A parameter with the name of an axis that another parameter was given for has been reported already, too.
        let is_reported =
            declared.name().is_some_and(|name| axes.contains(&&*name) || misnamed.contains(&&*name));
        item.body.is_none() && !declared.is_unused() && !is_reported
    };
    let unknown: Vec<&Declared<'_>> = (declared.iter().zip(&taken))
        .filter_map(|(declared, &taken)| (!taken && is_unknown(declared)).then_some(declared))
        .collect();
    if let ([axis], [Declared { pat, .. }]) = (&missing[..], &unknown[..]) {
        let name = pat.to_token_stream();
        let message = format!(
            "`{name}` is not an axis of the map, and no parameter gives the size on axis `{axis}`\n\
             help: rename it to `{axis}`, or write #[decision_map(…, {axis} = {name})]"
        );
        errors.at(pat, message);
        return None;
    }
    for axis in &missing {
        let message = format!(
            "no parameter gives the size on axis `{axis}`\n\
             help: add `{axis}: usize`, or name the parameter that does: #[decision_map(…, {axis} = size)]"
        );
        errors.at(&item.sig.ident, message);
    }
    for Declared { pat, .. } in unknown {
        let message = format!(
            "`{}` is not an axis of the map, whose axes are {listed}\n\
             help: begin the name with `_`, or give the function a body that uses it",
            pat.to_token_stream()
        );
        errors.at(pat, message);
    }
    (parameters.len() == axes.len()).then_some(parameters)
}

/// Returns the help for a misspelled name, empty if no known one is similar.
fn help(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("\nhelp: did you mean `{meant}`?"))
}

/// A parameter as it was declared.
struct Declared<'a> {
    pat: &'a Pat,
    ty: &'a Type,
}

impl<'a> Declared<'a> {
    fn of(input: &'a FnArg) -> Option<Self> {
        match input {
            FnArg::Receiver(_) => None,
            FnArg::Typed(typed) => Some(Self { pat: &typed.pat, ty: &typed.ty }),
        }
    }

    fn ident(&self) -> Option<&'a Ident> {
        match self.pat {
            Pat::Ident(pat) => Some(&pat.ident),
            _ => None,
        }
    }

    fn name(&self) -> Option<String> {
        self.ident().map(|ident| ident.unraw().to_string())
    }

    fn is(&self, ident: &Ident) -> bool {
        self.name().is_some_and(|name| ident.unraw() == name)
    }

    fn is_unused(&self) -> bool {
        matches!(self.pat, Pat::Wild(_)) || self.name().is_some_and(|name| name.starts_with('_'))
    }

    fn parameter(&self, axis: &Axis, generics: &Generics) -> Option<Parameter> {
        let nameable = is_nameable(self.ty.to_token_stream(), generics);
        let is_faulty = matches!(&axis.samples, Samples::Labels(labels) if labels.len() > 2);
        let ty = match self.ty {
            // The error about the `bool` is reported already; check the rest as for an enum.
            Type::Path(path) if is_faulty && path.path.is_ident("bool") => parse_quote!(Labels),
            ty => ty.clone(),
        };
        Some(Parameter { name: self.ident()?.clone(), ty, nameable })
    }
}

/// Returns whether a type names neither `Self` nor a generic parameter.
fn is_nameable(ty: TokenStream, generics: &Generics) -> bool {
    ty.into_iter().all(|token| match token {
        TokenTree::Ident(ident) => {
            ident != "Self" && !generics.params.iter().any(|param| is_called(param, &ident))
        }
        TokenTree::Group(group) => is_nameable(group.stream(), generics),
        _ => true,
    })
}

fn is_called(param: &GenericParam, name: &Ident) -> bool {
    match param {
        GenericParam::Lifetime(param) => param.lifetime.ident == *name,
        GenericParam::Type(param) => param.ident == *name,
        GenericParam::Const(param) => param.ident == *name,
    }
}

/// Returns what the function returns for a method, according to its return type.
fn returned(signature: &Signature, errors: &mut Errors) -> Option<(ReturnKind, Wrapper)> {
    let what = "return an enum, an integer or `&'static str`, bare or in an `Option` or `Result`";
    let ReturnType::Type(_, ty) = &signature.output else {
        errors.at(signature, format!("the function has no return type\nhelp: {what}"));
        return None;
    };
    let returns = ReturnKind::of(ty);
    if returns.is_none() {
        errors.at(ty, what);
    }
    returns
}
