//! The settings of a map: the options of its encoding, and what is generated.

use qtdec_core::code::{EnumItem, ReturnKind, Wrapper};
use qtdec_core::encode::SearchLimit;
use qtdec_core::{Options, Syntax};

use crate::ItemOptions;

/// The settings of one map, or those of all maps of a builder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) options: Vec<(String, String)>,
    pub(crate) function: Option<String>,
    pub(crate) method_enum: Option<String>,
    pub(crate) parameter_type: Option<String>,
    pub(crate) axis_types: Vec<(String, String)>,
    pub(crate) visibility: Option<String>,
    pub(crate) returns: Option<String>,
    pub(crate) optional: bool,
    pub(crate) answers: Vec<(String, String)>,
    pub(crate) axis_values: Vec<(String, String)>,
    pub(crate) enum_items: Vec<EnumItem>,
    /// Whether the builder of these settings has more than settings.
    pub(crate) has_others: bool,
}

impl Settings {
    /// Returns these settings, with those of a map in place of the same ones.
    pub(crate) fn replaced_by(mut self, own: &Self) -> Self {
        replace(&mut self.options, &own.options);
        replace(&mut self.axis_types, &own.axis_types);
        replace(&mut self.answers, &own.answers);
        replace(&mut self.axis_values, &own.axis_values);
        self.enum_items.extend(
            own.enum_items.iter().filter(|item| !self.enum_items.contains(item)).copied().collect::<Vec<_>>(),
        );
        // A return type of the map's own says itself whether it is an `Option`.
        self.optional = own.optional || (self.optional && own.returns.is_none());
        Self {
            function: own.function.clone().or(self.function),
            method_enum: own.method_enum.clone().or(self.method_enum),
            parameter_type: own.parameter_type.clone().or(self.parameter_type),
            visibility: own.visibility.clone().or(self.visibility),
            returns: own.returns.clone().or(self.returns),
            has_others: own.has_others,
            ..self
        }
    }

    /// Returns the options of the encoding, or their faults.
    pub(crate) fn options(&self) -> Result<Options, Vec<String>> {
        let options = Options::parse(&self.options).map_err(|faults| {
            faults.iter().map(|fault| fault.message.render(Syntax::Builder)).collect::<Vec<_>>()
        })?;
        Ok(options.within(SearchLimit::BUILD))
    }

    /// Returns the problem that settings contradict each other.
    pub(crate) fn contradiction(&self) -> Option<String> {
        if self.has_others {
            return Some(
                "the settings of a map are a builder with settings alone: add maps, `made_of` and `out_dir` to the outer builder"
                    .to_owned(),
            );
        }
        let returns = self.returns.as_ref().filter(|_| self.optional)?;
        let (_, wrapper) = ReturnKind::from_type(&syn::parse_str(returns).ok()?)?;
        (wrapper != Wrapper::Option).then(|| {
            format!(
                "`optional()` is for the generated enum, and `returns` names `{returns}`\n\
                 help: remove `optional()` and write `returns(\"Option<{returns}>\")`"
            )
        })
    }

    pub(crate) fn style(&self, name: &str, options: &Options) -> ItemOptions {
        let default = ItemOptions::named(name);
        ItemOptions {
            function: self.function.clone().unwrap_or(default.function),
            method_enum: self.method_enum.clone().unwrap_or(default.method_enum),
            parameter_type: self.parameter_type.clone().unwrap_or(default.parameter_type),
            axis_types: self.axis_types.clone(),
            visibility: self.visibility.clone().unwrap_or(default.visibility),
            returns: self.returns.clone(),
            optional: self.optional,
            layout: options.layout(),
            error: options.error().map(str::to_owned),
            true_labels: options.true_labels().to_vec(),
            answers: self.answers.clone(),
            axis_values: self.axis_values.clone(),
            enum_items: self.enum_items.clone(),
            notes: Vec::new(),
        }
    }
}

/// Adds pairs in place of those with the same name.
fn replace(known: &mut Vec<(String, String)>, own: &[(String, String)]) {
    known.retain(|(name, _)| !own.iter().any(|(other, _)| other == name));
    known.extend(own.iter().cloned());
}
