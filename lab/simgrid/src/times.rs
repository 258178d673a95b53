//! Schedules in SimGrid, using its interface S4U.
//!
//! Each rank is an actor that does one thing at a time: it posts operations in the order of its list, computes
//! for the overhead of each message, sends without waiting for the receiver, and waits for any message if nothing can be
//! posted. SimGrid's links have no queue: simultaneous messages of one sender share its link and arrive
//! together. So each rank keeps a send port: a message begins to leave when the previous one has left.

mod library;
mod rank;

use std::cell::RefCell;

use qtdec_mpi_predict::network::Network;
use qtdec_mpi_predict::simulate;

use qtdec_simgrid::platform::Platform;
use qtdec_simgrid::points::Point;
use rank::Rank;

/// Simulates points one after the other and returns the time of each in seconds, until its last rank is done.
///
/// There is one SimGrid engine per process, so this can only be called once.
///
/// # Errors
///
/// Fails if the network cannot be a platform, a point's schedule is not sound, or SimGrid was started before.
///
/// # Panics
///
/// Does not panic for a schedule that was simulated before.
pub(super) fn times(network: &Network, points: &[Point]) -> Result<Vec<f64>, String> {
    let ranks = points.iter().map(|point| point.request.comm_size()).max().unwrap_or(1);
    let platform = Platform::new(network, ranks)?;
    // If our own simulator can load a schedule, all its messages are paired, so no actor waits for ever.
    let mut simulator = simulate::Simulator::new(network);
    for (index, point) in points.iter().enumerate() {
        let point = simulate::Point { algorithm: point.algorithm, request: point.request.clone() };
        simulator.load(&point).map_err(|error| format!("point {}: {error}", index + 1))?;
    }
    let times = RefCell::new(vec![0.0_f64; points.len()]);
    let of_file = |error: std::io::Error| format!("the platform's file: {error}");
    let folder = std::env::temp_dir().join(format!("qtdec-simgrid-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(of_file)?;
    let file = folder.join("platform.xml");
    let done = std::fs::write(&file, &platform.xml).map_err(of_file).and_then(|()| {
        let run = library::run(&file, &platform.options, ranks, |actor, number| {
            let mut rank = Rank::new(actor, network, number);
            for (index, point) in points.iter().enumerate() {
                let took = rank.play(point);
                let time = &mut times.borrow_mut()[index];
                *time = time.max(took);
            }
        });
        run.map_err(|library::AlreadyStarted| "SimGrid runs once in each process".to_owned())
    });
    std::fs::remove_dir_all(&folder).map_err(of_file)?;
    done.map(|()| times.into_inner())
}
