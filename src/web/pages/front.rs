//! The page on which games are played, watched and analysed.
//!
//! The page is one file that loads nothing else. It asks its host for everything that follows from
//! the rules: a server by requests, a worker of its own with this library as WebAssembly, or the
//! games that the page contains, of which this program has computed all that is shown.
//!
//! The sources are in `front/`: `page.html`, `page.css` (after `base.css`, which all pages have),
//! and ES modules, one file for one idea. `script.rs` puts the modules into one script. A page has
//! the modules that its first one needs: `rules_page.js` where the host knows the rules,
//! `games_page.js` in a file of games.

use std::io::{self, Write as _};
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use super::policy::{self, Scripts};
use super::script::{Module, joined, needed};
use super::{BEGIN, check_place};
use crate::record::{RecordError, write_over};
use crate::util::input_file;

/// The first module of a page whose host knows the rules.
const RULES: &str = "rules_page.js";

/// The first module of a page of recorded games.
const GAMES: &str = "games_page.js";

/// The modules of a page whose host knows the rules, each after those that it imports.
const MODULES: &[Module] = &[
    ("draw.js", include_str!("../front/draw.js")),
    ("settings.js", include_str!("../front/settings.js")),
    ("words.js", include_str!("../front/words.js")),
    ("host.js", include_str!("../front/host.js")),
    ("study.js", include_str!("../front/study.js")),
    ("app.js", include_str!("../front/app.js")),
    ("ui.js", include_str!("../front/ui.js")),
    ("views.js", include_str!("../front/views.js")),
    ("days.js", include_str!("../front/days.js")),
    ("keys.js", include_str!("../front/keys.js")),
    ("sound.js", include_str!("../front/sound.js")),
    ("bot_info.js", include_str!("../front/bot_info.js")),
    ("reading.js", include_str!("../front/reading.js")),
    ("board.js", include_str!("../front/board.js")),
    ("action_image.js", include_str!("../front/action_image.js")),
    ("fold.js", include_str!("../front/fold.js")),
    ("frames.js", include_str!("../front/frames.js")),
    ("dropper.js", include_str!("../front/dropper.js")),
    ("reviews.js", include_str!("../front/reviews.js")),
    ("history.js", include_str!("../front/history.js")),
    ("reach.js", include_str!("../front/reach.js")),
    ("seats.js", include_str!("../front/seats.js")),
    ("pace.js", include_str!("../front/pace.js")),
    ("unfinished.js", include_str!("../front/unfinished.js")),
    ("match.js", include_str!("../front/match.js")),
    ("tally.js", include_str!("../front/tally.js")),
    ("controls.js", include_str!("../front/controls.js")),
    ("alone_run.js", include_str!("../front/alone_run.js")),
    ("statistics.js", include_str!("../front/statistics.js")),
    ("setup.js", include_str!("../front/setup.js")),
    ("play.js", include_str!("../front/play.js")),
    ("timeline.js", include_str!("../front/timeline.js")),
    ("viewer.js", include_str!("../front/viewer.js")),
    ("variations.js", include_str!("../front/variations.js")),
    ("pictures.js", include_str!("../front/pictures.js")),
    ("analyse.js", include_str!("../front/analyse.js")),
    ("analysis_cards.js", include_str!("../front/analysis_cards.js")),
    ("trial.js", include_str!("../front/trial.js")),
    ("mistakes.js", include_str!("../front/mistakes.js")),
    ("review.js", include_str!("../front/review.js")),
    ("drawing.js", include_str!("../front/drawing.js")),
    ("editor.js", include_str!("../front/editor.js")),
    ("share.js", include_str!("../front/share.js")),
    ("curves.js", include_str!("../front/curves.js")),
    ("live.js", include_str!("../front/live.js")),
    ("lessons.js", include_str!("../front/lessons.js")),
    ("attempt.js", include_str!("../front/attempt.js")),
    ("puzzles.js", include_str!("../front/puzzles.js")),
    ("watch.js", include_str!("../front/watch.js")),
    ("kept.js", include_str!("../front/kept.js")),
    ("files.js", include_str!("../front/files.js")),
    ("alone.js", include_str!("../front/alone.js")),
    ("analyse_mode.js", include_str!("../front/analyse_mode.js")),
    ("main.js", include_str!("../front/main.js")),
    ("rules_page.js", include_str!("../front/rules_page.js")),
];

/// The further modules of a page of recorded games, after [`MODULES`].
const GAME_MODULES: &[Module] = &[
    ("recorded_host.js", include_str!("../front/recorded_host.js")),
    ("games_page.js", include_str!("../front/games_page.js")),
];

/// The host of a page, as its script reads it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "host", rename_all = "snake_case")]
pub enum Host {
    /// A server that answers `POST /api/METHOD`.
    Server {
        /// The token that the server asks for: letters and digits.
        token: String,
    },
    /// A worker of the page.
    Offline {
        /// The library as WebAssembly: base64, of gzip or as it is.
        wasm_base64: String,
    },
    /// The games in the page.
    Games {
        /// The version of this program.
        version: &'static str,
        /// The games as JSON, without `<`.
        #[serde(skip)]
        games: String,
    },
}

impl Host {
    /// Whether the host can play and analyse, rather than show what was computed before.
    const fn knows_rules(&self) -> bool {
        !matches!(self, Self::Games { .. })
    }

    /// The elements that the host needs in the page, and the scripts that the page itself allows;
    /// of a server, its answer says what is allowed.
    fn needs(&self) -> (String, Option<Scripts>) {
        match self {
            Self::Server { .. } => (String::new(), None),
            Self::Offline { .. } => {
                let worker = include_str!("../front/worker.js");
                let element =
                    format!("<script type=\"text/plain\" id=\"worker\">\n{worker}</script>");
                (element, Some(Scripts::OwnWithWorker))
            }
            Self::Games { games, .. } => {
                let element =
                    format!("<script type=\"application/json\" id=\"data\">{games}</script>");
                (element, Some(Scripts::Own))
            }
        }
    }
}

/// The page for a host.
///
/// `nonce` marks the page's own script and style for a content security policy: letters and digits.
/// A server makes a new one each time it sends the page, and sends the policy itself. A page that is
/// a file contains its policy.
pub fn page(host: &Host, nonce: &str) -> String {
    let (needs, scripts) = host.needs();
    let policy = scripts.map(|scripts| policy::element(nonce, scripts)).unwrap_or_default();
    let nonce = format!(" nonce=\"{nonce}\"");
    let mut page = only(include_str!("../front/page.html"), host.knows_rules());
    let script = match host.knows_rules() {
        true => joined(&needed(MODULES.iter(), RULES)),
        false => joined(&needed(MODULES.iter().chain(GAME_MODULES), GAMES)),
    };
    let parts: [(&str, &str); 10] = [
        ("<!--policy-->\n", &policy),
        ("/*css*/", include_str!("../front/base.css")),
        ("/*page css*/", include_str!("../front/page.css")),
        ("/*nonce*/", &nonce),
        ("/*nonce*/", &nonce),
        ("/*puzzles*/", include_str!("../front/puzzles.json")),
        ("/*sample*/", include_str!("../front/sample_game.txt")),
        ("/*script*/", &script),
        ("/*config*/", &super::embed(host)),
        // Last, so that a placeholder in a game is not replaced.
        ("<!--host-->\n", &needs),
    ];
    for (at, part) in parts {
        page = page.replacen(at, part, 1);
    }
    format!("{BEGIN}\n{}", page.trim_end())
}

/// The page's HTML with the parts between `<!--rules-->` and `<!--/rules-->`, or without them.
fn only(html: &str, knows_rules: bool) -> String {
    let mut is_kept = true;
    let kept = html.lines().filter(|&line| {
        let was_kept = is_kept;
        is_kept = match line {
            "<!--rules-->" => knows_rules,
            "<!--/rules-->" => true,
            _ => return was_kept,
        };
        false
    });
    kept.flat_map(|line| [line, "\n"]).collect()
}

/// The page without a server, around the library as WebAssembly.
///
/// # Errors
/// `wasm` is not WebAssembly.
pub fn offline(wasm: &[u8]) -> Result<String, &'static str> {
    if !wasm.starts_with(b"\0asm") {
        return Err("it is not WebAssembly; `.ci/wasm build` makes target/tensai.wasm");
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to a vector cannot fail.
    let packed = packed.write_all(wasm).and_then(|()| packed.finish()).unwrap_or_default();
    // The page has no text but its own, so that the nonce need not be a secret. The same library
    // makes the same page.
    let host = Host::Offline { wasm_base64: BASE64_STANDARD.encode(packed) };
    Ok(page(&host, &policy::nonce(wasm)))
}

/// Writes the page without a server to a file, whole or not at all. An earlier page is replaced;
/// any other file is left alone.
///
/// # Errors
/// `wasm` is not WebAssembly, another file exists at `path`, or the file system reports an error.
pub fn write_offline(wasm: &Path, path: &Path) -> Result<(), RecordError> {
    check_place(path)?;
    let error = RecordError::file(wasm, "read");
    let bytes = input_file::read(wasm, input_file::RECORD).map_err(&error)?;
    let html = offline(&bytes)
        .map_err(|reason| error(io::Error::new(io::ErrorKind::InvalidData, reason)))?;
    write_over(path, &html)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::Read as _;

    use super::*;
    use crate::web::pages::script::tests::check;

    fn server() -> String {
        page(&Host::Server { token: "0123abcd".to_owned() }, "n0nce")
    }

    fn games() -> String {
        page(&Host::Games { version: "1.0.0", games: "{\"games\":[]}".to_owned() }, "n0nce")
    }

    #[test]
    fn modules_import_what_is_exported() {
        check(&[MODULES, GAME_MODULES].concat());
    }

    #[test]
    fn a_page_has_no_placeholder_and_loads_nothing() {
        let offline = page(&Host::Offline { wasm_base64: "AGFzbQ==".to_owned() }, "n0nce");
        for page in [server(), offline.clone(), games()] {
            assert!(page.starts_with(BEGIN));
            for absent in [
                "/*css*/",
                "/*nonce*/",
                "/*script*/",
                "/*puzzles*/",
                "/*sample*/",
                "/*config*/",
                "<!--",
            ] {
                assert!(!page[BEGIN.len()..].contains(absent), "{absent}");
            }
            for absent in ["src=\"", "http://", "https://", "@import", "innerHTML"] {
                let found = page.replace("http://www.w3.org/2000/svg", "");
                assert!(!found.contains(absent), "{absent}");
            }
        }
        assert!(server().contains("{\"host\":\"server\",\"token\":\"0123abcd\"}"));
        assert!(offline.contains("{\"host\":\"offline\",\"wasm_base64\":\"AGFzbQ==\"}"));
        assert!(offline.contains("'wasm-unsafe-eval'") && !server().contains("'wasm-unsafe-eval'"));
    }

    #[test]
    fn a_page_has_what_its_host_needs() {
        for (page, has_rules) in [(server(), true), (games(), false)] {
            for (at, is_expected) in [
                ("modules[\"rules_page.js\"] =", has_rules),
                ("modules[\"host.js\"] =", has_rules),
                ("modules[\"analyse.js\"] =", has_rules),
                ("modules[\"games_page.js\"] =", !has_rules),
                ("modules[\"watch.js\"] =", true),
                ("id=\"builtin\"", has_rules),
                ("id=\"hand\"", has_rules),
                ("id=\"data\">{\"games\":[]}</script>", !has_rules),
            ] {
                assert_eq!(page.contains(at), is_expected, "{at}");
            }
        }
        // Every module is needed by a page.
        let page = server();
        for (name, _) in MODULES {
            assert!(page.contains(&format!("modules[\"{name}\"] =")), "{name}");
        }
    }

    #[test]
    fn the_offline_page_has_the_library_and_its_policy() {
        let wasm = [&b"\0asm\x01\0\0\0"[..], &[7; 1000]].concat();
        let html = offline(&wasm).unwrap();
        assert_eq!(html, offline(&wasm).unwrap());
        let base64 = html.split_once("\"wasm_base64\":\"").unwrap().1.split_once('"').unwrap().0;
        let packed = BASE64_STANDARD.decode(base64).unwrap();
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, wasm);
        let nonce = html.split_once("'nonce-").unwrap().1.split_once('\'').unwrap().0;
        assert_eq!(html.matches(&format!(" nonce=\"{nonce}\"")).count(), 2);
        assert!(offline(b"<html>").unwrap_err().contains(".ci/wasm"));
    }

    /// The texts in a source that follow `before`, up to the next quotation mark.
    fn texts<'a>(source: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
        source.split(before).skip(1).filter_map(|rest| rest.split('"').next())
    }

    /// Each text of the page has Japanese words.
    #[test]
    fn texts_have_japanese_words() {
        let words = include_str!("../front/words.js");
        let has = |text: &str| {
            let is_name = text.chars().all(|c| c.is_ascii_alphanumeric());
            words.contains(&format!("\"{text}\":"))
                || (is_name && words.contains(&format!(" {text}: ")))
        };
        let mut missing = BTreeSet::new();
        for (name, source) in MODULES.iter().chain(GAME_MODULES) {
            for before in ["t(\"", "label(\""] {
                let calls = source.match_indices(before).filter(|(at, _)| {
                    // The call of `t` itself, not of a function whose name ends in it.
                    let letter = source[..*at].chars().next_back().unwrap_or(' ');
                    !letter.is_ascii_alphanumeric() && letter != '.' && letter != '_'
                });
                for (at, _) in calls {
                    let text = texts(&source[at..], before).next().unwrap();
                    if !has(text) {
                        missing.insert(format!("{name}: {text}"));
                    }
                }
            }
        }
        let html = include_str!("../front/page.html");
        for line in
            html.lines().filter(|line| line.contains(" data-t>") || line.contains(" data-t "))
        {
            for part in line.split('<').filter(|part| part.contains(" data-t>")) {
                let (tag, text) = part.split_once('>').unwrap();
                let text = text.trim();
                let is_text = text.chars().filter(char::is_ascii_alphabetic).count() > 1;
                for sentence in text.split_inclusive(". ").map(str::trim_end) {
                    if is_text && !text.starts_with('&') && !has(sentence) {
                        missing.insert(format!("page.html: {sentence}"));
                    }
                }
                for attribute in ["title=\"", "aria-label=\""] {
                    for text in texts(tag, attribute) {
                        let text = text.replace("&minus;", "\\u2212");
                        if !has(&text) {
                            missing.insert(format!("page.html: {text}"));
                        }
                    }
                }
            }
        }
        assert!(missing.is_empty(), "no Japanese for: {missing:#?}");
    }
}
