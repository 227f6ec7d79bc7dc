//! `skill!`: a directory, read and checked when the program is compiled, and embedded in it.
//!
//! Its input is no definition of keys and values, so it has a pipeline of its own, short enough for one file. **What is
//! embedded is what was checked**: the compiler is given every file by `include_bytes!`, and compiles anew when one changes.

use std::env;
use std::path::Path;

use grange_skill_format::{Directory, check_skill};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Ident, LitStr, Token};

use crate::errors::Errors;

/// Expands `root; "directory"`, with `, at: "path"` or without, to an expression of type `root::Skill`.
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

/// Which directory, and where it is served if not at its name.
struct Named {
    directory: LitStr,
    at: Option<LitStr>,
}

impl Parse for Named {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        const WANTED: &str =
            "expected a directory, as in `skill!(\"skills/tasks\")` or `skill!(\"skills/tasks\", at: \"acme/tasks\")`";
        let wanted = |error: syn::Error| syn::Error::new(error.span(), WANTED);
        let directory = input.parse().map_err(wanted)?;
        let mut at = None;
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let key: Ident = input.parse().map_err(wanted)?;
            if key != "at" {
                return Err(syn::Error::new(key.span(), format!("unknown key `{key}`: only `at` stands here")));
            }
            input.parse::<Token![:]>().map_err(wanted)?;
            at = Some(input.parse().map_err(wanted)?);
            input.parse::<Option<Token![,]>>()?;
        }
        if input.is_empty() { Ok(Self { directory, at }) } else { Err(input.error(WANTED)) }
    }
}

impl Named {
    fn embed(&self, root: &TokenStream, errors: &mut Errors) -> TokenStream {
        let base = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
        let folder = Path::new(&base).join(self.directory.value());
        let Directory { name, files, problems } = Directory::read(&folder);
        for problem in &problems {
            errors.at(&self.directory, problem);
        }
        let path = self.at.as_ref().map_or(name, LitStr::value);
        let warnings = if problems.is_empty() { self.check(&path, &files, errors) } else { TokenStream::new() };
        let folder = folder.canonicalize().unwrap_or(folder);
        let files = files.iter().map(|(file, _)| {
            let place = folder.join(file);
            let place = place.to_string_lossy();
            quote!((#file, ::core::include_bytes!(#place).as_slice()))
        });
        // An empty list has no type of its own.
        quote!({
            #warnings
            const FILES: &[(&str, &[u8])] = &[#(#files),*];
            #root::Skill::new(#path, FILES.iter().copied())
        })
    }

    /// Checks the skill; gives what a host may pass over as warnings of the compiler.
    fn check(&self, path: &str, files: &[(String, Vec<u8>)], errors: &mut Errors) -> TokenStream {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(file, bytes)| (file.as_str(), bytes.as_slice())).collect();
        match check_skill(path, &files) {
            Ok(frontmatter) => {
                frontmatter.lints().iter().map(|lint| warning(&self.directory, &format!("SKILL.md: {lint}"))).collect()
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

/// The only warning that a macro can give: something deprecated is used.
fn warning(place: &LitStr, text: &str) -> TokenStream {
    let call = Ident::new("portability", Span::mixed_site().located_at(place.span()));
    let used = quote_spanned!(place.span()=> #call());
    quote!({
        #[deprecated(note = #text)]
        const fn #call() {}
        #used;
    })
}
