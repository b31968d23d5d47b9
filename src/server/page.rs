//! The page, and the headers by which a browser keeps other pages away from it.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use super::guard::Token;

/// What an answer may load if a browser shows it: nothing.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// The headers of every answer.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Adds the headers of every answer.
pub fn add_headers(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = headers.entry(header::CONTENT_SECURITY_POLICY);
    policy.or_insert(HeaderValue::from_static(NOTHING));
}

/// The policy of the page: it runs its own scripts, which have this `nonce`, and loads nothing but
/// images of its own making and the answers of this server. No page may show it in a frame.
fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; \
         img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    )
}

/// Answers with the page. Its `nonce` must not have been used before.
pub fn answer(token: &Token, nonce: &Token) -> Response {
    let html = with_nonce(&html(token), nonce.digits());
    let mut response = ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response();
    // A nonce consists of digits.
    if let Ok(policy) = HeaderValue::from_str(&policy(nonce.digits())) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Gives the scripts of a page a nonce. A script ends with the first `</script`, whatever else its
/// text contains.
fn with_nonce(html: &str, nonce: &str) -> String {
    const BEGIN: &str = "<script";
    const END: &str = "</script";
    let mut page = String::with_capacity(html.len() + 200);
    let mut rest = html;
    while let Some((before, script)) = rest.split_once(BEGIN) {
        page += &format!("{before}{BEGIN} nonce=\"{nonce}\"");
        let end = script.find(END).unwrap_or(script.len());
        page += &script[..end];
        rest = &script[end..];
    }
    page + rest
}

/// The page as HTML.
fn html(token: &Token) -> String {
    // The page of the client takes this place.
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>tensai</title>\n\
         <p>The server answers.</p>\n<script type=\"application/json\" id=\"config\">\
         {{\"host\":\"server\",\"token\":\"{}\"}}</script>\n</html>\n",
        token.digits()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_script_of_the_page_gets_the_nonce() {
        let page = "<p><script>let a = '<script>';</script><script type=\"module\">1</script>\n";
        assert_eq!(
            with_nonce(page, "ab"),
            "<p><script nonce=\"ab\">let a = '<script>';</script>\
             <script nonce=\"ab\" type=\"module\">1</script>\n"
        );
        assert_eq!(with_nonce("<p>", "ab"), "<p>");
    }
}
