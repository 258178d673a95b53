//! How many launches show a gain of 5 %.

use qtdec_study::measurements::Measurements;
use qtdec_study::study::sample_size::{Design, LaunchNoise};

use qtdec_mpi::campaign::measure::Campaign;
use qtdec_terminal::{Failure, counted};

/// The gain that is to be seen, as a ratio of times.
const FACTOR: f64 = 1.05;

/// The noise that is assumed before anything is measured: each method is in a process of its own, and what processes differ by does not
/// cancel between methods.
const ASSUMED: LaunchNoise = LaunchNoise { cell: 0.1, launch: 0.0, method: 0.05 };

/// The maximum number of launches of a campaign.
pub(super) const MOST: u64 = 1000;

/// The launches that show a gain of 5 %.
pub(super) struct Planned {
    by_turns: bool,
    /// How often a launch starts the benchmark for a method, if the noise is assumed.
    starts: Option<usize>,
    /// The name, the noise and the launches of each collective; no launches if [`MOST`] are not enough.
    each: Vec<(String, LaunchNoise, Option<u32>)>,
}

/// Returns the launches that show a gain of 5 % in every point of a campaign, with the noise of earlier times. If they go
/// `by_turns`, a deployment is compared with the default.
pub(super) fn launches(
    campaign: &Campaign,
    by_turns: bool,
    earlier: Option<(&str, &[Measurements])>,
) -> Result<Planned, Failure> {
    let found = earlier.map(|(file, times)| (file, found(times)));
    let starts = found.is_none().then(|| campaign.starts_of_method());
    let mut each = Vec::new();
    for collective in &campaign.collectives {
        let noise = match &found {
            None => ASSUMED,
            Some((file, found)) => {
                let known = found.iter().find(|(name, _)| name == collective).map(|(_, noise)| *noise);
                known.ok_or_else(|| {
                    Failure::input(format!(
                        "`{file}` has no two launches of {collective}, so how launches differ is not known: name times that \
                         have, or leave out --noise"
                    ))
                })?
            }
        };
        let cells = campaign.cells(collective).max(1);
        let design = if by_turns {
            Design::Pairs
        } else {
            Design::HeldOut { methods: campaign.runs(collective).len() + 1 }
        };
        let launches = noise.launches_of_starts(FACTOR, (cells, starts.unwrap_or(1)), design);
        each.push((collective.clone(), noise, launches));
    }
    Ok(Planned { by_turns, starts, each })
}

fn found(times: &[Measurements]) -> Vec<(String, LaunchNoise)> {
    let noise = times
        .iter()
        .filter_map(|times| Some((times.collective.clone()?, LaunchNoise::from_measurements(times)?)));
    noise.collect()
}

impl Planned {
    /// Returns the launches with which the gain is seen in every collective.
    pub(super) fn most(&self) -> u64 {
        self.each.iter().map(|(_, _, launches)| launches.map_or(MOST, u64::from)).max().unwrap_or(MOST)
    }

    /// Returns the number of launches in a few words.
    pub(super) fn short(&self) -> String {
        let [one, many] =
            if self.by_turns { ["pair shows", "pairs show"] } else { ["launch shows", "launches show"] };
        format!("{} a gain of 5 %", counted(self.most(), one, many))
    }

    /// Returns a sentence for each different number of launches.
    pub(super) fn described(&self) -> String {
        let mut groups: Vec<(Vec<&str>, LaunchNoise, Option<u32>)> = Vec::new();
        for (name, noise, launches) in &self.each {
            match groups.iter_mut().find(|(_, known, number)| known == noise && number == launches) {
                Some((names, ..)) => names.push(name),
                None => groups.push((vec![name], *noise, *launches)),
            }
        }
        let sentences = groups.iter().map(|(names, noise, launches)| self.sentence(names, *noise, *launches));
        sentences.collect::<Vec<_>>().join("\n")
    }

    fn sentence(&self, names: &[&str], noise: LaunchNoise, launches: Option<u32>) -> String {
        let (one, many, finds) = if self.by_turns {
            ("pair", "pairs", "a change of 5 %")
        } else {
            ("launch", "launches", "a method with a gain of 5 %")
        };
        let number = match launches {
            Some(number) => counted(u64::from(number), one, many),
            None => format!("more than {MOST} {many}"),
        };
        let LaunchNoise { cell, launch, method } = noise;
        let noise = match self.starts {
            Some(starts) => format!(
                "assumed standard deviations of ln t of {cell:.3} for a time and {method:.3} for a start of the benchmark, of which each \
                 method has {starts} in a launch"
            ),
            None => format!(
                "measured standard deviations of ln t of {cell:.3} for a time, {launch:.3} for a launch and {method:.3} for a method in \
                 a launch"
            ),
        };
        format!("{number} (--repeats) of {} show {finds} in 9 of 10 campaigns, for {noise}", names.join(", "))
    }
}
