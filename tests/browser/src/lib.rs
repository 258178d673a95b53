//! The tests of this package open the page of a report in Chromium.
