//! Requirements on a description, and warnings about doubtful values.

use qtdec_core::{Diagnostics, Path, Problem, Problems};

use super::{Description, Level, Network, Overheads, Point};
use qtdec_mpi_schedule::MAX_RAILS;

/// The maximum number of points, rails or factors of a network.
pub(super) const MAX: usize = 65_536;

/// The largest number of a network, as of the costs of a map: sums and products of such numbers are finite.
const LARGEST: f64 = 1e100;

/// The smallest number above 0.
const SMALLEST: f64 = 1e-100;

/// Rejects values from which no time can be computed.
pub(super) fn check(description: &Description) -> Result<(), Problems> {
    let root = Path::root();
    let mut check = Diagnostics::default();
    costs(description.latency, &description.points, &root, &mut check);
    if let Some(contention) = description.contention {
        not_negative(contention, &root.key("contention"), "a contention ratio", &mut check);
    }
    not_negative(description.reduce_per_byte, &root.key("reduce_per_byte"), "a time", &mut check);
    not_negative(description.copy_per_byte, &root.key("copy_per_byte"), "a time", &mut check);
    at_least_one(u64::from(description.rails), &root.key("rails"), &mut check);
    if description.rails > MAX_RAILS {
        check.add(Problem::new(root.key("rails"), format!("a node has at most {MAX_RAILS} rails")));
    }
    at_least_one(description.ranks_per_node, &root.key("ranks_per_node"), &mut check);
    size_factors(description, &root.key("size_factors"), &mut check);
    if let Some(node) = &description.within_node {
        costs(node.latency, &node.points, &root.key("within_node"), &mut check);
    }
    if let Some(between) = &description.between {
        let path = root.key("between");
        cluster_sizes(
            &between.cluster_sizes,
            description.ranks_per_node,
            &path.key("cluster_size"),
            &mut check,
        );
        costs(between.latency, &between.points, &path, &mut check);
    }
    check.finish(Some(()))
}

fn costs(latency: f64, known: &[Point], level: &Path, check: &mut Diagnostics) {
    not_negative(latency, &level.key("latency"), "a latency", check);
    points(known, &level.key("points"), check);
}

fn cluster_sizes(sizes: &[u64], node: u64, path: &Path, check: &mut Diagnostics) {
    if sizes.is_empty() || sizes.len() > MAX {
        let message = format!("there are {} sizes of clusters", sizes.len());
        let help = format!("write 1 to {MAX} sizes; further clusters have the last one");
        check.add(Problem::new(path.clone(), message).help(&*help));
    }
    for (index, &size) in sizes.iter().enumerate() {
        // A single size is not a list in files.
        let here = if sizes.len() > 1 { path.index(index) } else { path.clone() };
        at_least_one(size, &here, check);
        if node > 0 && !size.is_multiple_of(node) {
            check.add_with(|| {
                let message = format!("a cluster of {size} ranks does not consist of whole nodes of {node}");
                Problem::new(here, message).help("write a multiple of `ranks_per_node`")
            });
        }
    }
}

fn points(points: &[Point], path: &Path, check: &mut Diagnostics) {
    if points.len() < 2 {
        let message = match points {
            [] => "there are no points",
            _ => "there is only one point",
        };
        check.add(Problem::new(path.clone(), message).help(
            "add the gap at two sizes or more, such as 1 and 65536 bytes: between and beyond them, gaps lie \
                 on a line",
        ));
    }
    if points.len() > MAX {
        check.add(Problem::new(path.clone(), format!("there are more than {MAX} points")));
    }
    for (index, point) in points.iter().enumerate() {
        let here = path.index(index);
        if index > 0 && point.bytes <= points[index - 1].bytes {
            check.add_with(|| {
                let message =
                    format!("the size {} comes after the size {}", point.bytes, points[index - 1].bytes);
                Problem::new(here.key("bytes"), message).help("sort the points, and list each size only once")
            });
        }
        let help = Some("omit the point if it could not be measured");
        above_zero(point.gap, &here.key("gap"), ("the gap", help), check);
        not_negative(point.send, &here.key("send"), "an overhead", check);
        not_negative(point.receive, &here.key("receive"), "an overhead", check);
    }
}

fn size_factors(description: &Description, path: &Path, check: &mut Diagnostics) {
    let factors = &description.size_factors;
    if factors.len() > MAX {
        check.add(Problem::new(path.clone(), format!("there are more than {MAX} factors")));
    }
    for (index, factor) in factors.iter().enumerate() {
        let here = path.index(index);
        if index > 0 && factor.bytes <= factors[index - 1].bytes {
            check.add_with(|| {
                let message =
                    format!("the size {} comes after the size {}", factor.bytes, factors[index - 1].bytes);
                Problem::new(here.key("bytes"), message)
                    .help("sort the factors, and list each size only once")
            });
        }
        for (name, value) in [("latency", factor.latency), ("gap", factor.gap)] {
            above_zero(value, &here.key(name), ("the factor", None), check);
        }
    }
}

fn not_negative(value: f64, path: &Path, what: &str, check: &mut Diagnostics) {
    if !(value >= 0.0 && value.is_finite()) {
        check.add_with(|| Problem::new(path.clone(), format!("{what} of {value} is not 0 or above")));
    } else if value > LARGEST {
        check.add_with(|| {
            Problem::new(path.clone(), format!("{what} of {value:e} is above {LARGEST:e}"))
                .help("check the unit of the network")
        });
    }
}

fn above_zero(value: f64, path: &Path, (what, help): (&str, Option<&str>), check: &mut Diagnostics) {
    if !(value > 0.0 && value.is_finite()) {
        check.add_with(|| {
            let problem = Problem::new(path.clone(), format!("{what} is {value}, and must be above 0"));
            if let Some(help) = help { problem.help(help) } else { problem }
        });
    } else if !(SMALLEST..=LARGEST).contains(&value) {
        check.add_with(|| {
            let message = format!("{what} of {value:e} is not between {SMALLEST:e} and {LARGEST:e}");
            Problem::new(path.clone(), message).help("check the unit of the network")
        });
    }
}

fn at_least_one(value: u64, path: &Path, check: &mut Diagnostics) {
    if value == 0 {
        check.add(Problem::new(path.clone(), "the number is 0").help("write 1 or more"));
    }
}

impl Network {
    /// Returns warnings about doubtful values. The network can be used nevertheless.
    pub fn warnings(&self) -> Vec<Problem> {
        let description = self.description();
        let root = Path::root();
        let mut warnings = Vec::new();
        for (level, points) in description.levels() {
            let path = match level {
                Level::Node => root.key("within_node"),
                Level::Within => root.clone(),
                Level::Between => root.key("between"),
            };
            let path = path.key("points");
            // An overhead outside the gap may be longer than the gap.
            if description.overheads != Overheads::Outside {
                warnings.extend(gaps_below(("send", |point| point.send), points, &path));
                warnings.extend(gaps_below(("receive", |point| point.receive), points, &path));
            }
            warnings.extend(doubtful_slope(points, &path));
        }
        if let Some(contention) = description.contention.filter(|&contention| contention > 1.0) {
            let message = format!("a contention ratio of {contention} is above 1");
            warnings.push(
                Problem::new(root.key("contention"), message)
                    .help("all-to-alls are then predicted above the upper bound of the model"),
            );
        }
        warnings
    }
}

/// Merges equal faults of many points into one warning at the first point.
fn gaps_below((name, overhead): (&str, fn(&Point) -> f64), points: &[Point], path: &Path) -> Option<Problem> {
    let mut faulty = points.iter().enumerate().filter(|(_, point)| point.gap < overhead(point));
    let (index, point) = faulty.next()?;
    let more = match faulty.count() {
        0 => String::new(),
        1 => ", and at 1 other size".to_owned(),
        more => format!(", and at {more} other sizes"),
    };
    let Point { bytes, gap, .. } = point;
    let below = overhead(point);
    let message = format!("at size {bytes} the gap, {gap}, is below the overhead `{name}`, {below}{more}");
    let help = "a gap includes everything that limits the rate of messages, so these points were probably measured with too \
                much noise";
    Some(Problem::new(path.index(index).key("gap"), message).help(help))
}

/// Returns a warning if the line beyond the last point is unreliable.
fn doubtful_slope(points: &[Point], path: &Path) -> Option<Problem> {
    let slope = |low: &Point, high: &Point| (high.gap - low.gap) / (high.bytes - low.bytes) as f64;
    if let [.., low, high] = points
        && slope(low, high) < 0.0
    {
        let message = format!("the gap falls from {} to {} bytes", low.bytes, high.bytes);
        return Some(
            Problem::new(path.index(points.len() - 1).key("gap"), message)
                .help("beyond the last point it is assumed to be constant"),
        );
    }
    if let [.., before, low, high] = points
        && slope(low, high) > 2.0 * slope(before, low).max(0.0)
    {
        let message = format!(
            "from {} to {} bytes the gap rises more than twice as steeply as before",
            low.bytes, high.bytes
        );
        return Some(
            Problem::new(path.index(points.len() - 1).key("gap"), message)
                .help("larger messages are predicted along that line; measure a size beyond it"),
        );
    }
    None
}
