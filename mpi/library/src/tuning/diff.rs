//! Differences between two decision functions, whether maps, trees or tuning files.

use crate::catalogue::{Library, natural_basis_or_buffer, parameter, without_parameters};
use qtdec_core::{Basis, DecisionTree, Method};

use crate::tuning::bands::{ranges, sorted};
use crate::tuning::selection::{Decision, LIBRARY};
use crate::tuning::{Bands, Selection};

/// A decision function on communicator and message size whose answers are texts.
pub struct Function {
    answers: Bands<String>,
    /// The basis of message sizes, or `None` if they are not used.
    pub basis: Option<Basis>,
}

/// A difference of two functions: the bounds of both sizes (the upper ones are exclusive), and both answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The communicator sizes.
    pub comm_size: (u64, Option<u64>),
    /// The message sizes.
    pub msg_size: (u64, Option<u64>),
    /// The two answers.
    pub answers: (String, String),
}

impl Function {
    /// Returns the function of a tree. If `library` is given, algorithms have the library's names.
    ///
    /// # Errors
    ///
    /// Fails if the tree has other axes than `comm_size` and `msg_size`.
    pub fn from_tree(tree: &DecisionTree, library: Option<Library>) -> Result<Self, qtdec_core::Problem> {
        let bands = Bands::from_tree(tree)?;
        let collective = tree.domain().collective().unwrap_or_default();
        let basis = tree.domain().find_axis("msg_size").map(|axis| {
            tree.domain().axes()[axis].basis.unwrap_or_else(|| natural_basis_or_buffer(collective))
        });
        let methods = tree.domain().methods().iter();
        let answers: Vec<String> = methods.map(|method| answer(method, library, collective)).collect();
        let none = if library.is_some() { LIBRARY } else { "nothing measured" };
        let answers = bands.map(|method| method.map_or(none, |method| &answers[method.get()]).to_owned());
        Ok(Self { answers, basis })
    }

    /// Returns the function of one collective in a tuning file.
    pub fn from_selection(selection: &dyn Selection, collective: &str) -> Self {
        let mut rows = Vec::new();
        for comm_size in sorted(selection.starts(collective).0.into_iter().chain([0])) {
            let sizes = sorted(selection.message_starts(collective, comm_size).into_iter().chain([0]));
            let answer = |size| (size, selection.decide(collective, comm_size, size).label());
            rows.push((comm_size, sizes.into_iter().map(answer).collect()));
        }
        let answers = Bands::new(rows).unwrap_or_else(|| Bands::everywhere(LIBRARY.to_owned()));
        Self { answers, basis: selection.unit(collective).basis() }
    }
}

fn answer(method: &Method, library: Option<Library>, collective: &str) -> String {
    let known = library.and_then(|library| library.find(collective, without_parameters(&method.name)));
    match (method.baseline, known) {
        (true, _) if library.is_some() => LIBRARY.to_owned(),
        (false, Some(algorithm)) => {
            let segment_size = method.segment_size.filter(|_| algorithm.is_segmented());
            let name = Some(algorithm.name.to_owned());
            let number = |key: &str| parameter(&method.name, key);
            let fan_out = number("fanout").or(algorithm.fan_out);
            let requests = algorithm.open_requests(number("reqs"), segment_size);
            Decision { name, segment_size, fan_out, requests, ..Decision::library() }.label()
        }
        _ => method.label(),
    }
}

/// Returns all sizes for which two functions of the same message sizes differ, in as few boxes as bands allow.
pub fn differences(first: &Function, second: &Function) -> Vec<Difference> {
    let both = [&first.answers, &second.answers];
    let mut rows = Vec::new();
    for comm_size in sorted(both.iter().flat_map(|bands| bands.communicators()).map(|(from, _)| *from)) {
        let sizes = sorted(both.iter().flat_map(|bands| bands.messages(comm_size)).map(|(from, _)| *from));
        let answers = |size| (size, both.map(|bands| bands.get(comm_size, size).clone()).into());
        rows.push((comm_size, sizes.into_iter().map(answers).collect()));
    }
    let Some(bands) = Bands::<(String, String)>::new(rows) else { return Vec::new() };
    let end = |(from, upto): (u64, Option<u64>)| (from, upto.map(|upto| upto + 1));
    let mut found = Vec::new();
    for (from, upto, messages) in ranges(bands.communicators()) {
        let comm_size = end((from, upto));
        for (from, upto, answers) in ranges(messages).filter(|(.., answers)| answers.0 != answers.1) {
            found.push(Difference { comm_size, msg_size: end((from, upto)), answers: answers.clone() });
        }
    }
    found
}
