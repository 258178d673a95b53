//! Properties of the user's types, derived from their names.

use crate::front::listing::is_in;
use crate::front::output::{at, user};
use crate::front::token::{CALL_SITE, Token, angles, parts, text, ungrouped};

/// The integer types of Rust, and those of C in `core::ffi` and the crate `libc`.
const INTEGERS: &str = " u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize ";
const C_INTEGERS: &str = " c_char c_schar c_uchar c_short c_ushort c_int c_uint c_long c_ulong c_longlong c_ulonglong c_size_t c_ssize_t \
    c_ptrdiff_t size_t ssize_t ";

/// Types of the standard library that are neither integers nor enums, and generic ones that hold a value and are none.
const OTHERS: &str = " bool char f16 f32 f64 f128 str String ";
const CONTAINERS: &str = " Option Result Vec Box Rc Arc Cow Range ";

/// Words with which types begin that are no paths.
const NO_PATHS: &str = " _ dyn extern fn for impl unsafe ";

/// A type, with its text without blanks and its code.
pub(super) struct Type<'t> {
    tokens: &'t [Token],
    text: String,
    pub(super) code: String,
}

impl<'t> Type<'t> {
    pub(super) fn new(tokens: &'t [Token]) -> Self {
        let tokens = ungrouped(tokens);
        Self { tokens, text: text(tokens), code: user(tokens) }
    }

    /// Creates a type that is not the user's.
    pub(super) fn generated(name: &str) -> Self {
        Self { tokens: &[], text: name.to_owned(), code: name.to_owned() }
    }

    /// Returns the type behind references.
    pub(super) fn referent(&self) -> Type<'t> {
        let mut rest = self.tokens;
        while let [first, others @ ..] = rest
            && (first.is("&") || first.is("'") || first.word() == "mut")
        {
            rest = if first.is("'") { &others[1..] } else { others };
        }
        Self::new(rest)
    }

    pub(super) fn is_reference(&self) -> bool {
        self.text.starts_with('&')
    }

    /// Returns whether the type has this name and nothing else.
    pub(super) fn is(&self, name: &str) -> bool {
        self.text == name
    }

    /// Returns the last name of a path, without its generic arguments; empty for another type.
    fn last(&self) -> &str {
        let end = if self.text.ends_with('>') { self.text.find('<') } else { None };
        let path = &self.text[..end.unwrap_or(self.text.len())];
        let last = path.rsplit("::").next().unwrap_or_default();
        if self.is_path() { last } else { "" }
    }

    pub(super) fn is_path(&self) -> bool {
        let begins =
            self.text.starts_with(|char: char| matches!(char, '<' | ':' | '_') || char.is_alphabetic());
        begins && !self.tokens.first().is_some_and(|first| is_in(NO_PATHS, first.word()))
    }

    fn has_arguments(&self) -> bool {
        self.text.contains('<')
    }

    pub(super) fn is_integer(&self) -> bool {
        !self.has_arguments() && (is_in(INTEGERS, self.last()) || is_in(C_INTEGERS, self.last()))
    }

    pub(super) fn is_nonzero(&self) -> bool {
        let rest = self.last().strip_prefix("NonZero").map(str::to_lowercase);
        rest.is_some_and(|rest| rest.is_empty() || is_in(INTEGERS, &rest))
    }

    /// Returns whether the type is a text, a number with a fraction or a container, which gives neither a size nor a method.
    pub(super) fn is_other(&self) -> bool {
        is_in(OTHERS, &self.text) || self.has_arguments() && is_in(CONTAINERS, self.last())
    }

    /// Returns `Option` or `Result` if the type is one, with the type in it.
    pub(super) fn wrapped(&self) -> (&'static str, Type<'t>) {
        let wrapper = match self.last() {
            "Option" => "Option",
            "Result" => "Result",
            _ => return ("", Self::new(self.tokens)),
        };
        let open = self.tokens.iter().position(|token| token.is("<")).unwrap_or(self.tokens.len());
        let arguments = &self.tokens[open..];
        if arguments.is_empty() || angles(arguments) != arguments.len() {
            return ("", Self::new(self.tokens));
        }
        let inner = parts(&arguments[1..arguments.len() - 1]);
        (wrapper, Self::new(inner.first().copied().unwrap_or_default()))
    }

    /// Returns the code before `::Variant` for an enum of this type.
    pub(super) fn qualifier(&self) -> String {
        let referent = self.referent();
        let code = &referent.code;
        let is_plain =
            !referent.has_arguments() && !referent.text.starts_with(':') && !referent.text.contains('!');
        if is_plain { code.clone() } else { format!("<{code}>") }
    }

    /// Returns the place of the first token.
    pub(super) fn place(&self) -> usize {
        self.tokens.first().map_or(CALL_SITE, |first| first.place)
    }

    /// Returns whether an item inside the function can name the type, which has neither `Self` nor one of these generics.
    pub(super) fn is_nameable(&self, generics: &[&str]) -> bool {
        is_nameable(self.tokens, generics)
    }

    /// Returns the code of a check that the type has so many bits for a value, besides a sign; empty if it certainly does.
    pub(super) fn check_bits(&self, most: u64, message: &str, nameable: bool) -> String {
        let bits = u64::BITS - most.leading_zeros();
        if bits <= 7 || self.bits().is_some_and(|known| known >= bits) {
            return String::new();
        }
        let ty = if self.tokens.len() > 1 { format!("<{}>", self.code) } else { self.code.clone() };
        let get = if self.is_nonzero() { ".get()" } else { "" };
        let assertion = format!("::core::assert!({ty}::MAX {get}.count_ones() >= {bits}, {message:?})");
        let check = if nameable {
            format!("{{ const _: () = {assertion}; }}")
        } else {
            format!("{{ const {{ {assertion} }}; }}")
        };
        at(self.place(), &check)
    }

    /// Returns the value bits that the type has on every target.
    fn bits(&self) -> Option<u32> {
        let (signed, bits) = match self.text.strip_prefix('i') {
            Some(bits) => (1, bits),
            None => (0, self.text.strip_prefix('u')?),
        };
        let bits = if bits == "size" { 16 } else { bits.parse::<u32>().ok()? };
        bits.checked_sub(signed)
    }
}

fn is_nameable(tokens: &[Token], generics: &[&str]) -> bool {
    tokens.iter().all(|token| {
        let word = token.word();
        word != "Self"
            && (word.is_empty() || !generics.contains(&word))
            && is_nameable(&token.inner, generics)
    })
}
