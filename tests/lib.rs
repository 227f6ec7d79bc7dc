//! Nothing: the tests are the binary `suite`.
