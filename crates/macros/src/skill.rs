//! `skill!`: reads and checks a directory at compile time, and embeds it.
//!
//! Its input is not a definition of keys and values, so it has its own small pipeline in this file. **The embedded
//! bytes are the checked ones**: each file is a literal. The compiler also reads it by `include_bytes!`, only so that
//! it rebuilds when the file changes: what it finds there then is not embedded.

use std::env;
use std::path::Path;

use grange_skill_format::{Directory, Pattern, check_skill, left_out_warning};
use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token};

use crate::errors::Errors;

/// Expands `root; "directory"`, with optional `, at: "path"` and `, include: ["pattern", …]`, to an expression of type
/// `root::skills::Skill`.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let parser = |input: ParseStream<'_>| {
        let mut root = TokenStream::new();
        while !input.peek(Token![;]) {
            root.extend([input.parse::<proc_macro2::TokenTree>()?]);
        }
        input.parse::<Token![;]>()?;
        Ok((root, input.parse::<Named>()?))
    };
    let (root, named) = match parser.parse2(input) {
        Ok(parsed) => parsed,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::new();
    let skill = named.embed(&root, &mut errors);
    let statements = errors.into_statements();
    if statements.is_empty() { skill } else { quote!({ #statements #skill }) }
}

/// The parsed input: the directory, another path, and patterns of files to include.
struct Named {
    directory: LitStr,
    at: Option<LitStr>,
    include: Vec<LitStr>,
}

const WANTED: &str =
    "expected a directory, as in `skill!(\"skills/tasks\")` or `skill!(\"skills/tasks\", at: \"acme/tasks\")`";

impl Parse for Named {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut named = Self { directory: or_wanted(input.parse())?, at: None, include: Vec::new() };
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            named.key(input)?;
        }
        if input.is_empty() { Ok(named) } else { Err(input.error(WANTED)) }
    }
}

/// Adds the expected syntax to an error.
fn or_wanted<T>(parsed: syn::Result<T>) -> syn::Result<T> {
    parsed.map_err(|error| syn::Error::new(error.span(), WANTED))
}

impl Named {
    /// Reads `at: "path"` or `include: ["pattern", …]`.
    fn key(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let key: Ident = or_wanted(input.parse())?;
        let is_at = key == "at";
        if !is_at && key != "include" {
            return Err(syn::Error::new(key.span(), format!("unknown key `{key}`: expected one of `at`, `include`")));
        }
        let is_there = if is_at { self.at.is_some() } else { !self.include.is_empty() };
        if is_there {
            return Err(syn::Error::new(key.span(), format!("duplicate key `{key}`: keep one")));
        }
        or_wanted(input.parse::<Token![:]>())?;
        if is_at {
            self.at = Some(or_wanted(input.parse())?);
            return Ok(());
        }
        let listed = |error: syn::Error| {
            syn::Error::new(error.span(), "include is a list of paths and patterns: write it as in `[\"_rels/.rels\"]`")
        };
        let group: Group = input.parse().map_err(listed)?;
        if group.delimiter() != Delimiter::Bracket {
            return Err(listed(syn::Error::new(group.span(), "")));
        }
        let patterns = Punctuated::<LitStr, Token![,]>::parse_terminated.parse2(group.stream()).map_err(listed)?;
        self.include = patterns.into_iter().collect();
        Ok(())
    }
}

impl Named {
    fn embed(&self, root: &TokenStream, errors: &mut Errors) -> TokenStream {
        let base = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
        let folder = Path::new(&base).join(self.directory.value());
        let mut directory = Directory::read(&folder);
        for problem in &directory.problems {
            errors.at(&self.directory, problem);
        }
        self.include_files(&mut directory, errors);
        let Directory { name, files, left_out, problems, .. } = directory;
        let path = self.at.as_ref().map_or(name, LitStr::value);
        let mut warnings = if problems.is_empty() { self.check(&path, &files, errors) } else { TokenStream::new() };
        let text = left_out_warning(left_out.iter().map(String::as_str));
        warnings.extend(text.map(|text| warning(&self.directory, "left_out", &text)));
        let folder = folder.canonicalize().unwrap_or(folder);
        let places = files.iter().map(|(file, _)| folder.join(file).to_string_lossy().into_owned());
        let files = files.iter().map(|(file, bytes)| {
            let bytes = Literal::byte_string(bytes);
            quote!((#file, #bytes))
        });
        // An empty list would have no type.
        let call = if left_out.is_empty() { TokenStream::new() } else { quote!(.left_out([#(#left_out),*])) };
        quote!({
            #warnings
            const _: &[&[u8]] = &[#(::core::include_bytes!(#places)),*];
            const FILES: &[(&str, &[u8])] = &[#(#files),*];
            #root::skills::Skill::new(#path, FILES.iter().copied()) #call
        })
    }

    /// Reads the files that the patterns include. An error is shown at its pattern.
    fn include_files(&self, directory: &mut Directory, errors: &mut Errors) {
        for include in &self.include {
            let known = directory.problems.len();
            match include.value().parse::<Pattern>() {
                Ok(pattern) => directory.include(&pattern),
                Err(error) => errors.at(include, format_args!("include `{}` {error}", include.value())),
            }
            for problem in &directory.problems[known..] {
                errors.at(include, problem);
            }
        }
    }

    /// Checks the skill; returns its lints as warnings of the compiler.
    fn check(&self, path: &str, files: &[(String, Vec<u8>)], errors: &mut Errors) -> TokenStream {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(file, bytes)| (file.as_str(), bytes.as_slice())).collect();
        match check_skill(path, &files) {
            Ok(frontmatter) => {
                let lints = frontmatter.lints().iter();
                lints.map(|lint| warning(&self.directory, "portability", &format!("SKILL.md: {lint}"))).collect()
            }
            Err(problems) => {
                for problem in &problems {
                    errors.at(&self.directory, format_args!("skill `{path}`: {problem}"));
                }
                TokenStream::new()
            }
        }
    }
}

/// A warning of the compiler. A macro can cause one only by the use of a deprecated item.
fn warning(place: &LitStr, about: &str, text: &str) -> TokenStream {
    let call = Ident::new(about, Span::mixed_site().located_at(place.span()));
    let used = quote_spanned!(place.span()=> #call());
    quote!({
        #[deprecated(note = #text)]
        const fn #call() {}
        #used;
    })
}
