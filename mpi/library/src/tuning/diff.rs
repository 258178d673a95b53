//! Differences between two decision functions, whether maps, trees or tuning files.

use std::rc::Rc;

use crate::catalogue::{Library, natural_basis_or_buffer, parameter, without_parameters};
use qtdec_core::{Basis, DecisionTree};

use crate::tuning::selection::{Decision, LIBRARY};
use crate::tuning::{Bands, Selection};

/// A decision function on communicator and message size whose answers are texts.
pub struct Function<'f> {
    starts: Vec<u64>,
    message_starts: Box<dyn Fn(u64) -> Vec<u64> + 'f>,
    basis: Option<Basis>,
    decide: Box<dyn Fn(u64, u64) -> String + 'f>,
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

impl<'f> Function<'f> {
    /// Returns the function of a tree. If `library` is given, algorithms have the library's names.
    ///
    /// # Errors
    ///
    /// Fails if the tree has other axes than `comm_size` and `msg_size`.
    pub fn from_tree(tree: &'f DecisionTree, library: Option<Library>) -> Result<Self, qtdec_core::Problem> {
        let bands = Rc::new(Bands::from_tree(tree)?);
        let collective = tree.domain().collective().unwrap_or_default();
        let starts = bands.communicators().iter().map(|(from, _)| *from).collect();
        let of_messages = Rc::clone(&bands);
        let message_starts = Box::new(move |comm_size| {
            of_messages.messages(comm_size).iter().map(|(from, _)| *from).collect()
        });
        let basis = tree.domain().find_axis("msg_size").map(|axis| {
            tree.domain().axes()[axis].basis.unwrap_or_else(|| natural_basis_or_buffer(collective))
        });
        let answers: Vec<String> = (tree.domain().methods().iter())
            .map(|method| {
                let known =
                    library.and_then(|library| library.find(collective, without_parameters(&method.name)));
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
            })
            .collect();
        let none = if library.is_some() { LIBRARY } else { "nothing measured" };
        let decide = move |comm_size, msg_size| {
            bands.get(comm_size, msg_size).map_or(none.to_owned(), |method| answers[method.get()].clone())
        };
        Ok(Self { starts, message_starts, basis, decide: Box::new(decide) })
    }

    /// Returns the function of one collective in a tuning file.
    pub fn from_selection(selection: &'f dyn Selection, collective: &'f str) -> Self {
        Self {
            starts: selection.starts(collective).0,
            message_starts: Box::new(move |comm_size| selection.message_starts(collective, comm_size)),
            basis: selection.unit(collective).basis(),
            decide: Box::new(move |comm_size, msg_size| {
                selection.decide(collective, comm_size, msg_size).label()
            }),
        }
    }

    /// Returns the basis of message sizes, or `None` if they are not used.
    pub fn basis(&self) -> Option<Basis> {
        self.basis
    }
}

/// Returns all sizes for which two functions of the same message sizes differ, in as few boxes as bands allow.
pub fn differences(first: &Function<'_>, second: &Function<'_>) -> Vec<Difference> {
    let union = |first: &[u64], second: &[u64]| {
        let mut starts: Vec<u64> = first.iter().chain(second).copied().chain([0]).collect();
        starts.sort_unstable();
        starts.dedup();
        starts
    };
    let comm_starts = union(&first.starts, &second.starts);
    let row = |comm: u64| {
        let msg_starts = union(&(first.message_starts)(comm), &(second.message_starts)(comm));
        let answers =
            |&message: &u64| (message, ((first.decide)(comm, message), (second.decide)(comm, message)));
        (comm, msg_starts.iter().map(answers).collect())
    };
    let Some(bands) = Bands::new(comm_starts.into_iter().map(row).collect()) else { return Vec::new() };
    let mut found = Vec::new();
    for (index, (comm, messages)) in bands.communicators().iter().enumerate() {
        let comm_end = bands.communicators().get(index + 1).map(|(next, _)| *next);
        for (index, (message, answers)) in messages.iter().enumerate() {
            if answers.0 != answers.1 {
                let msg_end = messages.get(index + 1).map(|(next, _)| *next);
                found.push(Difference {
                    comm_size: (*comm, comm_end),
                    msg_size: (*message, msg_end),
                    answers: answers.clone(),
                });
            }
        }
    }
    found
}
