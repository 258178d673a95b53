//! A launch for each method and number of ranks.

use super::lines::{expression, guard, variables};
use super::scheme::{Launch, Scheme};
use super::template::quoted;
use super::{Campaign, Run};

/// A launch for each method and number of ranks.
#[derive(Debug)]
pub(super) struct Points;

impl Scheme for Points {
    fn measure(&self) -> &'static str {
        include_str!("script/measure.sh")
    }

    fn reports(&self) -> &'static str {
        ""
    }

    fn any_job(&self) -> &'static str {
        "_job*.txt"
    }

    fn short(&self) -> &'static str {
        "greatest=$from"
    }

    fn is_for_each_ranks(&self) -> bool {
        true
    }

    fn own(&self, campaign: &Campaign, collective: &str, _index: usize, method: &str) -> Option<String> {
        Some(format!(
            "{collective} {} 0 {}",
            quoted(method),
            expression(campaign.smallest_of_all(collective))
        ))
    }

    fn forced(&self, campaign: &Campaign, collective: &str, _own: usize) -> Vec<String> {
        campaign.runs(collective).into_iter().map(|run| line(campaign, collective, run)).collect()
    }

    fn launches<'c>(&self, campaign: &'c Campaign) -> Vec<Launch<'c>> {
        let mut launches = Vec::new();
        for collective in &campaign.collectives {
            for &ranks in &campaign.comm_sizes {
                let own = campaign.own_choices();
                let own = own.filter_map(|(name, _)| campaign.own_series(collective, name, ranks));
                let forced = campaign
                    .runs(collective)
                    .into_iter()
                    .filter_map(|run| campaign.series(collective, run, ranks));
                let all = own.chain(forced);
                launches.extend(all.map(|series| Launch { collective, series: vec![series] }));
            }
        }
        launches
    }
}

fn line(campaign: &Campaign, collective: &str, run: Run) -> String {
    let guards = run.method.algorithm.needs.iter().filter_map(|need| guard(*need));
    let guards = guards.map(|guard| format!("{guard} \"$ranks\" && "));
    let limit =
        (run.requests > 0).then(|| format!("[ \"$ranks\" -gt {} ] && ", run.requests.saturating_add(1)));
    let guards: Vec<String> = guards.chain(limit).collect();
    let forcing = campaign.forcing(collective, run);
    let smallest = expression(campaign.smallest(collective, run));
    format!(
        "{}measure {collective} {} {} {smallest}{}",
        guards.concat(),
        quoted(&run.name()),
        run.segment,
        variables(campaign, &forcing)
    )
}
