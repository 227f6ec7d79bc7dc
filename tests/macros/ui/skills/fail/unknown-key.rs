use grange::skill;

fn main() {
    let _ = skill!("skills/tasks", path: "acme/tasks");
}
