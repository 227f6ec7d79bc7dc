use grange::skill;

fn main() {
    let _ = skill!("skills/tasks", at: "acme//tasks");
}
