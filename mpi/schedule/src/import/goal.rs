//! Schedules in GOAL's text format, which `LogGOPSim` simulates.
//!
//! The grammar is that of the compiler `txt2bin` of <https://github.com/spcl/LogGOPSim>. GOAL has neither buffers nor
//! collectives. [`Verified::goal`](crate::Verified::goal) writes them as comments, and a file with those is read completely; of any other
//! file, the messages and their order are read. A `calc` then stands for a copy of as many bytes.

mod ours;

use std::collections::HashMap;

use qtdec_core::{Place, Problem, Problems};

use super::{Connection, Imported, Origin, Rails};
use crate::Collective;
use crate::budget::{Budget, Costs};
use crate::{
    Action, Buffer, MAX_COMM_SIZE, MAX_OPERATIONS, MAX_RAILS, Operation, Part, RankSchedule, Request,
    Schedule,
};

/// Returns whether a text is GOAL: its first word outside comments is one that GOAL begins with.
pub(super) fn is(text: &str) -> bool {
    lines(text).find_map(|(_, line)| tokens(line).next()).is_some_and(|word| word == "num_ranks")
}

pub(super) fn read(text: &str) -> Result<Imported, Problems> {
    let mut budget = Budget::new(Costs::PROVED, MAX_OPERATIONS);
    let file = parse(text, &mut budget)?;
    if let Some(imported) = ours::read(text, &file)? {
        return Ok(imported);
    }
    let most = file.iter().flat_map(|rank| &rank.operations).map(|listed| listed.bytes).max().unwrap_or(0);
    let request = Request::new(file.len() as u32, most)
        .map_err(|error| Problem::new(Place::Line(1), error.to_string()))?;
    let rails = rails(&file)?;
    let mut origins = Vec::with_capacity(file.len());
    let mut ranks = Vec::with_capacity(file.len());
    let mut free_order = false;
    for (rank, listed) in (0..).zip(&file) {
        let (operations, places, free) = of_rank(rank, listed, &rails, &mut budget)?;
        free_order |= free;
        ranks.push(RankSchedule { rank, operations });
        origins.push(places);
    }
    let mut unchecked = vec![
        "contents: GOAL states neither a collective nor buffers, so the proof is that every message meets its receive and that \
         nothing waits forever"
            .to_owned(),
    ];
    if free_order {
        unchecked.push(
            "matching by time: operations with the same peer and tag that nothing orders are taken in the order of the file"
                .to_owned(),
        );
    }
    let calculates = file.iter().flat_map(|rank| &rank.operations).any(|listed| listed.verb == Verb::Calc);
    if calculates {
        unchecked
            .push("times of calc: on a network, each takes as long as a copy of as many bytes".to_owned());
    }
    let messages = ranks.iter().map(|rank| rank.operations.len()).sum::<usize>();
    let holds = format!("{} ranks, {messages} operations", ranks.len());
    let schedule = Schedule { collective: Collective::Custom, algorithm: "goal".to_owned(), request, ranks };
    Ok(Imported { unchecked, origins, ..Imported::new("GOAL", schedule, holds) })
}

#[derive(Default)]
struct Listing {
    operations: Vec<Listed>,
    /// The later operation, the earlier one, whether the earlier one must be complete, and the line.
    dependencies: Vec<(u32, u32, bool, u64)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Send,
    Receive,
    Calc,
}

#[derive(Clone, Copy)]
struct Listed {
    line: u64,
    verb: Verb,
    bytes: u64,
    peer: u32,
    tag: u32,
}

/// Returns the lines that hold more than comments, with their numbers; a comment inside one is left out.
fn lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let mut inside = false;
    (1..).zip(text.lines()).filter_map(move |(number, line)| {
        let mut line = line.trim();
        if inside {
            let (_, rest) = line.split_once("*/")?;
            (inside, line) = (false, rest.trim());
        }
        while let Some(rest) = line.strip_prefix("/*") {
            let Some((_, rest)) = rest.split_once("*/") else {
                inside = true;
                return None;
            };
            line = rest.trim();
        }
        let line = line.split("//").next().unwrap_or_default().trim();
        (!line.is_empty()).then_some((number, line))
    })
}

/// Returns the words and signs of a line.
fn tokens(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().flat_map(|word| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let at = rest.find([':', '{', '}'])?;
            let end = if at == 0 { 1 } else { at };
            let (token, behind) = rest.split_at(end);
            rest = behind;
            Some(token)
        })
        .chain(word.rsplit([':', '{', '}']).next().filter(|last| !last.is_empty()))
    })
}

/// Returns the operations of all ranks as they are listed.
fn parse(text: &str, budget: &mut Budget) -> Result<Vec<Listing>, Problem> {
    let mut ranks: Option<Vec<Option<Listing>>> = None;
    let mut current: Option<(u32, u64, Listing, HashMap<&str, u32>)> = None;
    for (number, line) in lines(text) {
        let fault = |message: String| Problem::new(Place::Line(number), message);
        let words: Vec<&str> = tokens(line).collect();
        match (&words[..], &mut current, ranks.as_mut()) {
            (["num_ranks", count], None, None) => {
                let count: u32 = whole(count, number)?;
                if count == 0 || count > MAX_COMM_SIZE {
                    return Err(fault(format!("num_ranks {count} is not between 1 and {MAX_COMM_SIZE}")));
                }
                // Every rank has a block of at least two lines.
                if u64::from(count) > text.len() as u64 {
                    return Err(fault(format!("num_ranks {count}, but the file has fewer ranks")));
                }
                ranks = Some((0..count).map(|_| None).collect());
            }
            (["rank", rank, "{"], None, Some(ranks)) => {
                let rank: u32 = whole(rank, number)?;
                match ranks.get(rank as usize) {
                    None => return Err(fault(format!("rank {rank}, but num_ranks is {}", ranks.len()))),
                    Some(Some(_)) => return Err(fault(format!("rank {rank} stands in the file twice"))),
                    Some(None) => current = Some((rank, number, Listing::default(), HashMap::new())),
                }
            }
            (["}"], open @ Some(_), Some(ranks)) => {
                if let Some((rank, _, listing, _)) = open.take() {
                    ranks[rank as usize] = Some(listing);
                }
            }
            (words, Some((rank, _, listing, labels)), Some(ranks)) => {
                statement(words, *rank, ranks.len() as u32, number, listing, labels, budget)?;
            }
            _ => {
                return Err(fault(format!("`{line}` is not expected here"))
                    .help("a file is `num_ranks N`, then `rank R {`, operations, and `}` for each rank"));
            }
        }
    }
    if let Some((rank, line, ..)) = current {
        return Err(Problem::new(Place::Line(line), format!("rank {rank} has no `}}`")));
    }
    let mut listings = Vec::new();
    for (rank, listing) in ranks.unwrap_or_default().into_iter().enumerate() {
        let missing = || Problem::new(Place::File, format!("rank {rank} is missing"));
        listings.push(listing.ok_or_else(missing)?);
    }
    Ok(listings)
}

fn whole<T: std::str::FromStr>(text: &str, line: u64) -> Result<T, Problem> {
    text.parse()
        .map_err(|_| Problem::new(Place::Line(line), format!("`{text}` is not a whole number that fits")))
}

fn statement<'t>(
    words: &[&'t str],
    rank: u32,
    ranks: u32,
    line: u64,
    listing: &mut Listing,
    labels: &mut HashMap<&'t str, u32>,
    budget: &mut Budget,
) -> Result<(), Problem> {
    let fault = |message: String| Problem::new(Place::Line(line), format!("rank {rank}: {message}"));
    if let [later, word @ ("requires" | "irequires"), earlier] = words {
        let find = |label: &str| {
            labels.get(label).copied().ok_or_else(|| fault(format!("label `{label}` is not defined before")))
        };
        listing.dependencies.push((find(later)?, find(earlier)?, *word == "requires", line));
        return budget.after(1).map_err(|error| fault(error.to_string()));
    }
    let (label, words) = match words {
        [label, ":", rest @ ..] => (Some(*label), rest),
        rest => (None, rest),
    };
    let Some((&verb, words)) = words.split_first() else {
        return Err(fault("a label has no operation".to_owned()));
    };
    // The unit stands behind the number, with a space or without one.
    let (size, mut rest) = match words {
        [size, "b", rest @ ..] => (*size, rest),
        [size, rest @ ..] => {
            (if verb == "calc" { *size } else { size.strip_suffix('b').unwrap_or(size) }, rest)
        }
        [] => return Err(fault(format!("`{verb}` has no size"))),
    };
    let bytes: u64 = whole(size, line)?;
    let mut listed = Listed { line, verb: Verb::Calc, bytes, peer: 0, tag: 0 };
    listed.verb = match (verb, rest) {
        ("calc", _) => Verb::Calc,
        ("send", ["to", peer, more @ ..]) | ("recv", ["from", peer, more @ ..]) => {
            if *peer == "-1" {
                return Err(fault(
                    "recv from any rank: what it receives depends on time, so nothing is proved".to_owned(),
                ));
            }
            listed.peer = whole(peer, line)?;
            if listed.peer == rank || listed.peer >= ranks {
                return Err(fault(format!("peer {} is not another rank; there are {ranks}", listed.peer)));
            }
            rest = more;
            if verb == "send" { Verb::Send } else { Verb::Receive }
        }
        ("send", _) => return Err(fault("`send` is followed by its size and `to RANK`".to_owned())),
        ("recv", _) => return Err(fault("`recv` is followed by its size and `from RANK`".to_owned())),
        _ => return Err(fault(format!("unknown operation `{verb}`")).help("it is `send`, `recv` or `calc`")),
    };
    while let [name, value, more @ ..] = rest {
        match *name {
            "tag" if *value == "-1" => {
                return Err(fault("tag -1 meets any tag, so what it receives depends on time".to_owned()));
            }
            "tag" if listed.verb != Verb::Calc => listed.tag = whole(value, line)?,
            "cpu" | "nic" => {
                let _: u32 = whole(value, line)?;
            }
            _ => return Err(fault(format!("`{name}` is not expected here"))),
        }
        rest = more;
    }
    if let [word] = rest {
        return Err(fault(format!("`{word}` is not expected here")));
    }
    let index = listing.operations.len() as u32;
    if let Some(label) = label
        && labels.insert(label, index).is_some()
    {
        return Err(fault(format!("label `{label}` is defined twice")));
    }
    listing.operations.push(listed);
    budget.operation(1).map_err(|error| fault(error.to_string()))
}

fn channel(rank: u32, listed: &Listed) -> Connection {
    match listed.verb {
        Verb::Send => (rank, listed.peer, listed.tag),
        _ => (listed.peer, rank, listed.tag),
    }
}

fn rails(file: &[Listing]) -> Result<Rails, Problem> {
    let messages = (0..).zip(file).flat_map(|(rank, listing)| {
        let messages = listing.operations.iter().filter(|listed| listed.verb != Verb::Calc);
        messages.map(move |listed| (channel(rank, listed), listed.line))
    });
    Rails::new(messages).map_err(|((from, to, _), line)| {
        Problem::new(Place::Line(line), format!("ranks {from} and {to} use more than {MAX_RAILS} tags"))
    })
}

/// Returns the operations of a rank in an order in which each follows those that it waits for, their lines, and whether the order
/// of two of the same channel is that of the file alone.
fn of_rank(
    rank: u32,
    listing: &Listing,
    rails: &Rails,
    budget: &mut Budget,
) -> Result<(Vec<Operation>, Vec<Origin>, bool), Problem> {
    let count = listing.operations.len();
    let mut waits = vec![0_u32; count];
    let mut behind: Vec<Vec<(u32, bool)>> = vec![Vec::new(); count];
    for &(later, earlier, complete, _) in &listing.dependencies {
        waits[later as usize] += 1;
        behind[earlier as usize].push((later, complete));
    }
    // The first that is ready in the order of the file comes first.
    let mut ready: std::collections::BTreeSet<u32> =
        (0..count as u32).filter(|&index| waits[index as usize] == 0).collect();
    // What must be complete before an operation begins, by places in the new order.
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut last: HashMap<(bool, u32, u32), u32> = HashMap::new();
    let mut begun_after: Vec<Option<u32>> = vec![None; count];
    let (mut operations, mut origins) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let (mut scratch, mut free_order) = (0_u64, false);
    while let Some(index) = ready.pop_first() {
        let listed = &listing.operations[index as usize];
        let place = operations.len() as u32;
        let mut waited = std::mem::take(&mut after[index as usize]);
        waited.sort_unstable();
        waited.dedup();
        let part = |buffer, offset| Part { buffer, offset, bytes: listed.bytes };
        let input = (listed.bytes > 0).then(|| part(Buffer::Send, 0));
        let fresh = (listed.bytes > 0).then(|| part(Buffer::Scratch, scratch));
        if listed.verb != Verb::Send {
            scratch = scratch.saturating_add(listed.bytes);
        }
        if listed.verb != Verb::Calc {
            let key = (listed.verb == Verb::Send, listed.peer, listed.tag);
            if let Some(before) = last.insert(key, place) {
                free_order |= begun_after[index as usize] != Some(before) && !waited.contains(&before);
            }
        }
        let (peer, rail) = (listed.peer, rails.of(channel(rank, listed)));
        let action = match listed.verb {
            Verb::Send => Action::Send { peer, rail, parts: input.into_iter().collect() },
            Verb::Receive => Action::Receive { peer, rail, parts: fresh.into_iter().collect() },
            Verb::Calc => match (input, fresh) {
                (Some(input), Some(into)) => Action::Copy { parts: vec![input], into },
                // Nothing to do: who waits for it waits for what it waits for.
                _ => Action::Send { peer: rank, rail: 0, parts: Vec::new() },
            },
        };
        let nothing = listed.verb == Verb::Calc && listed.bytes == 0;
        for &(later, complete) in &behind[index as usize] {
            let list = &mut after[later as usize];
            let before = list.len();
            if nothing {
                list.extend(&waited);
            } else if complete {
                list.push(place);
            } else {
                // It has begun as soon as all that it waits for is complete.
                list.extend(&waited);
                begun_after[later as usize] = Some(place);
            }
            let grown = list.len() - before;
            budget.after(grown).map_err(|error| Problem::new(Place::Line(listed.line), error.to_string()))?;
            waits[later as usize] -= 1;
            if waits[later as usize] == 0 {
                ready.insert(later);
            }
        }
        if !nothing {
            operations.push(Operation { action, after: waited });
            origins.push(Origin { line: listed.line, step: None });
        }
        if scratch > 1 << 62 {
            let message = format!("rank {rank} receives and calculates more than 2^62 bytes");
            return Err(Problem::new(Place::Line(listed.line), message));
        }
    }
    if let Some(&(later, earlier, _, line)) =
        listing.dependencies.iter().find(|(later, ..)| waits[*later as usize] > 0)
    {
        let message = format!(
            "rank {rank}: operations wait for each other forever, such as the one in line {} for that in line {}",
            listing.operations[later as usize].line, listing.operations[earlier as usize].line
        );
        return Err(Problem::new(Place::Line(line), message));
    }
    Ok((operations, origins, free_order))
}
