//! The characters of identifiers, as Unicode defines them.

pub(super) use unicode_ident::{is_xid_continue as continues, is_xid_start as begins};
