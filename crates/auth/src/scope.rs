//! Scopes: what they are made of (RFC 6749 section 3.3), and which of them imply others.

/// A scope as tokens and challenges have it: no space, no quote, no backslash.
pub(crate) fn is_scope(text: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\';
    !text.is_empty() && text.bytes().all(legal)
}

/// The problems of scopes in the settings.
pub(crate) fn problems<'a>(scopes: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let problem = |scope: &String| {
        if scope == "offline_access" {
            return Some("scope `offline_access` asks the issuer for refresh tokens: leave it out here".to_owned());
        }
        let words = format!(
            "scope `{scope}` is not valid: write it without spaces, quotes and backslashes, as in `files:read`"
        );
        (!is_scope(scope)).then_some(words)
    };
    scopes.into_iter().filter_map(problem).collect()
}

/// A list as challenges have it. Texts that are not scopes are left out: they would break the header.
pub(crate) fn join<'a>(scopes: impl IntoIterator<Item = &'a str>) -> String {
    scopes.into_iter().filter(|scope| is_scope(scope)).collect::<Vec<_>>().join(" ")
}

/// Which scopes imply which.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hierarchy {
    implied: Vec<(String, String)>,
}

impl Hierarchy {
    pub(crate) fn add(&mut self, broad: String, narrow: String) {
        self.implied.push((broad, narrow));
    }

    pub(crate) fn scopes(&self) -> impl Iterator<Item = &String> {
        self.implied.iter().flat_map(|(broad, narrow)| [broad, narrow])
    }

    /// Adds the scopes that the granted ones imply, and those that these imply.
    pub(crate) fn widen(&self, granted: &mut String) {
        let has = |granted: &str, scope: &String| granted.split(' ').any(|one| one == scope);
        let mut grew = true;
        while grew {
            grew = false;
            for (broad, narrow) in &self.implied {
                if has(granted, broad) && !has(granted, narrow) {
                    granted.push(' ');
                    granted.push_str(narrow);
                    grew = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Hierarchy, is_scope, join, problems};

    #[test]
    fn scopes_are_one_word() {
        for scope in ["a", "files:read", "https://example.com/read", "!#[]^~'"] {
            assert!(is_scope(scope), "{scope}");
        }
        for scope in ["", "a b", "a\"b", "a\\b", "\u{e4}", "a\tb", "a\r\nb"] {
            assert!(!is_scope(scope), "{scope:?}");
        }
        assert_eq!(join(["a", "b c", "d\"", "e"]), "a e");
        assert_eq!(problems(&["a".to_owned(), "b c".to_owned(), "offline_access".to_owned()]).len(), 2);
    }

    #[test]
    fn implied_scopes_are_followed_to_the_end() {
        let mut hierarchy = Hierarchy::default();
        for (broad, narrow) in [("write", "read"), ("admin", "write"), ("read", "admin")] {
            hierarchy.add(broad.to_owned(), narrow.to_owned());
        }
        for (granted, widened) in [("admin other", "admin other write read"), ("other", "other"), ("", "")] {
            let mut scopes = granted.to_owned();
            hierarchy.widen(&mut scopes);
            assert_eq!(scopes, widened);
        }
    }
}
