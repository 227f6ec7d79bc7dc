//! The wire contract, statement by statement, on the engine alone. A test's name starts with the statement it proves.

mod fixture;

mod revisions;
mod messages;
mod methods;
mod results;
mod eras;
mod batches;
