//! What a browser shows: the API that a page asks for, the pages, and their server.
//!
//! * [`api`]: the methods that a page asks for, as functions on JSON;
//! * [`game`]: a recorded game as pages show it;
//! * `pages`: pages as files, built of the sources in `front/`, with the feature `arena`;
//! * `server`: `tensai serve`, with the feature `arena`;
//! * `wasm`: the API as WebAssembly.

pub mod api;
pub mod game;
#[cfg(feature = "arena")]
pub mod pages;
#[cfg(feature = "arena")]
pub mod server;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
