//! The tests of the package that share a process: one binary is linked, instead of one for each file.

mod benchmarks;
mod canonical;
mod collectives;
mod endless_rows;
mod fitted;
mod grid;
mod logs;
mod names;
mod nccl;
mod observed;
mod once;
mod polaris;
mod readers;
mod recommend;
mod units;
mod unmeasured;
