//! The trait that keeps other crates from implementing encoders.

use qtdec_core::encode::{Encoder, OptionForm};

#[derive(Debug)]
struct Mine;

impl Encoder for Mine {
    fn name(&self) -> &'static str {
        "mine"
    }

    fn options(&self) -> Vec<OptionForm> {
        Vec::new()
    }

    fn keeps_mean_budget(&self) -> bool {
        false
    }

    fn set(&mut self, _option: &str, _value: &str) -> Result<(), String> {
        Ok(())
    }

    fn changed(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn encode(
        &self,
        _input: &qtdec_core::encode::input::Input<'_>,
    ) -> Result<qtdec_core::encode::Encoded, qtdec_core::Problem> {
        todo!()
    }
}

fn main() {}
