//! Empty: the tests are the binary `suite`.
