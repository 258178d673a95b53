//! The CSV of NCCL's example tuner plugin, which RCCL also has.
//!
//! `plugins/tuner/example/plugin.c` of 2.30: the first matching row is taken, byte ranges include both ends, and
//! numbers of nodes and ranks are exact or -1. The source was read, but not run: there is no GPU here.

mod check;
mod read;

use std::fmt::Write as _;

use qtdec_core::{Place, Problem, Problems};
use qtdec_mpi::catalogue::{Library, Release};

use super::{
    Beginning, Finding, Format, Job, LibraryRules, Selection, Setting, Switch, SwitchValue, Switches, Written,
};

/// The CSV format.
pub struct Nccl;

impl Format for Nccl {
    fn name(&self) -> &'static str {
        "nccl"
    }

    fn about(&self) -> &'static str {
        "a table of the example tuner plugin of NCCL and RCCL"
    }

    fn library(&self) -> Library {
        Library::Nccl
    }

    /// Recognises a first line that begins with the name of a collective and a comma.
    fn recognises(&self, beginning: &Beginning<'_>) -> bool {
        let first = beginning.first_line().split(|byte| *byte == b',').next().unwrap_or_default();
        Library::Nccl.collectives().iter().any(|collective| first == collective.word.as_bytes())
    }

    fn has_comments(&self) -> bool {
        true
    }

    fn write(&self, all_rules: &[LibraryRules], into: Option<&[u8]>) -> Result<Written, Problems> {
        let mut notes: Vec<String> = all_rules.iter().flat_map(|rules| rules.notes.clone()).collect();
        let mut text =
            "# collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks\n".to_owned();
        for rules in all_rules {
            let rows = rows(rules)?;
            notes.push(format!(
                "{}: {} rows, each for one number of ranks",
                rules.collective,
                rows.lines().count()
            ));
            text.push_str(&rows);
        }
        let kept = into.map(|bytes| read::others(bytes, all_rules)).unwrap_or_default();
        if !kept.is_empty() {
            notes.push(format!("{} rows of other collectives are kept as they were", kept.lines().count()));
            text.push_str(&kept);
        }
        Ok(Written { text, notes, switches: switches() })
    }

    fn read(&self, bytes: &[u8], job: Job) -> Result<Box<dyn Selection>, Problems> {
        Ok(Box::new(read::TunerFile::new(bytes, job)))
    }

    fn check(&self, bytes: &[u8], _: Option<Release>) -> Vec<Finding> {
        check::check(bytes)
    }
}

/// Returns the settings that make NCCL read the file.
fn switches() -> Switches {
    let settings = vec![
        Switch::variable("NCCL_TUNER_PLUGIN", SwitchValue::Text("/path/to/libnccl-tuner-example.so")),
        Switch::variable("NCCL_TUNER_CONFIG_FILE", SwitchValue::File),
    ];
    let remark = "the plugin of NCCL up to 2.30 gives one channel to a call that no row matches; NCCL_ALGO \
         and NCCL_PROTO take precedence over it";
    Switches { is_script: false, settings, remarks: vec![remark.to_owned()] }
}

/// The greatest size: the upper end of an unbounded range.
const END: u64 = i64::MAX as u64;

fn rows(rules: &LibraryRules) -> Result<String, Problem> {
    let name = Library::Nccl
        .collective(&rules.collective)
        .ok_or_else(|| Problem::new(Place::File, format!("NCCL has no `{}`", rules.collective)))?
        .word;
    let mut text = String::new();
    if let [(_, messages)] = rules.bands.communicators() {
        row(name, messages, "-1", &mut text);
        return Ok(text);
    }
    for ranks in 2..=rules.largest {
        row(name, rules.bands.messages(ranks), &ranks.to_string(), &mut text);
    }
    Ok(text)
}

fn row(name: &str, messages: &[(u64, Setting)], ranks: &str, text: &mut String) {
    for (index, (from, setting)) in messages.iter().enumerate() {
        let Some((algorithm, protocol)) = setting.algorithm.and_then(|pair| pair.name.rsplit_once('_'))
        else {
            continue;
        };
        let upto = messages.get(index + 1).map_or(END, |(next, _)| next - 1);
        // 0 leaves the number of channels to NCCL, -1 would make it one.
        let channels = setting.channels.unwrap_or(0);
        let _ = writeln!(text, "{name},{from},{upto},{algorithm},{protocol},{channels},-1,{ranks}");
    }
}
