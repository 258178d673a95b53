//! Names with another meaning in the target languages.
//!
//! All code generators check this one table before a name from a file becomes a name in code.

/// The keywords of Rust 2024, including reserved ones; `_` is not a keyword, but cannot be a name either.
pub const RUST_KEYWORDS: [&str; 53] = [
    "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "Self",
    "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// The names in Rust's preludes that a parameter cannot shadow.
pub const RUST_CONSTRUCTORS: [&str; 4] = ["Some", "None", "Ok", "Err"];

/// The associated items of an enum of methods, next to its variants.
pub const RUST_ASSOCIATED: [&str; 4] = ["ALL", "name", "algorithm", "segment_size"];

/// The keywords of C up to C23; [`is_reserved_in_c`] handles those that begin with `_` and a capital.
const C_KEYWORDS: [&str; 46] = [
    "alignas",
    "alignof",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "nullptr",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "struct",
    "switch",
    "thread_local",
    "true",
    "typedef",
    "typeof",
    "typeof_unqual",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
];

/// The keywords of C++ up to C++26 that are not keywords of C.
const CPP_KEYWORDS: [&str; 59] = [
    "and",
    "and_eq",
    "atomic_cancel",
    "atomic_commit",
    "atomic_noexcept",
    "bitand",
    "bitor",
    "catch",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const_cast",
    "consteval",
    "constinit",
    "contract_assert",
    "decltype",
    "delete",
    "dynamic_cast",
    "explicit",
    "export",
    "friend",
    "import",
    "module",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "reflexpr",
    "reinterpret_cast",
    "requires",
    "static_cast",
    "synchronized",
    "template",
    "this",
    "throw",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
    "wchar_t",
    "xor",
    "xor_eq",
    "final",
    "override",
];

/// Lower-case macros of the standard library and of compilers, and types of headers related to `<stdint.h>`.
const C_MACROS: [&str; 21] = [
    "assert",
    "complex",
    "errno",
    "far",
    "fileno",
    "hyper",
    "i386",
    "imaginary",
    "interface",
    "linux",
    "near",
    "noreturn",
    "offsetof",
    "setjmp",
    "small",
    "sparc",
    "stderr",
    "stdin",
    "stdout",
    "unix",
    "vax",
];

/// Returns whether a name is a keyword of C or C++, is reserved for the compiler, or may be a type of `<stdint.h>` or a macro. Any
/// name without a lower-case letter may be a macro.
///
/// ```
/// use qtdec_core::naming::reserved::is_reserved_in_c;
/// for name in ["typeof_unqual", "contract_assert", "_Bool", "__line", "INT8_MAX", "I", "linux", "uint_fast8_t"] {
///     assert!(is_reserved_in_c(name), "{name}");
/// }
/// assert!(!["comm_size", "method", "Some", "_size"].into_iter().any(is_reserved_in_c));
/// ```
pub fn is_reserved_in_c(name: &str) -> bool {
    let after_underscore = name.strip_prefix('_').and_then(|rest| rest.chars().next());
    C_KEYWORDS.contains(&name)
        || CPP_KEYWORDS.contains(&name)
        || C_MACROS.contains(&name)
        || after_underscore.is_some_and(|next| next == '_' || next.is_ascii_uppercase())
        || !name.contains(|char: char| char.is_ascii_lowercase())
        || (name.starts_with("int") || name.starts_with("uint")) && name.ends_with("_t")
}

/// Returns whether a name without a lower-case letter is a macro of `<stdint.h>`, or may become one.
///
/// ```
/// use qtdec_core::naming::reserved::is_limit_in_c;
/// assert!(["UINT64_MAX", "INT8_C", "SIZE_MAX", "INTPTR_WIDTH"].into_iter().all(is_limit_in_c));
/// assert!(!["BCAST_MAX", "UINT_RING", "INTER_MAX"].into_iter().any(is_limit_in_c));
/// ```
pub fn is_limit_in_c(name: &str) -> bool {
    let Some((of, what)) = name.rsplit_once('_') else { return false };
    let of = of.strip_prefix('U').unwrap_or(of);
    let integer = of.strip_prefix("INT").is_some_and(|kind| {
        let kind = kind.trim_start_matches("_FAST").trim_start_matches("_LEAST");
        matches!(kind, "MAX" | "PTR" | "") || kind.chars().all(|digit| digit.is_ascii_digit())
    });
    matches!(what, "MAX" | "MIN" | "C" | "WIDTH")
        && (integer || matches!(of, "SIZE" | "PTRDIFF" | "SIG_ATOMIC" | "WCHAR" | "WINT"))
}
