//! The fields of one token. Like in `ucc_coll_score_parse_str`, they are distinguished by their forms and come in any order.

use crate::catalogue::ucc;
use crate::tuning::MAX_INT;
use crate::tuning::finding::shown;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// UCC's names of the collectives, or `None` for all.
    pub(super) collectives: Option<Vec<&'static str>>,
    /// Ranges of sizes with their ends as written; `u64::MAX` for `inf`.
    pub(super) messages: Vec<(u64, u64)>,
    /// Whether it is for host memory, or for all memory.
    pub(super) is_for_hosts: bool,
    /// Ranges of team sizes, including their ends.
    pub(super) teams: Vec<(u64, u64)>,
    pub(super) score: Option<u64>,
    /// A name or a number.
    pub(super) algorithm: Option<String>,
}

/// A field that UCC does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The offset in the token.
    pub(super) at: usize,
    pub(super) message: String,
    pub(super) help: &'static str,
}

const MEMORIES: [&str; 7] =
    ["host", "cuda", "cuda_managed", "rocm", "rocm_managed", "cudamanaged", "rocmmanaged"];

impl Token {
    pub(super) fn parse(text: &str) -> Result<Self, Fault> {
        let (mut collectives, mut memories, mut score) = (None, None, None);
        let (mut messages, mut teams, mut algorithm) = (None, None, None);
        let mut at = 0;
        for field in text.split(':') {
            let start = at;
            at += field.len() + 1;
            // An empty field is ignored.
            let is_known = field.is_empty()
                || fill(&mut collectives, || named(field, &ucc::NAMES))
                || fill(&mut memories, || named(field, &MEMORIES))
                || fill(&mut score, || scored(field))
                || fill(&mut messages, || listed(field, bytes))
                || fill(&mut teams, || bracketed(field))
                || fill(&mut algorithm, || field.strip_prefix('@').map(str::to_owned));
            if !is_known {
                let message = format!("`{}` is not a field of a rule", shown(field));
                return Err(Fault { at: start, message, help: help(field) });
            }
            let empty = |(from, upto): &&(u64, u64)| from >= upto;
            if let Some((from, upto)) = messages.iter().flatten().find(empty) {
                let message = format!("the range {from}-{upto} does not contain two sizes");
                return Err(Fault {
                    at: start,
                    message,
                    help: "write the smaller size first, and at least two sizes",
                });
            }
        }
        Ok(Self {
            collectives,
            messages: messages.unwrap_or_else(|| vec![(0, u64::MAX)]),
            is_for_hosts: memories.is_none_or(|memories| memories.contains(&"host")),
            teams: teams.unwrap_or_else(|| vec![(0, u64::MAX)]),
            score,
            algorithm,
        })
    }
}

/// Stores a field's value if there is none yet.
fn fill<T>(place: &mut Option<T>, value: impl FnOnce() -> Option<T>) -> bool {
    if place.is_some() {
        return false;
    }
    *place = value();
    place.is_some()
}

/// Parses each part of a list, ignoring empty ones.
fn listed<T>(field: &str, part: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let parts: Vec<T> = field.split(',').filter(|part| !part.is_empty()).map(part).collect::<Option<_>>()?;
    (!parts.is_empty()).then_some(parts)
}

fn named(field: &str, known: &[&'static str]) -> Option<Vec<&'static str>> {
    listed(field, |name| known.iter().find(|known| known.eq_ignore_ascii_case(name)).copied())
}

fn scored(field: &str) -> Option<u64> {
    if field.eq_ignore_ascii_case("inf") { Some(MAX_INT) } else { whole(field) }
}

/// Parses a range of sizes: `0-4k`, `1M-inf`.
fn bytes(field: &str) -> Option<(u64, u64)> {
    let mut ends = field.split('-').filter(|end| !end.is_empty());
    match (ends.next(), ends.next(), ends.next()) {
        (Some(from), Some(upto), None) => Some((size(from)?, size(upto)?)),
        _ => None,
    }
}

/// Parses a size like UCX: digits, a power of 1024, and optionally a `b`.
fn size(text: &str) -> Option<u64> {
    if text.eq_ignore_ascii_case("inf") {
        return Some(u64::MAX);
    }
    let digits = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    let unit = match &*text[digits..].to_ascii_lowercase() {
        "" | "b" | "bb" => 1,
        "k" | "kb" => 1 << 10,
        "m" | "mb" => 1 << 20,
        "g" | "gb" => 1 << 30,
        "t" | "tb" => 1 << 40,
        _ => return None,
    };
    text[..digits].parse::<u64>().ok()?.checked_mul(unit).filter(|size| *size < u64::MAX)
}

/// Parses ranges of team sizes: `[2-15,64,128-inf]`.
fn bracketed(field: &str) -> Option<Vec<(u64, u64)>> {
    let inner = field.strip_prefix('[')?.strip_suffix(']')?;
    listed(inner, |range| {
        let (from, upto) = range.split_once('-').unwrap_or((range, range));
        let upto = if upto.eq_ignore_ascii_case("inf") { u64::MAX } else { whole(upto)? };
        Some((whole(from)?, upto)).filter(|(from, upto)| from <= upto)
    })
}

/// Parses a C `int` that consists only of digits.
fn whole(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    (number <= MAX_INT).then_some(number)
}

fn help(field: &str) -> &'static str {
    match field {
        "cpu" | "CPU" => "write host, contrary to the user guide",
        _ if field.starts_with('[') => "write team sizes as [2-15,64,128-inf]",
        _ if field.starts_with('@') => "a rule has one algorithm",
        _ => "fields are collectives, 0-4k,1M-inf, host, [2-15], a score and @algorithm, each of them once",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_in_any_order() {
        let token = Token::parse("inf:@1:[2-15,64,128-inf]:Host,cuda:AllReduce,bcast:0-4kB,1M-INF").unwrap();
        let expected = Token {
            collectives: Some(vec!["allreduce", "bcast"]),
            messages: vec![(0, 4096), (1 << 20, u64::MAX)],
            is_for_hosts: true,
            teams: vec![(2, 15), (64, 64), (128, u64::MAX)],
            score: Some(MAX_INT),
            algorithm: Some("1".to_owned()),
        };
        assert_eq!(token, expected);
        assert!(!Token::parse("cuda:5").unwrap().is_for_hosts);
    }

    #[test]
    fn faults_for_ucc_are_reported_with_their_place() {
        for (text, at) in [
            ("bcast:cpu:inf", 6),
            ("bcast:4k-0:inf", 6),
            ("bcast:5-5:inf", 6),
            ("bcast:0-4x:inf", 6),
            ("bcast:0-9:inf:5", 14),
            ("bcast:[8-2]:inf", 6),
            ("bcasts:inf", 0),
            ("bcast:4294967296", 6),
        ] {
            assert_eq!(Token::parse(text).map_err(|fault| fault.at), Err(at), "{text}");
        }
    }
}
