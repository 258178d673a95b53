//! Every body of a fuzz target on the seeds, and on mutations of them that are the same in every run.

use std::thread;

use qtdec_fuzz_bodies::BODIES;
use qtdec_fuzz_bodies::mutate::Seeds;
use qtdec_testkit::sample::one_in;

/// The number of inputs of each body.
const INPUTS: u64 = 1000;

#[test]
fn bodies_hold_on_seeds_and_mutations() {
    thread::scope(|scope| {
        for (name, body) in BODIES {
            scope.spawn(move || {
                let seeds = Seeds::for_target(name);
                (0..INPUTS / one_in::<u64>(8)).for_each(|number| body(&seeds.input(number)));
            });
        }
    });
}
