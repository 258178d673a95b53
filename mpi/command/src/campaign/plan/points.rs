//! A launch for each method and number of ranks.

use super::lines::{expression, guard, variables};
use super::scheme::{Launch, Scheme};
use super::template::quoted;
use super::{Campaign, Run};

/// A launch for each method and number of ranks.
pub(super) const POINTS: Scheme = Scheme {
    measure: include_str!("script/measure.sh"),
    reports: "",
    any_job: "_job*.txt",
    short: "greatest=$from",
    is_for_each_ranks: true,
    own: |campaign, collective, _, method| {
        let smallest = expression(campaign.smallest_of_all(collective));
        Some(format!("{collective} {} 0 {smallest}", quoted(method)))
    },
    forced,
    launches,
};

fn forced(campaign: &Campaign, collective: &str, _own: usize) -> Vec<String> {
    campaign.runs(collective).into_iter().map(|run| line(campaign, collective, run)).collect()
}

fn launches(campaign: &Campaign) -> Vec<Launch<'_>> {
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
