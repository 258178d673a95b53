//! A cluster on one machine: nodes are network namespaces, and a switch in user space connects them. Real MPI libraries run on it,
//! and their times are those of the network, not of the processors that the nodes share.
//!
//! Everything lives in namespaces of its own, for processes, mounts, networks and IPC. The kernel removes them with the first
//! process of the cluster, however that process ends, so nothing can be left behind.

#[cfg(target_os = "linux")]
mod linux {
    pub(crate) mod agent;
    pub(crate) mod broadcasts;
    pub(crate) mod campaign;
    pub(crate) mod chain;
    pub(crate) mod demo;
    pub(crate) mod deployed;
    pub(crate) mod eager;
    pub(crate) mod environment;
    pub(crate) mod fabric;
    pub(crate) mod gain;
    pub(crate) mod han;
    pub(crate) mod inside;
    pub(crate) mod kernel;
    pub(crate) mod launches;
    pub(crate) mod learn;
    pub(crate) mod levels;
    pub(crate) mod library;
    pub(crate) mod measured_network;
    pub(crate) mod medians;
    pub(crate) mod nodes;
    pub(crate) mod outside;
    pub(crate) mod ports;
    pub(crate) mod prepared;
    pub(crate) mod programs;
    pub(crate) mod promised;
    pub(crate) mod results;
    pub(crate) mod sites;
    pub(crate) mod skew;
    pub(crate) mod solution;
    pub(crate) mod spied;
    pub(crate) mod survey;
    pub(crate) mod switch;
    pub(crate) mod table;
    pub(crate) mod tcp;
    pub(crate) mod trees;
}
mod topology;
mod units;

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::outcome::end_with_the_reader();
    #[cfg(target_os = "linux")]
    return commands::run();
    #[cfg(not(target_os = "linux"))]
    return xtask::outcome::report(Ok(xtask::outcome::Outcome::Skipped(
        "a cluster consists of network namespaces, which only Linux has".to_owned(),
    )));
}

#[cfg(target_os = "linux")]
mod commands {
    use std::ffi::OsString;
    use std::process::ExitCode;

    use clap::{Args, Parser, Subcommand};
    use xtask::outcome::report;

    use crate::linux::prepared::Options;
    use crate::linux::{
        agent, demo, eager, gain, han, inside, launches, learn, levels, outside, ports, sites, skew,
        solution, survey, switch, tcp, trees,
    };
    use crate::topology::Topology;

    /// Run a command on an emulated cluster, in which a bare `mpirun` reaches all nodes
    #[derive(Parser)]
    #[command(
        name = "cargo xtask cluster",
        args_conflicts_with_subcommands = true,
        disable_help_subcommand = true
    )]
    struct Cluster {
        #[command(subcommand)]
        part: Option<Part>,

        #[command(flatten)]
        run: Run,
    }

    #[derive(Args)]
    pub(crate) struct Run {
        #[command(flatten)]
        pub(crate) topology: Topology,

        /// Run this command on the head node, which has a port of its own without limit
        #[arg(last = true)]
        pub(crate) command: Vec<OsString>,
    }

    #[derive(Subcommand)]
    enum Part {
        /// Measure, tune, deploy and verify on eight nodes, with Open MPI: at most ten minutes
        Demo(demo::Arguments),
        /// Compare simulations with the times of five collectives on sixteen nodes
        Survey(Options),
        /// Compare simulations with times under several eager limits, on eight nodes
        Eager(Options),
        /// Build quadtrees from our own schedules on sixteen nodes, and judge them by another launch
        Trees(Options),
        /// Compare broadcasts that know two sites with others
        Sites(Options),
        /// Compare broadcasts for two ports with others
        Ports(Options),
        /// Compare what the simulator promises of our schedules with what programs gain by them
        Gain(gain::Arguments),
        /// Compare the time of a whole program without and with tuning: at most ten minutes
        Solution(Options),
        /// Tune Open MPI 5.0 on four nodes with two ranks each, so that HAN keeps the calls without rules
        Han(han::Arguments),
        /// Compare decisions that may choose compositions of two or three levels with others, on nodes with two ranks each: at most twenty
        /// minutes
        Levels(levels::Arguments),
        /// Measure small messages under Nagle's algorithm, and all-to-alls in two orders, on sixteen nodes
        Tcp(Options),
        /// Measure reductions whose ranks arrive at once, or one after the other, on sixteen nodes
        Skew(Options),
        /// Compare runs of a program that learns with others
        Learn(learn::Arguments),
        /// Measure how much the medians of launches differ, with Open MPI or MPICH
        Launches(launches::Arguments),
        /// Run the command, as the first process of the cluster
        #[command(hide = true)]
        Inside(Run),
        /// Forward frames between the nodes
        #[command(hide = true)]
        Switch(Topology),
        /// Run a command line on a node, as ssh does
        #[command(hide = true)]
        Agent {
            #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
            line: Vec<String>,
        },
        /// Run a program on a node
        #[command(hide = true)]
        On {
            node: String,
            #[arg(last = true, required = true)]
            command: Vec<OsString>,
        },
    }

    pub(crate) fn run() -> ExitCode {
        let Cluster { part, run } = Cluster::parse();
        let Some(part) = part else { return said(outside(&run)) };
        report(match part {
            Part::Demo(arguments) => demo::run(&arguments),
            Part::Survey(options) => survey::run(&options),
            Part::Eager(options) => eager::run(&options),
            Part::Trees(options) => trees::run(&options),
            Part::Sites(options) => sites::run(&options),
            Part::Ports(options) => ports::run(&options),
            Part::Gain(arguments) => gain::run(&arguments),
            Part::Solution(options) => solution::run(&options),
            Part::Han(arguments) => han::run(&arguments),
            Part::Levels(arguments) => levels::run(&arguments),
            Part::Tcp(options) => tcp::run(&options),
            Part::Skew(options) => skew::run(&options),
            Part::Learn(arguments) => learn::run(&arguments),
            Part::Launches(arguments) => launches::run(&arguments),
            Part::Inside(run) => return said(inside::run(&run.topology, &run.command)),
            Part::Switch(topology) => return said(switch::run(&topology).map(|()| ExitCode::SUCCESS)),
            Part::Agent { line } => return said(agent::line(&line)),
            Part::On { node, command } => return said(agent::program(&node, &command)),
        })
    }

    fn outside(run: &Run) -> Result<ExitCode, String> {
        if run.command.is_empty() {
            return Err("name a command to run, as in `-- mpirun -np 8 PROGRAM`".to_owned());
        }
        outside::run(&run.topology, &run.command)
    }

    fn said(done: Result<ExitCode, String>) -> ExitCode {
        done.unwrap_or_else(|reason| {
            eprintln!("cluster: {reason}");
            ExitCode::FAILURE
        })
    }

    #[cfg(test)]
    mod tests {
        use clap::CommandFactory;

        use super::*;

        #[test]
        fn the_options_of_every_part_are_consistent() {
            Cluster::command().debug_assert();
        }
    }
}
