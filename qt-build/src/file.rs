//! One generated file: the enum of methods and the function that chooses among them.

mod devices;

use std::fmt::Write as _;

use proc_macro2::{Ident, Span, TokenStream};
use qtdec_core::code::{
    Body, EnumItem, Function, LayoutChoice, MethodEnum, Parameter, QuadrantStyle, ReturnKind, Wrapper,
    label_variants, type_fault,
};
use qtdec_core::naming::reserved::RUST_CONSTRUCTORS;
use qtdec_core::{Axis, DecisionTree, Diagnostics, Path, Place, Problem, Problems, Samples, naming, visible};
use quote::{ToTokens, quote};
use syn::parse::Parse;
use syn::{Expr, Type, Visibility, parse_quote};

use crate::print::printed;

/// The names and types of the generated items.
///
/// ```
/// use qtdec_build::ItemOptions;
/// use qtdec_core::{Document, Options};
///
/// let map = Document::from_json(&std::fs::read("examples/kernel.json")?)?;
/// let tree = Options::parse(&[("borders", "geometric")])?.tree(map)?;
///
/// let options = ItemOptions { visibility: "pub(crate)".to_owned(), ..ItemOptions::named("kernel") };
/// assert!(options.file(&tree, "kernel.json")?.contains("pub(crate) const fn kernel(rows: usize) -> Kernel"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ItemOptions {
    /// The name of the function.
    pub function: String,
    /// The name of the enum of methods, if one is generated.
    pub method_enum: String,
    /// The type of the parameters that give sizes.
    pub parameter_type: String,
    /// The types of other parameters, by the names of their axes. By default, a labelled axis takes a `bool` if it has two labels
    /// and it is clear which of them means `true`, and a generated enum otherwise.
    pub axis_types: Vec<(String, String)>,
    /// The visibility of the enum and the function.
    pub visibility: String,
    /// The return type, which is checked as that of a function with the attribute; `None` generates an enum of methods and returns that.
    pub returns: Option<String>,
    /// Whether a generated enum is returned in an `Option`, with `None` where nothing was measured.
    pub optional: bool,
    /// The layout of the function's code.
    pub layout: LayoutChoice,
    /// The message of the papers' last `else`, which the layout `quadrants` writes as a panic that no size leads to. Without it, the last
    /// quadrant is the `else`.
    pub error: Option<String>,
    /// The labels that mean `true` for a `bool`, where the labels themselves do not make it clear.
    pub true_labels: Vec<String>,
    /// The expression that is returned for each method, by its label, if `returns` is a type that cannot show which. Empty for enums,
    /// integers and strings.
    pub answers: Vec<(String, String)>,
    /// The constant expressions of axes that are no parameters, by the names of the axes.
    pub axis_values: Vec<(String, String)>,
    /// The items of a generated enum, apart from its variants: none if this is empty.
    pub enum_items: Vec<EnumItem>,
    /// What the comment at the beginning of the file says besides, a line each: such as where and when was measured.
    pub notes: Vec<String>,
}

impl ItemOptions {
    /// Creates settings with names made from `name`: a `snake_case` function and an `UpperCamelCase` enum. Sizes are `usize`, and
    /// all items are `pub`.
    ///
    /// ```
    /// let options = qtdec_build::ItemOptions::named("matrix-product");
    /// assert_eq!((&*options.function, &*options.method_enum), ("matrix_product", "MatrixProduct"));
    /// ```
    pub fn named(name: &str) -> Self {
        Self {
            function: naming::snake(name),
            method_enum: naming::upper_camel(name),
            parameter_type: "usize".to_owned(),
            axis_types: Vec::new(),
            visibility: "pub".to_owned(),
            returns: None,
            optional: false,
            layout: LayoutChoice::default(),
            error: None,
            true_labels: Vec::new(),
            answers: Vec::new(),
            axis_values: Vec::new(),
            enum_items: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Generates the file for a tree that was read from `source`.
    ///
    /// The text follows rustfmt's style of edition 2024. To keep rustfmt from changing it to another style, a module of the file has the
    /// attribute `#[rustfmt::skip]`.
    ///
    /// ```
    /// use qtdec_build::ItemOptions;
    /// use qtdec_core::{Document, Options};
    ///
    /// let map = Document::from_json(&std::fs::read("examples/kernel.json")?)?;
    /// let tree = Options::parse(&[("borders", "geometric")])?.tree(map)?;
    ///
    /// let file = ItemOptions::named("kernel").file(&tree, "kernel.json")?;
    /// assert!(file.contains("pub enum Kernel") && file.contains("pub const fn kernel"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for names that are not identifiers, for types that are not valid or too narrow, and for everything that
    /// [`Function::body`] refuses.
    pub fn file(&self, tree: &DecisionTree, source: &str) -> Result<String, Problems> {
        Ok(self.with_header(source, &[tree], self.items(tree, source)?))
    }

    fn with_header(&self, source: &str, trees: &[&DecisionTree], items: syn::File) -> String {
        let version = env!("CARGO_PKG_VERSION");
        // A name can hold anything, including a line break that would end the comment.
        let named = visible::line(source);
        let mut header = format!("// @generated by qtdec {version} from {named}. Do not edit.\n");
        for note in trees
            .iter()
            .map(|tree| format!("{}.", tree.statistics().summary()))
            .chain(self.notes.iter().cloned())
        {
            let _ = writeln!(header, "// {}", visible::line(&note));
        }
        header += "// If rustfmt would change it, write `#[rustfmt::skip]` above the `mod` of this file.\n";
        let items = items.items.into_iter().map(printed);
        [header].into_iter().chain(items).collect::<Vec<_>>().join("\n")
    }

    /// Generates the function alone.
    ///
    /// ```
    /// use qtdec_build::ItemOptions;
    /// use qtdec_core::{Document, Options};
    ///
    /// let map = Document::from_json(&std::fs::read("examples/kernel.json")?)?;
    /// let tree = Options::parse(&[("borders", "geometric")])?.tree(map)?;
    ///
    /// let function = ItemOptions::named("kernel").function(&tree, "kernel.json")?;
    /// assert!(function.contains("pub const fn kernel") && !function.contains("pub enum Kernel"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`file`](Self::file).
    pub fn function(&self, tree: &DecisionTree, source: &str) -> Result<String, Problems> {
        let items = self.items(tree, source)?.items.into_iter();
        Ok(items.filter(|item| matches!(item, syn::Item::Fn(_))).take(1).map(printed).collect())
    }

    fn items(&self, tree: &DecisionTree, source: &str) -> Result<syn::File, Problems> {
        parsed_items(self.code(tree, source)?)
    }

    fn code(&self, tree: &DecisionTree, source: &str) -> Result<TokenStream, Problems> {
        let Chosen { function, method_enum, visibility, returns, parameters, own_answers, computed } =
            self.chosen(tree)?;
        let label_enums = self.label_enums(tree, &visibility)?;
        let methods = match &returns {
            Some(_) => TokenStream::new(),
            None => methods(&[tree], &visibility, &method_enum, &self.enum_items)?,
        };
        let returned: Type = match returns {
            Some(own) => own,
            None if self.optional => parse_quote!(::core::option::Option<#method_enum>),
            None => parse_quote!(#method_enum),
        };
        let text = self.returns.as_deref().unwrap_or(&self.method_enum);
        let (returns, wrapper) = if own_answers.is_empty() {
            return_kind(&returned, text)?
        } else {
            ReturnKind::own(&returned, own_answers)
        };
        let is_given = |name: &Ident| computed.iter().any(|(given, _)| given == name);
        let typed = parameters.iter().filter(|parameter| !is_given(&parameter.name));
        let typed = typed.map(|Parameter { name, ty, .. }| quote!(#name: #ty)).collect::<Vec<_>>();
        let statements = computed.iter().map(|(name, value)| {
            let parameter = parameters.iter().find(|parameter| parameter.name == *name);
            {
                let ty = parameter.map(|parameter| &parameter.ty);
                quote!(let #name: #ty = #value;)
            }
        });
        let statements: TokenStream = statements.collect();
        let function_of_tree = Function {
            tree,
            parameters,
            returns,
            wrapper,
            nameable: true,
            variants_at: Span::call_site(),
            in_scope: quote!(#function #method_enum #label_enums #statements),
            true_labels: self.true_labels.clone(),
            quadrants: QuadrantStyle { error: self.error.clone(), named: true },
            fallback: None,
        };
        let Body { code, lints, too_narrow } = function_of_tree.body(self.layout)?;
        let mut check = Diagnostics::default();
        for problem in too_narrow {
            check.add(problem);
        }
        check.finish(Some(()))?;
        let snake = tree.domain().axes().iter().all(|axis| naming::snake(&axis.name) == axis.name);
        let snake = (!snake).then(|| quote!(#[allow(non_snake_case)]));
        let about = about(tree, wrapper == Wrapper::Option);
        let source = visible::line(source);
        let decided = format!(" Decided by `{source}`: {}.", tree.statistics().size());
        Ok(quote! {
            #label_enums
            #methods
            #[doc = #about]
            #[doc = ""]
            #[doc = #decided]
            #[must_use]
            #snake
            #lints
            #visibility const fn #function(#(#typed),*) -> #returned { #statements #code }
        })
    }

    fn chosen(&self, tree: &DecisionTree) -> Result<Chosen, Problems> {
        let mut check = Diagnostics::default();
        let function = check.note(identifier(&self.function, "a function", "function"));
        let method_enum = check.note(identifier(&self.method_enum, "an enum", "method_enum"));
        let visibility = check
            .note(parsed::<Visibility>(&self.visibility, "a visibility").map(ToTokens::into_token_stream));
        let returns = match &self.returns {
            Some(ty) => check.note(returned(ty, !self.answers.is_empty())).map(Some),
            None => Some(None),
        };
        let own_answers = check.note(self.own_answers());
        let computed = check.note(self.computed(tree));
        let parameters = check.note(self.parameters(tree));
        let chosen = || {
            Some(Chosen {
                function: function?,
                method_enum: method_enum?,
                visibility: visibility?,
                returns: returns?,
                parameters: parameters?,
                own_answers: own_answers?,
                computed: computed?,
            })
        };
        check.finish(chosen())
    }

    /// Returns the enum of each labelled axis for which the user names no type.
    fn label_enums(&self, tree: &DecisionTree, visibility: &TokenStream) -> Result<TokenStream, Problems> {
        let mut enums = TokenStream::new();
        let mut named: Vec<(String, &str)> = Vec::new();
        for (index, axis) in tree.domain().axes().iter().enumerate() {
            if axis.values().is_some() || self.is_bool(axis) || self.own_type(axis).is_some() {
                continue;
            }
            let name = naming::upper_camel(&axis.name);
            let place = || Path::root().key("axes").index(index).key("name");
            if self.returns.is_none() && name == self.method_enum {
                let message =
                    format!("the methods and the labels of `{}` would both be the enum `{name}`", axis.name);
                return Err(Problem::new(place(), message)
                    .help(
                        "choose another name for the enum of the methods, with `method_enum` of the builder",
                    )
                    .into());
            }
            if let Some((_, other)) = named.iter().find(|(known, _)| *known == name) {
                let message =
                    format!("the labels of `{other}` and of `{}` would both be the enum `{name}`", axis.name);
                return Err(Problem::new(place(), message).help(OWN_TYPE).into());
            }
            if !naming::is_identifier(&name) {
                let message =
                    format!("the labels of `{}` cannot be an enum: `{name}` is not an identifier", axis.name);
                return Err(Problem::new(place(), message).help(OWN_TYPE).into());
            }
            named.push((name.clone(), &axis.name));
            let variants = label_variants(tree.domain(), index)?;
            let doc = format!(" The values of `{}`.", axis.name);
            let name = Ident::new(&name, Span::call_site());
            enums.extend(quote! {
                #[doc = #doc]
                #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
                #visibility enum #name { #variants }
            });
        }
        Ok(enums)
    }

    /// Returns the expression of each method.
    fn own_answers(&self) -> Result<Vec<(String, TokenStream)>, Problems> {
        if self.returns.is_none() && !self.answers.is_empty() {
            let problem = Problem::new(Place::File, "answers are given, and no return type");
            return Err(problem.help("name the type of the answers with `returns`").into());
        }
        let mut check = Diagnostics::default();
        let answers = self.answers.iter().map(|(label, text)| {
            let expression = check.note(parsed::<Expr>(text, &format!("the answer for `{label}`")))?;
            Some((label.clone(), expression.into_token_stream()))
        });
        let answers = answers.collect();
        check.finish(answers)
    }

    /// Returns the expressions of axes that are no parameters.
    fn computed(&self, tree: &DecisionTree) -> Result<Vec<(Ident, Expr)>, Problems> {
        let mut check = Diagnostics::default();
        let computed = self.axis_values.iter().map(|(axis, text)| {
            let Some(index) = tree.domain().find_axis(axis) else {
                let known: Vec<&str> = tree.domain().axes().iter().map(|axis| &*axis.name).collect();
                let problem =
                    Problem::new(Place::File, format!("a value is given for `{axis}`, which is not an axis"));
                return check.refuse(problem.help(format!("the axes are {}", known.join(", "))));
            };
            let expression = check.note(parsed::<Expr>(text, &format!("the value of `{axis}`")))?;
            Some((Ident::new(&tree.domain().axes()[index].name, Span::call_site()), expression))
        });
        let computed = computed.collect();
        check.finish(computed)
    }

    fn own_type(&self, axis: &Axis) -> Option<&str> {
        self.axis_types.iter().find(|(name, _)| *name == axis.name).map(|(_, ty)| &**ty)
    }

    /// Returns whether a `bool` gives the label on an axis, unless the user names another type: there are two labels, and it is clear
    /// which of them means `true`.
    fn is_bool(&self, axis: &Axis) -> bool {
        let Samples::Labels(labels) = &axis.samples else { return false };
        labels.len() == 2
            && (axis.true_label().is_some() || labels.iter().any(|label| self.true_labels.contains(label)))
    }

    fn parameters(&self, tree: &DecisionTree) -> Result<Vec<Parameter>, Problems> {
        let axes = tree.domain().axes();
        if let Some((name, _)) =
            self.axis_types.iter().find(|(name, _)| tree.domain().find_axis(name).is_none())
        {
            let known: Vec<&str> = axes.iter().map(|axis| &*axis.name).collect();
            let problem =
                Problem::new(Place::File, format!("a type is given for `{name}`, which is not an axis"));
            return Err(problem.help(format!("the axes are {}", known.join(", "))).into());
        }
        let constructors =
            axes.iter().enumerate().filter(|(_, axis)| RUST_CONSTRUCTORS.contains(&&*axis.name));
        let mut problems = Diagnostics::default();
        for (index, axis) in constructors {
            let message = format!(
                "the axis `{0}` cannot be a parameter, because `{0}` is a constructor in Rust's prelude",
                axis.name
            );
            let place = Path::root().key("axes").index(index).key("name");
            problems.add(Problem::new(place, message).help("rename the axis"));
        }
        let parameters: Vec<_> = axes.iter().map(|axis| problems.note(self.parameter(axis))).collect();
        problems.finish(parameters.into_iter().collect())
    }

    fn parameter(&self, axis: &Axis) -> Result<Parameter, Problems> {
        let ty = match (self.own_type(axis), axis.values()) {
            (Some(own), _) => own.to_owned(),
            (None, Some(_)) => self.parameter_type.clone(),
            (None, None) if self.is_bool(axis) => "bool".to_owned(),
            (None, None) => naming::upper_camel(&axis.name),
        };
        let name = Ident::new(&axis.name, Span::call_site());
        let parsed = parsed::<Type>(&ty, PARAMETER)?;
        match type_fault(&parsed, axis) {
            None => Ok(Parameter { name, ty: parsed, nameable: true }),
            Some(fault) => Err(invalid(&ty, PARAMETER).help(fault).into()),
        }
    }
}

/// The suggestion for the name of an enum of labels.
const OWN_TYPE: &str = "rename the axis, or use an enum of your own with `axis_type` of the builder";

/// The name of a parameter's type in messages.
const PARAMETER: &str = "the type of a parameter";

/// The settings as tokens.
struct Chosen {
    function: Ident,
    method_enum: Ident,
    visibility: TokenStream,
    /// The return type, if no enum is generated.
    returns: Option<Type>,
    parameters: Vec<Parameter>,
    own_answers: Vec<(String, TokenStream)>,
    /// The parameters that are constants, with their expressions.
    computed: Vec<(Ident, Expr)>,
}

/// Returns the generated code as items that can be printed.
fn parsed_items(items: TokenStream) -> Result<syn::File, Problems> {
    syn::parse2(items).map_err(|error| {
        Problem::new(Place::File, format!("the generated code is not valid Rust: {error}"))
            .help("check the requested types and names")
            .into()
    })
}

/// Returns the enum of the methods of all trees, which are for one collective if they name any.
fn methods(
    trees: &[&DecisionTree],
    visibility: &TokenStream,
    name: &Ident,
    items: &[EnumItem],
) -> Result<TokenStream, Problems> {
    let mut methods = MethodEnum::default();
    for tree in trees {
        methods.add(tree.domain(), &tree.methods())?;
    }
    let (variants, lints) = (methods.variants(), methods.lints(name));
    let items = methods.items(items, visibility, name);
    let doc = match trees.iter().find_map(|tree| tree.domain().collective()) {
        Some(collective) => format!(" The methods for `{}`.", visible::line(collective)),
        None => " The methods to choose from.".to_owned(),
    };
    // Methods that are never chosen stay: the next map may choose them, and a program names them where it runs them.
    let dead = (!trees.iter().all(|tree| chooses_all(tree))).then(|| quote!(#[allow(dead_code)]));
    Ok(quote! {
        #[doc = #doc]
        #dead
        #lints
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #visibility enum #name { #variants }
        #items
    })
}

/// Returns whether a tree chooses each method that has a variant somewhere.
fn chooses_all(tree: &DecisionTree) -> bool {
    let chosen: Vec<_> = tree.methods();
    tree.domain().choosable_methods(&chosen).all(|method| chosen.contains(&method))
}

/// Returns the first line of the function's documentation: what it chooses, and by which sizes.
fn about(tree: &DecisionTree, optional: bool) -> String {
    let sizes = tree.domain().axes().iter().map(|axis| match (&axis.unit, axis.basis) {
        (Some(unit), Some(basis)) => {
            format!("`{}` ({}, {})", axis.name, visible::line(unit), basis.name())
        }
        (Some(unit), None) => format!("`{}` ({})", axis.name, visible::line(unit)),
        (None, _) => format!("`{}`", axis.name),
    });
    let sizes: Vec<String> = sizes.collect();
    let sizes = match &sizes[..] {
        [start @ .., last] if !start.is_empty() => format!("{} and {last}", start.join(", ")),
        _ => sizes.concat(),
    };
    let of = tree.domain().collective().map(|collective| format!(" for `{}`", visible::line(collective)));
    let of = of.unwrap_or_default();
    let nothing = if optional { "; `None` in a region where nothing was measured" } else { "" };
    format!(" The method{of} by {sizes}{nothing}.")
}

/// Parses an identifier; `setting` is the setting that provides the name.
fn identifier(name: &str, what: &str, setting: &str) -> Result<Ident, Problems> {
    if naming::is_identifier(name) {
        return Ok(Ident::new(name, Span::call_site()));
    }
    let option = setting.replace('_', "-");
    Err(invalid(name, &format!("the name of {what}"))
        .help(format!("choose one with `.{setting}(…)` of the builder, or --{option}"))
        .into())
}

/// Parses the return type. It is `'static` wherever it is a reference, because no parameter is one.
fn returned(text: &str, has_answers: bool) -> Result<Type, Problems> {
    let ty = parsed::<Type>(text, "a return type")?;
    if has_answers {
        return Ok(ty);
    }
    return_kind(&ty, text)?;
    if text.contains('&') && !text.contains("'static") {
        return Err(invalid(text, "a return type").help("write `&'static str`").into());
    }
    Ok(ty)
}

/// Returns the kind of value that a function of this return type returns.
fn return_kind(ty: &Type, text: &str) -> Result<(ReturnKind, Wrapper), Problem> {
    ReturnKind::from_type(ty).ok_or_else(|| {
        invalid(text, "a return type")
            .help("name an enum, an integer or &'static str, bare or in an `Option` or `Result`")
    })
}

/// Parses text as Rust syntax of this kind.
fn parsed<T: Parse>(text: &str, what: &str) -> Result<T, Problems> {
    syn::parse_str(text).map_err(|error| invalid(text, what).help(error.to_string()).into())
}

fn invalid(text: &str, what: &str) -> Problem {
    Problem::new(Place::File, format!("`{text}` cannot be {what}"))
}
