//! Makes a URI, or a key, from values. The URI is the one that matching gives the values back for.

use super::expand_error::ExpandError;
use super::matching::Match;
use super::pattern::{Segment, Template};
use super::percent::encode;
use super::value::{Value, Values};
use super::variable::{Variable, VariableKind, check_segment};

impl Template {
    /// The URI for the values (L1.18): the exact inverse of [`matches`](Self::matches).
    ///
    /// ```
    /// use grange_uri::{Template, Values};
    ///
    /// let template = Template::parse("docs://{name}.{ext}{?q,lang}")?;
    /// let values = Values::new().with("name", "a b").with("ext", "md").with("lang", "de");
    /// assert_eq!(template.expand(&values).as_deref(), Ok("docs://a%20b.md?lang=de"));
    ///
    /// // It would be read with the name `v1`.
    /// assert!(template.expand(&Values::new().with("name", "v1.2").with("ext", "md")).is_err());
    /// # Ok::<(), grange_uri::TemplateError>(())
    /// ```
    ///
    /// # Errors
    /// A value is missing, is for no variable, cannot be carried, or would not be given back by matching.
    pub fn expand(&self, values: &Values) -> Result<String, ExpandError> {
        self.variables.iter().try_for_each(|variable| check(variable, values.get(variable.name())))?;
        let is_known = |name: &str| self.variables.iter().any(|variable| variable.name() == name);
        if let Some((name, _)) = values.iter().find(|(name, _)| !is_known(name)) {
            return Err(ExpandError::UnknownName { name: name.to_owned() });
        }
        let uri = self.write(values);
        match self.first_difference(&uri, values) {
            None => Ok(uri),
            Some(name) => Err(ExpandError::Ambiguous { name }),
        }
    }

    /// A key of the resource that the values name: equal exactly if the templates' texts and the values are.
    ///
    /// It is not a URI. Unlike [`expand`](Self::expand) it cannot fail: `docs://v1%2E2.md` matches `docs://{name}.{ext}`
    /// with the name `v1.2`, for which there is no expansion.
    ///
    /// ```
    /// use grange_uri::{Match, Template};
    ///
    /// let template = Template::parse("demo://items/{id}{?a,b}")?;
    /// let key = |uri| match template.matches(uri) {
    ///     Match::Values(values) => template.key(&values),
    ///     other => panic!("{other:?}"),
    /// };
    /// assert_eq!(key("demo://items/%41?a=1&b=2"), key("demo://items/A?b=2&a=%31"));
    /// # Ok::<(), grange_uri::TemplateError>(())
    /// ```
    pub fn key(&self, values: &Values) -> String {
        let mut key = self.text.clone();
        for (name, value) in values.iter() {
            key.push(' ');
            encode(&mut key, name);
            match value {
                Value::Text(text) => {
                    key.push('=');
                    encode(&mut key, text);
                }
                Value::Segments(segments) => push_segments(&mut key, segments),
            }
        }
        key
    }

    fn write(&self, values: &Values) -> String {
        let mut uri = String::with_capacity(self.text.len());
        self.write_segments(&mut uri, &self.head, values);
        let several = self.several.and_then(|place| values.get(self.variables[place].name()));
        match several {
            Some(Value::Text(text)) => push_segments(&mut uri, text.split('/')),
            Some(Value::Segments(segments)) => push_segments(&mut uri, segments),
            None => {}
        }
        if !self.tail.is_empty() {
            uri.push('/');
            self.write_segments(&mut uri, &self.tail, values);
        }
        let present = |(_, variable): (_, &Variable)| Some((variable.shared_name(), values.text(variable.name())?));
        for (place, (name, value)) in self.query().filter_map(present).enumerate() {
            uri.push(if place == 0 { '?' } else { '&' });
            uri.push_str(&name);
            uri.push('=');
            encode(&mut uri, value);
        }
        uri
    }

    fn write_segments(&self, uri: &mut String, segments: &[Segment], values: &Values) {
        for (place, segment) in segments.iter().enumerate() {
            uri.push_str(if place == 0 { "" } else { "/" });
            uri.push_str(&segment.start);
            for part in &segment.parts {
                encode(uri, values.text(self.variables[part.variable].name()).unwrap_or_default());
                uri.push_str(&part.then);
            }
        }
    }

    /// The first variable for which the URI does not give the value back.
    fn first_difference(&self, uri: &str, values: &Values) -> Option<String> {
        let found = match self.matches(uri) {
            Match::Values(found) => found,
            Match::No | Match::Unknown => Values::new(),
        };
        let differs = |variable: &&Variable| found.get(variable.name()) != values.get(variable.name());
        self.variables.iter().find(differs).map(|variable| variable.name().to_owned())
    }
}

fn check(variable: &Variable, value: Option<&Value>) -> Result<(), ExpandError> {
    let name = || variable.name().to_owned();
    let takes_list = variable.kind() == VariableKind::Exploded;
    let result = match value {
        None if variable.kind() == VariableKind::Query => return Ok(()),
        None => return Err(ExpandError::Missing { name: name() }),
        Some(Value::Segments(segments)) if takes_list => segments.iter().try_for_each(|segment| check_segment(segment)),
        Some(Value::Text(text)) if !takes_list => variable.check(text),
        Some(_) => return Err(ExpandError::Type { name: name(), takes_list }),
    };
    result.map_err(|error| ExpandError::Value { name: name(), error })
}

fn push_segments(uri: &mut String, segments: impl IntoIterator<Item: AsRef<str>>) {
    for segment in segments {
        uri.push('/');
        encode(uri, segment.as_ref());
    }
}
