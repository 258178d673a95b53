//! A function with a map for some architectures, on another one.

use qtdec::decision_map;

#[cfg(not(any(target_arch = "avr", target_arch = "msp430")))]
compile_error!("no map was measured on this architecture");

#[cfg_attr(target_arch = "avr", decision_map("maps/good.json"))]
#[cfg_attr(target_arch = "msp430", decision_map("maps/labels.json"))]
fn method(comm_size: usize, msg_size: usize) -> Option<u16>;

fn main() {}
