//! A snapshot against a set of the standard library.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn resource(key: u16) -> Resource {
    Resource::builder().uri(format!("a://{key:05}")).name("a").text("a").build()
}

fn uris<'a>(resources: impl Iterator<Item = &'a Resource>) -> Vec<String> {
    resources.map(|each| each.uri().to_owned()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn l4_4_a_snapshot_is_a_set_in_the_order_of_the_bytes(
        first in prop::collection::btree_set(0..2000_u16, 0..900),
        changes in prop::collection::vec((0..2000_u16, prop::bool::weighted(0.4)), 0..1500),
        behind in 0..2000_u16,
    ) {
        let mut model: BTreeSet<String> = first.iter().map(|key| format!("a://{key:05}")).collect();
        let start = Snapshot::new(first.iter().map(|key| resource(*key)).collect());
        let before = uris(start.iter());
        let mut snapshot = start.clone();
        for (key, is_insert) in changes {
            let uri = format!("a://{key:05}");
            let (was, is) = if is_insert {
                (!model.insert(uri), snapshot.insert(resource(key)).is_some())
            } else {
                (model.remove(&uri), snapshot.remove(&uri).is_some())
            };
            prop_assert_eq!(was, is);
        }
        prop_assert_eq!(uris(snapshot.iter()), model.iter().cloned().collect::<Vec<_>>());
        prop_assert_eq!(snapshot.len(), model.len());
        let from = format!("a://{behind:05}");
        let expected: Vec<_> = model.iter().filter(|uri| **uri > from).cloned().collect();
        prop_assert_eq!(uris(snapshot.behind(&from)), expected);
        prop_assert_eq!(snapshot.find(&from).is_some(), model.contains(&from));
        prop_assert!(snapshot.chunks.iter().all(|chunk| (1..=LONGEST).contains(&chunk.len())));
        prop_assert_eq!(uris(start.iter()), before, "the original is as it was");
    }
}
