//! What is known of the machine and the time of measuring.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::clock::Clock;

/// Returns the source of a map that is measured now.
pub(crate) fn source(rounds: usize, seconds: f64, clock: Clock) -> Value {
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let mut source = json!({
        "made_by": concat!("qtdec-measure ", env!("CARGO_PKG_VERSION")),
        "date": date,
        "target": format!("{ARCH}-{OS}"),
        "cpus": cpus,
        "rounds": rounds,
        "seconds": (seconds * 10.0).round() / 10.0,
    });
    if let Some(host) = line("/proc/sys/kernel/hostname").or_else(|| std::env::var("COMPUTERNAME").ok()) {
        source["machine"] = host.into();
    }
    if let Some(model) = cpu_model(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default()) {
        source["cpu"] = model.into();
    }
    if clock == Clock::Processor {
        source["clock"] = "processor".into();
    }
    if cfg!(debug_assertions) {
        source["profile"] = "debug".into();
    }
    source
}

fn line(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn cpu_model(cpuinfo: &str) -> Option<String> {
    let named = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(named.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_says_when_and_where() {
        let source = source(3, 1.26, Clock::Processor);
        assert_eq!((&source["rounds"], &source["seconds"]), (&json!(3), &json!(1.3)));
        assert_eq!(source["clock"], "processor");
        assert!(super::source(1, 1.0, Clock::Wall).get("clock").is_none());
        let date = source["date"].as_str().unwrap();
        assert!(humantime::parse_rfc3339(date).is_ok(), "{date}");
        assert_eq!(cpu_model("processor : 0\nmodel name\t: A 1 CPU\n").as_deref(), Some("A 1 CPU"));
        assert_eq!(cpu_model(""), None);
    }
}
