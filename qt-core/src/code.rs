//! Code generation from a decision tree.
//!
//! [`Block`](crate::tree::Block) is the shape of the branches and [`DecisionTable`](crate::tree::DecisionTable) that of the table, in any
//! language. This module writes them in Rust.

mod alias;
mod answers;
mod body;
mod branches;
mod checks;
mod enum_items;
mod function;
mod guarded;
mod layout;
mod layouts;
mod limits;
mod lints;
mod method_enum;
mod names;
mod number;
mod parameter;
mod parameter_types;
mod part_return;
mod parts;
mod quadrant_style;
mod quadrants;
mod quartered;
mod returns;
mod scope;
mod select;
mod table;
mod types;
mod variants;

pub use enum_items::EnumItem;
pub use function::{Body, Function};
pub use layout::Layout;
pub use layouts::{AUTO_REGIONS, LayoutChoice, layouts};
pub use limits::{MAX_REGIONS, MAX_VARIANTS, check_regions};
pub use method_enum::MethodEnum;
pub use parameter::{Parameter, TRUE_LABEL};
pub use parameter_types::type_fault;
pub use quadrant_style::{ERROR, QuadrantStyle};
pub use quartered::{QuadrantBranch, Quartered};
pub use returns::{OwnAnswers, ReturnKind, Wrapper};
pub use select::{MAX_SELECTED, check_selected};
pub use table::MAX_TABLE_ANSWERS;
pub use variants::label_variants;
