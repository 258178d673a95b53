#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| qtdec_fuzz_bodies::options(bytes));
