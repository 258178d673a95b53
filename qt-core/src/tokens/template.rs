//! Templates of code.

use super::lexer::{Kind, Lexeme, next, operator_end};
use super::text::Text;
use super::{Code, Delimiter, Group, Ident, Literal, Span, Splice, Token};

/// Writes Rust code from a template, in which `#name` stands for a value.
///
/// The values follow the template and a semicolon, as `name` or `name = expression`. `#(… #list …),*` repeats what is in the parentheses
/// for every element of its lists, here with commas between. A malformed template, an unknown name and an unused value are errors at
/// compile time.
///
/// ```
/// use qtdec_core::rust;
///
/// let condition = rust!("size < #limit"; limit = 8_usize);
/// let code = rust!("if #condition { #(f(#names));* }"; condition, names = ["a", "b"]);
/// assert_eq!(code.to_string(), r#"if size < 8 { f ("a") ; f ("b") }"#);
/// ```
///
/// A template whose brackets are not pairs is not compiled:
///
/// ```compile_fail
/// qtdec_core::rust!("f(#name"; name = "a");
/// ```
#[macro_export]
macro_rules! rust {
    ($template:literal $(; $($name:ident $(= $value:expr)?),*)?) => {
        $crate::rust_at!($crate::tokens::Span::CALL_SITE, $template $(; $($name $(= $value)?),*)?)
    };
}

/// Writes Rust code as [`rust!`] does, whose own tokens have this span.
#[macro_export]
macro_rules! rust_at {
    (@ $name:ident) => { $name };
    (@ $name:ident $value:expr) => { $value };
    ($span:expr, $template:literal $(; $($name:ident $(= $value:expr)?),*)?) => {{
        $crate::check_template!($template $(, $($name),*)?);
        let values: &[(&str, &dyn $crate::tokens::Splice)] =
            &[$($((::core::stringify!($name), &$crate::rust_at!(@ $name $($value)?))),*)?];
        $crate::tokens::fill($template, $span, values)
    }};
}

/// Checks a template at compile time. A user compiles the templates that were checked with all features before a release.
#[cfg(feature = "tools")]
#[doc(hidden)]
#[macro_export]
macro_rules! check_template {
    ($template:literal $(, $name:ident)*) => {
        const _: () = $crate::tokens::check($template, &[$(::core::stringify!($name)),*]);
    };
}

#[cfg(not(feature = "tools"))]
#[doc(hidden)]
#[macro_export]
macro_rules! check_template {
    ($($template:tt)*) => {};
}

/// Fills a template, whose own tokens have this span.
#[doc(hidden)]
pub fn fill(template: &'static str, span: Span, values: &[(&str, &dyn Splice)]) -> Code {
    let mut code = Code::new();
    Template { text: template, span, values }.fill(0, template.len(), 0, &mut code);
    code
}

/// A template with its values.
struct Template<'v> {
    text: &'static str,
    span: Span,
    values: &'v [(&'v str, &'v dyn Splice)],
}

impl Template<'_> {
    /// Fills a part of the template, with the elements at `index` of lists.
    fn fill(&self, mut place: usize, end: usize, index: usize, code: &mut Code) {
        while place < end {
            let lexeme = self.next(place);
            let part = &self.text[lexeme.start..lexeme.end];
            place = lexeme.end;
            match lexeme.kind {
                Kind::End | Kind::Close | Kind::Fault => {}
                Kind::Ident => code.push(Token::Ident(Ident::of_template(part, self.span))),
                Kind::Literal => {
                    code.push(Token::Literal(Literal { text: Text::Static(part), span: self.span }));
                }
                Kind::Punct(_) => {
                    place = operator_end(self.text.as_bytes(), lexeme.start);
                    code.operator(&self.text[lexeme.start..place], self.span);
                }
                Kind::Doc => self.doc(part, code),
                Kind::Splice => self.value(part).splice(index, code),
                Kind::Open => {
                    let close = self.close(place);
                    let mut inner = Code::new();
                    self.fill(place, close, index, &mut inner);
                    code.push(Token::Group(Group::new(Delimiter::of(part), inner, self.span)));
                    place = close + 1;
                }
                Kind::Repetition => place = self.repeat(place, code),
            }
        }
    }

    /// Fills a repetition whose parenthesis is open, and returns its end.
    fn repeat(&self, start: usize, code: &mut Code) -> usize {
        let close = self.close(start);
        let mut end = close + 1;
        while !self.text[end..].starts_with('*') {
            end += 1;
        }
        for index in 0..self.count(start, close) {
            if index > 0 {
                self.fill(close + 1, end, index, code);
            }
            self.fill(start, close, index, code);
        }
        end + 1
    }

    /// Returns the length of the lists in a part.
    fn count(&self, mut place: usize, end: usize) -> usize {
        let mut count: Option<usize> = None;
        while place < end {
            let lexeme = self.next(place);
            place = lexeme.end;
            if lexeme.kind == Kind::Splice
                && let Some(of_list) = self.value(&self.text[lexeme.start..lexeme.end]).count()
            {
                count = Some(count.map_or(of_list, |count| count.min(of_list)));
            }
        }
        count.unwrap_or_default()
    }

    /// Returns the place of the bracket that closes what is open.
    fn close(&self, mut place: usize) -> usize {
        let mut depth = 1;
        loop {
            let lexeme = self.next(place);
            place = lexeme.end;
            match lexeme.kind {
                Kind::Open | Kind::Repetition => depth += 1,
                Kind::Close if depth == 1 => return lexeme.start,
                Kind::Close => depth -= 1,
                Kind::End | Kind::Fault => return self.text.len(),
                _ => {}
            }
        }
    }

    fn next(&self, place: usize) -> Lexeme {
        next(self.text.as_bytes(), place, true)
    }

    fn value(&self, name: &str) -> &dyn Splice {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value).expect("the template is checked")
    }

    /// Adds the attribute of a documentation comment.
    fn doc(&self, line: &str, code: &mut Code) {
        let mut attribute = fill("doc =", self.span, &[]);
        line.splice(0, &mut attribute);
        code.operator("#", self.span);
        code.push(Token::Group(Group::new(Delimiter::Bracket, attribute, self.span)));
    }
}

#[cfg(test)]
mod tests {
    use crate::tokens::Code;

    #[test]
    fn repetitions_have_separators_of_any_length() {
        let (list, one, none) = ([1_usize, 2, 3], true, Vec::<Code>::new());
        assert_eq!(rust!("#(#list)*"; list).to_string(), "1 2 3");
        assert_eq!(
            rust!("#(#list == #one)&&*"; list, one).to_string(),
            "1 == true && 2 == true && 3 == true"
        );
        assert_eq!(rust!("[#((#list, [#list])),*]"; list).to_string(), "[(1 , [1]) , (2 , [2]) , (3 , [3])]");
        assert_eq!(rust!("f(#(#none),*) * 2"; none).to_string(), "f () * 2");
    }

    #[test]
    fn documentation_is_an_attribute() {
        let code = rust!("/// It's \"a\".\n #[must_use] fn f();");
        assert_eq!(code.to_string(), r#"# [doc = " It's \"a\"."] # [must_use] fn f () ;"#);
    }

    #[test]
    fn values_stand_next_to_operators() {
        let a = Code::parse("a").unwrap();
        assert_eq!(rust!("*#a&&#a"; a).to_string(), "* a && a");
        assert_eq!(rust!("#a::#a"; a).to_string(), "a :: a");
    }
}
