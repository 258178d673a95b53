//! The functions of `c/interposer.h`, which says what each does. No panic leaves them.
//!
//! # Safety
//!
//! Pointers are those of the header: they can be read or written for as long as the function runs, and what they point to has the length
//! that comes with it. An interposer is from [`open`], a learner from [`learn::begin`], and a plan is that of the call.
#![allow(unsafe_code)]

mod check;
mod learn;

use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use super::agreement::{self, Agreement, Identity};
use super::buffers::Buffers;
use super::call::Call;
use super::compiled::{self, Compiled};
use super::environment::Wanted;
use super::learning::{Learning, OfCommunicator, Step};
use super::plans::{Choice, Plan, Plans, of_trees};
use super::say;
use super::single::Single;
use super::trees::Trees;
use crate::bench::Method;
use crate::execution::{Execution, RunError};
use crate::ffi::{guarded, locked};
use crate::mpi::{Channel, Failure, MpiTransport};

/// The requests for which there is room at first.
const ROOM: usize = 64;

/// What a failure that is not MPI's is to the code in C.
const BROKEN: c_int = -1;

/// What the code in C does besides carrying out a plan, or calling the library for want of one.
const NOTHING_ELSE: c_int = 0;
const MEASURE: c_int = 1;
const BEGIN: c_int = 2;
const END: c_int = 3;

/// The decisions of a process.
#[derive(Debug, Default)]
struct Interposer {
    wanted: Wanted,
    trees: Trees,
    /// Why there are no trees, if they were asked for.
    wrong: Option<String>,
    /// What is learned, if it was asked for, or why it is not.
    learning: Option<Result<Learning, String>>,
    has_said_learning: AtomicBool,
    /// The MPI library, as it describes itself.
    version: OnceLock<String>,
    plans: Mutex<Plans>,
    has_said: AtomicBool,
    is_full: AtomicBool,
    is_apart: AtomicBool,
}

impl Interposer {
    /// Reads the environment, and the trees of its folder or otherwise these.
    fn open(compiled: impl FnOnce() -> Result<Trees, String>) -> Self {
        let read = Wanted::read(|name| std::env::var(name).ok());
        let read = read.and_then(|wanted| {
            let trees = match &wanted.trees {
                Some(folder) => Trees::read(folder).map_err(|error| format!("QTDEC_TREES: {error}")),
                None => compiled(),
            };
            Ok((trees?, wanted))
        });
        match read {
            Ok((trees, wanted)) => {
                let learning = wanted.learn.as_ref().map(Learning::open);
                Self { wanted, trees, learning, ..Self::default() }
            }
            Err(error) => Self { wrong: Some(error), ..Self::default() },
        }
    }

    fn learning(&self) -> Option<&Learning> {
        self.learning.as_ref()?.as_ref().ok()
    }

    /// Returns whether learning was asked for and is not possible, which the first rank says once.
    fn cannot_learn(&self, rank: c_int) -> bool {
        let Some(Err(wrong)) = &self.learning else { return false };
        self.tell_learning(rank, wrong);
        true
    }

    /// Says once on the first rank why nothing is learned.
    fn tell_learning(&self, rank: c_int, why: &str) {
        say_once(&self.has_said_learning, rank, || format!("{why}; nothing is learned"));
    }

    /// Returns what is done for a call, on a communicator on which something may be learned, and what else there is to do.
    fn choice(&self, call: &Call, learner: Option<&OfCommunicator>) -> (Choice, c_int) {
        let default = self.decided(call, None);
        let (Some(learning), Some(learner)) = (self.learning(), learner) else {
            return (default, NOTHING_ELSE);
        };
        let is_ours = matches!(default, Choice::Own(_));
        let method = if is_ours { of_trees(&self.trees, call).ok() } else { None };
        let (other, is_timed) = match learning.step(learner, call, method) {
            Step::Default => (None, false),
            Step::Begin => return (default, BEGIN),
            Step::End => return (default, END),
            Step::Method { other, is_timed } => (other, is_timed),
        };
        let and = if is_timed { MEASURE } else { NOTHING_ELSE };
        let Some(other) = other else { return (default, and) };
        let may_be_library = other.is_as_set_up();
        match self.decided(call, Some(other)) {
            Choice::Library(_) if !may_be_library => {
                locked(learner).is_unable();
                (default, NOTHING_ELSE)
            }
            chosen => (chosen, and),
        }
    }

    /// Returns what is done for a call by this method, or as trees say, and prints it if it is new.
    fn decided(&self, call: &Call, method: Option<Method>) -> Choice {
        let mut plans = locked(&self.plans);
        let (choice, is_new) = plans.choice(&self.trees, self.wanted.cut_operands, call, method);
        drop(plans);
        if is_new && self.wanted.trace && call.rank == 0 {
            say(&match &choice {
                Choice::Library(reason) => format!("{call}: left to the library ({reason})"),
                Choice::Own(plan) => format!("{call}: {}", plan.label),
            });
        }
        choice
    }

    /// Says once on the first rank, with the decisions, whose communicators are left to the library.
    fn tell_apart(&self, rank: c_int) {
        if self.wanted.trace {
            let text = "communicators of processes that were spawned or connected, and those made after that, are left to the MPI library";
            say_once(&self.is_apart, rank, || text.to_owned());
        }
    }
}

/// Says something on the first rank, unless this process has said it.
fn say_once(has_said: &AtomicBool, rank: c_int, text: impl FnOnce() -> String) {
    if !has_said.swap(true, Ordering::Relaxed) && rank == 0 {
        say(&text());
    }
}

#[unsafe(export_name = "qtdec_interposer_open")]
unsafe extern "C" fn open(trees: *const Compiled) -> *mut Interposer {
    // SAFETY: as above.
    guarded(null_mut(), || Box::into_raw(Box::new(Interposer::open(|| unsafe { compiled::read(trees) }))))
}

#[unsafe(export_name = "qtdec_interposer_identify")]
unsafe extern "C" fn identify(
    interposer: *const Interposer,
    version: *const c_char,
    threads: c_int,
    communicators: c_int,
    is_apart: c_int,
    number: u64,
    identity: *mut Identity,
) {
    guarded((), || {
        // SAFETY: as above.
        let (interposer, version) = unsafe { (&*interposer, CStr::from_ptr(version)) };
        let Wanted { check, cut_operands, .. } = interposer.wanted;
        let has_trees = !interposer.trees.is_empty();
        let trees = has_trees.then(|| agreement::number((interposer.trees.hash, check, cut_operands)));
        let learns =
            interposer.learning().map(|learning| agreement::number((learning.hash, check, cut_operands)));
        interposer.version.get_or_init(|| version.to_string_lossy().into_owned());
        // SAFETY: as above.
        unsafe {
            *identity = [
                trees.unwrap_or(0),
                agreement::number(version),
                agreement::number(threads),
                u64::from(communicators < agreement::COMMUNICATORS),
                u64::from(is_apart == 0),
                learns.unwrap_or(0),
                number,
            ];
        }
    });
}

#[unsafe(export_name = "qtdec_interposer_is_apart")]
unsafe extern "C" fn is_apart(interposer: *const Interposer, rank: c_int) {
    // SAFETY: as above.
    guarded((), || unsafe { &*interposer }.tell_apart(rank));
}

#[unsafe(export_name = "qtdec_interposer_agree")]
unsafe extern "C" fn agree(
    interposer: *const Interposer,
    rank: c_int,
    largest: *const Identity,
    smallest: *const Identity,
) -> c_int {
    guarded(0, || {
        // SAFETY: as above.
        let (interposer, largest, smallest) = unsafe { (&*interposer, *largest, *smallest) };
        match agreement::judge(largest, smallest) {
            Agreement::Same { learns: true } => return 2,
            Agreement::LearnsDifferently { has_trees } => {
                let own = match &interposer.learning {
                    Some(Err(wrong)) => format!(" (here: {wrong})"),
                    _ => String::new(),
                };
                let why =
                    format!("the ranks have different QTDEC_LEARN, or different files in its folder{own}");
                interposer.tell_learning(rank, &why);
                return c_int::from(has_trees);
            }
            Agreement::Same { learns: false } | Agreement::Off if interposer.cannot_learn(rank) => {
                return c_int::from(!interposer.trees.is_empty());
            }
            Agreement::Same { learns: false } => return 1,
            Agreement::Apart => interposer.tell_apart(rank),
            Agreement::Full => say_once(&interposer.is_full, rank, || {
                format!(
                    "{} communicators have collectives of ours, which are as many as may: others are left to the MPI library",
                    agreement::COMMUNICATORS
                )
            }),
            Agreement::Off => {
                if let Some(wrong) = &interposer.wrong {
                    let text = || format!("{wrong}; all collectives are left to the MPI library");
                    say_once(&interposer.has_said, rank, text);
                }
            }
            Agreement::Different(what) => say_once(&interposer.has_said, rank, || {
                let own =
                    interposer.wrong.as_ref().map_or(String::new(), |wrong| format!(" (here: {wrong})"));
                format!("the ranks have different {what}{own}; all collectives are left to the MPI library")
            }),
        }
        0
    })
}

#[unsafe(export_name = "qtdec_interposer_asks_nodes")]
unsafe extern "C" fn asks_nodes(interposer: *const Interposer) -> c_int {
    // SAFETY: as above.
    guarded(0, || c_int::from(unsafe { &*interposer }.trees.ask_nodes()))
}

#[unsafe(export_name = "qtdec_interposer_plan")]
unsafe extern "C" fn plan(
    interposer: *const Interposer,
    learner: *const OfCommunicator,
    call: *const Call,
    and: *mut c_int,
) -> *const Plan {
    let done = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as above.
        let (interposer, learner, call) = unsafe { (&*interposer, learner.as_ref(), &*call) };
        let (choice, what) = interposer.choice(call, learner);
        // SAFETY: as above.
        unsafe { *and = what };
        match choice {
            Choice::Own(_) if what >= BEGIN => null(),
            Choice::Library(_) => null(),
            Choice::Own(plan) => Arc::into_raw(plan),
        }
    }));
    // Other ranks may have a schedule, so this one must not call the library.
    done.unwrap_or_else(|_| {
        let schedule = Err("it cannot be built".to_owned());
        Arc::into_raw(Arc::new(Plan { label: "the schedule".to_owned(), schedule }))
    })
}

#[unsafe(export_name = "qtdec_interposer_drop")]
unsafe extern "C" fn drop_plan(plan: *const Plan) {
    // SAFETY: as above.
    guarded((), || drop(unsafe { Arc::from_raw(plan) }));
}

#[unsafe(export_name = "qtdec_interposer_lengths")]
unsafe extern "C" fn lengths(call: *const Call, send: *mut u64, receive: *mut u64) {
    // SAFETY: as above.
    guarded((), || unsafe {
        let (sent, received) = (*call).lengths();
        (*send, *receive) = (sent as u64, received as u64);
    });
}

#[unsafe(export_name = "qtdec_interposer_run")]
unsafe extern "C" fn run(
    plan: *const Plan,
    call: *const Call,
    send: *const u8,
    receive: *mut u8,
    channel: *const Channel,
) -> c_int {
    guarded(BROKEN, || {
        // SAFETY: as above.
        let (plan, call, channel) = unsafe { (&*plan, &*call, &*channel) };
        let done =
            plan.schedule.as_ref().map_err(|error| Failure::Broken(error.clone())).and_then(|schedule| {
                let (sent, received) = call.lengths();
                let scratch = schedule.scratch_bytes() as usize;
                // SAFETY: as above.
                let mut buffers = unsafe { Buffers::new((send, sent), (receive, received), scratch) };
                if let Some(single) = Single::of(&schedule.operations) {
                    return single.carry_out(&mut buffers, channel);
                }
                let room = schedule.operations.len().min(ROOM);
                let mut transport = MpiTransport::new(channel, &mut buffers, room)?;
                let done = Execution::new(&schedule.operations).run(&mut transport);
                done.map_err(|error| match error {
                    RunError::Transport(failure) => failure,
                    RunError::Stuck => Failure::Broken("it cannot go on".to_owned()),
                })
            });
        match done {
            Ok(()) => 0,
            Err(Failure::Code(code)) => code,
            Err(Failure::Broken(reason)) => {
                say(&format!("rank {}: {call} by {} fails: {reason}", call.rank, plan.label));
                BROKEN
            }
        }
    })
}
