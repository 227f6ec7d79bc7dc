//! The wire contract on the engine alone, one test per statement. The name of a test starts with its statement.

mod fixture;

mod author;
mod batches;
mod bounds;
mod eras;
mod held;
mod messages;
mod methods;
mod numbers;
mod repeated;
mod results;
mod revisions;
mod tools;
mod values;
