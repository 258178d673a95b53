//! The results as a file: the time of each mix under each decision.

use std::fmt::Write;

/// All results.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Results {
    pub(super) rows: Vec<CallTime>,
}

/// The time of the calls of a seed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CallTime {
    pub(super) network: String,
    pub(super) seed: u64,
    pub(super) decision: Decision,
    pub(super) seconds: f64,
}

/// The source of each call's method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// The fastest method of each call.
    Oracle,
    /// Always the same method, the fastest for the mix.
    Fixed(String),
    /// A compiled function.
    Function { name: String, regions: u64 },
    /// A selector of SimGrid.
    Selector(String),
}

const HEADER: &str = "network,seed,decision,detail,seconds";

impl Results {
    pub(super) fn csv(&self) -> String {
        let mut text = HEADER.to_owned() + "\n";
        for CallTime { network, seed, decision, seconds } in &self.rows {
            let (kind, detail) = match decision {
                Decision::Oracle => ("oracle".to_owned(), String::new()),
                Decision::Fixed(method) => ("fixed".to_owned(), method.clone()),
                Decision::Function { name, regions } => (format!("function {name}"), regions.to_string()),
                Decision::Selector(name) => (format!("selector {name}"), String::new()),
            };
            // Writing to a string does not fail.
            let _ = writeln!(text, "{network},{seed},{kind},{detail},{seconds:.7}");
        }
        text
    }

    #[cfg(test)]
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return Err(format!("the first line is not {HEADER}"));
        }
        let row = |line: &str| {
            let [network, seed, kind, detail, seconds] =
                line.split(',').collect::<Vec<_>>().try_into().ok()?;
            let decision = match kind.split_once(' ') {
                None if kind == "oracle" => Decision::Oracle,
                None if kind == "fixed" => Decision::Fixed(detail.to_owned()),
                Some(("function", name)) => {
                    Decision::Function { name: name.to_owned(), regions: detail.parse().ok()? }
                }
                Some(("selector", name)) => Decision::Selector(name.to_owned()),
                _ => return None,
            };
            let (network, seed, seconds) = (network.to_owned(), seed.parse().ok()?, seconds.parse().ok()?);
            Some(CallTime { network, seed, decision, seconds })
        };
        let rows = lines.map(|line| row(line).ok_or_else(|| format!("not a row: {line}")));
        Ok(Self { rows: rows.collect::<Result<_, _>>()? })
    }

    /// Returns the networks in their order.
    pub(super) fn networks(&self) -> Vec<&str> {
        let mut networks: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !networks.contains(&row.network.as_str()) {
                networks.push(&row.network);
            }
        }
        networks
    }

    /// Returns the times of a decision on a network, in the order of the seeds.
    pub(super) fn times(&self, network: &str, is_it: impl Fn(&Decision) -> bool) -> Vec<f64> {
        let rows = self.rows.iter().filter(|row| row.network == network && is_it(&row.decision));
        rows.map(|row| row.seconds).collect()
    }

    /// Returns the time of the calls of a seed.
    #[cfg(test)]
    pub(super) fn seconds(&self, network: &str, seed: u64, decision: &Decision) -> Option<f64> {
        let is_it = |row: &&CallTime| row.network == network && row.seed == seed && row.decision == *decision;
        self.rows.iter().find(is_it).map(|row| row.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let decisions = [
            Decision::Oracle,
            Decision::Fixed("pipeline/1024".to_owned()),
            Decision::Function { name: "depth 3".to_owned(), regions: 19 },
            Decision::Selector("ompi".to_owned()),
        ];
        let row = |decision| CallTime { network: "grig".to_owned(), seed: 7, decision, seconds: 1.25 };
        let results = Results { rows: decisions.map(row).to_vec() };
        assert_eq!(Results::read(&results.csv()), Ok(results));
        assert!(Results::read("network,seed,decision,detail,seconds\ngrig,1,oracle,").is_err());
    }
}
