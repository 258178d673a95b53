//! Predicted times as canonical times.

use qtdec_core::{Basis, Problem, Problems};
use qtdec_mpi_library::catalogue::natural_basis_or_buffer;
use qtdec_mpi_predict::network::Network;
use qtdec_mpi_schedule::collective::Collective;
use qtdec_study::canonical::{
    About, Builder, Header, MACHINE, Method, Named, RANKS, Row, SEGMENT_SIZE, SKEW, Sample, Series, Times,
};
use qtdec_study::measurements::TimeUnit;
use serde_json::Value;

use crate::commands::predictions::predicting::PredictingArguments;

/// Predicted times under construction, with everything that determines them.
pub(crate) struct PredictedTimes {
    builder: Builder,
    launch: u32,
    collective: &'static str,
    basis: Basis,
}

impl PredictedTimes {
    /// Begins the times that are predicted on a network. `axes` are those of the placement, with their units.
    pub(super) fn new(
        predicting: &PredictingArguments,
        network: &Network,
        collective: Collective,
        axes: &[(&str, &str)],
    ) -> Result<Self, Problems> {
        let mut about = About::default();
        let network = serde_json::from_str::<Value>(&network.to_json()).unwrap_or_default();
        about.add(MACHINE, network["name"].as_str().unwrap_or(&predicting.network))?;
        about.add("tool", concat!("qtdec-mpi predict ", env!("CARGO_PKG_VERSION")))?;
        about.add(RANKS, "max")?;
        about.add("network", &network.to_string())?;
        if let Some(noise) = predicting.noise() {
            about.add("noise", &noise)?;
        }
        if let Some(skew) = predicting.skew() {
            about.add(SKEW, &skew)?;
        }
        about.add("form", predicting.form.name())?;
        about.add("ties", "the algorithm that stands first")?;
        let named = |name: &str, unit: &str| Named { name: name.to_owned(), unit: Some(unit.to_owned()) };
        let bytes: &[_] = if collective == Collective::Barrier { &[] } else { &[("msg_size", "bytes")] };
        let mut builder = Builder::new(Header {
            about,
            axes: axes.iter().chain(bytes).map(|(name, unit)| named(name, unit)).collect(),
            parameters: vec![named(SEGMENT_SIZE, "bytes")],
            unit: Some(TimeUnit::Microseconds),
            ..Header::default()
        })?;
        let launch = builder.launch("")?;
        let collective = collective.name();
        Ok(Self { builder, launch, collective, basis: natural_basis_or_buffer(collective) })
    }

    /// Adds a time in microseconds. A call without messages takes no time, and is left out.
    pub(crate) fn add(
        &mut self,
        (name, segment_size): (&str, Option<u64>),
        sizes: &[u64],
        time: f64,
    ) -> Result<(), Problem> {
        if time <= 0.0 {
            return Ok(());
        }
        let segment = segment_size.map(|segment| segment.to_string()).unwrap_or_default();
        let method = self.builder.method(Method { name: name.to_owned(), values: vec![segment] })?;
        self.builder.order(Some(self.collective), method);
        let series = self.builder.series(Series {
            collective: Some(self.collective.to_owned()),
            basis: Some(self.basis),
            sizes: sizes.to_vec(),
            method,
        })?;
        self.builder.row(Row { time, series, launch: self.launch, process: 0, sample: Sample::Repeat(1) })
    }

    pub(crate) fn finish(self) -> Result<Times, Problems> {
        self.builder.finish()
    }
}
