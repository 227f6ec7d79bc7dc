//! The frontmatter of a SKILL.md: from bytes to checked JSON.
//!
//! [`fence`] finds the block, `yaml` parses it, [`rules`] checks the fields of Agent Skills. Other fields are kept
//! unchanged.

mod fence;
mod rules;

use crate::error::{FrontmatterError, FrontmatterFault};
use crate::lint::{Lint, MAX_LINTS};
use crate::path::{PathError, check_skill_path, skill_name};
use crate::yaml::{self, Entry, Value};
use fence::Block;

/// The frontmatter of a SKILL.md, parsed as YAML 1.2 and checked.
///
/// ```
/// use grange_skill_format::Frontmatter;
///
/// let skill_md = b"---\nname: ledger-close\ndescription: >\n  Close the\n  ledger.\nmetadata:\n  draft: no\n---\n# Close\n";
/// let frontmatter = Frontmatter::parse(skill_md)?;
/// assert_eq!(frontmatter.name(), "ledger-close");
/// assert_eq!(frontmatter.description(), "Close the ledger.\n");
/// assert_eq!(
///     frontmatter.json(),
///     r#"{"name":"ledger-close","description":"Close the ledger.\n","metadata":{"draft":"no"}}"#,
/// );
/// assert!(frontmatter.lints().is_empty());
/// # Ok::<(), grange_skill_format::FrontmatterError>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Frontmatter {
    json: String,
    name: String,
    description: String,
    lints: Vec<Lint>,
}

impl Frontmatter {
    /// Parses the frontmatter of a whole SKILL.md. The rest of the file must be UTF-8 and is ignored.
    /// ```
    /// use grange_skill_format::Frontmatter;
    ///
    /// assert!(Frontmatter::parse(b"---\nname: close\ndescription: Close.\n---\n").is_ok());
    /// let error = Frontmatter::parse(b"---\nname: close\n---\n").unwrap_err();
    /// assert_eq!(error.to_string(), "there is no `description`: add a line `description: …`");
    /// ```
    pub fn parse(skill_md: &[u8]) -> Result<Self, FrontmatterError> {
        let text = str::from_utf8(skill_md).map_err(|error| {
            let before = &skill_md[..error.valid_up_to()];
            let line = before.split(|byte| *byte == b'\n').count();
            FrontmatterError::at(line, FrontmatterFault::NotUtf8)
        })?;
        let block = fence::block(text)?;
        let document = yaml::parse(block.text)?;
        let mut lints = document.lints;
        let fields = rules::check(&document.entries, &mut lints)?;
        lints.extend(fence::lints(block.text).take(MAX_LINTS));
        lints.extend(lint_of_end(&block, &document.entries));
        lints.sort_by_key(|lint| lint.line);
        lints.truncate(MAX_LINTS);
        let mut json = String::with_capacity(block.text.len());
        Value::Map(document.entries).write(&mut json);
        Ok(Self { json, name: fields.name, description: fields.description, lints })
    }

    /// The mapping as compact JSON, its keys in the order of the file.
    ///
    /// An integer keeps all its digits; any other number is written as JavaScript writes it (`1.` is `1`).
    ///
    /// ```
    /// use grange_skill_format::Frontmatter;
    ///
    /// let skill_md = b"---\nname: close\ndescription: Close.\nsizes: [0x1F, 1., .5, 12345678901234567890]\n---\n";
    /// let frontmatter = Frontmatter::parse(skill_md)?;
    /// assert!(frontmatter.json().ends_with(r#""sizes":[31,1,0.5,12345678901234567890]}"#));
    /// # Ok::<(), grange_skill_format::FrontmatterError>(())
    /// ```
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The skill's name.
    ///
    /// ```
    /// use grange_skill_format::Frontmatter;
    ///
    /// let frontmatter = Frontmatter::parse(b"---\nname: \"007\"\ndescription: Close.\n---\n")?;
    /// assert_eq!(frontmatter.name(), "007");
    /// # Ok::<(), grange_skill_format::FrontmatterError>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The skill's description.
    ///
    /// ```
    /// use grange_skill_format::Frontmatter;
    ///
    /// let frontmatter = Frontmatter::parse(b"---\nname: close\ndescription: 'Close: all.'\n---\n")?;
    /// assert_eq!(frontmatter.description(), "Close: all.");
    /// # Ok::<(), grange_skill_format::FrontmatterError>(())
    /// ```
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Places that hosts read differently, by line; at most 100.
    /// ```
    /// use grange_skill_format::Frontmatter;
    ///
    /// let frontmatter = Frontmatter::parse(b"---\nname: close\ndescription: Close.\nat: 1:30\n---\n")?;
    /// assert_eq!(
    ///     frontmatter.lints()[0].to_string(),
    ///     "line 4: `at: 1:30` is a string, but a host that reads YAML 1.1 takes it for 90 and then passes over the \
    ///      skill: quote it",
    /// );
    /// # Ok::<(), grange_skill_format::FrontmatterError>(())
    /// ```
    pub fn lints(&self) -> &[Lint] {
        &self.lints
    }

    /// Checks that the path for the skill is valid and ends in the skill's name.
    /// ```
    /// use grange_skill_format::Frontmatter;
    ///
    /// let frontmatter = Frontmatter::parse(b"---\nname: refunds\ndescription: Refund.\n---\n")?;
    /// assert!(frontmatter.check_path("acme/billing/refunds").is_ok());
    /// assert_eq!(
    ///     frontmatter.check_path("acme/refund").unwrap_err().to_string(),
    ///     "ends in `refund`, but the skill's name is `refunds`: write `acme/refunds`, or change the name",
    /// );
    /// # Ok::<(), grange_skill_format::FrontmatterError>(())
    /// ```
    pub fn check_path(&self, path: &str) -> Result<(), PathError> {
        check_skill_path(path)?;
        let segment = skill_name(path);
        if segment == self.name {
            return Ok(());
        }
        let prefix = &path[..path.len() - segment.len()];
        Err(PathError::OtherName {
            segment: segment.to_owned(),
            name: self.name.clone(),
            suggestion: format!("{prefix}{}", self.name),
        })
    }
}

/// A lint if the last text of the block keeps the line breaks at its end, which hosts count differently.
fn lint_of_end(block: &Block<'_>, entries: &[Entry]) -> Option<Lint> {
    let [longest, shortest] = block.cuts?.map(|text| yaml::parse(text).map(|document| document.entries).ok());
    let last = entries.last()?;
    (longest != shortest).then(|| Lint {
        field: last.key.clone(),
        value: String::new(),
        line: Some(last.line),
        kind: yaml::BREAK_AT_END,
    })
}
