use grange::resources;

fn main() {
    let _ = resources![{}];
}
