fn main() {
    let _ = grange::template! {
        uri: "cities://{country}/{city}",
        name: "city",
        read: |_cx, (): ()| async { Ok("") },
        complete: { country: ["Chad"], city: ["Ati"], country: ["China"] },
        complete: { city: ["Mongo"] },
    };
}
