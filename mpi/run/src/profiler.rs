//! Profiles of programs: how often they call which collective, by size. See `c/profile.c`, which sees the calls.

mod calls;
mod entry;
mod environment;
mod file;
