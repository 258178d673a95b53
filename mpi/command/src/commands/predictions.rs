//! Predictions: networks, schedules, and the times of one on the other.

pub(crate) mod network;
pub(crate) mod predict;
pub(crate) mod predicted_times;
pub(crate) mod predicting;
pub(crate) mod schedule;
