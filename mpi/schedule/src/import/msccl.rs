//! Algorithms of MSCCL in XML, as its tools write and its runtime reads them.
//!
//! Cowan et al., "`MSCCLang`: Microsoft Collective Communication Language", ASPLOS 2023; what attributes mean is that of the
//! runtime, `msccl_parser.cc` and `msccl_kernel_impl.h` of <https://github.com/ROCm/rccl> and of
//! <https://github.com/Azure/msccl-executor-nccl>:
//!
//! - A GPU runs its thread blocks at the same time, and a thread block its steps one by one, in the order of the file.
//! - A thread block has at most one peer that it sends to and one that it receives from. The steps of both sides of a
//!   connection, which belongs to a channel, meet in order. A sender copies a message into the buffer of the connection and goes on;
//!   it waits while the buffer is full.
//! - A step waits for a step of another thread block by its `depid` and `deps`, in fact for the next step from there on whose
//!   `hasdep` is 1. A `nop` passes what it waits for on to the next step.
//! - A loop repeats all steps for other bytes of every chunk, so one pass shows what all do.
//!
//! Each step becomes operations of a [`Schedule`](crate::Schedule): a message is copied into memory of its own, sent from there,
//! and copied or combined from where it arrived; the parts of a fused step follow each other. A channel is a rail.

mod attributes;
mod elements;
mod translate;

pub(super) use translate::{Connections, Program};

use qtdec_core::Problems;

use super::Imported;

pub(super) fn read(text: &str, msg_size: Option<u64>, root: Option<u32>) -> Result<Imported, Problems> {
    attributes::check(text)?;
    let (algorithm, warnings) = elements::read(text)?;
    translate::translate(algorithm, warnings, msg_size, root)
}
