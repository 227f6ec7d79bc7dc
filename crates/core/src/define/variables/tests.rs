//! What a type gets from the values, and what does not fit it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::*;

fn read<T: DeserializeOwned>(values: &Values, is_single: bool) -> Result<T, Unfit> {
    T::deserialize(Variables { values, is_single })
}

fn one<T: DeserializeOwned>(text: &str) -> Result<T, Unfit> {
    read(&Values::new().with("v", text), true)
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Status {
    Open,
    Closed,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Order {
    id: u64,
    status: Option<Status>,
    #[serde(default)]
    path: Vec<String>,
}

#[test]
fn l1_9_a_struct_has_a_field_for_each_variable() {
    let segments = vec!["a".to_owned(), "b c".to_owned()];
    let values = Values::new().with("id", "7").with("status", "open").with("path", segments.clone());
    assert_eq!(read(&values, false), Ok(Order { id: 7, status: Some(Status::Open), path: segments }));
    let values = Values::new().with("id", "7");
    assert_eq!(read(&values, false), Ok(Order { id: 7, status: None, path: Vec::new() }));
    for wrong in [values.clone().with("status", "lost"), Values::new().with("id", "-7"), Values::new().with("id", "")] {
        assert_eq!(read::<Order>(&wrong, false), Err(Unfit::Other));
    }
    assert_eq!(read::<Order>(&Values::new(), false), Err(Unfit::MissingField("id")));
}

#[test]
fn l1_9_a_map_has_all_values() {
    let values = Values::new().with("a", "1").with("b", "");
    let map = BTreeMap::from([("a".to_owned(), "1".to_owned()), ("b".to_owned(), String::new())]);
    assert_eq!(read(&values, false), Ok(map));
    assert_eq!(read(&values, false), Ok(()));
}

#[test]
fn l1_9_the_one_variable_of_a_template_may_be_a_bare_value() {
    assert_eq!(one("a b"), Ok("a b".to_owned()));
    assert_eq!((one("18446744073709551615"), one("-1")), (Ok(u64::MAX), Ok(-1_i8)));
    assert_eq!((one("true"), one("x"), one("1.5")), (Ok(true), Ok('x'), Ok(1.5)));
    assert_eq!((one("closed"), one::<Option<Status>>("open")), (Ok(Status::Closed), Ok(Some(Status::Open))));
    assert_eq!(one::<Order>("7"), Err(Unfit::MissingField("id")));
    for text in ["", "+1", "1.0", "256", "0x1", " 1", "1_0"] {
        assert_eq!(one::<u8>(text), Err(Unfit::Other), "{text:?}");
    }
    assert_eq!(read::<Option<u8>>(&Values::new(), true), Ok(None), "a query variable may be absent");
    assert_eq!(read::<String>(&Values::new().with("a", "1").with("b", "2"), false), Err(Unfit::Other));
    let segments = Values::new().with("v", vec!["1".to_owned(), "2".to_owned()]);
    assert_eq!((read(&segments, true), read::<String>(&segments, true)), (Ok(vec![1, 2]), Err(Unfit::Other)));
}

proptest::proptest! {
    #[test]
    fn no_value_breaks_the_reader(text in ".{0,20}") {
        let values = Values::new().with("v", text.as_str());
        let _ = (read::<u64>(&values, true), read::<f32>(&values, true), read::<Status>(&values, true));
        proptest::prop_assert_eq!(read::<String>(&values, true), Ok(text));
    }
}
