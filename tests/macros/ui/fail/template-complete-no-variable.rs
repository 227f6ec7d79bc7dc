fn main() {
    let _ = grange::template! {
        uri: "cities://{country}/{city}",
        name: "city",
        read: |_cx, (): ()| async { Ok("") },
        complete: {
            contry: ["Chad", "China"],
            "citty": |_cx, typed| async move { Ok([typed.value().to_owned()]) },
            continent: ["Africa"],
        },
    };
}
