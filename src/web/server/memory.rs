//! A server without a network, to which tests send arbitrary bytes.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::Arc;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::runtime::{Builder, Runtime};

use super::guard::Token;
use super::live::Feed;
use super::state::ServerState;
use super::{ServerError, Settings, connection, routes};

/// A server that answers bytes in memory. Its token is known. It shows a match that has ended, so
/// that methods that search are refused.
pub struct InMemory {
    runtime: Runtime,
    state: Arc<ServerState>,
}

impl InMemory {
    /// The token: 32 zeros.
    pub const TOKEN: &str = "00000000000000000000000000000000";

    /// Makes a server.
    ///
    /// # Errors
    /// The system starts no threads.
    pub fn new() -> Result<Self, ServerError> {
        let runtime = Builder::new_current_thread().enable_time().build();
        let runtime = runtime.map_err(|error| ServerError::Threads(error.to_string()))?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 7475));
        let feed = Feed::default();
        feed.end();
        let settings = Settings {
            address,
            or_any_port: false,
            engines: Vec::new(),
            threads: NonZeroUsize::MIN,
            live: Some(feed),
        };
        let state = ServerState::new(&settings, address, Token::of([0; 16]));
        Ok(Self { runtime, state: Arc::new(state) })
    }

    /// The state of the server.
    #[cfg(test)]
    pub(super) const fn state(&self) -> &Arc<ServerState> {
        &self.state
    }

    /// Serves a connection.
    pub(super) async fn serve(&self, stream: DuplexStream, half_close: bool) {
        let ends = self.state.ends.clone();
        connection::serve(stream, routes::router(&self.state), ends, half_close).await;
    }

    /// Sends `request` over a connection and reads all that is answered until the connection is
    /// closed. Returns the answers, or the whole lines of their first mebibyte: a request of some
    /// bytes may ask for a page of hundreds of kilobytes.
    pub fn exchange(&self, request: &[u8]) -> Vec<u8> {
        /// Bytes that may be on their way.
        const PIPE: usize = 64 << 10;
        /// Bytes of the answers that are returned.
        const KEPT: u64 = 1 << 20;
        self.runtime.block_on(async {
            let (client, server) = tokio::io::duplex(PIPE);
            let (mut input, mut output) = tokio::io::split(client);
            let mut answer = Vec::new();
            let write = async {
                // The server may close the connection before it has read all.
                let _ = output.write_all(request).await;
                let _ = output.shutdown().await;
            };
            let serve = self.serve(server, true);
            let read = async {
                let mut kept = (&mut input).take(KEPT);
                if kept.read_to_end(&mut answer).await.is_ok() && answer.len() as u64 == KEPT {
                    let lines = answer.iter().rposition(|&byte| byte == b'\n');
                    answer.truncate(lines.map_or(0, |end| end + 1));
                    let _ = tokio::io::copy(&mut input, &mut tokio::io::sink()).await;
                }
            };
            let _ = tokio::join!(write, serve, read);
            answer
        })
    }
}
