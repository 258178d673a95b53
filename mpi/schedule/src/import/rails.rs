//! The rails of the connections that a file names by numbers.

use std::collections::HashMap;

use crate::MAX_RAILS;

/// The sender, the receiver, and the number of a connection: a tag, or a channel.
pub(super) type Connection = (u32, u32, u32);

/// The rails of connections: their numbers, or others if one is beyond the last rail.
#[derive(Clone, Debug, Default)]
pub(super) struct Rails(HashMap<Connection, u32>);

impl Rails {
    /// Gives connections the rails of their ranks in the order in which they come. Returns the first one for which none is left.
    pub(super) fn new<T>(
        connections: impl Iterator<Item = (Connection, T)> + Clone,
    ) -> Result<Self, (Connection, T)> {
        let mut rails = HashMap::new();
        if connections.clone().all(|((.., number), _)| number < MAX_RAILS) {
            return Ok(Self(rails));
        }
        let mut used: HashMap<(u32, u32), u32> = HashMap::new();
        for (connection, at) in connections {
            let (from, to, _) = connection;
            if rails.contains_key(&connection) {
                continue;
            }
            let rail = used.entry((from, to)).or_default();
            if *rail == MAX_RAILS {
                return Err((connection, at));
            }
            rails.insert(connection, *rail);
            *rail += 1;
        }
        Ok(Self(rails))
    }

    pub(super) fn of(&self, connection: Connection) -> u32 {
        self.0.get(&connection).copied().unwrap_or(connection.2)
    }
}
