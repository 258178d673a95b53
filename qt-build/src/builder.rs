//! The builder that a build script calls.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use annotate_snippets::Renderer;
use qtdec_core::code::EnumItem;
use qtdec_core::{
    DecisionMap, Document, Options, Place, Problem, Problems, SourceFile, Syntax, help_if_missing,
};
use same_file::is_same_file;

use crate::Error;
use crate::settings::Settings;
use crate::write::write;

/// A builder that generates one file for each map.
///
/// ```no_run
/// # fn main() -> Result<(), qtdec_build::Error> {
/// qtdec_build::Builder::new()
///     .map("maps/bcast.json")
///     .option("max_depth", 3)
///     .parameter_type("u64")
///     .generate()
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is written before `generate()` is called"]
pub struct Builder {
    maps: Vec<(Input, Settings)>,
    made_of: Vec<PathBuf>,
    settings: Settings,
    out_dir: Option<PathBuf>,
}

/// The input that a file is generated from.
#[derive(Clone, Debug)]
enum Input {
    /// A map or tree in a file.
    File(PathBuf),
    /// A map that the build script made, with its name.
    Memory(String, Box<DecisionMap>),
}

impl Builder {
    /// Creates a builder with default settings.
    ///
    /// ```
    /// use qtdec_build::{Builder, Error};
    ///
    /// // A builder without a map generates nothing.
    /// assert!(matches!(Builder::new().generate(), Err(Error::NoMap)));
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a map or tree, by its path relative to the directory of Cargo.toml. For `maps/bcast.json`, the generated file is
    /// `OUT_DIR/qtdec/bcast.rs`, with the function `bcast` and the enum `Bcast`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/kernel.json").out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("pub const fn kernel(rows: usize) -> Kernel"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map(mut self, path: impl Into<PathBuf>) -> Self {
        self.maps.push((Input::File(path.into()), Settings::default()));
        self
    }

    /// Adds a map or tree with settings of its own, which replace those of the builder. `own` is a builder that has settings alone.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use qtdec_build::Builder;
    ///
    /// Builder::new()
    ///     .visibility("pub(crate)")
    ///     .map("examples/kernel.json")
    ///     .map_with("examples/sort.json", Builder::new().function("best").returns("&'static str"))
    ///     .out_dir(folder.path())
    ///     .generate()?;
    /// let code = |name: &str| std::fs::read_to_string(folder.path().join(name));
    /// assert!(code("kernel.rs")?.contains("pub(crate) const fn kernel(rows: usize) -> Kernel"));
    /// assert!(code("sort.rs")?.contains("pub(crate) const fn best("));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map_with(mut self, path: impl Into<PathBuf>, own: Self) -> Self {
        self.maps.push((Input::File(path.into()), own.settings_alone()));
        self
    }

    /// Adds a map that the build script made itself, such as one [from costs](DecisionMap::from_costs). For the map `kernel`, the
    /// generated file is `OUT_DIR/qtdec/kernel.rs`, with the function `kernel` and the enum `Kernel`.
    ///
    /// Cargo cannot see what such a map was made from. If there is one, Cargo reruns the build script whenever any file of the
    /// package changes, unless [`made_of`](Self::made_of) names the files.
    ///
    /// ```no_run
    /// use qtdec_build::{Axis, Builder, DecisionMap, Method};
    ///
    /// fn main() -> Result<(), qtdec_build::Error> {
    ///     let axes = vec![Axis::new("rows", [1, 16, 256])];
    ///     let methods = vec![Method::new("simple"), Method::new("blocked")];
    ///     let map = DecisionMap::from_costs(axes, methods, |point, method| {
    ///         let rows = point[0] as f64;
    ///         [10.0 * rows, 100.0 + 2.5 * rows][method.get()]
    ///     })?;
    ///     Builder::new().decision_map("kernel", map).generate()
    /// }
    /// ```
    pub fn decision_map(mut self, name: impl Into<String>, map: DecisionMap) -> Self {
        self.maps.push((Input::Memory(name.into(), Box::new(map)), Settings::default()));
        self
    }

    /// Adds a map that the build script made itself, with settings of its own as in [`map_with`](Self::map_with).
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use qtdec_build::{Axis, Builder, DecisionMap, Method};
    ///
    /// let methods = vec![Method::new("simple"), Method::new("blocked")];
    /// let map = DecisionMap::from_costs(vec![Axis::new("rows", [1])], methods, |_, method| [2.0, 1.0][method.get()])?;
    /// Builder::new().decision_map_with("kernel", map, Builder::new().returns("u8")).out_dir(folder.path()).generate()?;
    /// assert!(std::fs::read_to_string(folder.path().join("kernel.rs"))?.contains("-> u8"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decision_map_with(mut self, name: impl Into<String>, map: DecisionMap, own: Self) -> Self {
        self.maps.push((Input::Memory(name.into(), Box::new(map)), own.settings_alone()));
        self
    }

    /// Names a file that maps in memory were made from. Cargo then reruns the build script only when such a file or the file of
    /// a map changes.
    ///
    /// ```
    /// use qtdec_build::{Axis, Builder, DecisionMap, Method};
    ///
    /// fn main() -> Result<(), Box<dyn std::error::Error>> {
    ///     # let folder = tempfile::tempdir()?;
    ///     # std::fs::write(folder.path().join("times.txt"), "12 31")?;
    ///     # let times_file = folder.path().join("times.txt");
    ///     let times = std::fs::read_to_string(&times_file)?;
    ///     let times: Vec<f64> = times.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    ///     let methods = vec![Method::new("simple"), Method::new("blocked")];
    ///     let map = DecisionMap::from_costs(vec![Axis::new("rows", [1])], methods, |_, method| times[method.get()])?;
    ///     let builder = Builder::new().decision_map("kernel", map).made_of(&times_file);
    ///     # let builder = builder.out_dir(folder.path());
    ///     builder.generate()?;
    ///     # assert!(std::fs::read_to_string(folder.path().join("kernel.rs"))?.contains("Kernel::Simple"));
    ///     Ok(())
    /// }
    /// ```
    pub fn made_of(mut self, path: impl Into<PathBuf>) -> Self {
        self.made_of.push(path.into());
        self
    }

    /// Sets an option of the encoding, by its name and value in the attribute: `option("max_depth", 3)`. Most options also have a
    /// function of their own, whose types leave less to check.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/kernel.json").option("borders", "geometric").out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("if rows < 4 {"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(
        clippy::needless_pass_by_value,
        reason = "`option(\"max_depth\", 3)` reads better than with a `&`"
    )]
    pub fn option(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.settings.options.push((name.into(), value.to_string()));
        self
    }

    /// Sets what is returned for a method: an expression of the type that [`returns`](Self::returns) names, such as a constant or a
    /// function. Every method that the function can return needs one.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new()
    ///     .map("examples/kernel.json")
    ///     .returns("fn(&[f64]) -> f64")
    ///     .answer("simple", "crate::kernels::simple")
    ///     .answer("blocked", "crate::kernels::blocked")
    ///     .out_dir(folder.path())
    ///     .generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("pub const fn kernel(rows: usize) -> fn(&[f64]) -> f64 {"), "{code}");
    /// assert!(code.contains("crate::kernels::blocked"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(mut self, label: impl Into<String>, expression: impl Into<String>) -> Self {
        self.settings.answers.push((label.into(), expression.into()));
        self
    }

    /// Sets the size on an axis to a constant expression, so that the function has no parameter for it.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/kernel.json").axis_value("rows", "crate::ROWS").out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("pub const fn kernel() -> Kernel") && code.contains("= crate::ROWS;"), "{code}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn axis_value(mut self, axis: impl Into<String>, expression: impl Into<String>) -> Self {
        self.settings.axis_values.push((axis.into(), expression.into()));
        self
    }

    /// Adds an item to the generated enum, such as `Display` or the function `name()`. Without it the enum has its variants alone.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use qtdec_build::{Builder, EnumItem};
    ///
    /// Builder::new().map("examples/kernel.json").enum_item(EnumItem::Display).out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("impl ::core::fmt::Display for Kernel"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn enum_item(mut self, item: EnumItem) -> Self {
        if !self.settings.enum_items.contains(&item) {
            self.settings.enum_items.push(item);
        }
        self
    }

    /// Sets the name of the function. The default is the name of the file.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/kernel.json").function("fastest").out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("pub const fn fastest(rows: usize) -> Kernel"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn function(mut self, name: impl Into<String>) -> Self {
        self.settings.function = Some(name.into());
        self
    }

    /// Sets the name of the enum of methods. The default is the name of the file.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/kernel.json").method_enum("Method").out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("pub const fn kernel(rows: usize) -> Method"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn method_enum(mut self, name: impl Into<String>) -> Self {
        self.settings.method_enum = Some(name.into());
        self
    }

    /// Sets the type of the parameters that give sizes. The default is `usize`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/kernel.json").parameter_type("u64").out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("pub const fn kernel(rows: u64) -> Kernel"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parameter_type(mut self, ty: impl Into<String>) -> Self {
        self.settings.parameter_type = Some(ty.into());
        self
    }

    /// Sets the type of the parameter that gives the size or label on one axis. For a labelled axis, this can be an enum of your own
    /// with a variant for every label. By default, such an axis takes a `bool` if it has two labels and it is clear which of them
    /// means `true`, from the labels themselves or from the option `true_label`. Otherwise it takes a generated enum.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/sort.json").axis_type("order", "crate::Order").out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("sort.rs"))?;
    /// assert!(code.contains("order: crate::Order"));
    /// assert!(code.contains("crate::Order::Reversed"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn axis_type(mut self, axis: impl Into<String>, ty: impl Into<String>) -> Self {
        self.settings.axis_types.push((axis.into(), ty.into()));
        self
    }

    /// Sets the visibility of the items. The default is `pub`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/kernel.json").visibility("pub(crate)").out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("pub(crate) const fn kernel(rows: usize) -> Kernel"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visibility(mut self, visibility: impl Into<String>) -> Self {
        self.settings.visibility = Some(visibility.into());
        self
    }

    /// Sets the return type, which replaces the generated enum: an integer, `&'static str` or an enum of your own, bare or in an
    /// `Option`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/kernel.json").returns("&'static str").out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("-> &'static str"));
    /// assert!(code.contains("\"blocked\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn returns(mut self, ty: impl Into<String>) -> Self {
        self.settings.returns = Some(ty.into());
        self
    }

    /// Makes the function return the generated enum in an `Option`, which is `None` in a region where nothing was measured.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/sort.json").optional().option("empty", "strict").out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("sort.rs"))?;
    /// assert!(code.contains("::core::option::Option::None"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn optional(mut self) -> Self {
        self.settings.optional = true;
        self
    }

    /// Sets the output directory. The default is `OUT_DIR/qtdec`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// qtdec_build::Builder::new().map("examples/kernel.json").out_dir(folder.path()).generate()?;
    /// let code = std::fs::read_to_string(folder.path().join("kernel.rs"))?;
    /// assert!(code.contains("pub enum Kernel"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// Generates the files and makes Cargo rerun the build script when a map changes.
    ///
    /// # Errors
    ///
    /// Returns all problems with the maps at once. Nothing is written in that case.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use qtdec_build::{Builder, Error};
    ///
    /// let builder = Builder::new().map("examples/kernel.json").option("max_deep", 3).out_dir(folder.path());
    /// let Err(Error::Invalid(reports)) = builder.generate() else { panic!("there is no such option") };
    /// assert_eq!(reports, ["unknown option `max_deep`: did you mean `max_depth`?"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn generate(&self) -> Result<(), Error> {
        let cargo = std::env::var_os("OUT_DIR").map(PathBuf::from);
        if self.maps.is_empty() {
            return Err(Error::NoMap);
        }
        let folder = match (&self.out_dir, &cargo) {
            (Some(folder), _) => folder.clone(),
            (None, Some(cargo)) => cargo.join("qtdec"),
            (None, None) => return Err(Error::NoOutDir),
        };
        if let Some(cargo) = &cargo {
            for path in self.watched(cargo) {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
        let files = self.files(&folder)?;
        fs::create_dir_all(&folder).map_err(|error| Error::Write(folder.clone(), error))?;
        for (path, text) in files {
            write(&path, text.as_bytes()).map_err(|error| Error::Write(path, error))?;
        }
        Ok(())
    }

    fn files(&self, folder: &Path) -> Result<Vec<(PathBuf, String)>, Error> {
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        let mut reports: Vec<String> = Vec::new();
        for (map, own) in &self.maps {
            let settings = self.settings.clone().replaced_by(own);
            let read =
                settings.contradiction().map_or_else(|| settings.options(), |report| Err(vec![report]));
            match read.and_then(|options| map.text(&settings, &options)) {
                Ok((name, text)) => files.push((folder.join(format!("{name}.rs")), text)),
                // Settings of the builder are those of every map.
                Err(faults) => reports
                    .extend(faults.into_iter().filter(|fault| !reports.contains(fault)).collect::<Vec<_>>()),
            }
        }
        if !reports.is_empty() {
            return Err(Error::Invalid(reports));
        }
        for (path, _) in &files {
            // Opening a pipe could block forever.
            let is_same = |map: &&PathBuf| path.is_file() && is_same_file(map, path).unwrap_or(false);
            if let Some(map) = self.in_files().find(is_same) {
                return Err(Error::Overwrites(map.clone()));
            }
        }
        for (index, (path, _)) in files.iter().enumerate() {
            if files[..index].iter().any(|(other, _)| other == path) {
                return Err(Error::Collision(path.clone()));
            }
        }
        Ok(files)
    }

    /// Returns the settings; maps, files and an output directory are refused when the files are generated.
    fn settings_alone(self) -> Settings {
        let has_others = !self.maps.is_empty() || !self.made_of.is_empty() || self.out_dir.is_some();
        Settings { has_others, ..self.settings }
    }

    fn in_files(&self) -> impl Iterator<Item = &PathBuf> {
        self.maps.iter().filter_map(|(map, _)| match map {
            Input::File(path) => Some(path),
            Input::Memory(..) => None,
        })
    }

    /// Returns the files that Cargo watches; none if it must watch the whole package.
    fn watched(&self, out_dir: &Path) -> Vec<&PathBuf> {
        let in_memory = self.maps.iter().any(|(map, _)| matches!(map, Input::Memory(..)));
        if in_memory && self.made_of.is_empty() {
            return Vec::new();
        }
        // Files that a build script wrote are newer than every build, so watching them would rerun it every time.
        self.in_files().chain(&self.made_of).filter(|path| !path.starts_with(out_dir)).collect()
    }
}

impl Input {
    /// Returns the name of the file to generate, without its extension, and its text; or the problems.
    fn text(&self, settings: &Settings, options: &Options) -> Result<(String, String), Vec<String>> {
        let renderer = Renderer::plain();
        match self {
            Self::File(path) => {
                let read = opened(path).and_then(|file| SourceFile::read(path.to_string_lossy(), file));
                let source = read.map_err(|error| {
                    let help = help_if_missing(&path.to_string_lossy(), &error);
                    let help = help.map_or_else(String::new, |help| format!("\nhelp: {help}"));
                    vec![format!("cannot read `{}`: {error}{help}", path.display())]
                })?;
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let tree = source.document().and_then(|document| {
                    if let Some(warning) = document.warning() {
                        println!("cargo::warning={}: {warning}", path.display());
                    }
                    options.tree(document)
                });
                let text = tree.and_then(|tree| settings.style(&name, options).file(&tree, source.name()));
                let text = text.map_err(|problems| source.reports(&problems, Syntax::Builder, &renderer))?;
                Ok((name, text))
            }
            Self::Memory(name, map) => {
                let text = is_file_name(name)
                    .and_then(|()| options.tree(Document::Map((**map).clone())))
                    .and_then(|tree| settings.style(name, options).file(&tree, name));
                let text = text.map_err(|problems| {
                    let report = |problem: &Problem| problem.report(name, None, Syntax::Builder, &renderer);
                    problems.iter().map(report).collect::<Vec<_>>()
                })?;
                Ok((name.clone(), text))
            }
        }
    }
}

/// Opens a regular file: the build would wait for the writer of a pipe, and for the end of a device.
fn opened(path: &Path) -> io::Result<File> {
    let found = fs::metadata(path)?;
    if !found.is_file() && !found.is_dir() {
        return Err(io::Error::other("it is not a regular file"));
    }
    File::open(path)
}

/// Checks that a map in memory is written to the output directory and nowhere else.
fn is_file_name(name: &str) -> Result<(), Problems> {
    let mut components = Path::new(name).components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(()),
        _ => Err(Problem::new(Place::File, format!("`{name}` cannot be the name of a map"))
            .help("choose a valid file name, such as `kernel`")
            .into()),
    }
}
