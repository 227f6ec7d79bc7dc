//! Counts the bytes that matching looks at, in tests: the proof that it is linear.

#[cfg(test)]
std::thread_local! {
    static BYTES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts bytes. Nothing outside of tests.
pub(super) fn visit(bytes: usize) {
    #[cfg(test)]
    BYTES.with(|counted| counted.set(counted.get() + bytes));
    let _ = bytes;
}

/// The bytes that were counted on this thread while `work` ran.
#[cfg(test)]
pub(super) fn counted<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = BYTES.get();
    let result = work();
    (result, BYTES.get() - before)
}
