//! The formulas: worked examples to their last printed digit, the search for segments, and the paper's claims about
//! its models.

use qtdec_mpi_predict::Network;
use qtdec_mpi_predict::models::{
    Call, Claim, FORMULAS, Fabric, Form, Found, NotApplicable, PaperRow, alltoall_bounds, climb, formula,
    formulas, scan,
};
use qtdec_mpi_predict::network::{Between, Description, Point, Unit, shipped};
use qtdec_mpi_schedule::Collective::{self, Alltoall, Bcast, Gather, Reduce, Scatter};

/// Returns a network with `L = 50 µs, g = 30 + 0.08 m, os = 10 + 0.01 m, or = 12 + 0.015 m µs` and contention 0.4.
fn worked() -> Network {
    let point = |bytes: u64| {
        let m = bytes as f64;
        Point { bytes, gap: 30.0 + 0.08 * m, send: 10.0 + 0.01 * m, receive: 12.0 + 0.015 * m }
    };
    let mut description = Description::new(Unit::Microseconds, 50.0, vec![point(0), point(1 << 20)]);
    description.contention = Some(0.4);
    Network::new(description).unwrap()
}

/// Returns the time in milliseconds with four decimals, as in the paper.
fn printed(seconds: f64) -> String {
    format!("{:.4}", seconds * 1e3)
}

#[test]
fn worked_numbers_to_their_last_digit() {
    let (network, m, s) = (worked(), 65_536, 8192);
    // Each case has an algorithm, a segment, and the printed and exact times for 7 and for 8 ranks.
    let cases: [(Collective, &str, Option<u64>, [&str; 4]); 14] = [
        (Bcast, "linear", None, ["31.6873", "31.6873", "36.9602", "36.9602"]),
        (Bcast, "linear_rendezvous", None, ["31.8474", "31.8678", "37.1203", "37.1707"]),
        (Bcast, "linear", Some(s), ["32.9473", "32.9473", "38.4302", "38.4302"]),
        (Bcast, "pipeline", None, ["31.9373", "31.9373", "37.2602", "37.2602"]),
        (Bcast, "pipeline_rendezvous", None, ["32.8982", "32.8982", "38.3813", "38.3813"]),
        (Bcast, "pipeline", Some(s), ["9.2097", "9.2097", "9.9450", "9.9450"]),
        (Bcast, "binary", None, ["31.7873", "21.1915", "31.7873", "21.1915"]),
        (Bcast, "binomial", None, ["10.6958", "15.9186", "15.9686", "15.9686"]),
        (Bcast, "binomial_rendezvous", None, ["11.1762", "16.3991", "16.4491", "16.4491"]),
        (Bcast, "binomial", Some(s), ["11.1158", "16.5486", "16.5986", "16.5986"]),
        (Scatter, "linear", None, ["31.6873", "31.6873", "36.9602", "36.9602"]),
        (Scatter, "chain", None, ["110.5805", "110.5805", "147.3606", "147.3606"]),
        (Scatter, "binomial", None, ["36.9402", "31.6473", "36.9402", "36.9402"]),
        (Gather, "binomial", None, ["36.9402", "31.6473", "36.9402", "36.9402"]),
    ];
    for (collective, algorithm, segment, expected) in cases {
        let row = formula(collective, algorithm).unwrap();
        let found: Vec<String> = [(7, Form::Printed), (7, Form::Exact), (8, Form::Printed), (8, Form::Exact)]
            .into_iter()
            .map(|(ranks, form)| {
                printed(row.predict(form, &Call::new(&network, ranks, m).segment(segment)).unwrap().seconds)
            })
            .collect();
        assert_eq!(found, expected, "{collective} {algorithm} {segment:?}");
    }
    for (ranks, expected) in [(7, ["10.0124", "21.0704", "37.6575"]), (8, ["11.6728", "24.5739", "43.9254"])]
    {
        let call = Call::new(&network, ranks, m);
        let (lower, upper) = alltoall_bounds(&call);
        let between = formula(Alltoall, "direct").unwrap().predict(Form::Printed, &call).unwrap();
        assert_eq!([lower, between.seconds, upper].map(printed), expected);
        // Each rank has the rate of the medium only for one part in P of the time: L + (P−1) P g(m), by hand.
        let shared = formula(Alltoall, "shared_medium").unwrap().predict(Form::Printed, &call).unwrap();
        let by_hand = 50e-6 + (ranks * (ranks - 1)) as f64 * (30e-6 + 0.08e-6 * m as f64);
        assert!((shared.seconds / by_hand - 1.0).abs() < 1e-12);
    }
}

#[test]
fn worked_numbers_of_the_multirail_paper() {
    // l = 100 µs, b = 125 MB/s, M = 1 MiB, p = 32.
    let one = Fabric { ranks: 32, latency: 100e-6, transfer: 1_048_576.0 / 125e6, between: None };
    let two = Fabric { between: Some(10e-3), ..one };
    let found = |fabric: &Fabric, row| fabric.printed(row).map(printed);
    assert_eq!(found(&one, PaperRow::Multirail).unwrap(), "8.8886");
    assert_eq!(found(&one, PaperRow::Binary).unwrap(), "17.2772");
    assert_eq!(found(&one, PaperRow::Chain).unwrap(), "11.4886");
    assert_eq!(found(&one, PaperRow::Binomial).unwrap(), "42.4430");
    assert_eq!(found(&one, PaperRow::VanDeGeijn).unwrap(), "18.3184");
    assert_eq!(printed(one.corrected(PaperRow::VanDeGeijn).unwrap()), "17.2529");
    assert_eq!(found(&two, PaperRow::Multirail).unwrap(), "18.8886");
    assert_eq!(found(&two, PaperRow::Binary).unwrap(), "35.6658");
    assert_eq!(found(&two, PaperRow::Chain).unwrap(), "21.4886");
    assert_eq!((found(&two, PaperRow::VanDeGeijn), found(&two, PaperRow::Binomial)), (None, None));
    assert_eq!(one.corrected(PaperRow::Chain), one.printed(PaperRow::Chain));
}

#[test]
fn multirail_takes_its_parameters_from_a_network() {
    let network = shipped("grid-2x16").unwrap();
    let row = formula(Bcast, "multirail").unwrap();
    // Two rails of 125 MB/s and l = 50 µs: 5 l + M/b, and in two clusters L = 10 ms more.
    let time =
        |ranks| printed(row.predict(Form::Printed, &Call::new(&network, ranks, 1 << 20)).unwrap().seconds);
    assert_eq!((time(16), time(32)), ("4.3943".to_owned(), "14.4443".to_owned()));
    let three = row.predict(Form::Printed, &Call::new(&network, 48, 1 << 20));
    assert_eq!(three, Err(NotApplicable::Clusters(3)));
    let single = shipped("icluster-2").unwrap();
    let refused = row.predict(Form::Exact, &Call::new(&single, 16, 1 << 20));
    assert_eq!(refused, Err(NotApplicable::NotTwoRails));
}

/// With several rails all printed broadcasts count the rate of a whole node, like multirail.
#[test]
fn printed_broadcasts_over_two_rails_are_of_one_table() {
    let network = shipped("multirail-32").unwrap();
    let call = Call::new(&network, 32, 64 << 20);
    let time = |algorithm, form, call: &Call<'_>| {
        formula(Bcast, algorithm).unwrap().predict(form, call).map(|found| printed(found.seconds))
    };
    let fabric = Fabric::from_call(&call);
    let rows = [
        ("multirail", PaperRow::Multirail, "268.6855"),
        ("scatter_allgather", PaperRow::VanDeGeijn, "554.6893"),
        ("binomial", PaperRow::Binomial, "1342.4273"),
        ("binary", PaperRow::Binary, "537.1209"),
        ("pipeline", PaperRow::Chain, "269.9855"),
    ];
    for (algorithm, row, expected) in rows {
        assert_eq!(time(algorithm, Form::Printed, &call).unwrap(), expected, "{algorithm}");
        assert_eq!(printed(fabric.printed(row).unwrap()), expected, "{algorithm}");
        assert_eq!(
            time(algorithm, Form::Printed, &call.segment(Some(8192))).unwrap(),
            expected,
            "{algorithm}"
        );
    }
    let refused = time("linear", Form::Printed, &call);
    assert_eq!(refused, Err(NotApplicable::OneRail(2)));
    assert!(time("linear", Form::Exact, &call).is_ok());
    // The other collectives are in the other paper only.
    assert!(formula(Scatter, "linear").unwrap().predict(Form::Printed, &call).is_ok());
    // Two clusters: the table has three of the rows.
    let grid = shipped("grid-2x16").unwrap();
    let call = Call::new(&grid, 32, 64 << 20);
    for (algorithm, row, _) in rows {
        let expected = Fabric::from_call(&call).printed(row).map(printed);
        let expected = expected.ok_or(NotApplicable::Clusters(2));
        assert_eq!(time(algorithm, Form::Printed, &call), expected, "{algorithm}");
    }
}

#[test]
fn one_rank_and_no_bytes_take_no_time() {
    let network = worked();
    for row in FORMULAS {
        for form in [Form::Printed, Form::Exact] {
            for (ranks, bytes) in [(1, 1000), (8, 0)] {
                match row.predict(form, &Call::new(&network, ranks, bytes).segment(Some(10))) {
                    Ok(prediction) => assert_eq!(prediction.seconds, 0.0, "{}", row.algorithm),
                    Err(why) => assert_eq!(why, NotApplicable::NoSuchForm(form)),
                }
            }
        }
    }
}

#[test]
fn times_are_finite_and_positive_for_any_call() {
    let network = worked();
    let mut given = 0;
    for row in FORMULAS {
        for form in [Form::Printed, Form::Exact] {
            for ranks in [2, 3, 4, 5, 100, 1 << 12] {
                for bytes in [1, 7, 1 << 20, 1 << 40] {
                    for segment in [None, Some(0), Some(3), Some(1 << 50)] {
                        let call = Call::new(&network, ranks, bytes).segment(segment);
                        if let Ok(prediction) = row.predict(form, &call) {
                            given += 1;
                            let seconds = prediction.seconds;
                            assert!(
                                seconds.is_finite() && seconds > 0.0,
                                "{} {call:?}: {seconds}",
                                row.algorithm
                            );
                        }
                    }
                }
            }
        }
    }
    assert!(given > 2500, "{given}");
}

#[test]
fn formulas_reject_calls_that_they_do_not_cover() {
    let mut description = worked().description().clone();
    description.ranks_per_node = 2;
    let shared = Network::new(description.clone()).unwrap();
    let linear = formula(Bcast, "linear").unwrap();
    assert_eq!(linear.predict(Form::Exact, &Call::new(&shared, 4, 1)), Err(NotApplicable::SharedPorts));
    description.ranks_per_node = 1;
    description.contention = None;
    let points = description.points.clone();
    description.between = Some(Between { cluster_sizes: vec![4], latency: 1e4, points });
    let two = Network::new(description).unwrap();
    assert!(linear.predict(Form::Exact, &Call::new(&two, 4, 1)).is_ok());
    let refused = linear.predict(Form::Exact, &Call::new(&two, 5, 1));
    assert_eq!(refused, Err(NotApplicable::Clusters(2)));
    let direct = formula(Alltoall, "direct").unwrap();
    assert_eq!(direct.predict(Form::Printed, &Call::new(&two, 4, 1)), Err(NotApplicable::NoContention));
    let said = formula(Bcast, "binominal").unwrap_err();
    assert!(said.starts_with(
        "bcast has no formula for `binominal` (did you mean `binomial`?); the known algorithms are linear"
    ));
    let said = formula(Collective::Barrier, "linear").unwrap_err();
    assert_eq!(
        said,
        "barrier has no formula for `linear`; the collective has no formulas, so simulate its schedules"
    );
}

#[test]
fn every_formula_has_a_form_and_a_unique_name() {
    for row in FORMULAS {
        let same = formulas(row.collective).filter(|other| other.algorithm == row.algorithm).count();
        assert_eq!(same, 1, "{} {}", row.collective, row.algorithm);
        let call = worked();
        let call = Call::new(&call, 8, 1000);
        let forms = [Form::Printed, Form::Exact].map(|form| row.predict(form, &call));
        let of_two_rails = row.algorithm == "multirail";
        assert!(of_two_rails || forms.iter().any(Result::is_ok), "{} {}", row.collective, row.algorithm);
    }
}

#[test]
fn reductions_add_the_time_of_the_operator() {
    let mut description = worked().description().clone();
    description.reduce_per_byte = 0.001;
    let network = Network::new(description).unwrap();
    let call = Call::new(&network, 8, 65_536).segment(Some(8192));
    for (algorithm, messages) in [("linear", 56.0), ("pipeline", 14.0), ("binary", 20.0), ("binomial", 24.0)]
    {
        let of = |collective| formula(collective, algorithm).unwrap().predict(Form::Exact, &call).unwrap();
        let added = of(Reduce).seconds - of(Bcast).seconds;
        assert!((added - messages * 8192.0 * 1e-9).abs() < 1e-12, "{algorithm}: {added}");
        assert_eq!(of(Reduce).claim, Claim::Estimate);
    }
}

/// Returns the time of a pipeline with 16 ranks by segment size, for `g = 30 + 0.08 m, L = 50 µs`.
fn pipeline(network: &Network, bytes: u64) -> impl FnMut(u64) -> f64 {
    let row = formula(Bcast, "pipeline").unwrap();
    move |segment| {
        row.predict(Form::Printed, &Call::new(network, 16, bytes).segment(Some(segment))).unwrap().seconds
    }
}

/// Scans, then climbs. Returns `None` if the message is smaller than one element.
fn search(bytes: u64, element: u64, mut time: impl FnMut(u64) -> f64) -> Option<Found> {
    let best = scan(bytes, element, &mut time)?;
    Some(climb(best, bytes, element, time))
}

#[test]
fn the_search_for_segments_finds_what_was_worked_out() {
    let network = worked();
    for (bytes, scanned, climbed, optimum, decimals) in
        [(65_536, "9.480", "9.394", "9.382", 3), (1 << 20, "97.32", "96.93016", "96.93000", 5)]
    {
        let show = |seconds: f64, decimals: usize| format!("{:.*}", decimals, seconds * 1e3);
        let mut time = pipeline(&network, bytes);
        let first = scan(bytes, 1, &mut time).unwrap();
        assert_eq!(show(first.seconds, scanned.len() - scanned.find('.').unwrap() - 1), scanned);
        let found = search(bytes, 1, &mut time).unwrap();
        assert_eq!(show(found.seconds, decimals), climbed, "{found:?}");
        let all = (1..=bytes).map(&mut time);
        assert_eq!(show(all.fold(f64::INFINITY, f64::min), decimals), optimum);
    }
}

#[test]
fn searches_end_at_a_minimum_and_cut_at_elements() {
    // These times are constant, rising, falling, with steps, and infinite.
    let times: [fn(u64) -> f64; 5] =
        [|_| 1.0, |s| s as f64, |s| -(s as f64), |s| ((s / 7) % 5) as f64, |_| f64::INFINITY];
    for bytes in [1, 2, 7, 100, 4096] {
        for element in [1, 3, 8] {
            for time in times {
                let Some(found) = search(bytes, element, time) else {
                    assert!(bytes < element);
                    continue;
                };
                assert!((1..=bytes).contains(&found.segment) && found.segment % element == 0, "{found:?}");
                let near = [found.segment.saturating_sub(element), found.segment + element];
                let near = near.into_iter().filter(|size| (1..=bytes).contains(size));
                assert!(near.map(time).all(|seconds| seconds >= found.seconds));
                assert_eq!(climb(found, bytes, element, time), found);
            }
        }
    }
    assert_eq!(search(u64::MAX, 1, |_| 1.0).unwrap().segment, u64::MAX);
    assert_eq!(search(0, 1, |_| 1.0), None);
}

#[test]
fn a_climb_finds_the_best_of_all_sizes_where_there_is_one_minimum_only() {
    let minima = |times: &[f64]| {
        let mut slopes: Vec<bool> =
            times.windows(2).filter(|pair| pair[0] != pair[1]).map(|pair| pair[0] < pair[1]).collect();
        slopes.dedup();
        slopes.windows(2).filter(|turn| !turn[0] && turn[1]).count()
    };
    // Without rounding of the number of segments, the pipeline has a single minimum.
    for (start, byte, bytes) in [(30.0, 0.08, 65_536), (1.0, 0.001, 20_000), (500.0, 0.01, 5000)] {
        let smooth = |s: u64| (14.0 + bytes as f64 / s as f64) * (start + byte * s as f64);
        let times: Vec<f64> = (1..=bytes).map(smooth).collect();
        assert!(minima(&times) <= 1);
        let best = times.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(search(bytes, 1, smooth).unwrap().seconds, best);
    }
    // The formula itself has many minima, because the last segment costs as much as a full one: the climb ends within
    // 1.2 % of the best.
    let network = worked();
    let mut time = pipeline(&network, 65_536);
    let times: Vec<f64> = (1..=65_536).map(&mut time).collect();
    assert!(minima(&times) > 100, "{}", minima(&times));
    let best = times.iter().copied().fold(f64::INFINITY, f64::min);
    let found = search(65_536, 1, &mut time).unwrap().seconds;
    assert!(found > best && found < 1.012 * best, "{found} {best}");
}

#[test]
fn the_qualitative_claims_of_the_paper_hold_on_a_network_like_its_own() {
    let network = shipped("icluster-2").unwrap();
    let time = |collective, algorithm: &str, form, call: &Call<'_>| {
        formula(collective, algorithm).unwrap().predict(form, call).unwrap().seconds
    };
    // Figure 5: with 16 ranks, the segmented chain is best for large messages, and the flat tree worst.
    for bytes in [1 << 18, 1 << 20] {
        for form in [Form::Printed, Form::Exact] {
            let call = Call::new(&network, 16, bytes);
            let chain = time(Bcast, "pipeline", form, &call.segment(Some(4096)));
            let (binomial, flat) = (time(Bcast, "binomial", form, &call), time(Bcast, "linear", form, &call));
            assert!(chain < binomial && binomial < flat, "{bytes} {form:?}: {chain} {binomial} {flat}");
        }
    }
    // Figures 7 and 8: by the printed formulas, the binomial scatter is a staircase over the ranks, and the flat one
    // a line.
    let scatter =
        |algorithm, ranks| time(Scatter, algorithm, Form::Printed, &Call::new(&network, ranks, 10_000));
    for ranks in 3..=24_u64 {
        let step = scatter("binomial", ranks) - scatter("binomial", ranks - 1);
        assert_eq!(step > 0.0, (ranks - 1).is_power_of_two(), "{ranks}");
        let line = scatter("linear", ranks) - scatter("linear", ranks - 1);
        assert!((line - network.gap(10_000)).abs() < 1e-12);
    }
    // Figure 9: with 24 ranks, the binomial scatter can be faster than the flat one, because it has fewer start-ups.
    let small = |algorithm| time(Scatter, algorithm, Form::Exact, &Call::new(&network, 24, 8));
    assert!(small("binomial") < small("linear"));
    // Figure 10: the all-to-all lies between its bounds, with the same ratio for all P and m.
    for (ranks, bytes) in [(2, 1), (24, 1000), (24, 100_000), (100, 1 << 20)] {
        let call = Call::new(&network, ranks, bytes);
        let (lower, upper) = alltoall_bounds(&call);
        let part = (time(Alltoall, "direct", Form::Printed, &call) - lower) / (upper - lower);
        assert!((part - 0.4).abs() < 1e-9);
    }
}

/// On nodes of two rails, M/b is half the gap of a port: g(m) = 5.27288 ms, L = 0.05 ms.
#[test]
fn broadcasts_over_two_rails_count_both() {
    let one = worked();
    let two = Network::new(Description { rails: 2, ..one.description().clone() }).unwrap();
    let time = |network, name| {
        let call = Call::new(network, 8, 65_536);
        formula(Bcast, name).unwrap().predict(Form::Printed, &call).map(|found| printed(found.seconds))
    };
    let rows = ["multirail", "scatter_allgather", "binomial", "binary", "pipeline"];
    let times = rows.map(|name| time(&two, name).unwrap());
    assert_eq!(times, ["2.7864", "6.3261", "8.0593", "5.4229", "2.9864"]);
    assert_eq!(time(&one, "multirail"), Err(NotApplicable::NotTwoRails));
    assert_eq!(time(&two, "linear"), Err(NotApplicable::OneRail(2)));
}
