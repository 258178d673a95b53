//! Canonical times: what is written is read again, faults name their places, and the schema agrees with the reader.

use std::fs;
use std::io::Cursor;

use jsonschema::Validator;
use proptest::prelude::*;
use qtdec_core::Basis;
use qtdec_study::canonical::{
    self, About, Builder, Header, Job, Method, Named, RawHeader, Row, Sample, Series, Times,
    from_measurements,
};
use qtdec_study::measurements::{Measurements, Statistic, TimeUnit};
use qtdec_study::readers::{self, ReadOptions};
use serde_json::Value;

use crate::endless_rows::EndlessRows;

fn schema() -> Validator {
    let text = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../qt-times/schema/qtdec-times-1.schema.json"
    ))
    .unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::validator_for(&schema).unwrap()
}

fn read(text: &str) -> Result<Times, String> {
    let mut input = Cursor::new(text.as_bytes());
    canonical::read(&mut input, |_| ()).map_err(|problems| {
        let place = |problem: &qtdec_core::Problem| match problem.place {
            qtdec_core::Place::Line(line) => format!("{line}: {problem}"),
            _ => problem.to_string(),
        };
        problems.iter().map(place).collect::<Vec<_>>().join("\n")
    })
}

fn written(times: &Times) -> String {
    let mut bytes = Vec::new();
    times.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn measurements(text: &str) -> Measurements {
    readers::read_one("times.csv", Cursor::new(text.to_owned()), &ReadOptions::default()).unwrap().0
}

const FULL: &str = "\
# qtdec-times/1
# machine: Polaris
# library: MPICH 4.1
# measured: 2025-03-26
# note: first
# note: second
# axis comm_size: ranks
# axis n
# parameter segment_size: bytes
# parameter channels
# method: z,,
# method: \"a,\"\"b\"\"\",1024,8
# order: gather,\"a,\"\"b\"\"\",1024,8
# order: gather,z,,
# launch: evening
# launch: 2
# job: 4711,\"node[1,3]\",2025-03-26T20:15:00
comm_size,n,method,segment_size,channels,collective,basis,job,launch,process,repeat,statistic,time_us
2,8,z,,,bcast,buffer,4711,evening,,1,,1.5
2,8,z,,,bcast,buffer,4711,evening,,2,,1e-9
2,8,\"a,\"\"b\"\"\",1024,8,bcast,buffer,,2,1,1,,0.1
2,8,\"a,\"\"b\"\"\",1024,8,bcast,buffer,,2,2,1,,123456789.12345679
2,18446744073709551615,z,,,bcast,buffer,,2,,,median,2
2,18446744073709551615,z,,,bcast,buffer,,2,,,p99.9,3
2,8,z,,,gather,block,,2,,7,,1e15
2,8,\"a,\"\"b\"\"\",1024,8,gather,block,,2,,7,,1e15
";

#[test]
fn a_file_in_full_is_read_and_written_as_it_is() {
    let times = read(FULL).unwrap();
    assert_eq!(written(&times), FULL);
    assert_eq!((times.rows().len(), times.series().len(), times.methods().len()), (8, 5, 2));
    assert_eq!((times.jobs().of("evening"), times.jobs().of("2")), (Some("4711"), None));
    assert!(schema().is_valid(&RawHeader::split(times.declarations().lines()).unwrap().to_json()));
    // Line ends of other systems, and rows in another order.
    assert_eq!(read(&FULL.replace('\n', "\r\n")).unwrap(), times);
    let (header, rows) = FULL.split_at(FULL.find("2,8,z").unwrap());
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.reverse();
    rows.swap(1, 4);
    assert_eq!(written(&read(&format!("{header}{}\n", rows.join("\n"))).unwrap()), FULL);
}

/// A launch is of one job in all files together, and jobs that no launch is left of are forgotten.
#[test]
fn jobs_are_merged_and_selected() {
    let text = |job: &str, launch: &str, size: u64| {
        let head =
            format!("# qtdec-times/1\n# axis n\n# job: {job},node{job}\nn,method,job,launch,repeat,time\n");
        format!("{head}{size},a,{job},{launch},1,1\n")
    };
    let (one, other) = (read(&text("7", "7/1", 1)).unwrap(), read(&text("8", "8/1", 1)).unwrap());
    let both = one.clone().merge(other).unwrap();
    let lines =
        "# job: 7,node7\n# job: 8,node8\nn,method,job,launch,repeat,time\n1,a,7,7/1,1,1\n1,a,8,8/1,1,1\n";
    assert!(written(&both).ends_with(lines), "{}", written(&both));
    assert_eq!(both.values("job").unwrap().into_iter().collect::<Vec<_>>(), ["7", "8"]);
    let chosen = both.select(&[("job".to_owned(), "7".to_owned())]).unwrap().unwrap();
    assert_eq!(written(&chosen), text("7", "7/1", 1));
    let refused = one.merge(read(&text("8", "7/1", 2)).unwrap()).unwrap_err().to_string();
    assert!(
        refused.contains("the launch `7/1` is of the job `7` and of the job `8` (give each"),
        "{refused}"
    );
    let again = from_measurements(&[measurements(&text("7", "7/1", 1))]).unwrap();
    assert_eq!(written(&again), text("7", "7/1", 1));
}

/// The order of all methods is that of the first collective, and only others are written.
#[test]
fn the_orders_of_collectives_are_as_few_as_possible() {
    let text = |orders: &str, rows: &str| {
        format!("# qtdec-times/1\n# axis n\n{orders}n,method,collective,launch,repeat,time\n{rows}")
    };
    let rows = "1,b,bcast,,1,1\n1,c,bcast,,1,1\n1,a,reduce,,1,1\n1,b,reduce,,1,1\n1,c,reduce,,1,1\n";
    // Two lines less: an order that is that of all, and methods in the order of their names.
    let given =
        "# order: bcast,b\n# order: bcast,c\n# order: reduce,b\n# order: reduce,c\n# order: reduce,a\n";
    let kept = "# method: b\n# method: c\n# method: a\n";
    let sorted = "1,b,bcast,,1,1\n1,c,bcast,,1,1\n1,b,reduce,,1,1\n1,c,reduce,,1,1\n1,a,reduce,,1,1\n";
    assert_eq!(written(&read(&text(given, rows)).unwrap()), text(kept, sorted));
    let other = "# order: reduce,c\n# order: reduce,b\n# order: reduce,a\n";
    let times = read(&text(other, rows)).unwrap();
    assert_eq!(written(&times), text(&format!("{kept}{other}"), sorted));
    assert_eq!(times.methods_of(Some("bcast")), [0, 1]);
    assert_eq!(times.methods_of(Some("reduce")), [1, 0, 2]);
    // Alone, its order is that of all.
    let reduce = times.of_collective("reduce").unwrap().unwrap();
    let alone = "1,c,reduce,,1,1\n1,b,reduce,,1,1\n1,a,reduce,,1,1\n";
    assert_eq!(written(&reduce), text("# method: c\n# method: b\n# method: a\n", alone));
    assert_eq!(reduce.methods_of(Some("reduce")), [0, 1, 2]);
    let none = read(&text("", rows)).unwrap().of_collective("gather").unwrap();
    assert!(none.is_none());
}

/// Labels are in the order of their lines, and files with other orders are one.
#[test]
fn axes_can_have_labels() {
    let text = |labels: &[&str], rows: &str| {
        let labels: Vec<String> = labels.iter().map(|label| format!("# label order: {label}\n")).collect();
        let labels = labels.concat();
        format!(
            "# qtdec-times/1\n# axis n\n# axis order\n{labels}n,order,method,launch,repeat,time_ns\n{rows}"
        )
    };
    let one = text(&["sorted", "\"a,b\""], "8,sorted,x,1,1,2\n8,\"a,b\",x,1,1,3\n");
    let times = read(&one).unwrap();
    assert_eq!(written(&times), one);
    assert_eq!(times.series().map(|series| series.sizes.clone()).collect::<Vec<_>>(), [[8, 0], [8, 1]]);
    let raw = RawHeader::split(times.declarations().lines()).unwrap().to_json();
    assert_eq!(raw["labels"]["order"], serde_json::json!(["sorted", "a,b"]));
    assert!(schema().is_valid(&raw));
    let other = read(&text(&["random", "sorted"], "8,random,x,2,1,5\n8,sorted,x,2,1,4\n")).unwrap();
    let merged = "8,sorted,x,1,1,2\n8,sorted,x,2,1,4\n8,\"a,b\",x,1,1,3\n8,random,x,2,1,5\n";
    let both = text(&["sorted", "\"a,b\"", "random"], merged);
    assert_eq!(written(&times.clone().merge(other).unwrap()), both);
    let chosen = read(&both).unwrap().select(&[("order".to_owned(), "a,b".to_owned())]).unwrap().unwrap();
    assert_eq!(chosen.rows().len(), 1);
    let sizes =
        "# qtdec-times/1\n# axis n\n# axis order\nn,order,method,launch,repeat,time_ns\n8,1,x,3,1,5\n";
    let refused = times.merge(read(sizes).unwrap()).unwrap_err().to_string();
    assert!(
        refused.starts_with("the axis `order` has labels in some files and sizes in others"),
        "{refused}"
    );
    // The measurements of such a file are its times again.
    let measured = measurements(&both);
    assert_eq!(measured.axes()[1].labels.as_deref().unwrap(), ["sorted", "a,b", "random"]);
    assert_eq!(written(&from_measurements(std::slice::from_ref(&measured)).unwrap()), both);
}

#[test]
fn measurements_have_the_order_of_the_file() {
    let options = ReadOptions { collective: Some("bcast".to_owned()), ..ReadOptions::default() };
    let text = Cursor::new(FULL.to_owned());
    let (measured, notes) = readers::read_one("times.csv", text, &options).unwrap();
    assert!(
        notes.is_empty() || notes.lines().all(|note| note.contains("runs")),
        "{:?}",
        notes.lines().collect::<Vec<_>>()
    );
    let labels: Vec<String> = measured.labels().collect();
    assert_eq!(labels, ["z", "a,\"b\":channels=8/1024"]);
    assert_eq!(measured.runs().collect::<Vec<_>>(), ["evening", "2"]);
    assert_eq!(
        (measured.unit, measured.collective.as_deref()),
        (Some(TimeUnit::Microseconds), Some("bcast"))
    );
    let axes: Vec<(&str, Option<&str>)> =
        measured.axes().iter().map(|axis| (&*axis.name, axis.unit.as_deref())).collect();
    assert_eq!(axes, [("comm_size", Some("ranks")), ("n", None)]);
    let files: Vec<u32> =
        measured.series(&[2, 8], 1).unwrap().repeats().iter().map(|repeat| repeat.file).collect();
    assert_ne!(files[0], files[1], "two programs");
    assert_eq!(measured.series(&[2, u64::MAX], 0).unwrap().get(Statistic::Median), Some(2.0));
    assert_eq!(measured.about.get("machine"), Some("Polaris"));
    assert_eq!((measured.jobs.of("evening"), measured.jobs.of("2")), (Some("4711"), None));
}

/// Each file has one or more faults; the text is what is reported.
const FAULTY: [(&str, &str, &str); 32] = [
    ("version", "# qtdec-times/2\nn,method,launch,repeat,time\n", "1: unknown format `qtdec-times/2`"),
    ("cut off", "# qtdec-times/1\n# axis n\n", "the file ends before the names of the columns"),
    (
        "not a key",
        "# qtdec-times/1\n# hello\n# axis n\nn,method,launch,repeat,time\n",
        "2: `# hello` is not `# key: value`",
    ),
    (
        "large key",
        "# qtdec-times/1\n# Machine: a\n# axis n\nn,method,launch,repeat,time\n",
        "2: `Machine` is not a key",
    ),
    (
        "two machines",
        "# qtdec-times/1\n# machine: a\n# machine: b\n# axis n\nn,method,launch,repeat,time\n",
        "3: the times are of two machines: `a` and `b`",
    ),
    ("no axes", "# qtdec-times/1\nmethod,launch,repeat,time\n", "2: 0 axes, where 1 to 3 are possible"),
    (
        "keyword",
        "# qtdec-times/1\n# axis type\ntype,method,launch,repeat,time\n",
        "2: `type` cannot be the name",
    ),
    (
        "column name",
        "# qtdec-times/1\n# axis basis\nbasis,method,launch,repeat,time\n",
        "2: `basis` is the name of another column",
    ),
    (
        "not declared",
        "# qtdec-times/1\n# axis n\nn,m,method,launch,repeat,time\n",
        "3: the column `m` is not declared",
    ),
    (
        "no column",
        "# qtdec-times/1\n# axis n\n# axis m\nn,method,launch,repeat,time\n",
        "4: there is no column `m`",
    ),
    (
        "no time",
        "# qtdec-times/1\n# axis n\nn,method,launch,repeat,seconds\n",
        "3: there is no column of the time",
    ),
    (
        "two times",
        "# qtdec-times/1\n# axis n\nn,method,launch,repeat,time_s,time_us\n",
        "3: there are several columns of times",
    ),
    ("no repeat", "# qtdec-times/1\n# axis n\nn,method,launch,time\n", "3: there is no column `repeat`"),
    (
        "order",
        "# qtdec-times/1\n# axis n\nmethod,n,launch,repeat,time\n",
        "3: the columns are not in their order (the order is n, method,",
    ),
    (
        "method twice",
        "# qtdec-times/1\n# axis n\nn,method,method,launch,repeat,time\n",
        "3: two columns are called `method`",
    ),
    (
        "values",
        "# qtdec-times/1\n# axis n\n# parameter k\n# method: a\nn,method,k,launch,repeat,time\n",
        "4: the method has 0 values for 1 parameters",
    ),
    (
        "order of methods",
        "# qtdec-times/1\n# axis n\n# parameter k\n# order: bcast,a\nn,method,k,launch,repeat,time\n",
        "4: the method has 0 values for 1 parameters",
    ),
    (
        "size",
        "# qtdec-times/1\n# axis n\nn,method,launch,repeat,time\n-1,a,,1,2\n",
        "4: `n` is `-1` in column 1 (write a whole number",
    ),
    (
        "time",
        "# qtdec-times/1\n# axis n\nn,method,launch,repeat,time\n1,ä,,1,0\n",
        "4: `time` is `0` in column 8 (write a time above 0",
    ),
    (
        "no number",
        "# qtdec-times/1\n# axis n\nn,method,launch,repeat,time\n1,a,,,1\n",
        "4: `repeat` is `` in column 6",
    ),
    (
        "ragged",
        "# qtdec-times/1\n# axis n\nn,method,launch,repeat,time\n1,a,,1,0,5\n",
        "4: the row has 6 entries, the header 5",
    ),
    (
        "segments",
        "# qtdec-times/1\n# axis n\n# parameter segment_size: bytes\nn,method,segment_size,launch,repeat,time\n1,a,0,,1,2\n",
        "5: `segment_size` is `0`, not a whole number above 0",
    ),
    (
        "quotes",
        "# qtdec-times/1\n# axis n\nn,method,launch,repeat,time\n1,\"a,,1,2\n",
        "4: the quotation marks do not match",
    ),
    (
        "row twice",
        "# qtdec-times/1\n# axis n\nn,method,launch,repeat,time\n1,b,,1,2\n1,a,,1,2\n1,b,,1,3\n",
        "6: repeat 1 of `b` at n=1 is on line 4 already",
    ),
    (
        "no ranks",
        "# qtdec-times/1\n# axis comm_size: ranks\ncomm_size,method,launch,repeat,time\n0,a,,1,2\n",
        "4: the communicator size is 0",
    ),
    (
        "labels of no axis",
        "# qtdec-times/1\n# axis n\n# label order: a\nn,method,launch,repeat,time\n",
        "3: there is no axis `order` that could have labels",
    ),
    (
        "a label twice",
        "# qtdec-times/1\n# axis order\n# label order: a\n# label order: a\norder,method,launch,repeat,time\n",
        "2: the label `a` of `order` is declared twice",
    ),
    (
        "no such label",
        "# qtdec-times/1\n# axis order\n# label order: a\n# label order: b\norder,method,launch,repeat,time\nc,x,,1,2\n",
        "6: `order` is `c` in column 1 (write one of the declared labels, which are a, b)",
    ),
    (
        "two jobs of a launch",
        "# qtdec-times/1\n# axis n\nn,method,job,launch,repeat,time\n1,a,7,1,1,2\n2,a,,1,1,2\n2,a,8,1,2,2\n",
        "6: the launch `1` is of the job `7` and of the job `8` (give each launch a name of its own",
    ),
    (
        "two starts of a job",
        "# qtdec-times/1\n# axis n\n# job: 7,a,8:00\n# job: 7,,9:00\nn,method,job,launch,repeat,time\n",
        "4: the job `7` has the start `8:00` and `9:00` (if they are two jobs",
    ),
    (
        "no name of a job",
        "# qtdec-times/1\n# axis n\n# job: ,a\nn,method,job,launch,repeat,time\n",
        "3: the name of a job is empty",
    ),
    (
        "a job of four",
        "# qtdec-times/1\n# axis n\n# job: 7,a,b,c\nn,method,job,launch,repeat,time\n",
        "3: the job has 4 fields, where at most 3 are possible",
    ),
];

#[test]
fn faults_name_their_places() {
    for (name, text, expected) in FAULTY {
        let found = read(text).expect_err(name);
        assert!(found.starts_with(expected), "{name}: {found}");
        assert!(found.lines().all(|line| line.contains(" (")), "a remedy: {found}");
    }
    let several = "# qtdec-times/1\n# axis n\nn,method,launch,repeat,time\nx,a,,1,2\n1,a,,1,y\ny,a,,1,1\n";
    let found = read(several).unwrap_err();
    assert_eq!(found.lines().count(), 2, "{found}");
    assert!(found.contains("likewise on line 6"), "{found}");
}

/// Each is refused by a limit, before what grows with the square of it would take hours, and what is held of it gigabytes.
#[test]
fn what_comes_before_the_rows_has_limits() {
    let many = |count: u32, line: &dyn Fn(u32) -> String| (0..count).map(line).collect::<String>();
    let columns = "# axis n\nn,method,launch,repeat,time\n";
    let names = many(100_000, &|number| format!(",x{number}"));
    let cases = [
        (
            format!("{}{columns}", many(200_000, &|number| format!("# axis x{number}\n"))),
            "200001 axes, where 1 to 3 are possible",
        ),
        (
            format!("{}{columns}", many(200_000, &|number| format!("# parameter x{number}\n"))),
            "200000 parameters, where at most 16 are possible",
        ),
        (
            format!("# axis n\nn,method,launch,repeat,time{names}\n"),
            "3: 100005 columns, where at most 28 are possible",
        ),
        (
            format!("{}{columns}", many(200_000, &|number| format!("# label x{number}: a\n"))),
            "2: there is no axis `x0` that could have labels",
        ),
        (
            format!("{}{columns}", many(65_537, &|number| format!("# label n: {number}\n"))),
            "65539: `n` has 65537 labels, where at most 65536 are possible",
        ),
        (
            format!("{}{columns}", many(65_537, &|number| format!("# k{number}: v\n"))),
            "65538: more than 65536 values of keys",
        ),
        (
            format!("{}{columns}", many(1_200_000, &|number| format!("# k{number}: v\n"))),
            "262145: more than 262144 lines come before the rows",
        ),
        (
            format!("# note: {}\n", "v".repeat(1 << 19)).repeat(33) + columns,
            "33: more than 16 MiB come before the rows",
        ),
    ];
    for (text, expected) in &cases {
        let said = read(&format!("# qtdec-times/1\n{text}1,a,,1,2\n")).unwrap_err();
        assert!(said.contains(expected), "{expected}: {}", &said[..said.len().min(500)]);
    }
}

/// A row looks up its label among all of them at once.
#[test]
fn many_labels_with_many_rows() {
    let labels = (0..1 << 16).map(|number| format!("# label n: l{number}\n")).collect::<Vec<_>>().concat();
    let rows = (0..1 << 16).map(|number| format!("l{number},a,,1,2\n")).collect::<Vec<_>>().concat();
    let text = format!("# qtdec-times/1\n# axis n\n{labels}n,method,launch,repeat,time_us\n{rows}");
    assert_eq!(written(&read(&text).unwrap()), text);
}

/// Times whose declarations could not be read again are not written.
#[test]
fn declarations_that_are_too_long_are_not_written() {
    let axes = vec![Named { name: "n".to_owned(), unit: None }];
    let mut builder = Builder::new(Header { axes, ..Header::default() }).unwrap();
    for number in 0..300_000 {
        let method =
            builder.method(Method { name: format!("m{:06}", 300_000 - number), values: Vec::new() }).unwrap();
        let series = Series { collective: None, basis: None, sizes: vec![1], method };
        let series = builder.series(series).unwrap();
        let launch = builder.launch("").unwrap();
        builder.row(Row { time: 1.0, series, launch, process: 0, sample: Sample::Repeat(1) }).unwrap();
        if number == 0 {
            builder.keep_order();
        }
    }
    let error = builder.finish().unwrap().write(&mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("more than 262144 lines come before the rows"), "{error}");
}

#[test]
fn the_schema_agrees_with_the_reader() {
    // The relation of two parts, and faults of rows, are beyond a schema.
    const BEYOND: [&str; 17] = [
        "not declared",
        "no column",
        "order",
        "values",
        "order of methods",
        "size",
        "time",
        "no number",
        "ragged",
        "segments",
        "quotes",
        "row twice",
        "no ranks",
        "labels of no axis",
        "no such label",
        "two jobs of a launch",
        "two starts of a job",
    ];
    let schema = schema();
    for (name, text, _) in FAULTY {
        let header = text.lines().position(|line| !line.starts_with('#')).map(|line| line + 1);
        let header = text.lines().take(header.unwrap_or(usize::MAX));
        let is_valid = RawHeader::split(header).is_ok_and(|raw| schema.is_valid(&raw.to_json()));
        assert_eq!(is_valid, BEYOND.contains(&name), "{name}");
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]{1,3}", "[0-9]{1,3}", "[ -~ä]{1,9}"]
        .prop_map(|text| text.trim().to_owned())
        .prop_filter("not empty", |text| !text.is_empty())
}

prop_compose! {
    /// Any times, with rows in any order.
    fn any_times()(
        about in prop::collection::btree_map("[a-z]{1,4}", "[!-~]{1,8}", 0..3),
        axes in 1..=3_usize,
        parameters in 0..=2_usize,
        unit in 0..5_usize,
        listed in any::<bool>(),
        labelled in any::<bool>(),
        ordered in any::<bool>(),
        rows in prop::collection::vec(
            (prop::collection::vec(0..3_u64, 3), 0..4_usize, prop::collection::vec(0..3_usize, 2), 0..3_usize, 0..3_usize,
             0..3_usize, 0..2_u32, 0..5_u32, 1e-80..1e80_f64),
            0..40),
        names in prop::collection::vec(text(), 4),
        launches in prop::collection::vec(text(), 2),
        jobs in prop::collection::vec((prop::option::of(text()), prop::option::of(text())), 3),
    ) -> Times {
        let mut header = Header { about: About::default(), ..Header::default() };
        for (key, value) in &about {
            // A few keys are reserved.
            let _ = header.about.add(key, value);
        }
        let named = |name: &str, unit: bool| Named { name: name.to_owned(), unit: unit.then(|| "bytes".to_owned()) };
        header.axes = [named("msg_size", true), named("n", false), named("m", true)][..axes].to_vec();
        if labelled && axes > 1 {
            header.labels.insert("n".to_owned(), ["z", "a,b", "\"c"].map(str::to_owned).to_vec());
        }
        header.parameters = [named("segment_size", true), named("proto", false)][..parameters].to_vec();
        header.unit = TimeUnit::ALL.get(unit).map(|(_, unit)| *unit);
        let mut builder = Builder::new(header).unwrap();
        for (launch, (name, start)) in ["", &launches[0], &launches[1]].into_iter().zip(jobs) {
            let Some(name) = name else { continue };
            // Launches may have the same name.
            if builder.jobs.add(launch, &name).is_ok() {
                let start = start.unwrap_or_default();
                let _ = builder.jobs.describe(&Job { nodes: start.clone(), name, start });
            }
        }
        let mut seen = std::collections::HashSet::new();
        for (sizes, name, values, launch, collective, basis, process, repeat, time) in rows {
            let values: Vec<String> =
                values[..parameters].iter().map(|value| ["", "1024", "8"][*value].to_owned()).collect();
            let method = builder.method(Method { name: names[name].clone(), values }).unwrap();
            if listed {
                builder.keep_order();
            }
            let collective = [None, Some("bcast"), Some("gather")][collective];
            if ordered {
                builder.order(collective, method);
            }
            let series = builder.series(Series {
                collective: collective.map(str::to_owned),
                basis: [None, Some(Basis::Block), Some(Basis::Total)][basis],
                sizes: sizes[..axes].to_vec(),
                method,
            }).unwrap();
            let launch = builder.launch(["", &launches[0], &launches[1]][launch]).unwrap();
            let sample = if repeat == 4 { Sample::Statistic(Statistic::Quantile(999)) } else { Sample::Repeat(repeat) };
            if seen.insert((series, launch, process, sample)) {
                builder.row(Row { time, series, launch, process, sample }).unwrap();
            }
        }
        builder.finish().unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_again(times in any_times()) {
        let text = written(&times);
        let again = read(&text).map_err(|found| TestCaseError::fail(format!("{found}\n{text}")))?;
        prop_assert_eq!(written(&again), text.clone());
        prop_assert_eq!(again, times.clone(), "{}", text);
        prop_assert!(schema().is_valid(&RawHeader::split(times.declarations().lines()).unwrap().to_json()));
    }

    #[test]
    fn rows_may_come_in_any_order(times in any_times(), seed in any::<u64>()) {
        use rand::{SeedableRng, seq::SliceRandom};
        let text = written(&times);
        let header = times.declarations();
        let mut rows: Vec<&str> = text[header.len()..].lines().collect();
        rows.shuffle(&mut rand_pcg::Pcg64::seed_from_u64(seed));
        let shuffled: String = rows.iter().flat_map(|row| [row, "\n"]).collect();
        prop_assert_eq!(written(&read(&(header + &shuffled)).unwrap()), text);
    }

    #[test]
    fn any_bytes_are_no_panic(times in any_times(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = written(&times).into_bytes();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        // The result may be times or an error.
        if let Ok(times) = canonical::read(&mut Cursor::new(bytes), |_| ()) {
            prop_assert_eq!(read(&written(&times)).unwrap(), times);
        }
    }
}

#[test]
fn measurements_survive_unchanged() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
    for (path, options) in [
        ("reprompi/raw_np4.txt", ReadOptions::default()),
        ("skampi/coll.sko", ReadOptions { collective: Some("bcast".to_owned()), ..ReadOptions::default() }),
    ] {
        let (before, _) = readers::read(&[format!("{data}{path}")], &options, &mut |_, input| input).unwrap();
        let text = written(&from_measurements(std::slice::from_ref(&before)).unwrap());
        let after = measurements(&text);
        assert_eq!(before.axes(), after.axes());
        assert_eq!(
            (before.unit, &before.collective, &before.ranks),
            (after.unit, &after.collective, &after.ranks)
        );
        assert!(before.methods().eq(after.methods()) && before.runs().eq(after.runs()));
        let series = |all: &Measurements| -> Vec<String> {
            let mut series: Vec<String> = all
                .all_series()
                .map(|(sizes, method, series)| match series {
                    qtdec_study::measurements::Series::Repeats(repeats) => {
                        let times: Vec<u64> = repeats.iter().map(|repeat| repeat.time.to_bits()).collect();
                        format!("{sizes:?} {method} {times:?}")
                    }
                    qtdec_study::measurements::Series::Statistics(values) => {
                        format!("{sizes:?} {method} {values:?}")
                    }
                })
                .collect();
            series.sort();
            series
        };
        assert_eq!(series(&before), series(&after), "{path}");
    }
}

#[test]
fn rows_without_an_end_are_refused() {
    let header = "# qtdec-times/1\n# axis n\nn,method,launch,repeat,time_us\n";
    // Each needs memory for a point and a method.
    let rows = EndlessRows::new(header, |size| format!("{size},m{size},,1,1\n"));
    let failed = readers::read_one("times.csv", rows, &ReadOptions::default()).unwrap_err();
    let said = failed[0].problems.to_string();
    assert!(said.contains("the times take more than the maximum of 512 MiB of memory"), "{said}");
}
