//! The JSON Schemas in `docs/schemas`, generated from the types that are written as JSON.
//!
//! They exist in tests only, so that no program carries them. Where a schema differs from its file,
//! the test says so; with `TENSAI_WRITE_SCHEMAS` set, it writes the file.

use std::path::PathBuf;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::arena::Manifest;
use crate::arena::league::{League, List};
use crate::arena::statistics::{Position, Statistics};
use crate::arena::tuning::Tuning;
use crate::cli::Results;
use crate::engine::{Report, TUNABLE};
use crate::record::Record;
use crate::web::api;
use crate::web::pages::EmbeddedGame;
use crate::web::server::{LiveGame, LiveTurn};

/// The schema of `T` as it is written.
fn schema<T: JsonSchema>() -> Value {
    schema_by::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn schema_by<T: JsonSchema>(settings: SchemaSettings) -> Value {
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The parameters of each method that a page asks for.
#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
struct ApiParams {
    hello: api::HelloParams,
    new_game: api::NewGameParams,
    show: api::ShowParams,
    choices: api::ChoicesParams,
    decide: api::DecideParams,
    analyse: api::AnalyseParams,
    review: api::ReviewParams,
    import: api::ImportParams,
    export: api::ExportParams,
    gif: api::GifParams,
    share: api::ShareParams,
    unshare: api::UnshareParams,
    puzzles: api::PuzzlesParams,
    try_puzzle: api::TryPuzzleParams,
}

/// The result of each method.
#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
struct ApiResults {
    hello: api::HelloResult,
    new_game: api::NewGameResult,
    show: api::ShowResult,
    choices: Vec<api::OpenChoice>,
    decide: api::DecideResult,
    analyse: api::Analysis,
    review: api::ReviewResult,
    import: api::ImportResult,
    export: api::ExportResult,
    gif: api::GifResult,
    share: api::ShareResult,
    unshare: api::UnshareResult,
    puzzles: api::PuzzlesResult,
    try_puzzle: api::TryPuzzleResult,
    /// A message about a running request.
    progress: api::ProgressReport,
    /// Why a request has no result.
    error: api::ApiError,
}

/// The schema of the methods that a page asks for: an object of `params` and `result` for each,
/// `progress` and `error`. Parameters may leave out fields with a default, so a type has another
/// schema as a parameter, with `Input` before its name.
fn api_methods() -> Value {
    let params = schema_by::<ApiParams>(SchemaSettings::draft2020_12().for_deserialize());
    let params = params.to_string().replace("#/$defs/", "#/$defs/Input");
    let params: Value = serde_json::from_str(&params).expect("it was JSON before");
    let mut whole = schema::<ApiResults>();
    for (name, definition) in params["$defs"].as_object().expect("an object") {
        whole["$defs"][format!("Input{name}")] = definition.clone();
    }
    for (name, params) in params["properties"].as_object().expect("an object") {
        let result = whole["properties"][name].take();
        whole["properties"][name] = json!({
            "type": "object",
            "properties": { "params": params, "result": result },
            "required": ["params", "result"],
        });
    }
    whole["title"] = json!("Api");
    whole["description"] = json!("The methods that a page asks for, by their names.");
    whole
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
            "default": tunable.default_value(),
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
        ("page", schema::<EmbeddedGame<'static>>()),
        ("statistics", schema::<Statistics>()),
        ("position", schema::<Position>()),
        ("api", api_methods()),
        ("puzzles", schema::<api::PuzzleFile>()),
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
