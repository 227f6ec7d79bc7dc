use grange::skill;

const TASKS: &str = "skills/tasks";

fn main() {
    let _ = skill!(TASKS);
}
