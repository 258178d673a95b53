//! `qtdec-mpi network`: the contents of network files, fits of their parameters, and conversions.

use clap::{Args, Subcommand};
use qtdec_mpi_predict::network::{Description, Level, MessageCost, Network, OsuTable, Overheads, osu_table};
use qtdec_mpi_predict::{fit, predict};

use crate::commands::predictions::predicting::open;
use qtdec_report::table::{Cell, Column, Form, Table};
use qtdec_terminal::{Failure, FormArguments, Input, Output, Outputs, output};

/// Show, fit and convert the parameters of networks
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec-mpi network show grig")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the gap and the overheads of a network at its points
    #[command(after_help = "Example:\n  qtdec-mpi network show grig")]
    Show {
        /// Read this network: a file of qtdec-network/1, logp_mpi or Netgauge, or the name of a shipped network
        network: String,

        #[command(flatten)]
        form: FormArguments,
    },
    /// Fit parameters to ping-pongs, or to the costs of a measured map
    ///
    /// Without a map, the file is the output of osu_latency, and the fitted network is written. --bandwidth adds the output of
    /// osu_bw, which separates the gap from the latency.
    ///
    /// A map of alltoall gives the contention ratio, which is written with the network, and the contention factor of
    /// Clement, Steed and Crandall, which is printed.
    #[command(
        after_help = "Example:\n  qtdec-mpi network fit osu_latency.txt --bandwidth osu_bw.txt -o network.json"
    )]
    Fit {
        /// Read this network: a file of qtdec-network/1, logp_mpi or Netgauge, or the name of a shipped network; without a map, a table
        /// of osu_latency
        network: String,

        /// Fit to the costs of this measured map of alltoall
        map: Option<String>,

        /// Read the bandwidth from this table of osu_bw
        #[arg(long, value_name = "FILE", conflicts_with = "map")]
        bandwidth: Option<String>,

        /// Write the fitted network to this file, or - for standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<String>,
    },
    /// Convert a file of another tool to qtdec-network/1
    #[command(after_help = "Example:\n  qtdec-mpi network convert logp_mpi.txt -o network.json")]
    Convert {
        /// Read this file of logp_mpi or Netgauge
        network: String,

        /// Write the network to this file, or - for standard output
        #[arg(short, long, value_name = "FILE", default_value = "-")]
        output: String,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.action {
        Action::Show { network, form } => show(&open(network)?, form),
        Action::Fit { network, map, bandwidth, output } => {
            let inputs = [Some(network), map.as_ref(), bandwidth.as_ref()];
            let mut outputs = Outputs::new(inputs.into_iter().flatten().map(String::as_str));
            let destination = output.as_ref().map(|output| outputs.add(output)).transpose()?;
            match map {
                Some(map) => fit_to(&open(network)?, map, destination.as_ref()),
                None => fit_ping_pong(network, bandwidth.as_deref(), destination.as_ref()),
            }
        }
        Action::Convert { network, output } => {
            let destination = Outputs::new([&**network]).add(output)?;
            destination.write(&open(network)?.to_json())
        }
    }
}

fn table(name: &str) -> Result<OsuTable, Failure> {
    let input = Input::open(name)?;
    input.check(osu_table(input.bytes()))
}

fn fit_ping_pong(times: &str, rates: Option<&str>, destination: Option<&Output>) -> Result<(), Failure> {
    let OsuTable::Latencies(times) = table(times)? else {
        return Err(Failure::input(format!(
            "`{times}` contains bandwidths: name it with --bandwidth, after a file with latencies"
        )));
    };
    let rates = match rates.map(|rates| Ok((rates, table(rates)?))).transpose()? {
        None => Vec::new(),
        Some((_, OsuTable::Bandwidths(rates))) => rates,
        Some((name, OsuTable::Latencies(_))) => {
            return Err(Failure::input(format!("`{name}` contains latencies, not bandwidths")));
        }
    };
    let found = fit::ping_pong(&times, &rates).map_err(|problems| Failure::input(problems.to_string()))?;
    found.undetermined.iter().for_each(|unknown| output::warn(&format!("not determined: {unknown}")));
    let summary = format!(
        "latency {:.3} us, {}: {}",
        found.parameters.description().latency,
        output::counted(found.parameters.description().points.len() as u64, "gap", "gaps"),
        error_of(&found)
    );
    let Some(destination) = destination else { return output::print(&format!("{summary}\n")) };
    output::note(&summary);
    destination.write(&found.parameters.to_json())
}

fn fit_to(network: &Network, name: &str, destination: Option<&Output>) -> Result<(), Failure> {
    let map = Input::open_map(name)?.map()?;
    let times = predict::rows(&map).map_err(|error| Failure::input(format!("`{name}`: {error}")))?;
    if let Some(other) = map.domain().collective().filter(|name| *name != "alltoall") {
        return Err(Failure::input(format!(
            "`{name}` has times of {other}, which determine no parameter of the network: use a map of alltoall"
        )));
    }
    let Some(found) = fit::contention(network, &times) else {
        return Err(Failure::input(
            "the two bounds of the all-to-all are equal: the network needs overheads below its gaps",
        ));
    };
    found.undetermined.iter().for_each(|unknown| output::warn(&format!("not determined: {unknown}")));
    let factor = fit::contention_factor(network, &times);
    let factor = factor.map(|factor| ("contention factor of Clement et al.", factor));
    let summary = [("contention", found.clone())].into_iter().chain(factor);
    let summary =
        summary.map(|(what, found)| format!("{what} {:.3}: {}", found.parameters, error_of(&found)));
    let Some(destination) = destination else {
        return output::print(&summary.map(|line| line + "\n").collect::<String>());
    };
    summary.for_each(|line| output::note(&line));
    let description = Description { contention: Some(found.parameters), ..network.description().clone() };
    let fitted = Network::new(description).map_err(|problems| Failure::input(problems.to_string()))?;
    destination.write(&fitted.to_json())
}

fn error_of<P>(found: &fit::Fit<P>) -> String {
    let (median, most) = found.error().unwrap_or_default();
    format!("error {:.1} % in the median, {:.1} % at the 90th percentile", 100.0 * median, 100.0 * most)
}

fn show(network: &Network, form: &FormArguments) -> Result<(), Failure> {
    let columns: [Column<'_, (Level, u64, MessageCost, f64)>; 7] = [
        ("network", "network", |(level, ..)| {
            Cell::Text(
                match level {
                    Level::Node => "node",
                    Level::Within => "within",
                    Level::Between => "between",
                }
                .to_owned(),
            )
        }),
        ("bytes", "bytes", |(_, bytes, ..)| Cell::Whole(*bytes)),
        ("gap, us", "gap_us", |(_, _, cost, _)| Cell::Number(cost.gap * 1e6)),
        ("send, us", "send_us", |(_, _, cost, _)| Cell::Number(cost.send * 1e6)),
        ("receive, us", "receive_us", |(_, _, cost, _)| Cell::Number(cost.receive * 1e6)),
        ("one message, us", "message_us", |(.., message)| Cell::Number(message * 1e6)),
        ("MB/s", "rate", |(_, bytes, cost, _)| Cell::Number(*bytes as f64 / cost.gap / 1e6)),
    ];
    let is_outside = network.description().overheads == Overheads::Outside;
    let rows = network.description().levels().flat_map(|(level, points)| {
        points.iter().map(move |point| {
            let cost = network.cost(level, point.bytes);
            let overheads = if is_outside { cost.send + cost.receive } else { 0.0 };
            (level, point.bytes, cost, cost.latency + cost.gap + overheads)
        })
    });
    let written = Table::of(&columns, rows).write(form.form());
    output::print(&if form.form() == Form::Text { format!("{}{written}", head(network)) } else { written })
}

fn head(network: &Network) -> String {
    let description = network.description();
    let (receive, overheads) = (description.receive.about(), description.overheads.about());
    let eager = match description.eager_limit {
        Some(limit) => format!("handshakes above {limit} bytes"),
        None => "no handshakes".to_owned(),
    };
    let further = further(description);
    let further = if further.is_empty() { further } else { format!("; {further}") };
    format!(
        "{}: latency {} {}, {}, {} per node; {receive}, {overheads}, {eager}{further}\n",
        description.name.as_deref().unwrap_or("network"),
        description.latency,
        description.unit.name(),
        output::counted(description.rails, "rail", "rails"),
        output::counted(description.ranks_per_node, "rank", "ranks"),
    )
}

/// Lists the values that most networks do not have.
fn further(description: &Description) -> String {
    let Description { unit, header_bytes, reduce_per_byte, copy_per_byte, .. } = description;
    let unit = unit.name();
    let factors = description.size_factors.len() as u64;
    let known = [
        description.is_cyclic().then(|| "ranks on nodes in turn".to_owned()),
        (*header_bytes > 0)
            .then(|| format!("headers of {}", output::counted(*header_bytes, "byte", "bytes"))),
        description.contention.map(|ratio| format!("contention ratio {ratio}")),
        (*reduce_per_byte > 0.0).then(|| format!("{reduce_per_byte} {unit} to combine a byte")),
        (*copy_per_byte > 0.0).then(|| format!("{copy_per_byte} {unit} to copy a byte")),
        (factors > 0).then(|| format!("factors from {} on", output::counted(factors, "size", "sizes"))),
        description.within_node.as_ref().map(|node| format!("latency {} {unit} within a node", node.latency)),
        description.between.as_ref().map(|between| {
            format!(
                "clusters of {} ranks, latency {} {unit} between them",
                sizes(&between.cluster_sizes),
                between.latency
            )
        }),
    ];
    known.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns the sizes of clusters, of which the last repeats.
fn sizes(sizes: &[u64]) -> String {
    let texts: Vec<String> = sizes.iter().map(u64::to_string).collect();
    match &texts[..] {
        [before @ .., last] if !before.is_empty() => format!("{} and then {last}", before.join(", ")),
        texts => texts.join(", "),
    }
}
