//! Random calls of our schedules for as long as is asked for.

use super::super::preloaded::LIBRARIES;
use super::Place;

/// Makes random calls of every algorithm in turn under Open MPI, for about this long.
pub(in super::super) fn soak(minutes: u32) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let place = Place::new(&LIBRARIES[0], folder.path())?;
    let (mut calls, mut seconds) = (0, 60 * minutes as usize);
    // Runs of a minute end soon enough for the launcher's limit of time.
    for turn in 0.. {
        if seconds == 0 {
            break;
        }
        let of_turn = (60 / place.sets + 1).min(seconds);
        let (set, seed) = (turn % place.sets, turn.to_string());
        let (right, _) = place.right(set, 4, &["7".to_owned(), seed, of_turn.to_string()])?;
        calls += right;
        seconds -= of_turn;
    }
    Ok(format!("{calls} calls were right in {minutes} min"))
}
