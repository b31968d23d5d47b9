//! The methods: a request is a name and JSON, an answer lines of JSON.
//!
//! An answer has any number of lines `{"progress":...}`, then one line `{"result":...}` or
//! `{"error":{"code":...,"message":...}}`. A request that its client closes is stopped.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::value::RawValue;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

use super::limits::{BODY, BODY_TIME, FILE_BODY, REQUEST_TIME, WAITING};
use super::state::ServerState;
use super::workers::Job;
use crate::record::serde_errors::params_text;
use crate::search::SearchControl;
use crate::web::api::{ApiError, ErrorCode, Message, Method, Progress, ProgressReport};

/// Lines of an answer that wait for a client. Lines of progress beyond them are dropped.
const LINES: usize = 16;

/// A line of an answer.
fn line(message: Message<'_>) -> String {
    message.json() + "\n"
}

/// The answer to a request that is refused before its method is run. The connection is closed,
/// because the rest of the request is not read.
pub fn refused(status: StatusCode, error: &ApiError) -> Response {
    let mut response = (status, line(Message::Error(error))).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, NDJSON);
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The type of an answer.
const NDJSON: HeaderValue = HeaderValue::from_static("application/x-ndjson");

/// Answers `POST /api/METHOD`.
pub async fn answer(
    State(state): State<Arc<ServerState>>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    if let Err(refusal) = state.guard.check_method(request.headers()) {
        let error = ApiError::bad_request(refusal.to_string());
        return refused(StatusCode::FORBIDDEN, &error);
    }
    let method = match Method::of_name(&name) {
        Ok(method) => method,
        Err(error) => return refused(StatusCode::NOT_FOUND, &error),
    };
    let brings_file = match method {
        Method::Import | Method::Puzzles => true,
        // A game with the `info` of its bots, or a long animation.
        Method::Show | Method::Export | Method::Gif => {
            announced(&request).is_some_and(|length| length > BODY as u64)
        }
        _ => false,
    };
    let file = match brings_file {
        // The semaphore is never closed.
        true => Arc::clone(&state.workers(method).files).acquire_owned().await.ok(),
        false => None,
    };
    let most = if brings_file { FILE_BODY } else { BODY };
    let params = match params(request, most).await {
        Ok(params) => params,
        Err((status, error)) => return refused(status, &error),
    };
    let (lines, answer) = mpsc::channel(LINES);
    tokio::spawn(run(state, method, params, file, lines));
    let body = Body::from_stream(ReceiverStream::new(answer).map(Ok::<_, Infallible>));
    ([(header::CONTENT_TYPE, NDJSON)], body).into_response()
}

/// The length of the body of `request`, by its headers.
fn announced(request: &Request) -> Option<u64> {
    request.headers().get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads the parameters from the body of a request, at most `most` bytes. They stay text while the
/// request waits: parsed, they would take many times the memory.
async fn params(request: Request, most: usize) -> Result<String, (StatusCode, ApiError)> {
    if announced(&request).is_some_and(|length| length > most as u64) {
        let reason = format!("the parameters take more than {} MiB", most >> 20);
        return Err((StatusCode::PAYLOAD_TOO_LARGE, ApiError::bad_request(reason)));
    }
    let bytes = match timeout(BODY_TIME, to_bytes(request.into_body(), most)).await {
        Err(_) => {
            let reason = format!("the parameters did not arrive within {} s", BODY_TIME.as_secs());
            return Err((StatusCode::REQUEST_TIMEOUT, ApiError::bad_request(reason)));
        }
        Ok(Err(_)) => {
            let most = most >> 20;
            let reason =
                format!("the parameters did not arrive whole, or take more than {most} MiB");
            return Err((StatusCode::PAYLOAD_TOO_LARGE, ApiError::bad_request(reason)));
        }
        Ok(Ok(bytes)) => bytes,
    };
    if bytes.is_empty() {
        return Ok("{}".to_owned());
    }
    params_text(bytes.into())
        .map_err(|reason| (StatusCode::BAD_REQUEST, ApiError::bad_request(reason)))
}

/// Runs a method on a worker and sends the lines of the answer. Ends early if the
/// client is gone, the request takes too long, or the server ends. `file` is the place of a request
/// that brings a file, which the request keeps until it has a thread.
async fn run(
    state: Arc<ServerState>,
    method: Method,
    params: String,
    file: Option<OwnedSemaphorePermit>,
    lines: mpsc::Sender<String>,
) {
    let until = Instant::now() + REQUEST_TIME;
    let place = tokio::select! {
        place = state.workers(method).enter() => place.map_err(|_| {
            let reason = format!("{WAITING} requests wait already: try again later");
            ApiError::new(ErrorCode::Busy, reason)
        }),
        () = lines.closed() => return,
        () = sleep_until(until) => Err(too_long()),
        () = state.ends.cancelled() => Err(ending()),
    };
    let place = match place {
        Ok(place) => place,
        Err(error) => {
            let _ = lines.try_send(line(Message::Error(&error)));
            return;
        }
    };
    drop(file);
    let control = Arc::<SearchControl>::default();
    let mut reporter = Reporter { control: Arc::clone(&control), lines: lines.clone() };
    let asked = Arc::clone(&state);
    let job = place.run(move || asked.answer(method, &params, &mut reporter));
    let result = watched(job, &control, &lines, until, &state.ends).await;
    // The client may be gone.
    let _ = lines.send(line(Message::of(&result))).await;
}

/// Waits for the result of a job. Stops the job if the client is gone, at the instant `until`, or
/// if the server ends. Sends the number of simulated drops at intervals.
async fn watched(
    mut job: Job<Result<Box<RawValue>, ApiError>>,
    control: &SearchControl,
    lines: &mpsc::Sender<String>,
    until: Instant,
    ends: &CancellationToken,
) -> Result<Box<RawValue>, ApiError> {
    /// Time between two messages about the progress of a search.
    const PAUSE: Duration = Duration::from_millis(200);
    let mut ticks = interval(PAUSE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.reset();
    let mut seen = 0;
    let why = loop {
        tokio::select! {
            result = &mut job => return match result {
                Ok(Ok(result)) => result,
                Ok(Err(error)) => Err(ApiError::internal(error.to_string())),
                // The panic is a line on standard error.
                Err(_) => Err(ApiError::internal(
                    "this is a mistake in tensai; its standard error says more",
                )),
            },
            () = lines.closed() => break ApiError::stopped(),
            () = sleep_until(until) => break too_long(),
            () = ends.cancelled() => break ending(),
            _ = ticks.tick() => {
                let nodes = control.nodes();
                if nodes > seen {
                    seen = nodes;
                    let line = line(Message::Progress(&ProgressReport::Nodes { nodes }));
                    // A client that is slow misses it.
                    let _ = lines.try_send(line);
                }
            }
        }
    };
    control.stop();
    // The result of a stopped search has no meaning. The thread is busy until the search has ended.
    let _ = job.await;
    Err(why)
}

fn too_long() -> ApiError {
    let minutes = REQUEST_TIME.as_secs() / 60;
    ApiError::new(ErrorCode::Stopped, format!("stopped: it took more than {minutes} minutes"))
}

fn ending() -> ApiError {
    ApiError::new(ErrorCode::Stopped, "stopped: the server ends")
}

/// Sends the progress of a method as lines of the answer.
struct Reporter {
    control: Arc<SearchControl>,
    lines: mpsc::Sender<String>,
}

impl Progress for Reporter {
    fn report(&mut self, progress: ProgressReport) {
        // A client that is slow holds up the search until it reads, or until its connection is
        // closed: each message is needed once.
        let _ = self.lines.blocking_send(line(Message::Progress(&progress)));
    }

    fn control(&self) -> &Arc<SearchControl> {
        &self.control
    }
}
