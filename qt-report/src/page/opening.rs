//! What a page opens with: sentences, and the settings of a deployment.

use qtdec_core::visible;

/// Returns the sentences and the settings as HTML.
pub fn opening(sentences: &[String], switches: &str) -> String {
    let paragraphs =
        sentences.iter().map(|sentence| format!("  <p>{}</p>\n", escaped(&visible::line(sentence))));
    format!(
        "<section id=\"conclusions\" aria-label=\"Conclusions\">\n{}  <pre aria-label=\"Switches\">{}</pre>\n</section>\n",
        paragraphs.collect::<String>(),
        escaped(&visible::lines(switches))
    )
}

/// Returns the sentence on what decisions cost at sizes that were not measured, as HTML.
pub fn unmeasured(figure: &str) -> String {
    format!(
        "  <details id=\"unmeasured\"><summary>Sizes that were not measured</summary><p>{}.</p></details>\n",
        escaped(&visible::line(figure))
    )
}

/// Returns the sentence that a page opens with, as HTML.
pub fn summary(sentence: &str) -> String {
    format!("  <p id=\"summary\">{}.</p>\n", escaped(&visible::line(sentence)))
}

/// Returns the paragraph about a rule of one line that can be written instead of the tree, with its code.
pub fn one_line(sentence: &str, code: &str) -> String {
    let [sentence, code] = [sentence, code].map(|text| escaped(&visible::line(text)));
    format!("  <p id=\"one-line\">A rule of one line {sentence}:</p>\n  <pre>{code}\n</pre>\n")
}

/// Escapes text between tags.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_tags() {
        let html = opening(&["Deploy <b> & c.".to_owned()], ". '/a/<pre>'\n");
        assert!(html.contains("<p>Deploy &lt;b&gt; &amp; c.</p>"), "{html}");
        assert!(html.contains(">. '/a/&lt;pre&gt;'\n</pre>"), "{html}");
    }
}
