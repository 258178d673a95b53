//! Reading of the variable as UCC does it.

use std::ops::RangeInclusive;

use crate::catalogue::{Algorithm, Library, Release, ucc};
use qtdec_core::{Place, Problem, Problems};

use super::VARIABLE;
use super::token::{Fault, Token};
use crate::tuning::Finding;
use crate::tuning::Severity::{Dropped, Note, Wrong};
use crate::tuning::environment::{Assignment, assignments, is_unset, too_long};
use crate::tuning::finding::{Findings, OTHER_RELEASE, accepted};
use qtdec_core::similar::suggestion;

/// The default score of the layer.
pub(super) const OWN_SCORE: u64 = 10;

/// The part of a token for one collective, one range of sizes and one of teams, in host memory.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// The offset of its token in the file.
    pub(super) offset: usize,
    /// The token, or its beginning.
    pub(super) token: String,
    /// MPI's name.
    pub(super) collective: &'static str,
    /// The ends of the size range as written.
    pub(super) messages: (u64, u64),
    pub(super) teams: (u64, u64),
    pub(super) score: u64,
    /// The algorithm, or `None` to leave the choice to UCC.
    pub(super) algorithm: Option<&'static Algorithm>,
}

impl Rule {
    /// Returns the teams, and the sizes of the rule without the last one.
    pub(super) fn without_last_size(&self) -> (RangeInclusive<u64>, RangeInclusive<u64>) {
        let (from, upto) = self.messages;
        let last = if upto == u64::MAX { upto } else { upto - 1 };
        (self.teams.0..=self.teams.1, from..=last)
    }

    /// Returns the teams, and the sizes of the rule without the first one.
    pub(super) fn without_first_size(&self) -> (RangeInclusive<u64>, RangeInclusive<u64>) {
        (self.teams.0..=self.teams.1, self.messages.0 + 1..=self.messages.1)
    }

    /// Returns whether the size at which `other` ends and this one begins belongs to this one in all its teams.
    pub(super) fn takes_over(&self, other: &Self) -> bool {
        let ((least, greatest), teams) = (self.teams, other.teams);
        self.score > 0 && self.score >= other.score && least <= teams.0 && teams.1 <= greatest
    }

    /// Returns whether the two overlap for UCC. A size at which one ends and the other begins is not an overlap.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let (one, two) = (self.messages, other.messages);
        self.collective == other.collective
            && one.0.max(two.0) < one.1.min(two.1)
            && self.teams.0.max(other.teams.0) <= self.teams.1.min(other.teams.1)
    }
}

/// The maximum number of rules, more than any variable can usefully hold.
const MAX_RULES: usize = 1 << 16;

/// The maximum number of preceding rules with which a rule is compared.
const COMPARED: usize = 4096;

/// Reads a file and returns its rules and findings for a release; `None` stands for a release that has every algorithm.
pub(super) fn read(bytes: &[u8], release: Option<Release>) -> (Vec<Rule>, Vec<Finding>) {
    let (variables, findings) = tuned(bytes);
    let mut reader = Reader { release, rules: Vec::new(), findings };
    for variable in &variables {
        if variable.name == VARIABLE {
            reader.variable(variable);
        } else {
            let message = format!("{} is skipped: only {VARIABLE} is known here", variable.name);
            reader.findings.at(Note, variable.offset, message, "");
        }
    }
    if !variables.iter().any(|variable| variable.name == VARIABLE) && !is_unset(bytes, VARIABLE) {
        reader.findings.add(Wrong, Place::File, format!("{VARIABLE} is not set"), "");
    }
    reader.overlaps();
    (reader.rules, reader.findings.sorted())
}

/// Returns the variables whose names end like those of rules. Sections of `ucc.conf` for single machines are omitted.
fn tuned(bytes: &[u8]) -> (Vec<Assignment<'_>>, Findings) {
    let mut section = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if line.trim_ascii_start().starts_with(b"[") {
            break;
        }
        section += line.len();
    }
    let (mut found, mut findings) = assignments(&bytes[..section], "UCC_");
    found.retain(|variable| variable.name.ends_with("_TUNE"));
    if section < bytes.len() {
        let message = "settings in sections apply only to some machines, and are skipped";
        findings.add(Note, Place::Offset(section), message, "");
    }
    (found, findings)
}

fn tokens<'t>(variable: &Assignment<'t>) -> impl Iterator<Item = (usize, &'t str)> + use<'t> {
    let mut start = variable.start;
    let tokens = variable.value.split('#').map(move |token| {
        let offset = start;
        start += token.len() + 1;
        (offset, token)
    });
    tokens.filter(|(_, token)| !token.is_empty())
}

struct Reader {
    release: Option<Release>,
    rules: Vec<Rule>,
    findings: Findings,
}

impl Reader {
    fn dropped(&mut self, offset: usize, message: &str, help: &str) {
        self.findings.at(Dropped, offset, format!("{message}: UCC ignores the whole variable"), help);
    }

    fn variable(&mut self, variable: &Assignment<'_>) {
        if too_long(variable.name, variable.value).is_some() {
            return;
        }
        for (offset, text) in tokens(variable) {
            let token = match Token::parse(text) {
                Ok(token) => token,
                Err(Fault { at, message, help }) => {
                    self.dropped(offset + at, &message, help);
                    continue;
                }
            };
            if token.score.is_none() && token.algorithm.is_none() {
                let message = "a rule without a score and an algorithm sets nothing";
                self.findings.at(Wrong, offset, message, "add the algorithm, such as @knomial, and inf");
                continue;
            }
            if token.score.is_none() {
                let message =
                    "without a score, this rule applies only where no other layer has a higher score";
                self.findings.at(Note, offset, message, "add :inf");
            }
            if token.algorithm.is_some() && token.collectives.is_none() {
                let message = "a rule with an algorithm needs a collective";
                self.dropped(offset, message, "name the collective first");
                continue;
            }
            if !token.is_for_hosts {
                self.findings.at(Note, offset, "this rule is not for host memory", "");
            }
            self.token(offset, text, &token);
        }
    }

    fn token(&mut self, offset: usize, text: &str, token: &Token) {
        let all = || ucc::NAMES.to_vec();
        for name in token.collectives.clone().unwrap_or_else(all) {
            let known = Library::Ucc.collective_by_word(name);
            let collective = known.map_or("", |known| known.name);
            let known = known.map_or(&[][..], |known| known.algorithms);
            let algorithm = match &token.algorithm {
                None => None,
                Some(_) if known.is_empty() => {
                    let message = format!("UCC does not let the algorithm for {name} be chosen");
                    self.dropped(offset, &message, "leave the rule out");
                    continue;
                }
                Some(requested) => match find(known, requested) {
                    Some(found) => Some(found),
                    None => {
                        let message = format!("UCC has no algorithm `{requested}` for {name}");
                        let help = suggestion(requested, "algorithms", known.iter().map(|known| known.name));
                        self.dropped(offset, &message, &help);
                        continue;
                    }
                },
            };
            let lack = algorithm.and_then(|algorithm| Some((algorithm, algorithm.lack(self.release)?)));
            if let (Some(release), Some((algorithm, lack))) = (self.release, lack) {
                let message = format!(
                    "UCC {release} has no `{}` for {name} ({lack}), and ignores the whole variable",
                    algorithm.name
                );
                self.findings.at(Dropped, offset, message, OTHER_RELEASE);
            }
            if collective.is_empty() || !token.is_for_hosts {
                continue;
            }
            if token.messages.len() * token.teams.len() + self.rules.len() > MAX_RULES {
                self.dropped(offset, &format!("there are more than {MAX_RULES} rules"), "write fewer");
                return;
            }
            let score = token.score.unwrap_or(OWN_SCORE);
            for &messages in &token.messages {
                for &teams in &token.teams {
                    let token = text.chars().take(60).collect();
                    self.rules.push(Rule { offset, token, collective, messages, teams, score, algorithm });
                }
            }
        }
    }

    fn overlaps(&mut self) {
        let rules = std::mem::take(&mut self.rules);
        for (index, rule) in rules.iter().enumerate() {
            let before = &rules[index.saturating_sub(COMPARED)..index];
            if let Some(earlier) = before.iter().find(|earlier| earlier.overlaps(rule)) {
                let message = format!("`{}` overlaps `{}`", rule.token, earlier.token);
                self.dropped(rule.offset, &message, "a range may begin where another one ends, not before");
            }
        }
        self.rules = rules;
    }
}

/// Finds an algorithm by name, ignoring case, or by number.
fn find(known: &'static [Algorithm], requested: &str) -> Option<&'static Algorithm> {
    if requested.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = if requested.is_empty() { 0 } else { requested.parse().ok()? };
        return known.get(number);
    }
    known.iter().find(|algorithm| algorithm.name.eq_ignore_ascii_case(requested))
}

/// Returns the tokens of a file for collectives other than these, given by MPI's names. Fails if a rule is for all collectives.
pub(super) fn others(bytes: &[u8], ours: &[&str]) -> Result<Vec<String>, Problems> {
    let (_, findings) = read(bytes, None);
    accepted(findings)?;
    let is_ours =
        |name: &str| Library::Ucc.collective_by_word(name).is_some_and(|known| ours.contains(&known.name));
    let mut others = Vec::new();
    for variable in tuned(bytes).0.iter().filter(|variable| variable.name == VARIABLE) {
        for (offset, text) in tokens(variable) {
            let names = Token::parse(text).ok().and_then(|token| token.collectives).ok_or_else(|| {
                Problem::new(
                    Place::Offset(offset),
                    "this rule is for all collectives, including those to be written",
                )
                .help("name the collectives that it is for")
            })?;
            let kept: Vec<&str> = names.iter().filter(|name| !is_ours(name)).copied().collect();
            if kept.len() == names.len() {
                others.push(text.to_owned());
            } else if !kept.is_empty() {
                let is_rest = |field: &&str| {
                    !field.split(',').any(|name| ucc::NAMES.contains(&&*name.to_ascii_lowercase()))
                };
                let rest: Vec<&str> = text.split(':').filter(is_rest).collect();
                others.push(format!("{}:{}", kept.join(","), rest.join(":")));
            }
        }
    }
    Ok(others)
}
