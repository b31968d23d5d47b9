//! `tensai serve`: a server of this machine that answers the page of [`crate::web::pages`].
//!
//! The methods are those of [`crate::web::api`]. This module adds
//! transport, and protection against other pages and against programs that take more
//! than their share.
//!
//! * [`Server`]: a running server; [`Settings`];
//! * `guard.rs`: which requests the server answers; `limits.rs`: how many resources they may use;
//!   `connection.rs`: connections and their times;
//! * `routes.rs`: the addresses, the page and its headers; `methods.rs`: the methods;
//! * `workers.rs`: the threads; `state.rs`: the state that all requests share;
//! * `sessions.rs`: the processes of external engines;
//! * [`Feed`]: the events of a running match.
//!
//! | address | answer |
//! |---|---|
//! | `GET /?token=TOKEN` | the page |
//! | `POST /api/METHOD` with the header `X-Tensai-Token` | lines of JSON (`methods.rs`) |
//! | `GET /live?token=TOKEN` | the events of the running match (Server-Sent Events) |

mod connection;
mod guard;
mod limits;
mod live;
mod memory;
mod methods;
mod routes;
mod sessions;
mod state;
mod workers;

pub use live::{Feed, LiveGame, LiveTurn};
pub use memory::InMemory;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

use self::guard::Token;
use self::state::ServerState;
use crate::arena::EngineConfig;

/// The default port of a server. It is fixed because browsers keep the stored data of a page by
/// address and port.
pub const PORT: u16 = 7475;

/// The settings of a server.
#[derive(Clone)]
pub struct Settings {
    /// Where the server listens. With port 0 the system chooses a port.
    pub address: SocketAddr,
    /// Whether the system chooses a port if another program uses that of `address`.
    pub or_any_port: bool,
    /// The engines that a page can play against, beside this program.
    pub engines: Vec<EngineConfig>,
    /// The number of searches at a time.
    pub threads: NonZeroUsize,
    /// The match that runs in this process. The methods that search are then refused.
    pub live: Option<Feed>,
}

/// Why a server does not start.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address cannot be listened at.
    #[error("{address}: cannot listen: {}", reason(source))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        source: io::Error,
    },
    /// The system starts no threads.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// The system gives no random numbers for a token.
    #[error("cannot make a token: {0}")]
    Token(#[from] getrandom::Error),
}

/// Why an address cannot be listened at, and what to do.
fn reason(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::AddrInUse => {
            "another program uses this port: give another port, or 0 for any free one".to_owned()
        }
        io::ErrorKind::AddrNotAvailable => "this machine does not have this address".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "ports below 1024 need special rights: give another port".to_owned()
        }
        _ => source.to_string(),
    }
}

/// A running server. Dropping it ends it.
pub struct Server {
    runtime: Option<Runtime>,
    address: SocketAddr,
    state: Arc<ServerState>,
    connections: Arc<Semaphore>,
}

impl Server {
    /// Starts a server, which from then on answers in threads of its own.
    ///
    /// # Errors
    /// The address is in use, or the system has no threads or no random numbers.
    pub fn start(settings: &Settings) -> Result<Self, ServerError> {
        /// Threads for connections; methods run on threads of their own.
        const THREADS: usize = 2;
        let threads = |error: io::Error| ServerError::Threads(error.to_string());
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .enable_all()
            .thread_name("server")
            .build()
            .map_err(threads)?;
        let listen = |source| ServerError::Listen { address: settings.address, source };
        let mut listener = runtime.block_on(TcpListener::bind(settings.address));
        if settings.or_any_port
            && listener.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AddrInUse)
        {
            let any = SocketAddr::new(settings.address.ip(), 0);
            listener = runtime.block_on(TcpListener::bind(any));
        }
        let listener = listener.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let state = Arc::new(ServerState::new(settings, address, Token::random()?));
        let (router, connections) = (routes::router(&state), connection::places());
        let (places, ends) = (Arc::clone(&connections), state.ends.clone());
        runtime.spawn(connection::accept(listener, router, places, ends));
        runtime.spawn(end_idle(Arc::clone(&state)));
        Ok(Self { runtime: Some(runtime), address, state, connections })
    }

    /// The address of the page, with the token.
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            // Any address of this machine; this one a browser on it can use.
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        let address = SocketAddr::new(ip, self.address.port());
        format!("http://{address}/?token={}", self.state.guard.token().digits())
    }

    /// Ends the server: searches are stopped, the processes of engines end, and connections are
    /// closed.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        /// Longer than open connections may go on.
        const TIMEOUT: Duration = Duration::from_secs(2);
        if let (Some(runtime), Some(feed)) = (&self.runtime, &self.state.live) {
            runtime.block_on(feed.read(&self.state.streams));
        }
        self.state.ends.cancel();
        self.state.sessions.end_all();
        if let Some(runtime) = self.runtime.take() {
            runtime.block_on(connection::closed(&self.connections));
            runtime.shutdown_timeout(TIMEOUT);
        }
    }
}

/// Ends sessions of engines that are not used any more, until the server ends.
async fn end_idle(state: Arc<ServerState>) {
    /// Time between two looks.
    const PAUSE: Duration = Duration::from_secs(60);
    while tokio::time::timeout(PAUSE, state.ends.cancelled()).await.is_err() {
        let state = Arc::clone(&state);
        let ending = move || state.sessions.end_idle(limits::SESSION_IDLE);
        let _ = tokio::task::spawn_blocking(ending).await;
    }
}
