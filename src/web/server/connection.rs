//! Connections: how many there are, how long they may take, how they end. Each has one request.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;

use super::limits::{CONNECTIONS, HEAD, HEAD_TIME, SHUTDOWN_TIME, STALL};

/// The places of connections.
pub fn places() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(CONNECTIONS))
}

/// Accepts connections, each of which takes one of `places`, until `ends` is cancelled.
pub async fn accept(
    listener: TcpListener,
    router: Router,
    places: Arc<Semaphore>,
    ends: CancellationToken,
) {
    /// Time until the next attempt if the process has too many open files.
    const PAUSE: Duration = Duration::from_millis(100);
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (listener.accept().await, place)
        };
        tokio::select! {
            (stream, place) = accepted => match (stream, place) {
                (Ok((stream, _)), Ok(place)) => {
                    let (router, ends) = (router.clone(), ends.clone());
                    tokio::spawn(async move {
                        serve(stream, router, ends, false).await;
                        drop(place);
                    });
                }
                _ => sleep(PAUSE).await,
            },
            () = ends.cancelled() => return,
        }
    }
}

/// Answers the request of a connection and closes it. Closes it earlier if the other side does so
/// or takes too long, or if the server ends. With `half_close` the other side may end its request
/// before it has the answer; without it, the end of the request stops its work.
pub async fn serve(
    stream: impl AsyncRead + AsyncWrite,
    router: Router,
    ends: CancellationToken,
    half_close: bool,
) {
    let mut stream = pin!(TimeoutStream::new(stream));
    stream.as_mut().set_write_timeout_pinned(Some(STALL));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD)
        // `hyper` 1.12 writes the refusal of a broken second request into the answer of the first
        // one where that is not sent yet; its debug assertions panic.
        .keep_alive(false)
        .half_close(half_close)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = pin!(connection);
    tokio::select! {
        // An error of a connection concerns the other side alone, which is gone.
        _ = connection.as_mut() => return,
        () = ends.cancelled() => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(SHUTDOWN_TIME, connection).await;
}

/// Waits until all connections are closed, for at most twice [`SHUTDOWN_TIME`].
pub async fn closed(places: &Semaphore) {
    let all = places.acquire_many(CONNECTIONS as u32);
    let _ = timeout(2 * SHUTDOWN_TIME, all).await;
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
    use tokio::runtime::Builder;
    use tokio::time::Instant;

    use super::super::limits::BODY_TIME;
    use super::super::memory::InMemory;
    use super::*;

    /// Runs `client` at one end of a connection whose other end is served, with a clock that moves
    /// when both ends wait. Returns the time that passed until the connection was closed.
    fn time_of<F: Future>(client: impl FnOnce(DuplexStream) -> F) -> (Duration, F::Output) {
        let memory = InMemory::new().unwrap();
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.unwrap().block_on(async {
            let begin = Instant::now();
            let (here, there) = duplex(64);
            let served = async {
                memory.serve(there, false).await;
                begin.elapsed()
            };
            tokio::join!(served, client(here))
        })
    }

    async fn text(mut stream: DuplexStream) -> String {
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text).await;
        text
    }

    #[test]
    fn a_head_that_never_ends_is_waited_for_no_longer_than_allowed() {
        let (time, _) = time_of(async |mut stream: DuplexStream| {
            // A byte a second keeps no connection open.
            while stream.write_all(b"G").await.is_ok() {
                sleep(Duration::from_secs(1)).await;
            }
        });
        assert!(time >= HEAD_TIME && time <= HEAD_TIME + Duration::from_secs(1), "{time:?}");
        let (time, _) = time_of(text);
        assert_eq!(time, HEAD_TIME, "a connection without a request");
    }

    #[test]
    fn a_body_that_never_ends_is_waited_for_no_longer_than_allowed() {
        let (time, answer) = time_of(async |mut stream: DuplexStream| {
            let token = InMemory::TOKEN;
            let head = format!(
                "POST /api/show HTTP/1.1\r\nHost: localhost\r\nX-Tensai-Token: {token}\r\n\
                 Content-Length: 100\r\n\r\n{{"
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            text(stream).await
        });
        assert_eq!(time, BODY_TIME);
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        assert!(answer.contains("the parameters did not arrive within 30 s"), "{answer}");
    }

    #[test]
    fn a_connection_has_one_answer_and_is_closed() {
        let memory = InMemory::new().unwrap();
        let get = |token| format!("GET /?token={token} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        for second in [get(InMemory::TOKEN), get("1"), "[t/".to_owned()] {
            // The page is larger than the pipe: its answer is not sent when the second request is
            // there.
            let requests = get(InMemory::TOKEN) + &second;
            let answer = String::from_utf8(memory.exchange(requests.as_bytes())).unwrap();
            assert!(answer.starts_with("HTTP/1.1 200 "), "{second:?}: {answer}");
            assert!(answer.contains("connection: close"), "{second:?}: {answer}");
            assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{second:?}: {answer}");
        }
    }

    #[test]
    fn a_client_that_does_not_read_is_waited_for_no_longer_than_allowed() {
        let (time, _) = time_of(async |mut stream: DuplexStream| {
            let head =
                format!("GET /?token={} HTTP/1.1\r\nHost: localhost\r\n\r\n", InMemory::TOKEN);
            stream.write_all(head.as_bytes()).await.unwrap();
            // The page is larger than the pipe.
            sleep(2 * STALL).await;
            stream
        });
        assert_eq!(time, STALL);
    }
}
