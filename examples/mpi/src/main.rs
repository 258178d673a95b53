//! A sum over all ranks, whose algorithm a compiled decision chooses and whose messages are ours.

mod transport;

use std::error::Error;

use mpi::collective::SystemOperation;
use mpi::traits::*;
use qtdec::decision_map;
use qtdec_mpi_run::execution::Execution;
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{Algorithm as _, Request, find};

use crate::transport::OverMpi;

/// The algorithms of the map, which was made for the network that `qtdec` calls `grig`; for another, replace it by measured times.
#[decision_map("maps/allreduce.json")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algorithm {}

/// Returns the algorithm for an allreduce of `msg_size` bytes on `comm_size` ranks.
#[decision_map("maps/allreduce.json")]
const fn choose(comm_size: u32, msg_size: u64) -> Algorithm;

/// Returns the sums of the numbers of all ranks. The communicator has no other messages meanwhile.
fn sums(comm: &impl Communicator, numbers: &[f64]) -> Result<Vec<f64>, Box<dyn Error>> {
    let (size, rank) = (u32::try_from(comm.size())?, u32::try_from(comm.rank())?);
    let algorithm = choose(size, size_of_val(numbers) as u64);
    // All ranks ask for the same, so each builds its own part of one schedule. A program that calls it often keeps the schedule.
    let request = Request::new(size, numbers.len() as u64)?.element_size(size_of::<f64>() as u64)?;
    let schedule = find(Collective::Allreduce, algorithm.name())?.rank(&request, rank)?;
    let mut transport = OverMpi::new(comm, numbers, schedule.scratch_bytes() as usize);
    Execution::new(&schedule.operations).run(&mut transport)?;
    Ok(transport.into_result())
}

fn main() -> Result<(), Box<dyn Error>> {
    let universe = mpi::initialize().ok_or("MPI was started before")?;
    let world = universe.world();
    // The messages of schedules meet no others in a communicator of their own.
    let comm = world.duplicate();
    for count in [1, 100, 10_000, 200_000] {
        let numbers: Vec<f64> = (0..count).map(|at| f64::from(at % 1000 + world.rank())).collect();
        let ours = sums(&comm, &numbers)?;
        let mut library = vec![0.0; numbers.len()];
        world.all_reduce_into(&numbers, &mut library, SystemOperation::sum());
        // These sums are whole numbers, and exact in every order.
        if ours != library {
            return Err(format!("the sums of {count} numbers are wrong at rank {}", world.rank()).into());
        }
        if world.rank() == 0 {
            let (ranks, bytes) = (world.size(), size_of_val(&*numbers));
            let algorithm = choose(u32::try_from(ranks)?, bytes as u64);
            println!("{bytes:>7} bytes on {ranks} ranks: {}", algorithm.name());
        }
    }
    Ok(())
}
