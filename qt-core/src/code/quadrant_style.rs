//! The options of the layout `quadrants`.

use crate::message::Message;
use crate::option_form::OptionForm;
use crate::problem::{Place, Problem};

/// The name of the layout.
pub(crate) const QUADRANTS: &str = "quadrants";

/// The option that adds the papers' last `else`.
pub const ERROR: OptionForm = OptionForm {
    name: "error",
    value: "MESSAGE",
    help: "end the branches of every block with the papers' `else` that reports an error; no size leads to it",
};

/// What the layout `quadrants` writes besides the branches.
#[derive(Clone, Debug, Default)]
pub struct QuadrantStyle {
    /// The message of the papers' last `else`, which is a panic that no size leads to. Without it, the last quadrant is the `else`.
    pub error: Option<String>,
    /// Whether each branch begins with its quadrants, as `qtdec_quadrants!("NW, NE");`. Whoever prints the code replaces this by a comment.
    pub named: bool,
}

impl QuadrantStyle {
    /// Checks that the layout with this name writes the error, if there is one.
    ///
    /// # Errors
    ///
    /// Returns an error for a layout other than `quadrants`.
    pub fn check(error: Option<&str>, layout: &str) -> Result<(), Problem> {
        if error.is_none() || layout == QUADRANTS {
            return Ok(());
        }
        let message = Message::default()
            .option(ERROR.name)
            .text(format!(" is for the layout `{QUADRANTS}`, not for `{layout}`"));
        Err(Problem::new(Place::File, message)
            .help(Message::set("layout", QUADRANTS))
            .help(Message::from("remove ").option(ERROR.name)))
    }
}
