//! What values a Rust type gives, that reading gives them back, and what has no place in a URI.

use std::collections::BTreeMap;

use grange_uri::{Match, Template};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::*;
use crate::define::variables::Variables;

fn template(text: &str) -> Template {
    Template::parse(text).expect("a template")
}

/// The URI of the arguments, and what a read of it gets.
fn round<A: Serialize + DeserializeOwned>(text: &str, arguments: &A) -> Result<(String, A), String> {
    let template = template(text);
    let values = values(arguments, template.variables()).map_err(|error| error.to_string())?;
    let uri = template.expand(&values).map_err(|error| error.to_string())?;
    let Match::Values(values) = template.matches(&uri) else { panic!("{uri} does not match {text}") };
    let is_single = template.variables().len() == 1;
    let read = A::deserialize(Variables { values: &values, is_single }).expect("values that fit");
    Ok((uri, read))
}

#[track_caller]
fn gives_back<A: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(text: &str, arguments: &A, uri: &str) {
    let (found, read) = round(text, arguments).expect("a URI");
    assert_eq!((&*found, &read), (uri, arguments));
}

#[track_caller]
fn refuses(text: &str, arguments: &impl Serialize, expected: &str) {
    let found = values(arguments, template(text).variables()).expect_err("a problem").to_string();
    assert!(found.contains(expected) && found.contains(": give "), "{found}");
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Open,
    Closed,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Order {
    shop: String,
    id: u64,
    path: Vec<String>,
    q: Option<String>,
    status: Option<Status>,
}

const ORDER: &str = "shop://{shop}/{id}{/path*}{?q,status}";

fn order() -> Order {
    Order { shop: "tea & co".to_owned(), id: 7, path: Vec::new(), q: None, status: None }
}

#[test]
fn l1_18_a_struct_gives_a_value_for_each_variable() {
    gives_back(ORDER, &order(), "shop://tea%20%26%20co/7");
    let path = vec!["a b".to_owned(), "c".to_owned()];
    let full = Order { path, q: Some(String::new()), status: Some(Status::Open), ..order() };
    gives_back(ORDER, &full, "shop://tea%20%26%20co/7/a%20b/c?q=&status=open");
}

#[test]
fn l1_18_the_one_variable_of_a_template_may_be_a_bare_value() {
    let one = "demo://{v}";
    gives_back(one, &"é".to_owned(), "demo://%C3%A9");
    gives_back(one, &u64::MAX, "demo://18446744073709551615");
    gives_back(one, &i128::MIN, "demo://-170141183460469231731687303715884105728");
    gives_back(one, &(-1_i8), "demo://-1");
    gives_back(one, &true, "demo://true");
    gives_back(one, &'x', "demo://x");
    gives_back(one, &Status::Closed, "demo://closed");
    gives_back(one, &Some(Box::new(5)), "demo://5");
    gives_back("demo://a/{+v}", &"b/c d".to_owned(), "demo://a/b/c%20d");
    gives_back("demo://a{?v}", &None::<u8>, "demo://a");
    gives_back("demo://a{/v*}", &vec![1, 2], "demo://a/1/2");
    gives_back("demo://a{/v*}", &("b".to_owned(), 2_u8), "demo://a/b/2");
}

#[test]
fn l1_18_a_map_gives_the_values_that_it_has() {
    let map = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    gives_back("demo://{a}{?b,c}", &map(&[("a", "1"), ("c", "2")]), "demo://1?c=2");
    assert_eq!(round("demo://{a}", &map(&[("b", "1")])).unwrap_err(), "has no value for `a`: give one");
    let with_more = map(&[("a", "1"), ("b", "1")]);
    assert_eq!(round("demo://{a}", &with_more).unwrap_err(), "has no variable `b`: leave out its value");
    gives_back("demo://a{?b}", &(), "demo://a");
}

#[test]
fn l1_18_what_a_uri_cannot_carry_is_an_error() {
    #[derive(Serialize)]
    struct One<T> {
        v: T,
    }
    #[derive(Serialize)]
    enum Data {
        Number(u8),
        Fields { a: u8 },
    }
    let one = "demo://{v}";
    refuses(one, &1.5, "has a floating-point number for `v`");
    refuses("demo://{a}/{b}", &1.5, "is given a floating-point number");
    refuses(one, &One { v: 1.5_f32 }, "has a floating-point number for `v`");
    refuses(one, &One { v: One { v: 1.5 } }, "has a struct, a map or `()` for `v`");
    refuses(one, &One { v: () }, "has a struct, a map or `()` for `v`");
    refuses(one, &One { v: Data::Number(1) }, "has an enum with data for `v`");
    refuses("demo://{a}/{b}", &Data::Fields { a: 1 }, "is given an enum with data");
    refuses(one, &One { v: [Some(1), None] }, "has a list with more than texts in it for `v`");
    refuses("demo://{a}/{b}", &BTreeMap::from([(vec![1], 2)]), "is given a map with a key that is no text");
    refuses("demo://{a}/{b}", &7, "is given one value: give a struct or a map");
    let long_ago = std::time::UNIX_EPOCH - std::time::Duration::from_secs(1);
    refuses(one, &One { v: long_ago }, "has a value that fails to serialize");
    let list = round("demo://{v}", &vec![1]).unwrap_err();
    assert_eq!(list, "has a list for `v`, which takes a text: give a text");
}

fn any_order() -> impl Strategy<Value = Order> {
    let text = || prop_oneof!["[a-c./%é ]{0,4}", any::<String>()];
    let status = prop::option::of(prop_oneof![Just(Status::Open), Just(Status::Closed)]);
    let path = prop::collection::vec(text(), 0..3);
    (text(), any::<u64>(), path, prop::option::of(text()), status).prop_map(|(shop, id, path, q, status)| Order {
        shop,
        id,
        path,
        q,
        status,
    })
}

proptest! {
    #[test]
    fn l1_18_reading_gives_back_what_was_written(order in any_order()) {
        match round(ORDER, &order) {
            Ok((_, read)) => prop_assert_eq!(read, order),
            Err(problem) => prop_assert!(problem.contains(" that ") && problem.contains(": "), "{}", problem),
        }
    }

    #[test]
    fn l1_18_every_number_has_a_uri(id in any::<i64>()) {
        let (_, read) = round("demo://{id}", &id).map_err(TestCaseError::fail)?;
        prop_assert_eq!(read, id);
    }

    #[test]
    fn l1_18_a_value_that_matching_would_split_is_an_error(name in "[ab.]{1,4}", ext in "[ab.]{1,4}") {
        let pair = BTreeMap::from([("name".to_owned(), name.clone()), ("ext".to_owned(), ext.clone())]);
        match round("demo://{name}.{ext}", &pair) {
            Ok((_, read)) => prop_assert_eq!(read, pair),
            Err(problem) => {
                let is_dots = [&name, &ext].into_iter().any(|value| value == "." || value == "..");
                prop_assert!(is_dots || name.contains('.'), "{}", problem);
            }
        }
    }
}
