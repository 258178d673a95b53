//! What launches show of the methods of a collective.

use qtdec_mpi_predict::Network;
use qtdec_mpi_predict::predict::{Method, Predictor, Size, TimeSource};
use qtdec_mpi_schedule::TwoLevel;

use super::calls::{Calls, Composition};
use super::gains::Gains;
use super::machine::Machine;
use crate::linux::chain::Chain;
use crate::linux::medians::Medians;
use crate::linux::results::label;

/// A method as times have it: its name and its segment size.
type Key = (String, String);

/// Returns the method of an option.
fn key(option: &str) -> Key {
    let (own, name) = option.strip_prefix("own:").map_or(("", option), |name| ("own_", name));
    let (name, segment) = name.split_once('/').unwrap_or((name, ""));
    (format!("{own}{name}"), segment.replace('K', "").parse().map_or(String::new(), in_bytes))
}

fn in_bytes(kibibytes: u64) -> String {
    (kibibytes << 10).to_string()
}

/// The medians of the launches of a collective.
pub(super) struct Seen<'c> {
    calls: &'c Calls,
    ranks: u32,
    launches: Vec<Medians>,
    library: Key,
    flat: Vec<Key>,
    compositions: Vec<Composition>,
    /// The compositions as times have them.
    composed: Vec<Key>,
    /// The simulated times of the compositions in microseconds, for each size.
    simulated: Vec<Vec<Option<f64>>>,
}

impl<'c> Seen<'c> {
    pub(super) fn new(
        chain: &Chain,
        calls: &'c Calls,
        machine: Machine,
        default: &str,
        network: &Network,
    ) -> Result<Self, String> {
        let launches = Medians::by_launch(&chain.folder.join(calls.folder()))?;
        let library = key(default);
        let flat = [library.clone()].into_iter().chain(calls.flat.iter().map(|name| key(name))).collect();
        let compositions: Vec<Composition> = calls.compositions(machine).collect();
        let composed = compositions.iter().map(|known| (known.in_times(), String::new())).collect();
        let ranks = machine.ranks();
        let simulated = simulated(network, calls, ranks, &compositions)?;
        Ok(Self { calls, ranks, launches, library, flat, compositions, composed, simulated })
    }

    /// Returns the mean logarithm of the times of a method in launches; `None` if one has no time of it, as where it is not cut.
    fn log(&self, launches: &[&Medians], bytes: u64, method: &Key) -> Option<f64> {
        let logs = launches.iter().map(|medians| medians.of(self.ranks, bytes, method).ok().map(f64::ln));
        let logs: Vec<f64> = logs.collect::<Option<_>>()?;
        Some(logs.iter().sum::<f64>() / logs.len() as f64)
    }

    /// Returns the fastest of some methods in launches, with the mean logarithm of its times.
    fn best<'m>(
        &self,
        launches: &[&Medians],
        bytes: u64,
        methods: impl IntoIterator<Item = &'m Key>,
    ) -> Result<(&'m Key, f64), String> {
        let known =
            methods.into_iter().filter_map(|method| Some((method, self.log(launches, bytes, method)?)));
        known
            .min_by(|one, other| one.1.total_cmp(&other.1))
            .ok_or_else(|| format!("{} of {bytes} bytes has no times", self.calls.collective))
    }

    /// Returns the cells of a table: what is fastest in all launches together.
    pub(super) fn rows(&self) -> Result<Vec<Vec<String>>, String> {
        let all: Vec<&Medians> = self.launches.iter().collect();
        let row = |(&bytes, simulated): (&u64, &Vec<Option<f64>>)| {
            let (flat, of_flat) = self.best(&all, bytes, &self.flat)?;
            let (composed, of_composed) = self.best(&all, bytes, &self.composed)?;
            let (_, of_library) = self.best(&all, bytes, [&self.library])?;
            let at = self.composed.iter().position(|known| known == composed);
            let promised = at.and_then(|at| simulated[at]);
            let composed = at.map_or("", |at| self.compositions[at].label());
            let mut row = vec![self.calls.collective.to_string(), bytes.to_string()];
            row.extend([label(&flat.0, &flat.1), composed.to_owned()]);
            row.extend([of_library, of_flat].map(|log| format!("{:.0}", log.exp())));
            row.push(promised.map_or_else(|| "–".to_owned(), |time| format!("{time:.0}")));
            row.push(format!("{:.0}", of_composed.exp()));
            row.push(format!("{:.2}", (of_flat - of_composed).exp()));
            Ok(row)
        };
        self.calls.msg_sizes.iter().zip(&self.simulated).map(row).collect()
    }

    /// Returns the gains of decisions that may choose compositions, in launches from which they were not made.
    pub(super) fn gains(&self) -> Result<Gains, String> {
        let (mut over_flat, mut over_library) = (Vec::new(), Vec::new());
        for held_out in 0..self.launches.len() {
            let others = self.launches.iter().enumerate().filter(|(launch, _)| *launch != held_out);
            let others: Vec<&Medians> = others.map(|(_, medians)| medians).collect();
            let alone = [&self.launches[held_out]];
            let mut logs = [0.0; 2];
            for &bytes in &self.calls.msg_sizes {
                let time = |method: &Key| self.best(&alone, bytes, [method]).map(|(_, log)| log);
                let (flat, _) = self.best(&others, bytes, &self.flat)?;
                let (chosen, _) = self.best(&others, bytes, self.flat.iter().chain(&self.composed))?;
                let chosen = time(chosen)?;
                logs[0] += time(flat)? - chosen;
                logs[1] += time(&self.library)? - chosen;
            }
            let cells = self.calls.msg_sizes.len() as f64;
            over_flat.push(logs[0] / cells);
            over_library.push(logs[1] / cells);
        }
        Ok(Gains { over_flat, over_library, errors: self.errors() })
    }

    /// Returns by what part the simulated times of compositions differ from the measured ones, from 1 KiB on.
    fn errors(&self) -> Vec<f64> {
        let all: Vec<&Medians> = self.launches.iter().collect();
        let mut errors = Vec::new();
        for (&bytes, simulated) in self.calls.msg_sizes.iter().zip(&self.simulated) {
            for (method, promised) in self.composed.iter().zip(simulated).filter(|_| bytes >= 1 << 10) {
                let log = self.log(&all, bytes, method);
                errors.extend(promised.zip(log).map(|(promised, log)| (promised / log.exp() - 1.0).abs()));
            }
        }
        errors
    }
}

/// Returns the simulated times of the compositions in microseconds, for each size.
fn simulated(
    network: &Network,
    calls: &Calls,
    ranks: u32,
    compositions: &[Composition],
) -> Result<Vec<Vec<Option<f64>>>, String> {
    let predictor = Predictor::new(network, calls.collective, TimeSource::Simulated, &[])?;
    let method = |Composition { name, .. }: &Composition| {
        let levels = TwoLevel::named(calls.collective, name).map_err(|error| error.to_string())?;
        levels.map(Method::composed).ok_or_else(|| format!("{name} is no composition"))
    };
    let methods: Vec<Method> = compositions.iter().map(method).collect::<Result<_, _>>()?;
    let of_size = |&msg_size: &u64| {
        let requests: Vec<(&Method, Size)> =
            methods.iter().map(|method| (method, Size { comm_size: ranks, msg_size })).collect();
        let times = predictor.times(&requests, || ()).into_iter();
        times.map(|seconds| seconds.map(|seconds| seconds * 1e6)).collect()
    };
    Ok(calls.msg_sizes.iter().map(of_size).collect())
}

#[cfg(test)]
mod tests {
    use qtdec_mpi_predict::network::{Between, Description, Point, Unit, WithinNode};

    use super::super::calls::of;
    use super::*;

    #[test]
    fn options_are_methods_of_times() {
        let method = |name: &str, segment: &str| (name.to_owned(), segment.to_owned());
        assert_eq!(key("pipeline/8K"), method("pipeline", "8192"));
        assert_eq!(key("own:scatter_allgather"), method("own_scatter_allgather", ""));
        assert_eq!(key("default"), method("default", ""));
    }

    /// What no simulation serves, the benchmark would refuse.
    #[test]
    fn every_composition_is_promised_a_time() {
        for (nodes, sites) in [(4, 1), (8, 1), (4, 2)] {
            let machine = Machine { nodes, sites };
            let points = |gap: f64| {
                let of = |bytes: u64| Point { bytes, gap: gap * bytes as f64, send: 0.0, receive: 0.0 };
                [1, 1 << 20].map(of).to_vec()
            };
            let between = |nodes: u8| Between {
                cluster_sizes: vec![2 * u64::from(nodes)],
                latency: 5000.0,
                points: points(2.0),
            };
            let network = Network::new(Description {
                ranks_per_node: 2,
                within_node: Some(WithinNode { latency: 20.0, points: points(0.1) }),
                between: machine.nodes_of_site().map(between),
                ..Description::new(Unit::Microseconds, 2000.0, points(1.6))
            });
            let network = network.unwrap();
            for calls in of(machine) {
                let compositions: Vec<Composition> = calls.compositions(machine).collect();
                let times = simulated(&network, calls, machine.ranks(), &compositions).unwrap();
                let longest = times.last().unwrap();
                for (composition, time) in compositions.iter().zip(longest) {
                    assert!(time.is_some(), "{} {}", calls.collective, composition.name);
                }
            }
        }
    }
}
