//! The page, and the headers by which a browser keeps other pages away from it.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use super::guard::Token;
use crate::web::pages::offline::{self, Host};

/// The policy of an answer that is no page: if a browser shows the answer, it loads no resource.
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

/// The policy of the page: its own script and its own style have this `nonce`, and it loads nothing
/// but images of its own making and the answers of this server. No page may show it in a frame.
fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; \
         img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    )
}

/// Answers with the page. Its `nonce` must not have been used before.
pub fn answer(token: &Token, nonce: &Token) -> Response {
    let host = Host::Server { token: token.digits().to_owned() };
    let html = offline::page(&host, nonce.digits());
    let mut response = ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response();
    // A nonce consists of digits.
    if let Ok(policy) = HeaderValue::from_str(&policy(nonce.digits())) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
