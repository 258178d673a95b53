//! The tests beside this file open the page of a report in Chromium.
