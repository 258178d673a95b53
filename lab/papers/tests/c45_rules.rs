//! C4.5's production rules, read by hand.

use qtdec_core::encode::C45;
use qtdec_core::{Axis, Borders, DecisionMap, Domain, Method, Samples};
use qtdec_papers::c45_rules::rules;
use qtdec_testkit::c45::maps;

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
