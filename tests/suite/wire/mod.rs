//! The wire contract, statement by statement, on the engine alone. A test's name starts with the statement it proves.

mod fixture;

mod batches;
mod eras;
mod messages;
mod methods;
mod results;
mod revisions;
mod tools;
mod values;
