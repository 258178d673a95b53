//! C4.5's production rules, read by hand.

use qtdec_core::encode::C45;
use qtdec_core::{Axis, Borders, DecisionMap, Domain, Method, MethodIndex, Samples};
use qtdec_papers::c45_rules::rules;
use qtdec_testkit::maps::{Pattern, Plan};

/// Returns maps that are smooth with some noise, like measured ones, and a few that are not.
fn maps() -> Vec<(&'static str, DecisionMap)> {
    let plan = |shape: &[usize], pattern, seed, methods| Plan { methods, ..Plan::new(shape, pattern, seed) };
    vec![
        ("bands", plan(&[8, 12], Pattern::Bands, 1, 5).map()),
        ("smooth", plan(&[12, 16], Pattern::Smooth, 2, 4).map()),
        ("smoother", plan(&[20, 20], Pattern::Smooth, 3, 6).map()),
        ("gaps", Plan { nulls: 20, ..plan(&[16, 18], Pattern::Smooth, 4, 4) }.map()),
        ("noise", plan(&[9, 9], Pattern::Noise, 5, 2).map()),
        ("corner", plan(&[10, 10], Pattern::Corner, 6, 2).map()),
        ("checkerboard", plan(&[8, 8], Pattern::Checkerboard, 7, 2).map()),
        ("line", plan(&[40], Pattern::Smooth, 8, 4).map()),
        ("three_axes", plan(&[6, 8, 5], Pattern::Smooth, 9, 4).map()),
        ("combined", combined()),
    ]
}

/// Returns a map of two collectives.
fn combined() -> DecisionMap {
    let halves = [(10, 4), (11, 5)]
        .map(|(seed, methods)| Plan { methods, ..Plan::new(&[12, 14], Pattern::Smooth, seed) }.map());
    let labels = Samples::Labels(vec!["bcast".to_owned(), "reduce".to_owned()]);
    let collective = Axis { samples: labels, ..Axis::new("collective", []) };
    let values = |len: u64| (0..len).map(|sample| 3 * sample + 2).collect::<Vec<_>>();
    let axes = vec![collective, Axis::new("comm_size", values(12)), Axis::new("msg_size", values(14))];
    let methods = (0..5).map(|index| Method::new(format!("method {index}"))).collect();
    let domain = Domain::new(None, axes, methods).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells =
        halves.iter().flat_map(DecisionMap::cells).map(|method| method.map(|method| indexes[method.get()]));
    DecisionMap::new(domain.clone(), cells.collect()).unwrap()
}

/// Reads the first rule of the text that holds for some sizes or labels, as somebody would who tries them by hand.
fn by_hand<'t>(text: &'t str, map: &DecisionMap, samples: &[String]) -> &'t str {
    let holds = |condition: &str| {
        let [name, sign, value] = condition.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            panic!("{condition}")
        };
        let axis = map.domain().find_axis(name).unwrap();
        let number = |text: &str| text.parse::<u64>().unwrap();
        match sign {
            "=" => samples[axis] == value,
            "<" => number(&samples[axis]) < number(value),
            ">=" => number(&samples[axis]) >= number(value),
            _ => panic!("{condition}"),
        }
    };
    for line in text.lines() {
        let (conditions, decision) = line.split_once(": ").unwrap();
        if conditions.split(", ").filter(|condition| !condition.is_empty()).all(holds) {
            return decision.rsplit_once(" (").map_or(decision, |(decision, _)| decision);
        }
    }
    panic!("no rule holds for {samples:?}");
}

#[test]
fn rules_decide_as_their_text_says() {
    for (name, map) in maps() {
        for (weight, confidence) in [(1, 25.0), (2, 25.0), (2, 5.0), (8, 25.0)] {
            let c45 = C45 { weight, confidence, ..C45::default() };
            let found = rules(&c45, &map).unwrap();
            let report = c45.report(&map, Borders::Floor).unwrap();
            let mut errors = 0;
            for (cell, measured) in map.cells().iter().enumerate() {
                let decided = found.decisions[cell];
                assert_eq!(decided.is_some(), measured.is_some());
                let Some(decided) = decided else { continue };
                let labels: Vec<String> = map
                    .domain()
                    .axes()
                    .iter()
                    .zip(map.domain().sizes(cell))
                    .map(|(axis, size)| match &axis.samples {
                        Samples::Labels(labels) => labels[size as usize].clone(),
                        Samples::Values(_) => size.to_string(),
                    })
                    .collect();
                assert_eq!(
                    by_hand(&found.text, &map, &labels),
                    map.domain().method(decided).label(),
                    "{name}"
                );
                errors += u64::from(Some(decided) != *measured);
            }
            assert_eq!(found.errors, errors, "{name}");
            assert_eq!(found.text.lines().count() as u64, found.rules + 1);
            // Each leaf gives at most one rule.
            assert!(found.rules <= report.before.leaves, "{name} -m {weight} -c {confidence}");
            let most = map.cells().iter().flatten().fold(
                vec![0_u64; map.domain().methods().len()],
                |mut counts, method| {
                    counts[method.get()] += 1;
                    counts
                },
            );
            assert!(
                found.errors <= report.after.cases - most.iter().max().unwrap(),
                "{name}: no worse than one class"
            );
        }
    }
}

/// One quarter is of another class. Of the two leaves of the larger class, one has a condition that the other's rule makes needless.
#[test]
fn rules_lose_the_conditions_that_they_do_not_need() {
    let sizes: Vec<u64> = (1..=8).collect();
    let axes = vec![Axis::new("x", sizes.clone()), Axis::new("y", sizes)];
    let domain = Domain::new(None, axes, vec![Method::new("a"), Method::new("b")]).unwrap();
    let [a, b] = domain.method_indexes().collect::<Vec<_>>()[..] else { panic!("two methods") };
    let cells = (0..64).map(|cell| Some(if cell / 8 >= 4 && cell % 8 >= 4 { b } else { a })).collect();
    let map = DecisionMap::new(domain, cells).unwrap();
    let found = rules(&C45::default(), &map).unwrap();
    assert_eq!((found.rules, found.conditions, found.errors), (3, 4, 0));
    assert_eq!(found.text, "x < 5: a (32.0)\ny < 5: a (32.0)\nx >= 5, y >= 5: b (16.0)\n: a\n");
}
