//! Parameters fitted to times that were made with known parameters, and predictions compared with measurements.

use qtdec_mpi_predict::fit::{Measured, contention, contention_factor, ping_pong};
use qtdec_mpi_predict::models::{Call, alltoall_bounds};
use qtdec_mpi_predict::network::{OsuTable, osu_table, shipped};
use qtdec_mpi_predict::trust::{Errors, Times, compare};

#[test]
fn the_contention_ratio_is_found_again() {
    let network = shipped("icluster-2").unwrap();
    let times: Vec<Measured> = [(4, 100), (8, 5000), (24, 65_536)]
        .into_iter()
        .map(|(ranks, bytes)| {
            let (lower, upper) = alltoall_bounds(&Call::new(&network, ranks, bytes));
            Measured { ranks, bytes, seconds: lower + 0.37 * (upper - lower) }
        })
        .collect();
    let fit = contention(&network, &times).unwrap();
    assert!((fit.parameters - 0.37).abs() < 1e-9);
    assert!(fit.error().unwrap().1 < 1e-9 && fit.undetermined.is_empty(), "{fit:?}");
    // One point determines the ratio, but not whether it is the same elsewhere.
    assert_eq!(contention(&network, &times[..1]).unwrap().undetermined.len(), 2);
    assert_eq!(contention(&network, &[]), None);
    let fast = [Measured { ranks: 8, bytes: 5000, seconds: 1e-9 }];
    assert_eq!(contention(&network, &fast).unwrap().parameters, 0.0);
}

/// Clement's factor is the number of ranks on a shared medium, where `L + (P−1) P g(m)` is the time, and 1 on a switch.
#[test]
fn the_contention_factor_counts_the_ranks_that_share_a_medium() {
    let network = shipped("icluster-2").unwrap();
    let at = |sharing: fn(u64) -> u64| {
        let time = |(ranks, bytes): (u64, u64)| {
            let seconds = network.latency(bytes) + ((ranks - 1) * sharing(ranks)) as f64 * network.gap(bytes);
            Measured { ranks, bytes, seconds }
        };
        [(24, 1), (24, 65_536)].map(time).to_vec()
    };
    for (sharing, expected) in [((|ranks| ranks) as fn(u64) -> u64, 24.0), (|_| 1, 1.0)] {
        let fit = contention_factor(&network, &at(sharing)).unwrap();
        assert!((fit.parameters - expected).abs() < 1e-9 && fit.error().unwrap().1 < 1e-9, "{fit:?}");
        assert_eq!(fit.undetermined.len(), 1);
    }
    assert_eq!(contention_factor(&network, &[]), None);
}

fn times(rows: &[(u64, u64, [Option<f64>; 2])]) -> Times {
    Times {
        points: rows.iter().map(|&(ranks, bytes, _)| vec![ranks, bytes]).collect(),
        methods: 2,
        times: rows.iter().flat_map(|(.., times)| *times).collect(),
    }
}

#[test]
fn errors_winners_and_penalties() {
    let measured = times(&[
        (2, 8, [Some(10.0), Some(20.0)]),
        (4, 8, [Some(30.0), Some(20.0)]),
        (8, 8, [Some(10.0), Some(12.0)]),
        (16, 8, [None, Some(5.0)]),
        (32, 8, [None, None]),
    ]);
    let predicted = times(&[
        (2, 8, [Some(11.0), Some(30.0)]),
        (4, 8, [Some(33.0), Some(20.0)]),
        (8, 8, [Some(15.0), Some(12.0)]),
        (16, 8, [Some(1.0), Some(5.0)]),
        (32, 8, [Some(1.0), Some(2.0)]),
    ]);
    let found = compare(&predicted, &measured);
    let figures = |errors: &Errors| (errors.times, errors.median, errors.percentile_90);
    let errors: Vec<_> = found.methods.iter().map(|(method, errors)| (*method, figures(errors))).collect();
    assert_eq!(errors, [(0, (3, 0.1, 0.5)), (1, (4, 0.0, 0.5))]);
    assert_eq!(found.errors.as_ref().map(figures), Some((7, 0.1, 0.5)));
    // With 8 ranks, method 1 is chosen, at 12 instead of 10. With 16 ranks, only method 1 has a time.
    assert_eq!((found.points, found.agree), (4, 3));
    assert!((found.mean_penalty().unwrap() - 5.0).abs() < 1e-9, "{found:?}");
}

/// Latency 5 µs, gap 1 µs and 1 ns a byte.
fn gap(bytes: u64) -> f64 {
    1e-6 + 1e-9 * bytes as f64
}

#[test]
fn ping_pongs_and_trains_give_latency_and_gap() {
    let sizes = [1, 64, 4096, 65_536];
    let times = sizes.map(|bytes| (bytes, 5e-6 + gap(bytes)));
    let rates = sizes.map(|bytes| (bytes, bytes as f64 / gap(bytes)));
    let fit = ping_pong(&times, &rates).unwrap();
    assert!((fit.parameters.latency(1) - 5e-6).abs() < 1e-12);
    assert!(sizes.iter().all(|&bytes| (fit.parameters.gap(bytes) / gap(bytes) - 1.0).abs() < 1e-9));
    assert!(fit.error().unwrap().1 < 1e-9);
    assert_eq!(fit.undetermined.len(), 1, "{:?}", fit.undetermined);

    // Without trains of messages, the start-up time of 6 µs cannot be divided.
    let fit = ping_pong(&times, &[]).unwrap();
    assert!((fit.parameters.latency(1) - 6e-6).abs() < 1e-9 && fit.error().unwrap().1 < 1e-6);
    assert!(fit.undetermined[1].starts_with("how the start-up"), "{:?}", fit.undetermined);

    // Errors: a negative latency, sizes that do not match, and too few of them.
    let fast = times.map(|(bytes, seconds)| (bytes, seconds / 10.0));
    let fit = ping_pong(&fast, &rates).unwrap();
    assert!(fit.parameters.latency(1) == 0.0 && fit.undetermined[1].contains("less time than their gaps"));
    let fit = ping_pong(&[(7, 1e-5)], &rates).unwrap();
    assert!(fit.undetermined[1].contains("no size has both"));
    assert!(ping_pong(&times[..1], &[]).is_err());
}

#[test]
fn tables_of_ping_pongs_are_read_and_refused_by_line() {
    let latencies = "# OSU MPI Latency Test v7.3\n# Size          Latency (us)\n1  1.50\n1024 2.0\n";
    assert_eq!(osu_table(latencies.as_bytes()), Ok(OsuTable::Latencies(vec![(1, 1.5e-6), (1024, 2e-6)])));
    let rates = "# Size      Bandwidth (MB/s)\n1024 200\n";
    assert_eq!(osu_table(rates.as_bytes()), Ok(OsuTable::Bandwidths(vec![(1024, 2e8)])));
    for (text, expected) in [
        ("1 2\n", "names the columns"),
        ("# Size Latency (us)\n1 nan\n", "NaN is not above 0"),
        ("# Size Latency (us)\n1 -2\n", "-2 is not above 0"),
        ("# Size Latency (us)\n8 2\n4 2\n", "the size 4 comes after the size 8"),
        ("# Size Latency (us)\nx 2\n", "is `x`, which is not a number"),
        ("# Size Latency (us)\n1\n", "the line has 1 of 2 columns"),
    ] {
        let said = osu_table(text.as_bytes()).unwrap_err().to_string();
        assert!(said.contains(expected), "{expected}: {said}");
    }
}
