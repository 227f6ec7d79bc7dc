use grange::skill;

fn main() {
    let _ = skill!();
}
