//! A launch for each method and number of ranks.

use super::lines::{expression, guard, variables};
use super::template::quoted;
use super::{Campaign, Run};

pub(super) fn own(campaign: &Campaign, collective: &str, method: &str) -> String {
    let smallest = expression(campaign.smallest_of_all(collective));
    format!("{collective} {} 0 {smallest}", quoted(method))
}

pub(super) fn forced(campaign: &Campaign, collective: &str) -> Vec<String> {
    campaign.runs(collective).into_iter().map(|run| line(campaign, collective, run)).collect()
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
