//! Lookup among the rules of the variable.

use std::collections::HashMap;

use crate::catalogue::{Library, SizeUnit};
use qtdec_core::{Place, Problems};

use super::read::{OWN_SCORE, Rule, read};
use crate::tuning::finding::accepted;
use crate::tuning::rule_set::RuleSet;
use crate::tuning::{Decision, Selection};

/// The rules of a file. They share at most the size at which one ends and another begins.
#[derive(Debug)]
pub(super) struct Rules {
    /// The rules by all their sizes except the last.
    beginning: RuleSet<Rule>,
    /// The rules by all their sizes except the first.
    ending: RuleSet<Rule>,
}

impl Rules {
    pub(super) fn new(bytes: &[u8]) -> Result<Self, Problems> {
        let (rules, findings) = read(bytes, None);
        accepted(findings)?;
        let beginning = RuleSet::new(rules.clone(), |rule| rule.collective, Rule::without_last_size);
        let ending = RuleSet::new(rules, |rule| rule.collective, Rule::without_first_size);
        Ok(Self { beginning, ending })
    }

    /// Returns the rule for a size, like `ucc_coll_score_build_map`: where one ends and another begins, the first has
    /// the size if its score is higher. If there is no other, its score is compared with the layer's own; a score of 0 leaves a hole.
    fn find(&self, collective: &str, team: u64, message: u64) -> Option<&Rule> {
        let ends = self.ending.find(collective, team, message);
        let begins = self.beginning.find(collective, team, message);
        match (ends, begins) {
            (Some(ends), Some(begins)) => {
                let is_first = begins.score == 0 || ends.score > begins.score;
                Some(if is_first && ends.score > 0 { ends } else { begins })
            }
            (Some(ends), None) => Some(ends).filter(|rule| rule.score > OWN_SCORE),
            (None, Some(begins)) => Some(begins).filter(|rule| rule.score >= OWN_SCORE || message == 0),
            (None, None) => None,
        }
    }
}

impl Selection for Rules {
    fn collectives(&self) -> Vec<String> {
        self.beginning.collectives()
    }

    fn starts(&self, collective: &str) -> (Vec<u64>, Vec<u64>) {
        let rules = self.beginning.rules_for(collective);
        let mut beginning: HashMap<u64, Vec<&Rule>> = HashMap::new();
        for rule in rules {
            beginning.entry(rule.messages.0).or_default().push(rule);
        }
        let (mut teams, mut messages) = (vec![0], vec![0]);
        for rule in rules {
            let (from, upto) = rule.messages;
            teams.extend([Some(rule.teams.0), rule.teams.1.checked_add(1)].into_iter().flatten());
            messages.push(from);
            // The layer may keep the sizes at which the rule begins and ends.
            messages.extend((rule.score < OWN_SCORE).then_some(from + 1));
            messages.extend((rule.score <= OWN_SCORE).then_some(upto));
            // Nothing changes after an end that belongs to the next rule.
            let next = beginning.get(&upto).into_iter().flatten().take(16);
            if !next.into_iter().any(|next| next.takes_over(rule)) {
                messages.extend(upto.checked_add(1));
            }
        }
        (teams, messages)
    }

    fn decide(&self, collective: &str, comm_size: u64, msg_size: u64) -> Decision {
        // If its score is 0, the layer is not called.
        let rule = self.find(collective, comm_size, msg_size).filter(|rule| rule.score > 0);
        let algorithm = rule.and_then(|rule| rule.algorithm);
        algorithm.map_or_else(Decision::library, |algorithm| Decision {
            name: Some(algorithm.name.to_owned()),
            ..Decision::default()
        })
    }

    fn rule(&self, collective: &str, comm_size: u64, msg_size: u64) -> Vec<(String, Place)> {
        let rule = self.find(collective, comm_size, msg_size);
        rule.map(|rule| (rule.token.clone(), Place::Offset(rule.offset))).into_iter().collect()
    }

    fn unit(&self, collective: &str) -> SizeUnit {
        Library::Ucc.unit(collective)
    }
}
