use grange::skill;

fn main() {
    let _ = skill!("skills/tasks", "skills/retries");
}
