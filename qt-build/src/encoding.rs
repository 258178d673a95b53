//! The options of the encoding as functions of the builder.

use qtdec_core::Borders;
use qtdec_core::code::{ERROR, LayoutChoice, TRUE_LABEL};
use qtdec_core::encode::{Budget, Empty, Encoder};

use crate::Builder;

impl Builder {
    /// Sets how the map is turned into a tree: an encoder with its own options, as the option `encoding` and those of this encoding.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use qtdec_build::{Builder, Objective, Optimal};
    ///
    /// let encoder = Optimal { objective: Objective::Depth, ..Optimal::default() };
    /// Builder::new().map("examples/kernel.json").encoder(&encoder).out_dir(folder.path()).generate()?;
    /// # let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// # assert!(code.contains("if rows < 16"), "{code}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encoder(self, encoder: &dyn Encoder) -> Self {
        let own = encoder.changed().into_iter();
        own.fold(self.option("encoding", encoder.name()), |builder, (name, value)| {
            builder.option(name, value)
        })
    }

    /// Sets how much worse decisions may be than the best ones, as the option `budget`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use qtdec_build::{Axis, Budget, Builder, DecisionMap, Method, Optimal};
    ///
    /// let methods = vec![Method::new("simple"), Method::new("blocked")];
    /// let times = [[10.0, 12.0], [21.0, 20.0]];
    /// let map = DecisionMap::from_costs(vec![Axis::new("rows", [1, 2])], methods, |point, method| {
    ///     times[point[0] as usize - 1][method.get()]
    /// })?;
    /// let budget = Budget { max: Some(10.0), ..Budget::default() };
    /// let builder = Builder::new().decision_map("kernel", map).encoder(&Optimal::default()).budget(budget);
    /// builder.out_dir(folder.path()).generate()?;
    /// assert!(!std::fs::read_to_string(folder.path().join("kernel.rs"))?.contains("if rows"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn budget(self, budget: Budget) -> Self {
        if budget.is_empty() { self } else { self.option("budget", budget) }
    }

    /// Sets the form of the code, as the option `layout`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use qtdec_build::{Builder, LayoutChoice};
    ///
    /// Builder::new().map("examples/kernel.json").layout(LayoutChoice::TABLE).out_dir(folder.path()).generate()?;
    /// assert!(!std::fs::read_to_string(folder.path().join("kernel.rs"))?.contains("if rows"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout(self, layout: LayoutChoice) -> Self {
        self.option(LayoutChoice::OPTION, layout.name())
    }

    /// Sets the message of the papers' last `else`, as the option `error`; for the layout `quadrants`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use qtdec_build::{Builder, LayoutChoice};
    ///
    /// let builder = Builder::new().map("examples/kernel.json").layout(LayoutChoice::QUADRANTS).error("no quadrant");
    /// builder.out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("::core::panic!(\"{}\", \"no quadrant\")"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn error(self, message: impl Into<String>) -> Self {
        self.option(ERROR.name, message.into())
    }

    /// Sets the labels that mean `true` for a `bool`, as the option `true_label`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use qtdec_build::{Axis, Builder, DecisionMap, Method};
    ///
    /// let axes = vec![Axis::labelled("order", ["random", "sorted"])];
    /// let methods = vec![Method::new("quick"), Method::new("insertion")];
    /// let times = [[1.0, 2.0], [2.0, 1.0]];
    /// let map = DecisionMap::from_costs(axes, methods, |point, method| times[point[0] as usize][method.get()])?;
    /// Builder::new().decision_map("sort", map).true_labels(["sorted"]).out_dir(folder.path()).generate()?;
    /// assert!(std::fs::read_to_string(folder.path().join("sort.rs"))?.contains("sort(order: bool)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn true_labels<'l>(self, labels: impl IntoIterator<Item = &'l str>) -> Self {
        self.option(TRUE_LABEL.name, labels.into_iter().collect::<Vec<_>>().join(","))
    }

    /// Sets the borders between samples, as the option `borders`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use qtdec_build::{Borders, Builder};
    ///
    /// Builder::new().map("examples/kernel.json").borders(Borders::Geometric).out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("if rows < 4 {"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn borders(self, borders: Borders) -> Self {
        self.option("borders", borders.name())
    }

    /// Sets the maximum depth, as the option `max_depth`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/kernel.json").max_depth(0).out_dir(folder.path()).generate()?;
    /// assert!(!std::fs::read_to_string(folder.path().join("kernel.rs"))?.contains("if rows"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn max_depth(self, depth: u32) -> Self {
        self.option("max_depth", depth)
    }

    /// Sets how cells without measurements are treated, as the option `empty`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use qtdec_build::{Builder, Empty};
    ///
    /// Builder::new().map("examples/sort.json").optional().empty(Empty::Strict).out_dir(folder.path()).generate()?;
    /// assert!(std::fs::read_to_string(folder.path().join("sort.rs"))?.contains("Option::None"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn empty(self, empty: Empty) -> Self {
        let name = Empty::ALL.iter().find(|(_, known)| *known == empty).map_or("", |(name, _)| *name);
        self.option("empty", name)
    }

    /// Sets the method that answers where the chosen one may not run, as the option `fallback`.
    ///
    /// ```
    /// use qtdec_build::{Builder, Error};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let builder = Builder::new().map("examples/kernel.json").fallback("simpel").out_dir(folder.path());
    /// assert!(matches!(builder.generate(), Err(Error::Invalid(_))));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn fallback(self, label: impl Into<String>) -> Self {
        self.option("fallback", label.into())
    }
}
