//! Which file of a crate takes what from which other: the import graph, by file.
//!
//! Every path in the code is followed to the file that defines what it names, through `use` declarations and re-exports.
//! Test code is left out. In a macro call, what looks like a path from the crate's root or the file's parent is one. Not seen: methods.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

use crate::source::Source;

/// The way to a module from the root of its crate.
type Way = Vec<String>;

/// The files of one crate, by module.
pub(crate) struct Crate {
    modules: BTreeMap<Way, Module>,
}

/// One file.
#[derive(Default)]
struct Module {
    path: String,
    /// Whether it defines anything, beside joining its children.
    has_code: bool,
    /// The names that `use` brings in, with what they stand for.
    uses: HashMap<String, Way>,
    /// The modules all of whose names are brought in.
    globs: Vec<Way>,
    /// Modules within the file.
    inner: BTreeSet<String>,
    /// The paths that the code has.
    paths: Vec<Way>,
}

/// An import: a file takes these names from another.
pub(crate) type Imports = BTreeMap<(String, String), BTreeSet<String>>;

impl Crate {
    /// Reads the files below `src`, which is the crate's folder of sources.
    pub(crate) fn read<'a>(src: &str, sources: impl Iterator<Item = &'a Source>) -> Self {
        let modules = sources.filter_map(|source| {
            let way = way(source.path.strip_prefix(src)?.trim_start_matches('/'));
            Some((way, Module::read(source)))
        });
        Self { modules: modules.collect() }
    }

    /// Every import between two of the files.
    pub(crate) fn imports(&self) -> Imports {
        let mut found = Imports::new();
        for (way, module) in &self.modules {
            for path in &module.paths {
                let Some((target, name)) = self.resolve(way, path, 0) else { continue };
                let target = &self.modules[&target];
                if target.path != module.path {
                    found.entry((module.path.clone(), target.path.clone())).or_default().insert(name);
                }
            }
        }
        found
    }

    /// The imports of a file from one that stands above it and has code of its own.
    pub(crate) fn taken_from_above(&self) -> Vec<String> {
        let by_path: HashMap<&str, &Way> = self.modules.iter().map(|(way, module)| (&*module.path, way)).collect();
        let is_above = |child: &str, parent: &str| {
            let (child, parent) = (by_path[child], by_path[parent]);
            child.len() > parent.len() && child.starts_with(parent) && self.modules[parent].has_code
        };
        let imports = self.imports().into_iter().filter(|((from, to), _)| is_above(from, to));
        imports.map(|((from, to), names)| line(&from, &to, &names)).collect()
    }

    /// The file that a path leads to, and the first name in it.
    fn resolve(&self, from: &Way, path: &[String], hops: usize) -> Option<(Way, String)> {
        // Re-exports in a circle lead nowhere.
        if hops > 16 {
            return None;
        }
        let module = &self.modules[from];
        let (first, rest) = path.split_first()?;
        let child = |way: &Way, name: &String| {
            Some([&way[..], std::slice::from_ref(name)].concat()).filter(|way| self.modules.contains_key(way))
        };
        match &**first {
            "crate" => self.descend(&Way::new(), rest, hops),
            "self" => self.descend(from, rest, hops),
            "super" => self.descend(&from[..from.len().checked_sub(1)?].to_vec(), rest, hops),
            _ if child(from, first).is_some() => self.descend(from, path, hops),
            _ => {
                let used = module.uses.get(first)?;
                self.resolve(from, &[&used[..], rest].concat(), hops + 1)
            }
        }
    }

    /// Goes down from a module as far as the path names modules, and through the re-exports of the last.
    fn descend(&self, at: &Way, path: &[String], hops: usize) -> Option<(Way, String)> {
        let module = self.modules.get(at)?;
        let (first, rest) = path.split_first()?;
        if first == "super" {
            return self.descend(&at[..at.len().checked_sub(1)?].to_vec(), rest, hops);
        }
        let below = [&at[..], std::slice::from_ref(first)].concat();
        if self.modules.contains_key(&below) {
            // A module by itself is no import: what is used of it is.
            return self.descend(&below, rest, hops);
        }
        if let Some(used) = module.uses.get(first).filter(|_| !module.inner.contains(first)) {
            return self.resolve(at, &[&used[..], rest].concat(), hops + 1);
        }
        Some((at.clone(), first.clone()))
    }
}

/// One import as a line of a report.
pub(crate) fn line(from: &str, to: &str, names: &BTreeSet<String>) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    format!("{from} takes {} from {to}", names.join(", "))
}

/// The files that import each other in a circle, each circle with the imports that tie it.
pub(crate) fn circles(imports: &Imports) -> Vec<(BTreeSet<String>, Vec<String>)> {
    let mut ahead: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in imports.keys() {
        ahead.entry(from).or_default().insert(to);
    }
    let reach: BTreeMap<&str, BTreeSet<&str>> = ahead.keys().map(|file| (*file, reached(file, &ahead))).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut found = Vec::new();
    for (file, all) in &reach {
        let circle: BTreeSet<&str> =
            all.iter().copied().filter(|other| reach.get(other).is_some_and(|back| back.contains(file))).collect();
        if circle.len() > 1 && !seen.contains(file) {
            seen.extend(&circle);
            let ties = imports.iter().filter(|((from, to), _)| circle.contains(&**from) && circle.contains(&**to));
            let ties = ties.map(|((from, to), names)| line(from, to, names)).collect();
            found.push((circle.into_iter().map(str::to_owned).collect(), ties));
        }
    }
    found
}

fn reached<'a>(file: &str, ahead: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&str> = ahead.get(file).into_iter().flatten().copied().collect();
    while let Some(file) = next.pop() {
        if reached.insert(file) {
            next.extend(ahead.get(file).into_iter().flatten());
        }
    }
    reached
}

/// `lib.rs` and `main.rs` are the root, `a/mod.rs` and `a.rs` are `a`.
fn way(path: &str) -> Way {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let mut way: Way = path.split('/').map(str::to_owned).collect();
    if way.last().is_some_and(|last| last == "mod" || way.len() == 1 && (last == "lib" || last == "main")) {
        way.pop();
    }
    way
}

impl Module {
    fn read(source: &Source) -> Self {
        let file = syn::parse_file(&source.text).unwrap_or_else(|error| panic!("{}: {error}", source.path));
        let mut module = Self { path: source.path.clone(), ..Self::default() };
        module.has_code =
            file.items.iter().any(|item| !matches!(item, Item::Mod(_) | Item::Use(_)) && !is_test(attributes(item)));
        Reader { module: &mut module, depth: 0 }.visit_file(&file);
        module
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let names_test = |attribute: &&Attribute| {
        let is_cfg = attribute.path().is_ident("cfg");
        attribute.path().is_ident("test")
            || is_cfg && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test")
    };
    attributes.iter().find(names_test).is_some()
}

/// Collects what a file brings in and names.
struct Reader<'a> {
    module: &'a mut Module,
    /// How many modules within the file stand around the code.
    depth: usize,
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.content.is_some() {
            self.module.inner.insert(item.ident.to_string());
            self.depth += 1;
            visit::visit_item_mod(self, item);
            self.depth -= 1;
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            self.bring_in(&mut Way::new(), &item.tree);
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.note_tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let way: Way = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.note(way);
        visit::visit_path(self, path);
    }
}

impl Reader<'_> {
    /// The paths in a macro call, which may have any syntax.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut way = Way::new();
        for token in tokens {
            match token {
                TokenTree::Ident(name) if !way.is_empty() || name == "crate" || name == "super" => {
                    way.push(name.to_string());
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => {}
                token => {
                    self.note(std::mem::take(&mut way));
                    if let TokenTree::Group(group) = token {
                        self.note_tokens(group.stream());
                    }
                }
            }
        }
        self.note(way);
    }

    fn bring_in(&mut self, way: &mut Way, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                way.push(path.ident.to_string());
                self.bring_in(way, &path.tree);
                way.pop();
            }
            UseTree::Name(name) => self.bring_in_as(way, &name.ident.to_string(), &name.ident.to_string()),
            UseTree::Rename(name) => self.bring_in_as(way, &name.ident.to_string(), &name.rename.to_string()),
            UseTree::Glob(_) => self.module.globs.push(way.clone()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.bring_in(way, tree)),
        }
    }

    fn bring_in_as(&mut self, way: &Way, name: &str, known_as: &str) {
        let mut way = way.clone();
        let known_as = if name == "self" { way.last().cloned().unwrap_or_default() } else { known_as.to_owned() };
        if name != "self" {
            way.push(name.to_owned());
        }
        self.note(way.clone());
        if let Some(way) = self.seen_from_file(way).filter(|way| way.len() > 1) {
            self.module.uses.insert(known_as, way);
        }
    }

    fn note(&mut self, way: Way) {
        if let Some(way) = self.seen_from_file(way) {
            self.module.paths.push(way);
        }
    }

    /// The same path as seen from the file, for one in a module within it. `None`: it stays in the file.
    fn seen_from_file(&self, mut way: Way) -> Option<Way> {
        for _ in 0..self.depth {
            if way.first().is_some_and(|first| first == "super") {
                way.remove(0);
                if way.is_empty() {
                    return None;
                }
            } else if way.first().is_some_and(|first| first == "self") {
                return None;
            }
        }
        Some(way)
    }
}

#[cfg(test)]
mod tests {
    use super::{Crate, circles};
    use crate::source::Source;

    fn read(files: &[(&str, &str)]) -> Crate {
        let sources: Vec<Source> = files.iter().map(|(path, text)| Source::new(path, (*text).to_owned())).collect();
        Crate::read("c/src", sources.iter())
    }

    fn pairs(files: &[(&str, &str)]) -> Vec<(String, String)> {
        let short = |path: &str| path.trim_start_matches("c/src/").to_owned();
        read(files).imports().into_keys().map(|(from, to)| (short(&from), short(&to))).collect()
    }

    #[test]
    fn a_name_is_followed_to_the_file_that_defines_it() {
        let files = [
            ("c/src/lib.rs", "mod a;\nmod b;\npub use crate::a::One;"),
            ("c/src/a/mod.rs", "mod one;\npub(crate) use one::One;"),
            ("c/src/a/one.rs", "pub struct One;"),
            ("c/src/b.rs", "use crate::a::{self, One};\nfn f(_: One, _: std::fmt::Error) -> a::One { One }"),
        ];
        let one = |from: &str| (from.to_owned(), "a/one.rs".to_owned());
        assert_eq!(pairs(&files), [one("a/mod.rs"), one("b.rs"), one("lib.rs")]);
    }

    #[test]
    fn test_code_is_left_out_and_modules_within_a_file_are_the_file() {
        let files = [
            ("c/src/lib.rs", "mod a;\nmod b;"),
            (
                "c/src/a.rs",
                "mod inner { use super::super::b::B; fn f(_: super::A) {} }\nstruct A;\n#[cfg(test)]\nmod tests { use crate::b::C; }",
            ),
            ("c/src/b.rs", "pub struct B;\npub struct C;\n#[cfg(test)]\nfn t() -> crate::a::A { loop {} }"),
        ];
        assert_eq!(pairs(&files), [("a.rs".to_owned(), "b.rs".to_owned())]);
    }

    #[test]
    fn a_planted_circle_and_a_planted_parent_are_found() {
        let files = [
            ("c/src/lib.rs", "mod a;\nmod b;"),
            ("c/src/a.rs", "mod child;\nuse crate::b::B;\npub struct A(B, child::Child);"),
            ("c/src/a/child.rs", "pub struct Child(Option<Box<super::A>>);"),
            ("c/src/b.rs", "pub struct B(pub Box<crate::a::A>);"),
        ];
        let read = read(&files);
        let found = circles(&read.imports());
        assert_eq!((found.len(), found[0].0.len()), (1, 3), "{found:?}");
        assert_eq!(read.taken_from_above(), ["c/src/a/child.rs takes A from c/src/a.rs"]);
    }
}
