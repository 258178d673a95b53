//! The attribute on stored trees, in every form that needs no map.

#![deny(warnings)]

use qtdec::decision_map;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bcast {
    Linear,
    Binomial,
    Pipeline8K,
    Pipeline128K,
    SplitBinaryTree1000,
}

#[decision_map("bcast.tree.json")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {}

#[decision_map("words.tree.json", display, from_str, index)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wort {}

/// The best method.
#[decision_map("bcast.tree.json")]
const fn of_enum(comm_size: usize, msg_size: usize) -> Bcast;

#[decision_map("bcast.tree.json")]
fn of_filled(comm_size: usize, msg_size: usize) -> Method;

#[decision_map("bcast.tree.json", msg_size = len, comm_size = r#in)]
fn of_integer(len: u64, _tag: &str, r#in: u8) -> u8;

#[decision_map(concat!(env!("CARGO_MANIFEST_DIR"), "/bcast.tree.json"))]
fn of_text(comm_size: core::num::NonZero<u32>, msg_size: i64) -> &'static str;

#[decision_map("partial.tree.json")]
fn of_option(comm_size: usize, msg_size: usize) -> Option<&'static str>;

#[decision_map("partial.tree.json")]
fn or_body(comm_size: usize, msg_size: usize) -> &'static str {
    if comm_size == 2 { "two" } else { "body" }
}

mod kernels {
    pub fn one() -> u32 {
        1
    }

    pub fn two<T: Default>() -> u32 {
        2
    }
}

#[decision_map("partial.tree.json", answers(ring = kernels::one, "bruck" = kernels::two::<Vec<u8>>))]
fn own(comm_size: usize, msg_size: usize) -> Option<fn() -> u32>;

const SMALL: usize = 2;

#[decision_map("bcast.tree.json", axis(comm_size = SMALL, msg_size = data.iter().fold(0, |sum, one| sum + one.len())))]
fn of_expressions(data: &[&[u8]]) -> Bcast;

#[decision_map("bcast.tree.json", comm_size = 4, msg_size = size_of::<[T; 1024]>())]
fn of_type<T>() -> Bcast;

#[decision_map("labels.tree.json", collective = "reduce", msg_size = <u64 as From<u32>>::from(size) as usize)]
fn of_label(commutative: bool, size: u32) -> &'static str;

enum Collective {
    Bcast,
    Reduce,
    AllReduce,
}

struct Program<'a, T> {
    data: &'a [T],
    ranks: usize,
}

impl<'a, T: Into<u64> + Copy, const N: usize> Program<'a, [T; N]> {
    #[decision_map("bcast.tree.json", comm_size = self.ranks, msg_size = self.data.len() * size_of::<[T; N]>())]
    #[inline]
    pub(crate) fn method(&self) -> Bcast;

    #[decision_map("labels.tree.json", layout = "branches")]
    fn labelled<const M: usize, F>(&self, collective: Collective, commutative: bool, msg_size: usize, _f: F) -> &'a str
    where
        F: Fn(&T, [u8; M]) -> Option<Vec<T>>;
}

#[decision_map("bcast.tree.json")]
fn wrapped(comm_size: usize, msg_size: usize) -> Result<Bcast, std::fmt::Error>;

macro_rules! decisions {
    ($($visibility:vis $name:ident: $path:literal, $axis:ident = $size:expr => $answer:ty;)*) => {
        $(
            #[decision_map($path, $axis = $size)]
            $visibility fn $name(msg_size: usize) -> $answer;
        )*
    };
}

decisions! {
    pub(crate) of_macro: "bcast.tree.json", comm_size = 2 + 2 => Bcast;
}

fn main() {
    let points = || [2, 4, 8, 16].into_iter().flat_map(|ranks| [1, 1024, 65_536, 1 << 20].map(|bytes| (ranks, bytes)));
    for (ranks, bytes) in points() {
        let (method, small) = (of_enum(ranks, bytes), u8::try_from(ranks).unwrap());
        assert_eq!(format!("{method:?}"), format!("{:?}", of_filled(ranks, bytes)));
        let id = match method {
            Bcast::Linear => 1,
            Bcast::Binomial => 6,
            Bcast::Pipeline8K | Bcast::Pipeline128K => 3,
            Bcast::SplitBinaryTree1000 => 4,
        };
        assert_eq!(of_integer(bytes as u64, "", small), id);
        assert_eq!(wrapped(ranks, bytes), Ok(method));
        let text = of_text(core::num::NonZero::new(u32::from(small)).unwrap(), bytes as i64);
        assert_eq!(text, of_filled(ranks, bytes).name());
        let data: Vec<[u16; 1]> = vec![[0]; bytes / 2];
        if bytes > 1 {
            assert_eq!(Program { data: &data, ranks }.method(), method);
        }
        println!("{text}");
    }
    assert_eq!(of_expressions(&[&[0; 1024], &[0; 70_000]]), of_enum(2, 71_024));
    assert_eq!(of_type::<u64>(), of_enum(4, 8192));
    assert_eq!(of_macro(1024), of_enum(4, 1024));
    assert_eq!([of_option(2, 4096), of_option(8, 8)], [None, Some("bruck")]);
    assert_eq!([or_body(2, 4096), or_body(4, 4096), or_body(8, 8)], ["two", "body", "bruck"]);
    assert_eq!([own(2, 8).unwrap()(), own(4, 8).unwrap()()], [1, 2]);
    assert_eq!([of_label(false, 8), of_label(true, 8)], ["linear", "binomial"]);
    let program = Program { data: &[[0_u8; 2]], ranks: 2 };
    let f = |_: &u8, _: [u8; 3]| None;
    assert_eq!(program.labelled(Collective::AllReduce, true, 4096, f), "ring");
    assert_eq!(program.labelled(Collective::Reduce, false, 4096, f), "linear");
    assert_eq!(program.labelled(Collective::Bcast, false, 8, f), "binomial");
    let words: Vec<String> = Wort::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(words, ["É", "doppelter baum", "変"]);
    assert_eq!("変".parse(), Ok::<_, <Wort as std::str::FromStr>::Err>(Wort::変));
}
