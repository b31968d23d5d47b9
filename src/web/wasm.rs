//! The exports of this library as WebAssembly, for a page that has no server.
//!
//! The host writes a request into a buffer, calls [`tensai_handle`] and reads the answer from
//! another buffer. All texts are UTF-8 JSON: the request is `{"method": NAME, "params": {...}}`,
//! the answer `{"result": ...}` or `{"error": {"code": ..., "message": ...}}`. A message about a
//! running request is `{"progress": ...}`. A host stops a request by ending the worker that runs
//! it.
//!
//! The module imports two functions of a module `host`: `now() -> f64`, the milliseconds since 1970
//! from a clock that never goes back (`clock/wasm.rs`), and `progress(pointer, length)`, which
//! takes a message. WebAssembly has no threads here: `rayon` runs all tasks on the only one.

use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::search::SearchControl;
use crate::web::api::{self, ApiError, Message, Progress, ProgressReport};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    safe fn progress(pointer: *const u8, length: usize);
}

/// The request that the host writes.
static REQUEST: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The answer that the host reads.
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Simulated drops between two messages about a search: some tenths of a second.
const EVERY: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();

/// Makes room for a request of `length` bytes and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn tensai_request(length: usize) -> *mut u8 {
    let mut request = REQUEST.lock().unwrap_or_else(PoisonError::into_inner);
    request.clear();
    request.resize(length, 0);
    request.as_mut_ptr()
}

/// Answers the request that was written, and returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tensai_handle() -> usize {
    let request = std::mem::take(&mut *REQUEST.lock().unwrap_or_else(PoisonError::into_inner));
    let answer = Message::of(&answer(&request)).json().into_bytes();
    let length = answer.len();
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    length
}

/// The address of the answer; it is valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn tensai_answer() -> *const u8 {
    ANSWER.lock().unwrap_or_else(PoisonError::into_inner).as_ptr()
}

/// A request.
#[derive(Deserialize)]
struct WorkerRequest {
    method: String,
    params: Box<RawValue>,
}

fn answer(request: &[u8]) -> Result<Box<RawValue>, ApiError> {
    let request: WorkerRequest =
        crate::record::serde_errors::from_json(request).map_err(ApiError::bad_request)?;
    let control = SearchControl::notifying(EVERY, |nodes| tell(&ProgressReport::Nodes { nodes }));
    let mut host = WorkerProgress(Arc::new(control));
    api::handle(&request.method, request.params.get(), &mut host)
}

fn tell(report: &ProgressReport) {
    let message = Message::Progress(report).json();
    progress(message.as_ptr(), message.len());
}

/// The page's worker.
struct WorkerProgress(Arc<SearchControl>);

impl Progress for WorkerProgress {
    fn report(&mut self, report: ProgressReport) {
        tell(&report);
    }

    fn control(&self) -> &Arc<SearchControl> {
        &self.0
    }
}
