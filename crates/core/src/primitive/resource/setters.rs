//! The settings that a resource and a template have in common, written once for both builders.

/// Defines the settings. The argument is the path from the builder to its `Definition`.
macro_rules! listing_setters {
    ($($path:ident).+) => {
        /// The programmatic name.
        pub fn name(mut self, name: impl Into<Text>) -> Self {
            self.$($path).+.listing.name = name.into();
            self
        }

        /// A name for people. Sent from 2025-06-18 on.
        pub fn title(mut self, title: impl Into<Text>) -> Self {
            self.$($path).+.listing.title = Some(title.into());
            self
        }

        /// What it is and when to read it.
        pub fn description(mut self, description: impl Into<Text>) -> Self {
            self.$($path).+.listing.description = Some(description.into());
            self
        }

        /// The MIME type, as in `text/markdown`.
        pub fn mime_type(mut self, mime_type: impl Into<Text>) -> Self {
            self.$($path).+.listing.mime_type = Some(mime_type.into());
            self
        }

        /// Hints for the client.
        pub fn annotations(mut self, annotations: Annotations) -> Self {
            self.$($path).+.listing.annotations = annotations;
            self
        }

        /// Images to show beside the name. Sent from 2025-11-25 on.
        pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
            self.$($path).+.listing.icons = icons.into_iter().collect();
            self
        }

        /// `_meta` of the list entry. Sent from 2025-06-18 on.
        pub fn meta(mut self, meta: impl Into<Metadata>) -> Self {
            self.$($path).+.listing.meta = meta.into();
            self
        }

        /// `_meta` of the content item, for fixed contents and for readers that return a bare payload.
        pub fn content_meta(mut self, meta: impl Into<Metadata>) -> Self {
            self.$($path).+.content_meta = meta.into();
            self
        }

        /// How long a client may keep the contents. Sent as `ttlMs`, in milliseconds, where the revision has cache hints.
        pub fn ttl(mut self, ttl: Duration) -> Self {
            self.$($path).+.ttl = Some(ttl);
            self
        }

        /// Who may share cached contents. Sent as `cacheScope` where the revision has cache hints.
        pub fn cache_scope(mut self, scope: CacheScope) -> Self {
            self.$($path).+.cache_scope = Some(scope);
            self
        }

        /// Adds the data of an extension of MCP. It replaces earlier data of the same extension.
        pub fn extended(mut self, part: impl Into<ExtensionData>) -> Self {
            self.$($path).+.parts.add(part.into());
            self
        }
    };
}

pub(crate) use listing_setters;
