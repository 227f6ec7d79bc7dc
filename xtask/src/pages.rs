//! A Markdown page as the rules about pages see it: its code blocks, and its prose without them.

/// A block between fences.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Block {
    /// The line of its opening fence.
    pub(crate) line: usize,
    /// What stands behind the opening fence.
    pub(crate) language: String,
    pub(crate) text: String,
}

/// The blocks that are closed, and the page with all code blanked: its lines are those of the page.
pub(crate) fn read(page: &str) -> (Vec<Block>, String) {
    let mut blocks = Vec::new();
    let mut prose = String::new();
    let mut open: Option<(&str, Block)> = None;
    for (at, line) in page.split_inclusive('\n').enumerate() {
        let (fence, language) = fence(line);
        match &mut open {
            Some((opening, _)) if fence.starts_with(*opening) && language.is_empty() => {
                blocks.extend(open.take().map(|(_, block)| block));
            }
            Some((_, block)) => block.text.push_str(line),
            None if fence.is_empty() => prose.push_str(without_spans(line).trim_end_matches('\n')),
            None => open = Some((fence, Block { line: at + 1, language: language.to_owned(), text: String::new() })),
        }
        prose.push('\n');
    }
    (blocks, prose)
}

/// The backticks that a line opens or closes a block with, and what follows them.
fn fence(line: &str) -> (&str, &str) {
    let line = line.trim();
    let rest = line.trim_start_matches('`');
    let fence = &line[..line.len() - rest.len()];
    if fence.len() < 3 || rest.contains('`') { ("", "") } else { (fence, rest.trim()) }
}

/// A line without what stands in single backticks.
fn without_spans(line: &str) -> String {
    let is_closed = line.matches('`').count().is_multiple_of(2);
    let parts = line.split('`').enumerate();
    parts.map(|(at, part)| if is_closed && at % 2 == 1 { "``" } else { part }).collect()
}

/// The anchors of a page's headings, as GitHub makes them.
pub(crate) fn anchors(page: &str) -> Vec<String> {
    let (blocks, _) = read(page);
    let is_code =
        |at: usize| blocks.iter().any(|block| (block.line..=block.line + block.text.lines().count()).contains(&at));
    let lines = page.lines().enumerate().filter(|(at, line)| line.starts_with('#') && !is_code(at + 1));
    let mut found: Vec<String> = Vec::new();
    for (_, heading) in lines {
        let anchor = anchor(heading.trim_start_matches('#').trim());
        let before = found.iter().filter(|other| **other == anchor).count();
        found.push(if before == 0 { anchor } else { format!("{anchor}-{before}") });
    }
    found
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{anchors, read};

    #[test]
    fn blocks_and_prose_are_told_apart() {
        let page = "a `[b](c)`\n```yaml\nd: 1\n```\n````rust\n```\n# e\n````\n```f\nnot closed\n";
        let (blocks, prose) = read(page);
        let found: Vec<_> = blocks.iter().map(|block| (block.line, &*block.language, &*block.text)).collect();
        assert_eq!(found, [(2, "yaml", "d: 1\n"), (5, "rust", "```\n# e\n")]);
        assert_eq!(prose, "a ``\n\n\n\n\n\n\n\n\n\n");
    }

    #[test]
    fn anchors_are_those_of_headings() {
        let page = "# A `b`, c\n```\n# no\n```\n## Twice\n## Twice\n";
        assert_eq!(anchors(page), ["a-b-c", "twice", "twice-1"]);
    }
}
