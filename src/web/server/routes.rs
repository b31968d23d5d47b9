//! The addresses of the server.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::api;
use super::guard::Token;
use super::limits::HEAD;
use super::page;
use super::state::ServerState;
use crate::web::api::ClientError;

/// The addresses of the server of `state`.
pub fn router(state: &Arc<ServerState>) -> Router {
    Router::new()
        .route("/", get(show))
        .route("/live", get(live))
        .route("/api/{method}", post(api::api))
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
        let what = format!("the head of the request takes more than {} KiB", HEAD >> 10);
        refused(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, &what)
    } else {
        match checked {
            Ok(()) => next.run(request).await,
            Err(refusal) => refused(StatusCode::FORBIDDEN, &refusal.to_string()),
        }
    };
    page::add_headers(response.headers_mut());
    response
}

/// Refuses a request, in the form that a method answers in, which a person can read as well.
fn refused(status: StatusCode, what: &str) -> Response {
    api::refused(status, &ClientError::bad_request(what))
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
            Ok(nonce) => page::answer(state.guard.token(), &nonce),
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
