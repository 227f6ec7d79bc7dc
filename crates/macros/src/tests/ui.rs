//! Tests of a view's `ui`, from source to error texts, or to code.

use super::{check, check_expansion};

#[test]
fn expands_the_needs_of_a_view() {
    check_expansion(
        "ui: { connect_domains: [\"https://api.example.com\", ORIGIN], resource_domains: origins(), frame_domains: [],
            base_uri_domains: [], permissions: [Camera, asked], domain: d, prefers_border: true }, ..a",
        "g::Resource::to_builder(&a).ui(g::apps::Ui::new()
            .connect_domains([\"https://api.example.com\", ORIGIN]).resource_domains(origins()).frame_domains([])
            .base_uri_domains([]).permissions([g::apps::UiPermission::Camera, asked]).domain(d).prefers_border(true)).build()",
    );
    check_expansion("ui: view_needs(), ..a", "g::Resource::to_builder(&a).ui(view_needs()).build()");
}

#[test]
fn rejects_views_that_no_host_can_read() {
    check("ui: true", &["ui are fields: write them as in `{ prefers_border: true }`"]);
    check(
        "ui: { border: true }",
        &[
            "unknown key `border`: expected one of `connect_domains`, `resource_domains`, `frame_domains`, `base_uri_domains`, `permissions`, `domain`, `prefers_border`",
        ],
    );
    check("ui: { prefers_border: 1 }", &["prefers_border is yes or no: write `true` or `false`"]);
    check(
        "ui: { connect_domains: \"https://a.example\" }",
        &["connect_domains are a list: write it as in `[\"https://…\"]`"],
    );
    check(
        "ui: { connect_domains: [\"a.example\"] }",
        &["origin `a.example` has no scheme: write it as in `https://api.example.com` or `https://*.example.com`"],
    );
    check("ui: { permissions: Camera }", &["permissions are a list: write it as in `[Camera]`"]);
    check("ui: { permissions: [Camra] }", &["unknown permission `Camra`: did you mean `Camera`?"]);
}
