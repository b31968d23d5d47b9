//! The program `tensai`; see the library for everything.
#![deny(missing_docs)]

use std::process::ExitCode;

use tensai::cli::CliError;
use tensai::util::message;

fn main() -> ExitCode {
    tensai::board::processor::check_processor();
    message::take_panics();
    match tensai::cli::run(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let code = error.exit_code();
            let message = format!("tensai: {error}");
            match error {
                // A referee may not read its bot's standard error.
                CliError::Serve(_) => message::line_in_time(message),
                _ => message::line(message),
            }
            ExitCode::from(code)
        }
    }
}
