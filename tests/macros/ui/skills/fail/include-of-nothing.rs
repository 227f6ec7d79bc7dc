use grange::skill;

fn main() {
    let _ = skill!("skills/sheets", include: ["**/.rels", "assets/.env.exmaple", "assets/**", "_rels/"]);
}
