//! The threads that answer requests, and the line before them.
//!
//! A server has two groups of workers: one for methods that search, one for the others, so that a
//! click is shown at once while searches wait. A group has a fixed number of threads; requests wait
//! for one in the order in which they came.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::limits::{FILES, WAITING};

/// A fixed number of threads, each a pool of its own, so that a search runs on one thread and its
/// result does not depend on the machine.
pub struct Workers {
    /// Slots for requests that bring a file and wait for a thread.
    pub files: Arc<Semaphore>,
    slots: Arc<Semaphore>,
    idle: Mutex<Vec<Arc<ThreadPool>>>,
    waiting: AtomicUsize,
}

/// The line before the workers is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// A thread, for one job. Dropping the worker gives the thread back.
pub struct Worker {
    workers: Arc<Workers>,
    pool: Arc<ThreadPool>,
    _permit: OwnedSemaphorePermit,
}

impl Workers {
    /// A group of `threads` threads.
    ///
    /// # Errors
    /// The system starts no more threads.
    pub fn new(threads: usize) -> Result<Arc<Self>, ThreadPoolBuildError> {
        let pool = |_| ThreadPoolBuilder::new().num_threads(1).build().map(Arc::new);
        let idle = (0..threads).map(pool).collect::<Result<Vec<_>, _>>()?;
        let (idle, waiting) = (Mutex::new(idle), AtomicUsize::new(0));
        let [files, slots] = [FILES, threads].map(|permits| Arc::new(Semaphore::new(permits)));
        Ok(Arc::new(Self { files, slots, idle, waiting }))
    }

    /// Waits for a thread.
    ///
    /// # Errors
    /// [`WAITING`] requests wait already.
    pub async fn enter(self: &Arc<Self>) -> Result<Worker, Full> {
        /// Counts a request in the line, as long as it waits.
        struct Waits<'a>(&'a AtomicUsize);
        impl Drop for Waits<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Relaxed);
            }
        }
        let before = self.waiting.fetch_add(1, Relaxed);
        let waits = Waits(&self.waiting);
        if before >= WAITING {
            return Err(Full);
        }
        let permit = Arc::clone(&self.slots).acquire_owned().await.map_err(|_| Full)?;
        drop(waits);
        let pool = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop().ok_or(Full)?;
        Ok(Worker { workers: Arc::clone(self), pool, _permit: permit })
    }
}

impl Worker {
    /// Runs `job` on the thread. The thread is busy until `job` has returned, even if nobody
    /// receives the result.
    pub fn run<T: Send + 'static>(
        self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (sender, receiver) = oneshot::channel();
        let pool = Arc::clone(&self.pool);
        pool.spawn(move || {
            let result = job();
            // The thread is given back before the result is sent.
            drop(self);
            // Nobody receives the result of a request that was given up.
            let _ = sender.send(result);
        });
        receiver
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let mut idle = self.workers.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(Arc::clone(&self.pool));
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
            let workers = Workers::new(2).unwrap();
            let (go, wait) = mpsc::channel::<()>();
            let wait = Mutex::new(wait);
            let first = workers.enter().await.unwrap();
            let waits = first.run(move || wait.lock().unwrap().recv().is_err());
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
            assert_eq!(worker.run(rayon::current_num_threads).await, Ok(1));
            drop(go);
            assert_eq!(waits.await, Ok(true));
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
