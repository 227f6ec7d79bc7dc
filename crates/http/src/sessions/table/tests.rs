//! The table, compared with the simplest one: a list that is searched.

use proptest::prelude::*;

use super::*;

const IDLE: Duration = Duration::from_secs(60);

fn bounds() -> Bounds {
    Bounds { sessions: 5, per_principal: 3, idle: IDLE, bytes: 100 }
}

/// A session of the model.
#[derive(Clone, Debug)]
struct Plain {
    id: u128,
    owner: Option<Principal>,
    bytes: usize,
    open: usize,
    is_new: bool,
    /// When it became idle, and its number in the order of those events.
    idle: (u64, usize),
}

#[derive(Default)]
struct Model {
    sessions: Vec<Plain>,
    idled: usize,
}

impl Model {
    fn evictable(&self, now: u64, owner: Option<&Principal>) -> Option<u128> {
        let theirs = |plain: &&Plain| owner.is_none() || plain.owner.as_ref() == owner;
        let idle = || self.sessions.iter().filter(|plain| plain.open == 0).filter(theirs);
        let new = self.sessions.iter().filter(theirs).filter(|plain| plain.is_new).count();
        let oldest = |is_new| idle().filter(|plain| plain.is_new == is_new).min_by_key(|plain| plain.idle.1);
        // A quarter of five or of three is one.
        let first = oldest(true).filter(|plain| new > 1 || plain.idle.0 + 10 <= now);
        first.or_else(|| oldest(false)).map(|plain| plain.id)
    }

    fn remove(&mut self, id: u128) -> u128 {
        self.sessions.retain(|plain| plain.id != id);
        id
    }

    fn expire(&mut self, now: u64) -> Vec<u128> {
        let is_over = |plain: &Plain| plain.open == 0 && plain.idle.0 + IDLE.as_secs() <= now;
        let mut over: Vec<_> = self.sessions.iter().filter(|plain| is_over(plain)).cloned().collect();
        over.sort_by_key(|plain| plain.idle.1);
        over.into_iter().map(|plain| self.remove(plain.id)).collect()
    }

    fn open(&mut self, now: u64, id: u128, bytes: usize, owner: Option<Principal>) -> (Result<(), NoRoom>, Vec<u128>) {
        let mut gone = self.expire(now);
        if owner.is_some() && self.sessions.iter().filter(|plain| plain.owner == owner).count() >= 3 {
            match self.evictable(now, owner.as_ref()) {
                Some(oldest) => gone.push(self.remove(oldest)),
                None => return (Err(NoRoom::OfPrincipal), gone),
            }
        }
        while self.sessions.len() >= 5 || self.sessions.iter().map(|plain| plain.bytes).sum::<usize>() + bytes > 100 {
            match self.evictable(now, None) {
                Some(oldest) => gone.push(self.remove(oldest)),
                None => return (Err(NoRoom::InAll), gone),
            }
        }
        self.idled += 1;
        self.sessions.push(Plain { id, owner, bytes, open: 0, is_new: true, idle: (now, self.idled) });
        (Ok(()), gone)
    }

    fn find(&mut self, id: u128, owner: Option<&Principal>) -> Option<&mut Plain> {
        self.sessions.iter_mut().find(|plain| plain.id == id && plain.owner.as_ref() == owner)
    }

    fn leave(&mut self, now: u64, id: u128) {
        if let Some(plain) = self.sessions.iter_mut().find(|plain| plain.id == id && plain.open > 0) {
            plain.open -= 1;
            if plain.open == 0 {
                self.idled += 1;
                plain.idle = (now, self.idled);
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Open { bytes: usize, owner: usize },
    Enter { which: usize, owner: usize },
    Leave { which: usize },
    Take { which: usize },
    Wait { seconds: u64 },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..40_usize, 0..3_usize).prop_map(|(bytes, owner)| Step::Open { bytes, owner }),
        4 => (0..12_usize, 0..3_usize).prop_map(|(which, owner)| Step::Enter { which, owner }),
        4 => (0..12_usize).prop_map(|which| Step::Leave { which }),
        1 => (0..12_usize).prop_map(|which| Step::Take { which }),
        3 => (0..40_u64).prop_map(|seconds| Step::Wait { seconds }),
    ]
}

fn owner(index: usize) -> Option<Principal> {
    (index > 0).then(|| Principal::new(format!("principal {index}")))
}

proptest! {
    #[test]
    fn the_table_does_what_a_searched_list_does(steps in proptest::collection::vec(step(), 0..120)) {
        let start = Instant::now();
        let (mut table, mut model) = (Table::new(bounds()), Model::default());
        let (mut now, mut opened) = (0, 0_u128);
        // The sessions that are in use and must be left again.
        let mut entered: Vec<u128> = Vec::new();
        for step in steps {
            let at = start + Duration::from_secs(now);
            let nth = |which: usize| opened.saturating_sub(which as u128);
            match step {
                Step::Wait { seconds } => now += seconds,
                Step::Open { bytes, owner: index } => {
                    opened += 1;
                    let mut gone = Vec::new();
                    let made = table.make_room(at, bytes, owner(index).as_ref(), &mut gone);
                    if made.is_ok() {
                        table.insert(at, SessionId::of(opened), opened, bytes, owner(index));
                    }
                    prop_assert_eq!((made, gone), model.open(now, opened, bytes, owner(index)));
                }
                Step::Enter { which, owner: index } => {
                    let mut gone = Vec::new();
                    table.expire(at, &mut gone);
                    prop_assert_eq!(gone, model.expire(now));
                    let expected = model.find(nth(which), owner(index).as_ref());
                    let expected = expected.map(|plain| { plain.open += 1; plain.is_new = false; plain.id });
                    prop_assert_eq!(table.peek(SessionId::of(nth(which)), owner(index).as_ref()).copied(), expected);
                    prop_assert_eq!(table.enter(SessionId::of(nth(which)), owner(index).as_ref()), expected);
                    entered.extend(expected);
                }
                Step::Leave { which } => {
                    if let Some(place) = entered.iter().position(|id| *id == nth(which)) {
                        entered.remove(place);
                        table.leave(at, SessionId::of(nth(which)));
                        model.leave(now, nth(which));
                    }
                }
                Step::Take { which } => {
                    let expected = model.sessions.iter().find(|plain| plain.id == nth(which)).map(|plain| plain.id);
                    prop_assert_eq!(table.take(SessionId::of(nth(which))), expected);
                    model.remove(nth(which));
                    entered.retain(|id| *id != nth(which));
                }
            }
            prop_assert_eq!(table.entries.len(), model.sessions.len());
            let notes = [table.all.idle.0.len(), table.all.idle_new.0.len()];
            prop_assert!(notes.iter().all(|notes| *notes <= 2 * bounds().sessions + 32), "{notes:?}");
        }
        prop_assert_eq!(table.take_all().len(), model.sessions.len());
        prop_assert!(table.owners.is_empty() && table.bytes == 0);
        prop_assert_eq!((table.all.sessions, table.all.new), (0, 0));
    }
}

/// A table of eight sessions, with the first as used as `used` says.
fn filled(used: u128) -> (Table<u128>, Instant) {
    let (mut table, now) = (Table::new(Bounds { sessions: 8, per_principal: 8, ..bounds() }), Instant::now());
    for id in 1..=8 {
        table.insert(now, SessionId::of(id), id, 0, None);
        if id <= used {
            table.enter(SessionId::of(id), None);
            table.leave(now, SessionId::of(id));
        }
    }
    (table, now)
}

fn evicted(table: &mut Table<u128>, now: Instant) -> Result<Vec<u128>, NoRoom> {
    let mut gone = Vec::new();
    table.make_room(now, 0, None, &mut gone).map(|()| gone)
}

#[test]
fn w5_9_a_new_session_keeps_its_place_until_its_client_could_use_it() {
    let (mut table, now) = filled(7);
    assert_eq!(evicted(&mut table, now), Ok(vec![1]), "the longest idle of those that were used");
    let (mut table, now) = filled(7);
    assert_eq!(evicted(&mut table, now + CHANCE), Ok(vec![8]), "its client did not use it");
    let (mut table, now) = filled(7);
    (1..=7).for_each(|id| assert!(table.enter(SessionId::of(id), None).is_some()));
    assert_eq!(evicted(&mut table, now), Err(NoRoom::InAll), "the others are in use");
}

#[test]
fn w5_9_a_flood_of_handshakes_evicts_its_own_sessions() {
    let (mut table, now) = filled(5);
    // Three of eight are new: more than a quarter.
    for (next, expected) in [(9, 6), (10, 7), (11, 8), (12, 9)] {
        assert_eq!(evicted(&mut table, now), Ok(vec![expected]));
        table.insert(now, SessionId::of(next), next, 0, None);
    }
}

#[test]
fn an_idle_session_costs_little() {
    let cost = size_of::<(SessionId, Entry<usize>)>() + 2 * size_of::<Note>();
    assert!(cost <= 192, "{cost} bytes");
}

#[test]
fn an_empty_table_has_nothing_to_wait_for() {
    let (mut table, now) = (Table::new(bounds()), Instant::now());
    assert_eq!(table.due(now), None);
    table.insert(now, SessionId::of(1), 1, 0, None);
    assert_eq!(table.due(now), Some(now + IDLE));
    // A session in use is checked again at the earliest time at which it could expire.
    table.enter(SessionId::of(1), None);
    let later = now + 2 * IDLE;
    assert_eq!(table.due(later), Some(later + IDLE));
    table.leave(later, SessionId::of(1));
    let mut gone = Vec::new();
    table.expire(later, &mut gone);
    assert_eq!(gone, [0; 0]);
    table.expire(later + IDLE, &mut gone);
    assert_eq!((gone, table.due(later)), (vec![1], None));
}
