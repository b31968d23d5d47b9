//! The end of a server, which all its parts wait for.

use tokio::sync::watch;

/// Ends a server when it is dropped, or by [`Self::end`].
pub struct Ender(watch::Sender<bool>);

/// A receiver of the signal that the server ends.
#[derive(Clone)]
pub struct ServerEnd(watch::Receiver<bool>);

/// A server that has not ended.
pub fn ends() -> (Ender, ServerEnd) {
    let (sender, receiver) = watch::channel(false);
    (Ender(sender), ServerEnd(receiver))
}

impl Ender {
    /// Ends the server.
    pub fn end(&self) {
        self.0.send_replace(true);
    }
}

impl ServerEnd {
    /// Waits for the end.
    pub async fn wait(&mut self) {
        let _ = self.0.wait_for(|has_ended| *has_ended).await;
    }
}
