//! The JSON Schemas in `docs/schemas`, generated from the types that are written as JSON.
//!
//! They exist in tests only, so that no program carries them. Where a schema differs from its file,
//! the test says so; with `TENSAI_WRITE_SCHEMAS` set, it writes the file.

use std::path::PathBuf;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::arena::Manifest;
use crate::cli::Results;
use crate::client;
use crate::engine::{Report, TUNABLE};
use crate::league::{League, List};
use crate::record::Record;
use crate::server::{LiveGame, LiveTurn};
use crate::statistics::{Position, Statistics};
use crate::tuning::Tuning;
use crate::web::PageGame;

fn schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// The parameters and the result of a method.
#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
struct Exchange<P, R> {
    /// The parameters.
    params: P,
    /// The result.
    result: R,
}

/// The methods that a client asks for, by their names.
#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
struct Client {
    hello: Exchange<client::HelloParams, client::HelloResult>,
    new_game: Exchange<client::NewGameParams, client::NewGameResult>,
    show: Exchange<client::ShowParams, client::ShowResult>,
    choices: Exchange<client::ChoicesParams, Vec<client::Choice>>,
    decide: Exchange<client::DecideParams, client::DecideResult>,
    analyse: Exchange<client::AnalyseParams, client::Analysis>,
    review: Exchange<client::ReviewParams, client::ReviewResult>,
    import: Exchange<client::ImportParams, client::ImportResult>,
    export: Exchange<client::ExportParams, client::ExportResult>,
    share: Exchange<client::ShareParams, client::ShareResult>,
    unshare: Exchange<client::UnshareParams, client::UnshareResult>,
    puzzles: Exchange<client::PuzzlesParams, client::PuzzlesResult>,
    try_puzzle: Exchange<client::TryPuzzleParams, client::TryPuzzleResult>,
    /// A message about a running request.
    progress: client::ProgressReport,
    /// Why a request has no result.
    error: client::ClientError,
}

/// The schema of an object with values of the planner's parameters, such as `tuned` of a tuning.
fn parameters() -> Value {
    let each = TUNABLE.iter().map(|tunable| {
        let kind = if tunable.is_whole { "integer" } else { "number" };
        let schema = json!({
            "type": kind,
            "description": tunable.about,
            "minimum": tunable.min,
            "maximum": tunable.max,
            "default": tunable.usual(),
        });
        (tunable.name.to_owned(), schema)
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Parameters",
        "description": "Parameters of the planner, as `--parameter NAME=VALUE` sets them.",
        "type": "object",
        "properties": each.collect::<serde_json::Map<_, _>>(),
        "additionalProperties": false,
    })
}

/// The schemas, by the names of their files.
fn schemas() -> [(&'static str, Value); 15] {
    [
        ("record", schema::<Record>()),
        ("match", schema::<Manifest>()),
        ("results", schema::<Results<'static>>()),
        ("league", schema::<League>()),
        ("league-list", schema::<List>()),
        ("info", schema::<Report>()),
        ("live-game", schema::<LiveGame>()),
        ("live-turn", schema::<LiveTurn>()),
        ("page", schema::<PageGame>()),
        ("statistics", schema::<Statistics>()),
        ("position", schema::<Position>()),
        ("client", schema::<Client>()),
        ("puzzles", schema::<client::PuzzleFile>()),
        ("tuning", schema::<Tuning>()),
        ("parameters", parameters()),
    ]
}

#[test]
fn schemas_are_those_of_the_types() {
    for (name, schema) in schemas() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/schemas");
        let path = path.join(format!("{name}.json"));
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("TENSAI_WRITE_SCHEMAS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == text,
            "docs/schemas/{name}.json differs from its type: run this test with \
             TENSAI_WRITE_SCHEMAS=1, look at the difference and commit it"
        );
    }
}
