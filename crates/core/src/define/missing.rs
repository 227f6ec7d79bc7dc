//! A type without a provider: the code that needs it, and the provided types with a similar name.

use crate::model::Target;

/// The data of the error when `cx.get` finds no provider.
#[derive(Debug)]
pub(crate) struct Missing {
    pub(super) wanted: &'static str,
    /// The name of the code that needs it.
    pub(super) by: String,
    pub(super) similar: Vec<&'static str>,
}

impl Missing {
    /// `within` is the type whose provider needs `wanted`; `None` if `target` itself needs it.
    pub(super) fn new(
        wanted: &'static str,
        target: &Target,
        within: Option<&'static str>,
        provided: impl Iterator<Item = &'static str>,
    ) -> Self {
        let by = match within {
            None => target.to_string(),
            Some(within) => format!("the provider of `{within}`, for {target},"),
        };
        let mut similar: Vec<_> = provided.filter(|name| is_similar(wanted, name)).collect();
        similar.sort_unstable();
        Self { wanted, by, similar }
    }

    pub(super) fn message(wanted: &str, by: &str, similar: &[&str]) -> String {
        let meant = match similar {
            [] => String::new(),
            names => format!("; did you mean `{}`, which is provided?", names.join("` or `")),
        };
        format!(
            "no provider for `{wanted}`, which {by} asks for: add `.provide_value(…)` or `.provide(…)` of that type to the \
             server{meant}"
        )
    }
}

/// Types that only wrap another type, and are ignored in a comparison.
const WRAPPERS: [&str; 12] =
    ["Arc", "Box", "Cell", "Mutex", "OnceCell", "OnceLock", "Option", "Rc", "RefCell", "RwLock", "Vec", "dyn"];

/// Whether two types share a name, without regard to paths and wrappers.
fn is_similar(one: &str, other: &str) -> bool {
    names(one).any(|name| names(other).any(|theirs| theirs.eq_ignore_ascii_case(name)))
}

/// The names in a type, without their paths: `Pool` and `Sqlite` of `sqlx::Pool<sqlx::Sqlite>`.
fn names(of: &str) -> impl Iterator<Item = &str> {
    let paths = of.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let last = paths.map(|path| path.rsplit(':').next().unwrap_or_default());
    last.filter(|name| !name.is_empty() && !WRAPPERS.contains(name))
}

#[cfg(test)]
mod tests {
    use super::is_similar;

    #[test]
    fn types_are_similar_that_share_a_name_inside_what_wraps_them() {
        for (wanted, provided) in [
            ("app::Db", "alloc::sync::Arc<std::sync::Mutex<app::Db>>"),
            ("app::Db", "other::db::Db"),
            ("sqlx::Pool<sqlx::Sqlite>", "sqlx::Pool<sqlx::Postgres>"),
            ("alloc::boxed::Box<dyn app::Store>", "alloc::sync::Arc<dyn app::Store>"),
        ] {
            assert!(is_similar(wanted, provided), "{wanted} {provided}");
        }
        for (wanted, provided) in [
            ("app::Db", "app::Cache"),
            ("alloc::sync::Arc<app::Db>", "alloc::sync::Arc<app::Cache>"),
            ("app::store::Db", "app::store::Cache"),
            ("u32", "u64"),
        ] {
            assert!(!is_similar(wanted, provided), "{wanted} {provided}");
        }
    }
}
