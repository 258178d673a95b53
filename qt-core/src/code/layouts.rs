//! The choice of a layout.

#[cfg(feature = "maps")]
mod either;
#[cfg(not(feature = "maps"))]
mod stored;

#[cfg(feature = "maps")]
pub use either::{AUTO_REGIONS, LayoutChoice, find_layout, layouts};
#[cfg(not(feature = "maps"))]
pub use stored::LayoutChoice;

impl LayoutChoice {
    /// The name of the option.
    pub const OPTION: &str = "layout";
}
