//! Canonical times, the form `qtdec-times/1`: one row for each repeat, written as it is measured.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::method::Method;
use crate::mpi::MpiError;

/// A file of times under construction.
#[derive(Debug)]
pub(crate) struct Times {
    file: BufWriter<File>,
    /// The fields of each row before the repeat, after the method.
    collective: &'static str,
    basis: &'static str,
    launch: String,
    process: u32,
}

impl Times {
    /// Creates the file; `facts` are keys and values for all times.
    pub(crate) fn create(
        path: &Path,
        facts: &[(&str, String)],
        (collective, basis): (&'static str, &'static str),
        launch: &str,
        process: u32,
    ) -> Result<Self, MpiError> {
        let file = File::create(path).map_err(|error| failed(path, &error))?;
        let mut file = BufWriter::new(file);
        let mut head = "# qtdec-times/1\n".to_owned();
        for (key, value) in facts {
            let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            if !value.trim().is_empty() {
                head += &["# ", key, ": ", value.trim(), "\n"].concat();
            }
        }
        head += "# axis comm_size: ranks\n# axis msg_size: bytes\n# parameter segment_size: bytes\n";
        head += "comm_size,msg_size,method,segment_size,collective,basis,launch,process,repeat,time_us\n";
        file.write_all(head.as_bytes()).map_err(|error| failed(path, &error))?;
        Ok(Self { file, collective, basis, launch: launch.to_owned(), process })
    }

    /// Adds a time, in nanoseconds.
    pub(crate) fn add(
        &mut self,
        ranks: u32,
        bytes: u64,
        method: &Method,
        repeat: usize,
        time: f64,
    ) -> Result<(), MpiError> {
        let Self { collective, basis, launch, process, .. } = self;
        let name = method.name();
        let segment = if method.segment() == 0 { String::new() } else { method.segment().to_string() };
        let time = (time / 10.0).round() / 100.0;
        let row = writeln!(
            self.file,
            "{ranks},{bytes},{name},{segment},{collective},{basis},{launch},{process},{repeat},{time}"
        );
        row.map_err(|error| MpiError(format!("the times cannot be written: {error}")))
    }

    /// Writes all rows to the file, so that they stay if the program ends.
    pub(crate) fn flush(&mut self) -> Result<(), MpiError> {
        self.file.flush().map_err(|error| MpiError(format!("the times cannot be written: {error}")))
    }
}

fn failed(path: &Path, error: &std::io::Error) -> MpiError {
    MpiError(format!("{}: {error}", path.display()))
}
