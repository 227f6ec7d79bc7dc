//! The files of a directory as resources, which follow what changes there.
//!
//! ```
//! use grange::Server;
//! use grange::files::Directory;
//!
//! # fn main() -> grange::Result<()> {
//! let manual = Directory::open("docs", "docs://manual/")?.filter(|path| path.ends_with(".md")).watch()?;
//! let server = Server::builder("manual", "1.0.0").shelf(&manual).build()?;
//! # Ok(())
//! # }
//! ```

pub use grange_files::{Directory, DirectoryError};
