//! From the parser's events to values and lints.
//!
//! The parser only checks the syntax of YAML 1.2. This file and those below check tags, keys, aliases and all limits.
//! **Time and memory are linear in the size of the input.**

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{Event, Marker, Parser, ScalarStyle, Span, StrInput, StructureStyle, Tag, options};

use super::anchors::Anchors;
use super::limits::MAX_DEPTH;
use super::nesting::Nesting;
use super::scalar::{self, Scalar};
use super::source::{Source, line_of};
use super::value::{Entry, Value};
use super::{layout, number, portable, syntax, tag};
use crate::error::{FrontmatterError, FrontmatterFault};
use crate::lint::{Lint, LintKind, MAX_LINTS, push_key};

/// The parsed frontmatter.
pub(crate) struct Document {
    pub(crate) entries: Vec<Entry>,
    pub(crate) lints: Vec<Lint>,
}

/// Parses the text between the fences, its last line break included.
pub(crate) fn parse(yaml: &str) -> Result<Document, FrontmatterError> {
    let options = options! {
        disallow_directives: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut composer = Composer {
        source: Source(yaml),
        events: Parser::new_from_str_with_options(yaml, options),
        anchors: Anchors::default(),
        lints: Vec::new(),
        path: String::new(),
    };
    let entries = composer.document()?;
    Ok(Document { entries, lints: composer.lints })
}

struct Composer<'a> {
    source: Source<'a>,
    events: Parser<'a, StrInput<'a>>,
    anchors: Anchors,
    lints: Vec<Lint>,
    /// The path of the current node, as in a lint.
    path: String,
}

/// A scalar as the parser returns it.
struct Written<'a> {
    text: Cow<'a, str>,
    style: ScalarStyle,
    /// The tag in its short form.
    tag: Option<String>,
    anchor: usize,
    span: Span,
}

impl Written<'_> {
    /// The text, if it may be something other than a string.
    fn resolved(&self) -> Option<&str> {
        let is_open = match self.tag.as_deref() {
            None => self.style == ScalarStyle::Plain,
            Some(tag) => tag == "!!int",
        };
        is_open.then_some(&*self.text)
    }

    fn line(&self) -> usize {
        line_of(self.span.start)
    }
}

type Outcome<T> = Result<T, FrontmatterError>;

fn error<T>(nesting: Marker, fault: FrontmatterFault) -> Outcome<T> {
    Err(FrontmatterError::at(line_of(nesting), fault))
}

impl<'a> Composer<'a> {
    fn document(&mut self) -> Outcome<Vec<Entry>> {
        let (mut event, mut span) = self.next()?;
        if event == Event::StreamStart {
            (event, span) = self.next()?;
        }
        match event {
            Event::DocumentStart(false, _) => layout::check_before(self.source, span.start)?,
            Event::StreamEnd => return error(span.start, FrontmatterFault::Empty),
            _ => return error(span.start, FrontmatterFault::Documents),
        }
        let (event, span) = self.next()?;
        let entries = match self.node(event, span, Nesting::default())? {
            Value::Map(entries) => entries,
            Value::Null => return error(span.start, FrontmatterFault::Empty),
            other => return error(span.start, FrontmatterFault::NotMapping { found: other.kind() }),
        };
        self.end()?;
        Ok(entries)
    }

    /// Checks that no second document follows.
    fn end(&mut self) -> Outcome<()> {
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::DocumentEnd => {}
                Event::StreamEnd => return Ok(()),
                _ => return error(span.start, FrontmatterFault::Documents),
            }
        }
    }

    fn next(&mut self) -> Outcome<(Event<'a>, Span)> {
        match self.events.next() {
            Some(Ok(next)) => Ok(next),
            Some(Err(error)) => Err(syntax::error(&error)),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    /// Reads a value.
    fn node(&mut self, event: Event<'a>, span: Span, nesting: Nesting) -> Outcome<Value> {
        match event {
            Event::Alias(anchor) => self.alias(anchor, span, nesting),
            Event::Scalar(text, style, anchor, tag) => {
                let tag = tag.as_deref().map(tag::short);
                self.value(&Written { text, style, tag, anchor, span }, nesting)
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.begin("!!seq", tag.as_deref(), span, nesting)?;
                layout::check_tab(self.source, span.start, nesting)?;
                let aliases = self.anchors.open(anchor);
                let (values, end) = self.list(nesting.inside_list(style, span.start, self.source))?;
                self.end_of(style, span.start, end, nesting)?;
                let value = Value::List(values);
                self.anchors.close(anchor, &value, aliases);
                Ok(value)
            }
            Event::MappingStart(style, anchor, tag) => {
                self.begin("!!map", tag.as_deref(), span, nesting)?;
                let aliases = self.anchors.open(anchor);
                let (entries, end) = self.map(nesting.inside_mapping(style, span.start))?;
                self.end_of(style, span.start, end, nesting)?;
                let value = Value::Map(entries);
                self.anchors.close(anchor, &value, aliases);
                Ok(value)
            }
            // No other event can be in the nesting of a value.
            _ => error(span.start, FrontmatterFault::Documents),
        }
    }

    /// Checks the start of a list or mapping.
    fn begin(&mut self, own: &str, tag: Option<&Tag>, span: Span, nesting: Nesting) -> Outcome<()> {
        if nesting.depth >= MAX_DEPTH {
            return error(span.start, FrontmatterFault::Depth);
        }
        match tag.map(tag::short) {
            None => Ok(()),
            Some(tag) if tag == own => {
                self.lint("", line_of(span.start), LintKind::Tag { tag });
                Ok(())
            }
            Some(tag) => error(span.start, FrontmatterFault::Tag { tag }),
        }
    }

    /// Checks the end of a list or mapping.
    fn end_of(&self, style: StructureStyle, start: Marker, end: Marker, nesting: Nesting) -> Outcome<()> {
        match style {
            StructureStyle::Block => Ok(()),
            StructureStyle::Flow => layout::check_indent(self.source.between(start, end), start, nesting),
        }
    }

    /// Reads the items of a list; returns them and the position of its end.
    fn list(&mut self, inside: Nesting) -> Outcome<(Vec<Value>, Marker)> {
        let mut values = Vec::new();
        let mut empty_at = None;
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                if let Some(line) = empty_at.filter(|_| inside.lists > 1) {
                    self.lint("", line, layout::EMPTY_ITEM);
                }
                return Ok((values, span.end));
            }
            let outside = self.path.len();
            self.path.extend(["[", &values.len().to_string(), "]"]);
            empty_at = (event.scalar().is_some() && span.is_empty()).then(|| line_of(span.start));
            values.push(self.node(event, span, inside)?);
            self.path.truncate(outside);
        }
    }

    /// Reads the entries of a mapping; returns them and the position of its end.
    fn map(&mut self, inside: Nesting) -> Outcome<(Vec<Entry>, Marker)> {
        let mut entries = Vec::new();
        let mut lines = HashMap::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                return Ok((entries, span.end));
            }
            let (line, outside) = (line_of(span.start), self.path.len());
            let has_properties = event.anchor_id().is_some() || event.tag().is_some();
            layout::check_tab(self.source, span.start, inside)?;
            let key = self.key(event, span, inside)?;
            if has_properties && entries.is_empty() && !inside.in_brackets {
                self.lint(&key, line, layout::KEY_PROPERTIES);
            }
            if let Some(first) = lines.insert(key.clone(), line) {
                return error(span.start, FrontmatterFault::Duplicate { key, first });
            }
            let (event, value_span) = self.next()?;
            if let Some(kind) = layout::colon(self.source, span, value_span).filter(|_| inside.in_brackets) {
                self.lint(&key, line, kind);
            }
            let value = self.node(event, value_span, inside)?;
            self.path.truncate(outside);
            entries.push(Entry { key, value, line });
        }
    }

    /// Reads a key and appends it to the path.
    fn key(&mut self, event: Event<'a>, span: Span, nesting: Nesting) -> Outcome<String> {
        let refused = |found| error(span.start, FrontmatterFault::Key { found });
        let (value, written) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let tag = tag.as_deref().map(tag::short);
                let written = Written { text, style, tag, anchor, span };
                if written.text == "<<" && written.resolved().is_some() {
                    return error(span.start, FrontmatterFault::Merge);
                }
                (self.scalar(&written)?, Some(written))
            }
            Event::Alias(anchor) => (self.alias(anchor, span, nesting)?, None),
            Event::SequenceStart(..) => return refused("a list"),
            _ => return refused("a mapping"),
        };
        let Some(key) = value.as_key() else { return refused(value.kind()) };
        push_key(&mut self.path, key);
        self.lint_key(key, &value, written.as_ref(), span);
        if let Some(written) = written {
            self.quoted(&written, nesting)?;
        }
        Ok(key.to_owned())
    }

    fn lint_key(&mut self, key: &str, value: &Value, written: Option<&Written<'_>>, span: Span) {
        let text = written.map_or(key, |written| &written.text);
        let tag = written.and_then(|written| written.tag.clone()).map(|tag| LintKind::Tag { tag });
        let kind = portable::key(written.and_then(Written::resolved), key, value);
        for kind in [tag, kind].into_iter().flatten() {
            self.lint(text, line_of(span.start), kind);
        }
    }

    /// The value of a scalar.
    fn value(&mut self, written: &Written<'_>, nesting: Nesting) -> Outcome<Value> {
        let value = self.scalar(written)?;
        let line = written.line();
        let kinds = [
            written.tag.clone().map(|tag| LintKind::Tag { tag }),
            written.resolved().and_then(|text| portable::value(text, &value)),
            layout::anchor(self.source, written.style, written.span).filter(|_| written.anchor > 0),
        ];
        for kind in kinds.into_iter().flatten() {
            self.lint(&written.text, line, kind);
        }
        self.quoted(written, nesting)?;
        Ok(value)
    }

    fn scalar(&mut self, written: &Written<'_>) -> Outcome<Value> {
        let text = &*written.text;
        let value = match (&written.tag, written.style) {
            (Some(tag), _) => tag::scalar(tag, text).ok_or_else(|| FrontmatterFault::Tag { tag: tag.clone() }),
            (None, ScalarStyle::Plain) => match scalar::resolve(text) {
                Scalar::Null => Ok(Value::Null),
                Scalar::Bool(value) => Ok(Value::Bool(value)),
                Scalar::Integer(digits) => Ok(Value::Integer(digits)),
                Scalar::Float(value) => Ok(Value::Float(number::float(value))),
                Scalar::Text => Ok(Value::Text(text.to_owned())),
                Scalar::NotFinite => Err(FrontmatterFault::NotFinite { value: text.to_owned() }),
            },
            (None, _) => Ok(Value::Text(text.to_owned())),
        };
        let value = value.or_else(|fault| error(written.span.start, fault))?;
        let aliases = self.anchors.open(written.anchor);
        self.anchors.close(written.anchor, &value, aliases);
        Ok(value)
    }

    /// Checks a quoted text, which may have several lines.
    fn quoted(&mut self, written: &Written<'_>, nesting: Nesting) -> Outcome<()> {
        if !matches!(written.style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) {
            return Ok(());
        }
        let text = self.source.of(written.span);
        if let Some(kind) = layout::quoted(text) {
            self.lint(&written.text, written.line(), kind);
        }
        layout::check_indent(text, written.span.start, nesting)
    }

    fn alias(&mut self, anchor: usize, span: Span, nesting: Nesting) -> Outcome<Value> {
        self.anchors.expand(anchor, nesting.depth).or_else(|fault| error(span.start, fault))
    }

    fn lint(&mut self, value: &str, line: usize, kind: LintKind) {
        if self.lints.len() < MAX_LINTS {
            self.lints.push(Lint { field: self.path.clone(), value: value.to_owned(), line: Some(line), kind });
        }
    }
}
