//! `qtdec network`: what files of networks say, and their conversion.

use clap::{Args, Subcommand};
use qtdec_mpi::network::{Level, Network, Overheads, ReceivePort};

use super::destination::Outputs;
use super::output::FormArguments;
use super::predicting::open;
use super::{Failure, output};
use crate::report::table::{Cell, Table};

/// Show, convert and check the parameters of networks
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the gap and the overheads of a network at its points
    Show {
        /// A file of qtdec-network/1, logp_mpi or Netgauge, or the name of a shipped network
        network: String,

        #[command(flatten)]
        form: FormArguments,
    },
    /// Convert a file of another tool to qtdec-network/1
    Convert {
        /// A file of logp_mpi or Netgauge
        network: String,

        /// The file to write, or - for standard output
        #[arg(short, long, value_name = "FILE", default_value = "-")]
        output: String,
    },
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.action {
        Action::Show { network, form } => {
            let network = open(network)?;
            for warning in network.warnings() {
                output::warn(&warning.to_string());
            }
            show(&network, form)
        }
        Action::Convert { network, output } => {
            let destination = Outputs::of([&**network]).add(output)?;
            destination.write(&open(network)?.to_json())
        }
    }
}

fn show(network: &Network, form: &FormArguments) -> Result<(), Failure> {
    let mut table = Table::new(&[
        ("network", "network"),
        ("bytes", "bytes"),
        ("gap, us", "gap_us"),
        ("send, us", "send_us"),
        ("receive, us", "receive_us"),
        ("one message, us", "message_us"),
        ("MB/s", "rate"),
    ]);
    let description = network.description();
    let between = description.between.iter().map(|between| ("between", Level::Between, &between.points));
    for (name, level, points) in [("within", Level::Within, &description.points)].into_iter().chain(between) {
        for point in points {
            let cost = network.cost(level, point.bytes);
            let mut message = cost.latency + cost.gap;
            if description.overheads == Overheads::Outside {
                message += cost.send + cost.receive;
            }
            table.row([
                Cell::Text(name.to_owned()),
                Cell::Whole(point.bytes),
                Cell::Number(cost.gap * 1e6),
                Cell::Number(cost.send * 1e6),
                Cell::Number(cost.receive * 1e6),
                Cell::Number(message * 1e6),
                Cell::Number(point.bytes as f64 / cost.gap / 1e6),
            ]);
        }
    }
    let written = table.write(form.form());
    output::print(&if form.is_text() { format!("{}{written}", head(network)) } else { written })
}

fn head(network: &Network) -> String {
    let description = network.description();
    let receive = match description.receive {
        ReceivePort::Fifo => "arrivals queue",
        ReceivePort::Shared => "arrivals share the port",
    };
    let overheads = match description.overheads {
        Overheads::Ignored => "overheads are ignored",
        Overheads::Inside => "overheads lie within the gap",
        Overheads::Outside => "overheads precede and follow a message",
    };
    let eager = match description.eager_limit {
        Some(limit) => format!("handshakes above {limit} bytes"),
        None => "no handshakes".to_owned(),
    };
    format!(
        "{}: latency {} {}, {}, {} per node; {receive}, {overheads}, {eager}\n",
        description.name.as_deref().unwrap_or("network"),
        description.latency,
        description.unit,
        output::counted(description.rails, "rail", "rails"),
        output::counted(description.ranks_per_node, "rank", "ranks"),
    )
}
