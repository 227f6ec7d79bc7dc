//! The target `template` for cargo-fuzz. Its checks are in the library.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| grange_fuzz::template(data));
