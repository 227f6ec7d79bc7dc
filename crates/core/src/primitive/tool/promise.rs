//! Checks that structured content fits the output schema of its tool.
//!
//! Only with the feature `validate`, since a validator brings more crates than the rest of the engine. Without it nothing is
//! checked here. The schema is compiled once, when a server is built.

use serde_json::Value;

#[cfg(feature = "validate")]
pub(crate) use self::kept::Promise;

/// Without the feature `validate`: checks nothing.
#[cfg(not(feature = "validate"))]
#[derive(Clone, Debug, Default)]
pub(crate) struct Promise {}

#[cfg(not(feature = "validate"))]
#[allow(clippy::unused_self, reason = "the same calls as with the feature")]
impl Promise {
    pub(crate) fn problem(&self, _schema: &Value) -> Option<String> {
        None
    }

    pub(crate) fn broken(&self, _schema: &Value, _content: &Value) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(feature = "validate")]
mod kept {
    use std::sync::OnceLock;

    use jsonschema::Validator;

    use super::Value;

    /// The most problems of one result that are reported.
    const TOLD: usize = 5;

    /// The compiled schema, or the reason why it cannot be compiled.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct Promise(OnceLock<Result<Validator, String>>);

    impl Promise {
        fn compiled(&self, schema: &Value) -> Result<&Validator, &String> {
            self.0.get_or_init(|| jsonschema::validator_for(schema).map_err(|error| error.to_string())).as_ref()
        }

        /// The problem of a schema that cannot be compiled, with the remedy.
        pub(crate) fn problem(&self, schema: &Value) -> Option<String> {
            let problem = self.compiled(schema).err()?;
            Some(format!("is none that a result could fit: {problem}: mend it, and have in it what it refers to"))
        }

        /// Where and why the content does not fit the schema.
        pub(crate) fn broken(&self, schema: &Value, content: &Value) -> Vec<String> {
            let Ok(validator) = self.compiled(schema) else { return Vec::new() };
            let problems = validator.iter_errors(content).take(TOLD);
            let told = problems.map(|problem| match problem.instance_path().as_str() {
                "" => format!("the structured content breaks the output schema: {problem}"),
                place => format!("the structured content breaks the output schema at `{place}`: {problem}"),
            });
            told.collect()
        }
    }
}
