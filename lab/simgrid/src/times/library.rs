//! The part of SimGrid's C interface that is used.

#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uint, c_void};
use std::marker::PhantomData;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

#[link(name = "simgrid")]
unsafe extern "C" {
    fn simgrid_init(argc: *mut c_int, argv: *mut *mut c_char);
    fn simgrid_load_platform(file: *const c_char);
    fn simgrid_run();
    fn simgrid_get_clock() -> f64;
    fn sg_host_by_name(name: *const c_char) -> *mut c_void;
    fn sg_actor_init(name: *const c_char, host: *mut c_void) -> *mut c_void;
    fn sg_actor_set_data(actor: *mut c_void, data: *mut c_void);
    fn sg_actor_start_(actor: *mut c_void, code: Code, argc: c_int, argv: *const *const c_char);
    fn sg_actor_self_get_data() -> *mut c_void;
    fn sg_actor_sleep_for(duration: f64);
    fn sg_mailbox_by_name(name: *const c_char) -> *mut c_void;
    fn sg_mailbox_set_receiver(name: *const c_char);
    fn sg_mailbox_put_init(mailbox: *mut c_void, payload: *mut c_void, bytes: c_long) -> *mut c_void;
    fn sg_mailbox_get_async(mailbox: *mut c_void, payload: *mut *mut c_void) -> *mut c_void;
    fn sg_comm_detach(comm: *mut c_void, clean: Option<extern "C" fn(*mut c_void)>);
    fn sg_comm_wait_any(comms: *mut *mut c_void, count: usize) -> isize;
    fn sg_barrier_init(count: c_uint) -> *mut c_void;
    fn sg_barrier_destroy(barrier: *mut c_void);
    fn sg_barrier_wait(barrier: *mut c_void) -> c_int;
}

type Code = extern "C" fn(c_int, *mut *mut c_char);

/// The difference in seconds below which SimGrid considers dates equal.
const PRECISION: f64 = 1e-9;

/// Whether the engine of this process was started; it cannot be started again.
static STARTED: AtomicBool = AtomicBool::new(false);

/// The error of a second simulation in one process.
#[derive(Clone, Copy, Debug)]
pub(super) struct AlreadyStarted;

/// An actor's function, which receives its number.
type Body<'a> = &'a dyn Fn(&Actor<'_>, u32);

/// The data passed to an actor.
struct Start<'a> {
    body: Body<'a>,
    number: u32,
    barrier: *mut c_void,
}

/// Runs a number of actors, number `i` on host `ni`, until all of them are done.
pub(super) fn run(
    platform: &Path,
    options: &[String],
    actors: u32,
    body: impl Fn(&Actor<'_>, u32),
) -> Result<(), AlreadyStarted> {
    if STARTED.swap(true, Ordering::Relaxed) {
        return Err(AlreadyStarted);
    }
    let words = ["qtdec-simgrid"].into_iter().chain(options.iter().map(String::as_str));
    // The library keeps the pointers to its arguments.
    let mut arguments: Vec<*mut c_char> = words.map(|word| text(word.as_bytes()).into_raw()).collect();
    let mut count = c_int::try_from(arguments.len()).unwrap_or(c_int::MAX);
    arguments.push(null_mut());
    let arguments = arguments.leak();
    let platform = text(platform.as_os_str().as_bytes());
    // SAFETY: the engine was not started before; the arguments are C strings, ended by a null pointer, that stay.
    unsafe {
        simgrid_init(&raw mut count, arguments.as_mut_ptr());
        simgrid_load_platform(platform.as_ptr());
    }
    // SAFETY: the engine runs.
    let barrier = unsafe { sg_barrier_init(actors) };
    let starts: Vec<Start<'_>> = (0..actors).map(|number| Start { body: &body, number, barrier }).collect();
    for start in &starts {
        let name = text(format!("n{}", start.number).as_bytes());
        // SAFETY: the platform has a host of this name. `starts` outlives all actors: they end before `simgrid_run` does.
        unsafe {
            let actor = sg_actor_init(name.as_ptr(), sg_host_by_name(name.as_ptr()));
            sg_actor_set_data(actor, std::ptr::from_ref(start).cast_mut().cast());
            sg_actor_start_(actor, code, 0, null());
        }
    }
    // SAFETY: the actors are coroutines of this thread, so that nothing runs at the same time; all are done with the
    // barrier when this returns. Where they wait for each other for ever, SimGrid ends the process.
    unsafe {
        simgrid_run();
        sg_barrier_destroy(barrier);
    }
    Ok(())
}

/// Runs an actor. A panic ends the process, because it cannot unwind through C++ frames.
extern "C" fn code(_: c_int, _: *mut *mut c_char) {
    // SAFETY: `run` gave this actor a `Start` that outlives it.
    let start = unsafe { &*sg_actor_self_get_data().cast::<Start<'_>>() };
    (start.body)(&Actor { barrier: start.barrier, inside: PhantomData }, start.number);
}

/// The running actor. It exists only inside its code, where the library may be called.
pub(super) struct Actor<'a> {
    barrier: *mut c_void,
    inside: PhantomData<&'a ()>,
}

#[expect(clippy::unused_self, reason = "code that has an actor may call the library")]
impl Actor<'_> {
    /// Returns the simulated date in seconds.
    pub(super) fn now(&self) -> f64 {
        // SAFETY: the engine runs.
        unsafe { simgrid_get_clock() }
    }

    pub(super) fn sleep_for(&self, seconds: f64) {
        if seconds > PRECISION {
            // SAFETY: called by an actor.
            unsafe { sg_actor_sleep_for(seconds) }
        }
    }

    pub(super) fn sleep_until(&self, date: f64) {
        self.sleep_for(date - self.now());
    }

    /// Waits until all actors wait; they continue at the same date.
    pub(super) fn meet(&self) {
        // SAFETY: the barrier is destroyed after all actors have ended.
        unsafe { sg_barrier_wait(self.barrier) };
    }

    /// Returns the mailbox with this name, for sending.
    pub(super) fn outbox(&self, name: &str) -> Outbox {
        // SAFETY: the name is copied; boxes stay as long as the engine.
        Outbox { mailbox: unsafe { sg_mailbox_by_name(text(name.as_bytes()).as_ptr()) } }
    }

    /// Returns the mailbox with this name, for receiving by this actor. Messages sent to it from now on are transferred before
    /// they are requested.
    pub(super) fn inbox(&self, name: &str) -> Inbox {
        let name: &CStr = &text(name.as_bytes());
        // SAFETY: called by an actor; the name is copied; boxes stay as long as the engine.
        unsafe {
            sg_mailbox_set_receiver(name.as_ptr());
            Inbox { mailbox: sg_mailbox_by_name(name.as_ptr()), payload: Box::new(Cell::new(null_mut())) }
        }
    }
}

/// A mailbox for sending.
#[derive(Clone, Copy)]
pub(super) struct Outbox {
    mailbox: *mut c_void,
}

impl Outbox {
    /// Sends a message of a size without waiting for anything.
    pub(super) fn send(self, bytes: u64) {
        let bytes = c_long::try_from(bytes).unwrap_or(c_long::MAX);
        let payload = std::ptr::from_ref(&STARTED).cast_mut().cast();
        // SAFETY: called by an actor. The payload must not be null, and nothing reads what it points to. Who detaches a
        // message gives it away.
        unsafe { sg_comm_detach(sg_mailbox_put_init(self.mailbox, payload, bytes), None) }
    }
}

/// A mailbox for receiving.
pub(super) struct Inbox {
    mailbox: *mut c_void,
    /// The place where the library writes the payloads of messages.
    payload: Box<Cell<*mut c_void>>,
}

impl Inbox {
    /// Requests the next message.
    pub(super) fn receive(&self) -> Arrival {
        // SAFETY: called by an actor. The place of the payload stays: a rank keeps its boxes until all messages are there.
        Arrival { comm: unsafe { sg_mailbox_get_async(self.mailbox, self.payload.as_ptr()) } }
    }
}

/// A requested message.
pub(super) struct Arrival {
    comm: *mut c_void,
}

impl Arrival {
    /// Waits until one of these messages arrives, removes it and returns its index.
    pub(super) fn wait_any(arrivals: &mut Vec<Self>) -> usize {
        let mut comms: Vec<*mut c_void> = arrivals.iter().map(|arrival| arrival.comm).collect();
        // SAFETY: called by an actor; the messages were not waited for before. The one that is there is given away.
        let place = unsafe { sg_comm_wait_any(comms.as_mut_ptr(), comms.len()) };
        let place = usize::try_from(place).unwrap_or_default();
        arrivals.remove(place);
        place
    }
}

/// Converts text without null bytes, such as numbers and options.
fn text(bytes: &[u8]) -> CString {
    CString::new(bytes.to_vec()).unwrap_or_default()
}
