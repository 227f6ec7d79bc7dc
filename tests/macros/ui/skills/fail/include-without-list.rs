use grange::skill;

fn main() {
    let _ = skill!("skills/sheets", include: "_rels/.rels");
}
