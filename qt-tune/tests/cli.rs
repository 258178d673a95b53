//! The command, as its users meet it: each console block of the Markdown files here is run and compared. Write the
//! outputs anew with `TRYCMD=overwrite`.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/*.md");
}
