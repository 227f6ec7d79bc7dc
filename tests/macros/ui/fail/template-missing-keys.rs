fn main() {
    let _ = grange::template! {};
}
