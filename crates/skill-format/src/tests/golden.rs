//! The two skills of the contract's fixture.

use crate::{Frontmatter, LintKind, check_file_path, check_file_set};

const LEDGER_CLOSE: &str = "\
---
name: ledger-close
description: Close the monthly ledger. Use when month end is near.
license: MIT
metadata:
  version: \"1.4.0\"
  since: 2026-03-31
  strict: true
  draft: no
  retries: 017
---

# Close

Follow references/steps.md.
";

#[test]
fn c11_ledger_close() {
    assert_eq!(LEDGER_CLOSE.len(), 236);
    let frontmatter = Frontmatter::parse(LEDGER_CLOSE.as_bytes()).unwrap();
    assert_eq!(
        frontmatter.json(),
        concat!(
            r#"{"name":"ledger-close","description":"Close the monthly ledger. Use when month end is near.","#,
            r#""license":"MIT","metadata":{"version":"1.4.0","since":"2026-03-31","strict":true,"draft":"no","retries":17}}"#
        )
    );
    assert_eq!(frontmatter.check_path("ledger-close"), Ok(()));
    let [lint] = frontmatter.lints() else { panic!("{:?}", frontmatter.lints()) };
    assert_eq!((lint.field.as_str(), lint.value.as_str(), lint.line), ("metadata.retries", "017", Some(10)));
    assert_eq!(lint.kind, LintKind::Differs { here: "17".to_owned(), there: "15".to_owned() });
    let files = ["SKILL.md", "references/steps.md", "scripts/check.py", "assets/mark.bin", "references/blank.txt"];
    assert!(files.iter().all(|path| check_file_path(path).is_ok()));
    assert_eq!(check_file_set(files), Ok(()));
}

#[test]
fn c11_rotate_keys() {
    let skill_md = "---\nname: rotate-keys\ndescription: Rotate service keys.\n---\n\nRead `notes/order.md`.\n";
    assert_eq!(skill_md.len(), 84);
    let frontmatter = Frontmatter::parse(skill_md.as_bytes()).unwrap();
    assert_eq!(frontmatter.json(), r#"{"name":"rotate-keys","description":"Rotate service keys."}"#);
    assert_eq!(frontmatter.check_path("ops/oncall/rotate-keys"), Ok(()));
    assert_eq!(frontmatter.lints(), []);
}
