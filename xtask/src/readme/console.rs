//! The console blocks of a README.

/// Returns the commands of all console blocks: the lines that begin with a prompt.
pub(super) fn commands(text: &str) -> Result<Vec<String>, String> {
    let mut commands = Vec::new();
    let mut is_console = false;
    for line in text.lines() {
        if let Some(language) = line.strip_prefix("```") {
            is_console = !is_console && language.starts_with("console");
        } else if let (true, Some(command)) = (is_console, line.strip_prefix("$ ")) {
            if command.contains(['…', '<']) || command.contains("...") || command.ends_with('\\') {
                return Err(format!("`{command}` cannot be run as it is printed"));
            }
            commands.push(command.to_owned());
        }
    }
    Ok(commands)
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn only_prompts_in_console_blocks_are_commands() {
        let text = "$ no\n```console\n$ one --two\nits output\n$ three\n```\n```rust\n$ no\n```\n";
        assert_eq!(commands(text), Ok(vec!["one --two".to_owned(), "three".to_owned()]));
    }

    #[test]
    fn what_cannot_be_run_is_refused() {
        for command in ["mpirun …", "mpirun ...", "mpirun <program>", "one \\"] {
            let refused = commands(&format!("```console\n$ {command}\n```\n"));
            assert_eq!(refused, Err(format!("`{command}` cannot be run as it is printed")));
        }
    }
}
