//! SimGrid: checks that our simulator agrees with it on the grid of a paper's cluster.

mod builtin;
mod goal;
mod reductions;
mod s4u;

use qtdec_mpi_predict::network::{Network, shipped};
use qtdec_mpi_predict::predict::{Method, Predictor, Size, TimeSource};
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::{Cluster, SEGMENTS_2007, algorithms};

/// The cluster.
const NETWORK: &str = "grig";

pub(super) fn prove() -> Result<String, String> {
    let network = shipped(NETWORK)?;
    let grid = Grid::of_paper(&network, Collective::Bcast)?;
    let schedules = s4u::compare(&grid)?;
    let reductions = reductions::compare(&network)?;
    let own = builtin::compare(&grid, &network)?;
    let files = goal::compare(&network)?;
    Ok(format!("on {NETWORK}, {schedules}; {reductions}; {own}; {files}"))
}

/// A grid with our time of every method in every cell.
struct Grid {
    collective: Collective,
    methods: Vec<Method>,
    cells: Vec<Size>,
    /// The seconds, cell by cell, in the order of the methods; `None` if the segment is not smaller than the message.
    times: Vec<Option<f64>>,
}

impl Grid {
    /// Simulates the grid of the papers with their methods.
    fn of_paper(network: &Network, collective: Collective) -> Result<Self, String> {
        let sizes = (Cluster::Grig.comm_sizes(), Cluster::Grig.msg_sizes());
        // The papers do not cut the messages of linear algorithms.
        let is_theirs = |method: &Method| method.algorithm != "linear" || method.segment_size.is_none();
        Self::simulated(network, collective, &sizes, &SEGMENTS_2007, is_theirs)
    }

    fn simulated(
        network: &Network,
        collective: Collective,
        (comm_sizes, msg_sizes): &(Vec<u64>, Vec<u64>),
        segments: &[u64],
        is_used: impl Fn(&Method) -> bool,
    ) -> Result<Self, String> {
        let names: Vec<String> = algorithms(collective).iter().map(|name| (*name).to_owned()).collect();
        let mut predictor = Predictor::new(network, collective, TimeSource::Simulated, &names)?;
        predictor.threads = std::thread::available_parallelism().map_err(|error| error.to_string())?;
        let mut methods = predictor.methods(segments);
        methods.retain(is_used);
        let mut cells = Vec::new();
        for &comm_size in comm_sizes {
            cells.extend(msg_sizes.iter().map(|&msg_size| Size { comm_size: comm_size as u32, msg_size }));
        }
        let calls = cells.iter().flat_map(|&cell| methods.iter().map(move |method| (method, cell)));
        let calls: Vec<_> = calls.collect();
        let times = predictor.times(&calls, || ());
        Ok(Self { collective, methods, cells, times })
    }

    /// Returns every time with its cell and its method.
    fn points(&self) -> impl Iterator<Item = (Size, &Method, f64)> {
        let calls = self.cells.iter().flat_map(|&cell| self.methods.iter().map(move |method| (cell, method)));
        calls.zip(&self.times).filter_map(|((cell, method), time)| Some((cell, method, (*time)?)))
    }

    /// Returns the times of one method, uncut if its segment is not smaller than the message.
    fn times_of(&self, algorithm: &str, segment: Option<u64>) -> Vec<f64> {
        let place = |segment: Option<u64>| {
            let is_it = |method: &Method| method.algorithm == algorithm && method.segment_size == segment;
            self.methods.iter().position(is_it)
        };
        let (whole, cut) = (place(None), place(segment));
        let time = |cell: &[Option<f64>]| {
            cut.and_then(|cut| cell[cut]).or_else(|| whole.and_then(|whole| cell[whole]))
        };
        self.times.chunks(self.methods.len()).map(|cell| time(cell).unwrap_or(f64::NAN)).collect()
    }

    /// Returns the best time of each cell.
    fn best(&self) -> Vec<f64> {
        let cells = self.times.chunks(self.methods.len());
        cells.map(|cell| cell.iter().flatten().copied().fold(f64::INFINITY, f64::min)).collect()
    }
}
