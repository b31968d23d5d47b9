//! The addresses of the server, its page, and the headers by which a browser keeps other pages away
//! from it.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::guard::Token;
use super::limits::HEAD;
use super::methods;
use super::state::ServerState;
use crate::web::api::ApiError;
use crate::web::pages::front::{self, Host};

/// The addresses of the server of `state`.
pub fn router(state: &Arc<ServerState>) -> Router {
    Router::new()
        .route("/", get(show))
        .route("/live", get(live))
        .route("/api/{method}", post(methods::answer))
        .fallback(|| async { refused(StatusCode::NOT_FOUND, "there is nothing at this address") })
        .layer(from_fn_with_state(Arc::clone(state), guarded))
        .with_state(Arc::clone(state))
}

/// The query of the page's address.
#[derive(Deserialize)]
struct Address {
    token: Option<String>,
}

/// The bytes of the head of a request: hyper refuses a head only when its buffer, which it fills in
/// large steps, has grown beyond the limit.
fn head_length(request: &Request) -> usize {
    const BREAK: usize = "\r\n".len();
    const SEPARATOR: usize = ": ".len();
    let uri = request.uri();
    let address = uri.authority().map_or(0, |authority| "http://".len() + authority.as_str().len());
    let address = address + uri.path_and_query().map_or(0, |path| path.as_str().len());
    let line = request.method().as_str().len() + " ".len() + address + " HTTP/1.1".len() + BREAK;
    let header = |(name, value): (&HeaderName, &HeaderValue)| {
        name.as_str().len() + SEPARATOR + value.len() + BREAK
    };
    line + request.headers().iter().map(header).sum::<usize>() + BREAK
}

/// Checks that a request comes from a page of this server, and adds the headers of every answer.
async fn guarded(State(state): State<Arc<ServerState>>, request: Request, next: Next) -> Response {
    let checked = state.guard.check(request.uri(), request.headers());
    let mut response = if head_length(&request) > HEAD {
        let reason = format!("the head of the request takes more than {} KiB", HEAD >> 10);
        refused(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, &reason)
    } else {
        match checked {
            Ok(()) => next.run(request).await,
            Err(refusal) => refused(StatusCode::FORBIDDEN, &refusal.to_string()),
        }
    };
    add_headers(response.headers_mut());
    response
}

/// Refuses a request, in the form that a method answers in, which a person can read as well.
fn refused(status: StatusCode, reason: &str) -> Response {
    methods::refused(status, &ApiError::bad_request(reason))
}

/// Answers `GET /`.
async fn show(
    State(state): State<Arc<ServerState>>,
    Query(address): Query<Address>,
    request: Request,
) -> Response {
    let checked = state.guard.check_address(address.token.as_deref(), request.headers(), true);
    match checked {
        Ok(()) => match Token::random() {
            Ok(nonce) => page(state.guard.token(), &nonce),
            Err(error) => refused(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        },
        Err(refusal) => refused(StatusCode::FORBIDDEN, &refusal.to_string()),
    }
}

/// Answers `GET /live`.
async fn live(
    State(state): State<Arc<ServerState>>,
    Query(address): Query<Address>,
    request: Request,
) -> Response {
    let checked = state.guard.check_address(address.token.as_deref(), request.headers(), false);
    if let Err(refusal) = checked {
        return refused(StatusCode::FORBIDDEN, &refusal.to_string());
    }
    let Some(feed) = &state.live else {
        // A browser does not ask again after this answer.
        return refused(StatusCode::NOT_FOUND, "no match is played here");
    };
    let Ok(place) = Arc::clone(&state.streams).try_acquire_owned() else {
        return refused(StatusCode::SERVICE_UNAVAILABLE, "too many pages show this match already");
    };
    let stream = feed.stream(state.ends.clone(), place);
    Sse::new(stream).keep_alive(KeepAlive::default()).into_response()
}

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
fn add_headers(headers: &mut HeaderMap) {
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
fn page(token: &Token, nonce: &Token) -> Response {
    let host = Host::Server { token: token.digits().to_owned() };
    let html = front::page(&host, nonce.digits());
    let mut response = ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response();
    // A nonce consists of digits.
    if let Ok(policy) = HeaderValue::from_str(&policy(nonce.digits())) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
