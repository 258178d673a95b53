//! Multirail, section 6.2.1: what 40 % and 60 % can mean.

use qtdec_core::naming::binary_size;

use crate::broadcasts::{self, Cards, Form, MSG_SIZES};
use crate::item::{Item, Shown};
use crate::multirail::{ONE, Place};
use crate::table::{NOTHING, Table, number};

pub(super) const ITEM: Item = Item {
    id: "multirail-percent",
    title: "multirail against a chain and a binary tree in one cluster: readings of 40 % and 60 %",
    about: "The text on Figure 6 has 40 % between its words for the single chain and the binary tree, and the summary has 60 % after the binary \
            tree; neither sentence is legible. Each row is a reading, as a percentage of simulated times among 32 nodes; the nearest size is the one \
            at which the reading comes closest to the printed number, with ours minus the paper's in percentage points. Both numbers say the same if \
            multirail takes 40 % less time than the binary tree and so 60 % of its time; then ours, 50 % for large messages, is 10 points off both. \
            A number that is met at one size alone is no agreement.",
    make,
};

/// What a percentage says of the times of multirail and of another broadcast.
#[derive(Clone, Copy)]
enum Reading {
    Share,
    Less,
    Longer,
}

impl Reading {
    const ALL: [Self; 3] = [Self::Share, Self::Less, Self::Longer];

    const fn name(self) -> &'static str {
        match self {
            Self::Share => "multirail takes this share of its time",
            Self::Less => "multirail takes this much less time",
            Self::Longer => "it takes this much longer than multirail",
        }
    }

    fn percent(self, multirail: f64, other: f64) -> f64 {
        100.0
            * match self {
                Self::Share => multirail / other,
                Self::Less => 1.0 - multirail / other,
                Self::Longer => other / multirail - 1.0,
            }
    }
}

/// The numbers in print, and the broadcasts that each may be about.
const PRINTED: [(f64, &[&str]); 2] = [(40.0, &["pipeline", "binary"]), (60.0, &["binary"])];

/// The broadcasts, by their names in the simulation and in the paper.
const OTHERS: [(&str, &str); 2] = [("pipeline", "chain"), ("binary", "binary")];

fn make() -> Result<Shown, String> {
    let sizes = MSG_SIZES.map(|size| format!("at {}", binary_size(size)));
    let in_print = PRINTED.map(|(printed, _)| {
        ["nearest", "difference"].map(|column| format!("{printed} % in print: {column}"))
    });
    let columns = sizes.into_iter().chain(in_print.into_iter().flatten());
    let mut table = Table::of(&["compared with", "cards", "reading of a number"], columns);
    let rows = broadcasts::read()?;
    for (algorithm, name) in OTHERS {
        for (cards, on) in [(Cards::Bonded, "bonded"), (Cards::Two, "one of two")] {
            let time = |cards, algorithm, size| {
                Place { rows: &rows, network: ONE, cards, comm_size: 32 }.time(Form::Plain, algorithm, size)
            };
            for reading in Reading::ALL {
                let mut percent = Vec::new();
                for size in MSG_SIZES {
                    let multirail = time(Cards::Two, "multirail", size)?;
                    percent.push(reading.percent(multirail, time(cards, algorithm, size)?));
                }
                let texts = [name, on, reading.name()].map(str::to_owned);
                let shown = percent.iter().map(|&percent| number(Some(percent), 0));
                let closest = PRINTED.iter().flat_map(|(printed, about)| {
                    if about.contains(&algorithm) {
                        nearest(*printed, &percent)
                    } else {
                        [NOTHING, NOTHING].map(str::to_owned)
                    }
                });
                table.row(texts.into_iter().chain(shown).chain(closest));
            }
        }
    }
    Ok(Shown::table(table))
}

/// Returns the size at which the percentages come closest to a printed one, and by how much they differ there.
fn nearest(printed: f64, percent: &[f64]) -> [String; 2] {
    let differences = MSG_SIZES.iter().zip(percent).map(|(size, percent)| (size, percent - printed));
    let least = differences.min_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()));
    least.map_or([NOTHING, NOTHING].map(str::to_owned), |(&size, difference)| {
        // A sum with 0 has no negative zero.
        [binary_size(size), format!("{:+.0}", difference.round() + 0.0)]
    })
}

#[cfg(test)]
mod tests {
    use super::Reading;

    #[test]
    fn a_broadcast_of_twice_the_time_is_a_half_and_twice_as_long() {
        assert_eq!(Reading::ALL.map(|reading| reading.percent(1.0, 2.0)), [50.0, 50.0, 100.0]);
        assert_eq!(Reading::ALL.map(|reading| reading.percent(2.0, 5.0)), [40.0, 60.0, 150.0]);
    }
}
