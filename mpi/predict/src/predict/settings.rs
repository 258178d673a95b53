//! The settings that a simulated map states, with which the times of further methods are simulated.

use qtdec_core::map::DecisionMap;
use serde_json::Value;

use super::map::{cost, rounded};
use super::{Method, Predictor, Size, TimeSource};
use crate::network::Network;
use qtdec_mpi_schedule::collective::Collective;

/// The network of a simulated map and the digits of its times.
#[derive(Clone, Debug)]
pub struct Settings {
    network: Network,
    digits: Option<u32>,
}

impl Settings {
    /// Returns the settings in the source of a map. Returns `None` if its times were measured, computed by formulas, or
    /// simulated with noise or for ranks that arrive late, because further times would then not be comparable.
    pub fn of(map: &DecisionMap) -> Option<Self> {
        let source: Value = serde_json::from_str(map.source()?).ok()?;
        let is_exact = source["form"] == TimeSource::Simulated.name()
            && source["measured_points"] == 0
            && source["noise"]["runs"] == 0
            && source["noise"]["messages"] == 0
            && source["skew"].is_null();
        let network = Network::from_json(source["network"].to_string().as_bytes()).ok()?;
        let digits = source["digits"].as_u64().and_then(|digits| u32::try_from(digits).ok());
        is_exact.then_some(Self { network, digits })
    }

    /// Returns the cost of each method in a call, as the map would have it, or `None` if the method has no time there. A message that is not
    /// larger than a segment is not cut.
    pub fn costs(&self, collective: Collective, calls: &[(Method, Size)]) -> Vec<Option<f64>> {
        let Ok(mut predictor) = Predictor::new(&self.network, collective, TimeSource::Simulated, &[]) else {
            return vec![None; calls.len()];
        };
        predictor.threads = std::thread::available_parallelism().unwrap_or(predictor.threads);
        let uncut = |method: &Method| Method { segment_size: None, ..method.clone() };
        let calls: Vec<(Method, Size)> = calls
            .iter()
            .map(|(method, size)| (if method.is_cut(*size) { method.clone() } else { uncut(method) }, *size))
            .collect();
        let calls: Vec<(&Method, Size)> = calls.iter().map(|(method, size)| (method, *size)).collect();
        let round = |time: f64| self.digits.map_or(time, |digits| rounded(time, digits));
        predictor.times(&calls, || ()).into_iter().map(|time| cost(time).map(round)).collect()
    }
}
