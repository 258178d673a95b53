//! The program that contains all forms of a map.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use wait4::Wait4;

use super::ROUNDS;
use super::forms::Form;
use super::measured::{Cost, Times};
use super::queries::Queries;

use xtask::files;
use xtask::run::{printed, root, rustc};

/// A compiled program, and its cost.
pub(super) struct Program {
    folder: PathBuf,
    binary: PathBuf,
    /// The cost of each form, in the order of the forms.
    pub(super) costs: Vec<Cost>,
}

impl Program {
    /// Compiles every form as a crate of its own, and the program around them.
    pub(super) fn build(folder: &Path, forms: &[Form]) -> Result<Self, String> {
        files::folder(folder)?;
        let lookup = folder.join("libqtdec_lookup.rlib");
        compile(
            optimised(folder).arg(root().join("qt-lookup/src/lib.rs")).args(["--crate-type=rlib"]).args([
                "--crate-name=qtdec_lookup",
                // As its build script says of this compiler.
                "--cfg=as_chunks",
                "-o",
                &lookup.to_string_lossy(),
            ]),
        )?;
        let mut costs = Vec::new();
        let mut program = optimised(folder);
        for form in forms {
            let name = crate_name(form);
            let own = folder.join(&name);
            files::folder(&own)?;
            files::write(own.join("lib.rs"), &form.source)?;
            files::write(own.join("data"), &form.data)?;
            let (library, object) = (own.join(format!("lib{name}.rlib")), own.join("object.o"));
            let mut command = optimised(folder);
            command
                .arg(own.join("lib.rs"))
                .args(["--crate-type=rlib", "--crate-name", &name])
                .arg(format!("--emit=link={},obj={}", library.display(), object.display()))
                .arg("--extern")
                .arg(format!("qtdec_lookup={}", lookup.display()));
            if let Some(linked) = &form.linked {
                command.arg("-L").arg(&linked.folder).args(["-l", &format!("static={}", linked.library)]);
            }
            let compiler_seconds = compile(&mut command)?;
            costs.push(cost(form, &object, compiler_seconds));
            program.arg("--extern").arg(format!("{name}={}", library.display()));
        }
        let binary = folder.join("program");
        let source = folder.join("program.rs");
        let mut text = include_str!("harness.rs").to_owned();
        text.push_str("\nconst FORMS: &[(&str, Decide)] = &[\n");
        for form in forms {
            writeln!(text, "    ({:?}, {}::decide),", form.name, crate_name(form))
                .expect("writing to a string cannot fail");
        }
        text.push_str("];\n");
        files::write(&source, text)?;
        program.arg(&source).arg("-L").arg(folder).arg("-g").arg("-o").arg(&binary);
        compile(&mut program)?;
        Ok(Self { folder: folder.to_owned(), binary, costs })
    }

    /// Returns the assembly of a form that needs no library, for another target.
    pub(super) fn assembly(&self, form: &Form, target: &str) -> Result<String, String> {
        let own = self.folder.join(crate_name(form));
        let assembly = own.join("assembly.s");
        let mut command = optimised(&self.folder);
        command.arg(own.join("lib.rs")).args(["--crate-type=rlib", "--crate-name", &crate_name(form)]);
        compile(command.args(["--target", target, "--emit"]).arg(format!("asm={}", assembly.display())))?;
        files::read(assembly)
    }

    /// Times all forms on all queries.
    pub(super) fn times(&self, queries: &[(&'static str, Queries)]) -> Result<Vec<Times>, String> {
        let mut command = Command::new(&self.binary);
        command.arg("time").arg(ROUNDS.to_string());
        for (name, requested) in queries {
            let file = self.folder.join(name);
            files::write(&file, requested.to_bytes())?;
            command.arg(file);
        }
        printed(command.stderr(Stdio::inherit()))?
            .lines()
            .map(|line| Times::read(line).ok_or_else(|| format!("not a line of times: {line}")))
            .collect()
    }

    /// Returns a command that makes one form decide all of some queries, once.
    pub(super) fn asking(&self, form: &Form, requested: &Queries) -> Result<Vec<PathBuf>, String> {
        let file = self.folder.join("queries");
        files::write(&file, requested.to_bytes())?;
        Ok(vec![self.binary.clone(), "count".into(), (&form.name).into(), file])
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

fn cost(form: &Form, object: &Path, compiler_seconds: f64) -> Cost {
    if let Some(linked) = &form.linked {
        return Cost {
            compiler_seconds: linked.compiler_seconds,
            text_bytes: Some(linked.text_bytes),
            table_bytes: Some(linked.table_bytes),
        };
    }
    let (text_bytes, table_bytes) = sizes(object).unzip();
    let loaded = (!form.data.is_empty()).then_some(form.data.len() as u64);
    Cost { compiler_seconds, text_bytes, table_bytes: loaded.or(table_bytes) }
}

/// Returns the name of a form's crate.
pub(super) fn crate_name(form: &Form) -> String {
    format!("form_{}", form.name.replace(|char: char| !char.is_ascii_alphanumeric(), "_"))
}

/// Returns the compiler, which writes its temporary files to the current folder.
fn optimised(folder: &Path) -> Command {
    let mut command = rustc();
    command.current_dir(folder);
    command.args(["--edition=2024", "-Copt-level=3", "-Ccodegen-units=1"]);
    command.args(["--cap-lints=allow"]);
    command
}

/// Runs a compiler, and returns its processor time in seconds.
pub(super) fn compile(command: &mut Command) -> Result<f64, String> {
    let used = command.spawn().and_then(|mut child| child.wait4()).map_err(|error| error.to_string())?;
    if !used.status.success() {
        return Err(format!("{command:?} failed"));
    }
    Ok((used.rusage.utime + used.rusage.stime).as_secs_f64())
}

/// Returns the bytes of code and of constants in an object file, if binutils is available.
pub(super) fn sizes(object: &Path) -> Option<(u64, u64)> {
    let output = Command::new("size").arg("-A").arg(object).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let sum = |begins: &[&str]| {
        let sections = text.lines().filter(|line| begins.iter().any(|begin| line.starts_with(begin)));
        sections.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).sum()
    };
    Some((sum(&[".text"]), sum(&[".rodata", ".data.rel.ro", ".lrodata"])))
}
