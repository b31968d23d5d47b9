//! `tensai serve`: the page in a browser, with this program as its host.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use clap::Args;

use crate::arena::process;
use crate::board::Backend;
use crate::cli::commands::arguments::threads;
use crate::cli::commands::bots::match_::EngineConfigs;
use crate::cli::commands::output::print;
use crate::cli::error::CliError;
use crate::util::message;
use crate::util::system;
use crate::util::system::stop::Stop;
use crate::web::server::{PORT, Server, Settings};

/// Arguments of `tensai serve`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai serve --engine name=mine cmd=\"java -jar bot.jar\"")]
pub struct ServeArgs {
    /// The engines that the page can play against, beside this program.
    #[command(flatten)]
    engines: EngineConfigs,

    /// Port at which the server listens; 0 is any free one [default: 7475, or any free one if
    /// another program uses it].
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// Address at which the server listens. At any address but a loopback one, other machines can
    /// reach the server, and the connection is not encrypted.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    host: IpAddr,

    /// Number of searches at a time, each on one thread; further ones wait [default: one for each
    /// core].
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    /// Print the address of the page, and open no browser.
    #[arg(long)]
    no_open: bool,
}

/// Parses the address of this machine at which a server listens. A name could stand for several.
fn address(text: &str) -> Result<IpAddr, String> {
    match text {
        "localhost" => Ok(Ipv4Addr::LOCALHOST.into()),
        _ => text.parse().map_err(|_| "expected an address such as 127.0.0.1".to_owned()),
    }
}

/// The engines that every page has.
const OWN: [&str; 3] = ["tensai", "greedy", "random"];

/// Serves the page until a signal stops the program.
pub fn run(args: &ServeArgs) -> Result<(), CliError> {
    for engine in &args.engines.0 {
        if OWN.contains(&engine.name.as_str()) {
            let name = &engine.name;
            let reason = format!("--engine: every page has `{name}` already: give another name=");
            return Err(CliError::Refused(reason));
        }
        if engine.time.is_some() {
            let reason = "--engine: time= has no effect here, as the page sets the time of a game";
            return Err(CliError::Refused(reason.to_owned()));
        }
        process::command(engine)?;
    }
    let stop = Stop::on_signals()?;
    Backend::choose(None);
    let threads = args.threads.or_else(|| thread::available_parallelism().ok());
    let settings = Settings {
        address: SocketAddr::new(args.host, args.port.unwrap_or(PORT)),
        or_any_port: args.port.is_none(),
        engines: args.engines.0.clone(),
        threads: threads.unwrap_or(NonZeroUsize::MIN),
        live: None,
    };
    let server = Server::start(&settings)?;
    let url = server.url();
    if !args.host.is_loopback() {
        message::line(format_args!(
            "tensai: other machines can reach the server at {}: anyone with the address of the \
             page can use it, and the connection is not encrypted",
            args.host
        ));
    }
    print(&format!("{url}\n"))?;
    if !args.no_open
        && let Err(error) = system::open_browser(&url)
    {
        message::line(format_args!("tensai: no browser opens ({error}): open the address above"));
    }
    while !stop.is_asked() {
        /// Time until a signal is noticed.
        const PAUSE: Duration = Duration::from_millis(50);
        thread::sleep(PAUSE);
    }
    server.stop();
    Err(CliError::stopped("the server has ended, and the engines with it".to_owned()))
}
