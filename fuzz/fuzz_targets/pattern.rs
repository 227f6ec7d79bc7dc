//! The target `pattern` for cargo-fuzz; what it checks is in the library.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| grange_fuzz::pattern(data));
