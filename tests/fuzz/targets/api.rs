//! Requests of a page.

use std::sync::LazyLock;

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Value, json};
use tensai::game::Packs;
use tensai::web::api::{ApiError, ErrorCode, Method, NoProgress, handle};

use super::FuzzTarget;
use crate::checks::{message, text};

/// Requests: an object with `method` and `params`.
pub const API: FuzzTarget = FuzzTarget {
    words: &[
        "\"packs\":\"\"",
        "\"123012304560\"",
        "\"actions\":[[\"0 0\",\"8 3\"]]",
        "\"S\"",
        "\"3 1\"",
        "\"seat\":1",
        "\"turn\":499",
        "\"turn\":500",
        "\"seed\":9007199254740992",
        "\"players\":[{},{}]",
        "\"field\":\"5.........\\n#3......1.\"",
        "\"stock\":1000000000",
        "\"stock\":10",
        "\"gauge\":80",
        "\"start\":null",
        "\"kind\":\"kill\"",
        "\"goal\":3",
        "\"engine\":\"greedy\"",
        "\"nodes\":1",
        "\"lines\":2",
        "\"played\":\"0 0\"",
        "null",
        "18446744073709551615",
        "\\u001b",
        "[",
        "{\"",
    ],
    iterations: 1000,
    // A request may be searched with a transposition table.
    memory: 256 << 20,
    ..FuzzTarget::new("api", api)
};

/// The reader of shared games.
pub const UNSHARE: FuzzTarget = FuzzTarget {
    words: &["#g=", "AAAA", "____", "zzzzzzzz", "-", "#"],
    memory: 8 << 20,
    ..FuzzTarget::new("unshare", unshare)
};

/// The most simulated drops of a request.
const NODES: u64 = 500;

/// The text with the packs of a game for each `PACKS`.
fn with_packs(text: &str) -> String {
    const MOST: usize = 3;
    let packs = Packs::from_seed(3);
    let digits = packs.from_turn(0).iter().flat_map(|pack| pack.codes());
    let digits: String = digits.map(|code| char::from(b'0' + code)).collect();
    text.replacen("PACKS", &digits, MOST)
}

/// Lowers what would take long.
fn limited(params: &mut Value) {
    if let Some(nodes) = params.get_mut("nodes").filter(|nodes| nodes.as_u64() > Some(NODES)) {
        *nodes = NODES.into();
    }
    if let Some(lines) = params.get_mut("lines") {
        *lines = lines.as_u64().unwrap_or(0).min(2).into();
    }
    for name in ["level", "time_ms"] {
        if let Some(object) = params.as_object_mut() {
            object.remove(name);
        }
    }
    // Four packs take seconds without optimisation.
    if let Some(packs) = params.get_mut("packs").filter(|packs| packs.as_u64() > Some(2)) {
        *packs = 2.into();
    }
    if let Some(packs) = params.pointer_mut("/puzzle/packs").filter(|it| it.as_u64() > Some(2)) {
        *packs = 2.into();
    }
}

fn refusal(error: ApiError) -> Option<String> {
    assert_ne!(error.code, ErrorCode::Internal, "{error}");
    message(error)
}

/// The thread of searches whose results are compared.
static ONE_THREAD: LazyLock<ThreadPool> =
    LazyLock::new(|| ThreadPoolBuilder::new().num_threads(1).build().unwrap());

/// Answers a request.
fn answer(method: &str, params: &Value) -> Result<Value, ApiError> {
    let result = handle(method, &params.to_string(), &mut NoProgress::default())?;
    Ok(serde_json::from_str(result.get()).expect("a result is JSON"))
}

fn api(data: &[u8]) -> Option<String> {
    let request: Value = match serde_json::from_str(&with_packs(&text(data))) {
        Ok(request) => request,
        Err(_) => return message("no JSON"),
    };
    let method = request.get("method").and_then(Value::as_str).unwrap_or_default();
    let mut params = request.get("params").cloned().unwrap_or_default();
    limited(&mut params);
    let result = match answer(method, &params) {
        Ok(result) => result,
        Err(error) => return refusal(error),
    };
    // The result of a method without a clock depends on its parameters alone; that of a review only on
    // one thread.
    let again = || answer(method, &params);
    match Method::of_name(method).unwrap() {
        Method::NewGame | Method::Decide | Method::Analyse | Method::Export => {}
        Method::Review => assert_eq!(ONE_THREAD.install(again), ONE_THREAD.install(again)),
        _ => assert_eq!(again(), Ok(result.clone())),
    }
    if method == "export" && result["file_name"].as_str().unwrap().ends_with(".json") {
        let import = json!({ "text": result["text"] });
        answer("import", &import).unwrap();
    }
    None
}

fn unshare(data: &[u8]) -> Option<String> {
    let game = match answer("unshare", &json!({ "text": text(data) })) {
        Ok(result) => result["game"].clone(),
        Err(error) => return refusal(error),
    };
    let again = answer("share", &json!({ "game": game })).unwrap();
    let back = answer("unshare", &json!({ "text": again["text"] })).unwrap();
    assert_eq!(back["game"], game, "what is unpacked is packed again");
    answer("show", &json!({ "game": game })).unwrap();
    None
}
