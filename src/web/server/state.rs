//! The state that the requests of a server share, and the answer to a method.

use std::net::SocketAddr;
use std::sync::Arc;

use serde_json::value::RawValue;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::Settings;
use super::guard::{Guard, Token};
use super::limits::{LIVE_STREAMS, QUICK_THREADS};
use super::live::Feed;
use super::sessions::Sessions;
use super::workers::Workers;
use crate::record::serde_errors::from_params;
use crate::web::api::{
    self, ApiError, DecideParams, EngineChoice, ErrorCode, HelloParams, HelloResult, Method,
    Progress, decide, result,
};

/// The state that all requests share.
pub struct ServerState {
    /// Decides which requests are answered.
    pub guard: Guard,
    /// Cancelled when the server ends.
    pub ends: CancellationToken,
    /// Slots for readers of the live match.
    pub streams: Arc<Semaphore>,
    /// The running match, if there is one.
    pub live: Option<Feed>,
    /// The processes of external engines.
    pub sessions: Sessions,
    quick: Arc<Workers>,
    searching: Arc<Workers>,
}

impl ServerState {
    /// The state of a server that listens at `address`.
    pub fn new(settings: &Settings, address: SocketAddr, token: Token) -> Self {
        Self {
            guard: Guard::new(token, address),
            ends: CancellationToken::new(),
            streams: Arc::new(Semaphore::new(LIVE_STREAMS)),
            live: settings.live.clone(),
            sessions: Sessions::new(settings.engines.clone()),
            quick: Workers::new(QUICK_THREADS),
            searching: Workers::new(settings.threads.get()),
        }
    }

    /// The workers of a method.
    pub fn workers(&self, method: Method) -> &Arc<Workers> {
        if method.searches() { &self.searching } else { &self.quick }
    }

    /// Answers a request, on a worker.
    ///
    /// # Errors
    /// As [`handle`]; also fails if a method that searches is asked for while a match is played.
    pub fn answer(
        &self,
        method: Method,
        params: &str,
        progress: &mut dyn Progress,
    ) -> Result<Box<RawValue>, ApiError> {
        if self.live.is_some() && method.searches() {
            let reason = "a match is played here, and a search would take time from its engines: use \
                        `tensai serve` to play and to analyse";
            return Err(ApiError::new(ErrorCode::Busy, reason));
        }
        match method {
            Method::Hello => {
                let HelloParams {} =
                    from_params(params.as_bytes()).map_err(ApiError::bad_request)?;
                result(&HelloResult::server(self.sessions.names(), self.live.is_some()))
            }
            Method::Decide => {
                let asked: DecideParams =
                    from_params(params.as_bytes()).map_err(ApiError::bad_request)?;
                match &asked.engine {
                    EngineChoice::Other(name) => {
                        result(&self.sessions.decide(name, &asked, progress.control())?)
                    }
                    _ => result(&decide(&asked, progress)?),
                }
            }
            _ => api::answer(method, params, progress),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::InMemory;
    use super::*;

    #[test]
    fn what_searches_never_delays_a_click() {
        let memory = InMemory::new().unwrap();
        let is_quick = |method| Arc::ptr_eq(memory.state().workers(method), &memory.state().quick);
        for method in [Method::Hello, Method::Show, Method::Choices, Method::Import, Method::Share]
        {
            assert!(is_quick(method), "{method:?}");
        }
        // Each action of an attempt is proven.
        for method in
            [Method::Decide, Method::Analyse, Method::Review, Method::Puzzles, Method::TryPuzzle]
        {
            assert!(!is_quick(method), "{method:?}");
        }
    }
}
