//! The threads that answer requests, and the line before them.
//!
//! A server has two groups of workers: one for methods that search, one for the others, so that a
//! click is shown at once while searches wait. A group runs a fixed number of jobs at a time;
//! requests wait for a place in the order in which they came.

use std::sync::Arc;

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinHandle, spawn_blocking};

use super::limits::{FILES, WAITING};

/// A fixed number of jobs at a time. Each has a pool of one thread, so that a search runs on one
/// thread and its result does not depend on the machine.
pub struct Workers {
    /// Slots for requests that bring a file and wait for a thread.
    pub files: Arc<Semaphore>,
    /// Slots for requests that wait or run.
    line: Arc<Semaphore>,
    /// Slots for requests that run.
    slots: Arc<Semaphore>,
}

/// The line before the workers is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// A place for one job. Dropping the worker gives it back.
pub struct Worker {
    _permits: [OwnedSemaphorePermit; 2],
}

/// A job that runs. It fails if it panics, or with the error of a system that starts no thread.
pub type Job<T> = JoinHandle<Result<T, ThreadPoolBuildError>>;

impl Workers {
    /// A group that runs `threads` jobs at a time.
    pub fn new(threads: usize) -> Arc<Self> {
        let [files, line, slots] =
            [FILES, threads + WAITING, threads].map(|permits| Arc::new(Semaphore::new(permits)));
        Arc::new(Self { files, line, slots })
    }

    /// Waits for a place.
    ///
    /// # Errors
    /// [`WAITING`] requests wait already.
    pub async fn enter(&self) -> Result<Worker, Full> {
        let place = Arc::clone(&self.line).try_acquire_owned().map_err(|_| Full)?;
        // The semaphore is never closed.
        let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(|_| Full)?;
        Ok(Worker { _permits: [place, slot] })
    }
}

impl Worker {
    /// Runs `job` on a thread. The place is taken until `job` has returned, even if nobody receives
    /// the result.
    pub fn run<T: Send + 'static>(self, job: impl FnOnce() -> T + Send + 'static) -> Job<T> {
        spawn_blocking(move || {
            let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
            let result = pool.install(job);
            // The place is given back before the result is sent.
            drop(self);
            Ok(result)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn workers_run_as_many_jobs_as_they_are_and_refuse_an_endless_line() {
        let runtime = Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let workers = Workers::new(2);
            let (go, wait) = mpsc::channel::<()>();
            let first = workers.enter().await.unwrap();
            let waits = first.run(move || wait.recv().is_err());
            let second = workers.enter().await.unwrap();
            let mut line: Vec<_> = (0..=WAITING).map(|_| Box::pin(workers.enter())).collect();
            for (at, entering) in line.iter_mut().enumerate() {
                let entered = poll_once(entering).await;
                let is_full = matches!(entered, Some(Err(Full)));
                assert_eq!((entered.is_none(), is_full), (at < WAITING, at == WAITING), "{at}");
            }
            line.truncate(1);
            drop(second);
            let worker = line.pop().unwrap().await.unwrap();
            assert_eq!(worker.run(rayon::current_num_threads).await.unwrap().unwrap(), 1);
            drop(go);
            assert!(waits.await.unwrap().unwrap());
        });
    }

    /// Polls a future once.
    async fn poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        use std::pin::Pin;
        use std::task::Poll;
        std::future::poll_fn(|context| match Pin::new(&mut *future).poll(context) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending => Poll::Ready(None),
        })
        .await
    }
}
