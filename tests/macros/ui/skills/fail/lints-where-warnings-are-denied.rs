#![deny(deprecated)]

use grange::skill;

fn main() {
    let _ = skill!("skills/retries");
}
