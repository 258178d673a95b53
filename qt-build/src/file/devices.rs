//! Trees of several devices in one file: a function of each, and one that chooses among them by a key.

use proc_macro2::{Ident, Span, TokenStream};
use qtdec_core::code::{Parameter, ReturnKind, Wrapper};
use qtdec_core::{Axis, DecisionTree, Place, Problem, Problems, naming};

use quote::quote;

use super::{Chosen, ItemOptions, about, methods, parsed_items};

impl ItemOptions {
    /// Generates the file for the trees of several devices: each has a key, the name of the file from which it was read, and its tree.
    ///
    /// The function takes the key of a device first, such as `std::env::consts::ARCH` or the name of a processor, and returns `None` on a
    /// device that has no tree, so that the caller's own rule decides there.
    ///
    /// ```
    /// use qtdec_build::ItemOptions;
    /// use qtdec_core::{Document, Options};
    ///
    /// let map = Document::from_json(&std::fs::read("examples/kernel.json")?)?;
    /// let tree = Options::parse(&[("borders", "geometric")])?.tree(map)?;
    ///
    /// let file = ItemOptions::named("kernel").file_by_device(&[("x86_64", "kernel.json", &tree)])?;
    /// assert!(file.contains("pub fn kernel(device: &str, rows: usize) -> ::core::option::Option<Kernel>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there are no trees, if they differ in their axes, if two keys give one name, for a return type in a `Result`,
    /// and for everything that [`file`](Self::file) refuses.
    pub fn file_by_device(&self, trees: &[(&str, &str, &DecisionTree)]) -> Result<String, Problems> {
        let first = first(trees)?;
        let names = self.names(trees)?;
        let Chosen { function, method_enum, visibility, returns, parameters, .. } = self.chosen(first)?;
        let all: Vec<&DecisionTree> = trees.iter().map(|(.., tree)| *tree).collect();
        let (methods, returned, wrapper) = match returns {
            Some(own) => {
                let (kind, wrapper) = ReturnKind::own(&own, Vec::new());
                (TokenStream::new(), kind.ty(), wrapper)
            }
            None => {
                let methods = methods(&all, &visibility, &method_enum, &self.enum_items)?;
                (methods, quote!(#method_enum), Wrapper::Bare)
            }
        };
        if wrapper == Wrapper::Result {
            let message =
                "a function of a device returns `None` on other devices, and cannot return a `Result`";
            return Err(Problem::new(Place::File, message).help("return the type without it").into());
        }
        let (mut functions, mut arms) = (TokenStream::new(), TokenStream::new());
        let arguments: Vec<&Ident> = parameters.iter().map(|parameter| &parameter.name).collect();
        for ((key, source, tree), name) in trees.iter().zip(names) {
            let is_wrapped = wrapper == Wrapper::Option || (self.returns.is_none() && !tree.is_total());
            functions.extend(self.function_of_device(&name, is_wrapped, tree, source)?);
            let name = Ident::new(&name, Span::call_site());
            let call = quote!(#name(#(#arguments),*));
            arms.extend(if is_wrapped {
                quote!(#key => #call,)
            } else {
                quote!(#key => ::core::option::Option::Some(#call),)
            });
        }
        let device = device(&parameters);
        let typed = parameters.iter().map(|Parameter { name, ty, .. }| quote!(#name: #ty));
        let typed = typed.collect::<Vec<_>>();
        let about = about(first, false);
        let other = format!(" Returns `None` if `{device}` is none of the devices.");
        let label_enums = self.label_enums(first, &visibility)?;
        let items = quote! {
            #label_enums
            #methods
            #[doc = #about]
            #[doc = ""]
            #[doc = #other]
            #[must_use]
            #[inline]
            #visibility fn #function(#device: &str, #(#typed),*) -> ::core::option::Option<#returned> {
                match #device { #arms _ => ::core::option::Option::None }
            }
            #functions
        };
        let sources: Vec<&str> = trees.iter().map(|(_, source, _)| *source).collect();
        Ok(self.with_header(&sources.join(", "), &all, parsed_items(items)?))
    }

    fn names(&self, trees: &[(&str, &str, &DecisionTree)]) -> Result<Vec<String>, Problems> {
        let mut names: Vec<String> = Vec::new();
        for (key, ..) in trees {
            let name = naming::snake(&format!("{}_{key}", self.function));
            if let Some(same) = names.iter().position(|known| *known == name) {
                let message = format!("`{}` and `{key}` would both be the function `{name}`", trees[same].0);
                return Err(Problem::new(Place::File, message).help("rename one of the files").into());
            }
            names.push(name);
        }
        Ok(names)
    }

    /// Returns the function of one device, which uses the enums of the whole file.
    fn function_of_device(
        &self,
        name: &str,
        is_wrapped: bool,
        tree: &DecisionTree,
        source: &str,
    ) -> Result<TokenStream, Problems> {
        let of_methods = &self.method_enum;
        let of_methods =
            if is_wrapped { format!("::core::option::Option<{of_methods}>") } else { of_methods.clone() };
        let labelled =
            tree.domain().axes().iter().filter(|axis| {
                axis.values().is_none() && !self.is_bool(axis) && self.own_type(axis).is_none()
            });
        let enums = labelled.map(|axis| (axis.name.clone(), naming::upper_camel(&axis.name)));
        let own = Self {
            function: name.to_owned(),
            visibility: String::new(),
            returns: Some(self.returns.clone().unwrap_or(of_methods)),
            axis_types: self.axis_types.iter().cloned().chain(enums).collect(),
            enum_items: Vec::new(),
            ..self.clone()
        };
        own.code(tree, source)
    }
}

/// Returns the parameter for the key, of which no axis has the name.
fn device(parameters: &[Parameter]) -> Ident {
    let mut name = "device".to_owned();
    while parameters.iter().any(|parameter| parameter.name == name) {
        name.push('_');
    }
    Ident::new(&name, Span::call_site())
}

/// Returns the first tree, whose axes all others have.
fn first<'t>(trees: &[(&str, &str, &'t DecisionTree)]) -> Result<&'t DecisionTree, Problem> {
    let Some((_, first_file, first)) = trees.first() else {
        return Err(Problem::new(Place::File, "a function of a device needs a tree"));
    };
    let Some((_, file, _)) = trees.iter().find(|(.., tree)| !have_same_axes(tree, first)) else {
        return Ok(first);
    };
    let message = format!("`{file}` has other axes than `{first_file}`, and one function decides by both");
    Err(Problem::new(Place::File, message).help("write a function for each of them"))
}

/// Returns whether two trees have axes of the same names, labels and, as far as both say so, meaning of sizes.
fn have_same_axes(one: &DecisionTree, other: &DecisionTree) -> bool {
    let [one, other] = [one, other].map(|tree| tree.domain().axes());
    let are_alike = |(one, other): (&Axis, &Axis)| {
        let differ = one.basis.zip(other.basis).is_some_and(|(one, other)| one != other);
        let labels = |axis: &Axis| axis.values().is_none().then(|| axis.samples.clone());
        one.name == other.name && !differ && labels(one) == labels(other)
    };
    one.len() == other.len() && one.iter().zip(other).all(are_alike)
}
