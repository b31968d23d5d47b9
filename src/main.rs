//! The program `tensai`; see the library for everything.
#![deny(missing_docs)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tensai::backend::check_processor();
    match tensai::cli::run(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tensai: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
