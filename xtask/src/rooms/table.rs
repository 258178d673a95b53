//! The table of rooms in ARCHITECTURE.md.

/// Rooms and the rooms that each may use, in the order of the table.
pub(super) struct RoomTable(Vec<(String, Vec<String>)>);

/// The head of the table.
const HEAD: &str = "| room | uses |";

impl RoomTable {
    /// Reads the table with the head `| room | uses |`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().skip_while(|line| !line.starts_with(HEAD));
        lines.next().ok_or_else(|| format!("ARCHITECTURE.md has no table that begins `{HEAD}`"))?;
        let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
        Ok(Self(rows.filter_map(row).collect()))
    }

    /// Returns every room.
    pub(super) fn rooms(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(room, _)| &**room)
    }

    /// Returns the rooms that a room may use, if it is listed.
    pub(super) fn uses(&self, room: &str) -> Option<&[String]> {
        self.0.iter().find(|(listed, _)| listed == room).map(|(_, uses)| &**uses)
    }

    /// Returns whether modules of a package are listed.
    pub(super) fn has_modules(&self, package: &str) -> bool {
        self.rooms().any(|room| room.strip_prefix(package).is_some_and(|rest| rest.starts_with('/')))
    }

    /// Returns the rooms that use a room which does not stand above them.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (position, (room, uses)) in self.0.iter().enumerate() {
            let above = &self.0[..position];
            for used in uses.iter().filter(|used| !above.iter().any(|(other, _)| other == *used)) {
                faults.push(format!(
                    "ARCHITECTURE.md: `{room}` uses `{used}`, which is not above it in the table"
                ));
            }
        }
        faults
    }
}

/// Reads `| `room` | `used`, `used` |`.
fn row(line: &str) -> Option<(String, Vec<String>)> {
    let mut columns = line.trim_matches('|').split('|');
    let mut names = columns
        .by_ref()
        .map(|column| column.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<String>>());
    let room = names.next()?.into_iter().next()?;
    Some((room, names.next()?))
}

#[cfg(test)]
mod tests {
    use super::RoomTable;

    #[test]
    fn an_arrow_up_is_a_fault() {
        let text = "| room | uses | what |\n|---|---|---|\n| `a` | – | |\n| `b` | `a`, `c` | |\n| `c` | `c` | |\n\nmore";
        let table = RoomTable::parse(text).unwrap();
        assert_eq!(table.rooms().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(table.uses("b").unwrap(), ["a", "c"]);
        let faults = table.faults();
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].contains("`b` uses `c`") && faults[1].contains("`c` uses `c`"));
    }
}
