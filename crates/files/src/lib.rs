//! Serves the files below a directory as resources, and tells clients what changes there.
//!
//! ```
//! use grange_core::Server;
//! use grange_files::Directory;
//!
//! let manual = Directory::open("src", "docs://manual/")?.watch()?;
//! let server = Server::builder("manual", "1.0.0").shelf(&manual).build()?;
//! assert!(manual.as_ref().get("docs://manual/lib.rs").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Directory`] (`directory.rs`) fills a [`Shelf`](grange_core::Shelf), as any author's code can. Everything below the directory is opened
//! beneath its handle (`root.rs`). A walk (`walk.rs`) makes an index (`index.rs`) of what is there; what differs from the index before
//! (`diff.rs`) changes the shelf (`state.rs`). Events of the file system (`events.rs`) are only hints (`hint.rs`) where to look again
//! (`reread.rs`), after a pause (`debounce.rs`), on one thread (`follow.rs`).
//!
//! **Reads block** the thread that polls them, as all code does that uses a disk without a runtime.

mod time;
mod uri;

mod index;

mod diff;
mod hint;
mod root;

mod debounce;
mod source;
mod walk;

mod reread;
mod resource;
mod signal;

mod events;
mod state;

mod follow;

mod directory;
mod error;

#[cfg(test)]
#[cfg(unix)]
mod tests;

pub use directory::Directory;
pub use error::DirectoryError;
