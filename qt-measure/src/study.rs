//! Studies of decisions: their cost, comparisons between them, and the time they take.

pub mod assess;
pub mod before_after;
pub mod change;
pub mod claim;
pub mod following;
pub mod gain;
pub mod held_out;
pub mod holm;
pub mod interval;
pub mod launch_gain;
pub mod launch_interval;
pub mod launch_noise;
pub mod launch_times;
pub mod left_out;
pub mod next_points;
pub mod over_default;
pub mod pairs;
pub mod recommend;
pub mod regions;
pub mod repeats;
pub mod sample_size;
pub mod simple_rules;
pub mod student;
pub mod sweep;
pub mod tree_on_map;
pub mod unmeasured;
