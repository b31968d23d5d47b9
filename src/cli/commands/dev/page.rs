//! `tensai dev page`: the page on which games are played and analysed without a server.

use std::path::PathBuf;

use clap::Args;

use crate::cli::error::CliError;
use crate::web::pages::front;

/// Arguments of `tensai dev page`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev page target/tensai.wasm -o client.html")]
pub struct PageArgs {
    /// This library as WebAssembly; `.ci/wasm build` makes it.
    #[arg(value_name = "WASM")]
    wasm: PathBuf,

    /// The file for the page; `-` is standard output. An earlier page is overwritten, any other file
    /// is not.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Writes the page.
pub fn run(args: &PageArgs) -> Result<(), CliError> {
    Ok(front::write_offline(&args.wasm, &args.output)?)
}
