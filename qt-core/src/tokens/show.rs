//! Code as text, which reads as the same tokens.

use std::fmt::{self, Write};

use super::{Code, Delimiter, Token};

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_joint = true;
        for token in self.tokens() {
            if !is_joint {
                f.write_char(' ')?;
            }
            is_joint = false;
            match token {
                Token::Ident(ident) => f.write_str(ident.text())?,
                Token::Literal(literal) => f.write_str(literal.text())?,
                Token::Punct(punct) => {
                    is_joint = punct.joint;
                    f.write_char(punct.char)?;
                }
                Token::Group(group) => match group.delimiter {
                    Delimiter::Parenthesis => write!(f, "({})", group.code)?,
                    Delimiter::Bracket => write!(f, "[{}]", group.code)?,
                    Delimiter::Brace => write!(f, "{{ {} }}", group.code)?,
                    Delimiter::None => write!(f, "{}", group.code)?,
                },
            }
        }
        Ok(())
    }
}
