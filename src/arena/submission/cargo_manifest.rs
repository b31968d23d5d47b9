//! The manifest of a submission: the project's own without the parts that the bot does not need.

use toml::{Table, Value};

use super::SubmissionError;

/// Parts of the manifest that concern tests, benches and the arena.
const LEFT_OUT: [&str; 5] = ["dev-dependencies", "features", "target", "bench", "example"];

/// Paths, relative to the project's folder, that a submission does not contain: the folders that the
/// features `arena` and `api` switch.
pub const LEFT_OUT_FOLDERS: [&str; 8] = [
    "src/analysis",
    "src/arena",
    "src/cli/commands",
    "src/dev",
    "src/engine/classic",
    "src/record",
    "src/util/system",
    "src/web",
];

/// Whether a file of the project belongs to a submission.
pub fn is_needed(path: &str) -> bool {
    let within = |folder: &str| {
        path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let kept = ["src", "Cargo.toml", "Cargo.lock", "LICENSE", "compile.sh", "run.sh"];
    kept.iter().any(|kept| within(kept)) && !LEFT_OUT_FOLDERS.iter().any(|left| within(left))
}

/// The error of a wrong manifest.
fn invalid(reason: &str) -> SubmissionError {
    SubmissionError::Refused(format!("Cargo.toml: {reason}"))
}

/// Returns the manifest of the bot alone: the package, its binary, the crates that are not
/// optional, the profiles.
///
/// # Errors
/// The text is not the project's manifest, or a crate that only one system needs is not optional.
/// Such crates may be left out only because they belong to the arena.
pub fn trimmed(manifest: &str) -> Result<String, SubmissionError> {
    let mut manifest: Table =
        manifest.parse().map_err(|error: toml::de::Error| invalid(error.message()))?;
    if manifest.get("package").and_then(|package| package.get("name")) != Some(&"tensai".into()) {
        let reason = "this is not the project `tensai`; run this in a checkout of it";
        return Err(invalid(reason));
    }
    let is_optional =
        |wanted: &Value| wanted.get("optional").and_then(Value::as_bool).unwrap_or(false);
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flatten();
    for (target, parts) in targets {
        let crates = parts.get("dependencies").and_then(Value::as_table).into_iter().flatten();
        if let Some((name, _)) = crates.into_iter().find(|(_, wanted)| !is_optional(wanted)) {
            let reason = format!(
                "{name}: a crate for {target} must be an optional dependency of the feature `arena`"
            );
            return Err(invalid(&reason));
        }
    }
    for part in LEFT_OUT {
        manifest.remove(part);
    }
    if let Some(Value::Table(crates)) = manifest.get_mut("dependencies") {
        crates.retain(|_, wanted| !is_optional(wanted));
    }
    // The sources still test the features, so the lint must know them. The table `workspace` keeps
    // cargo from reading manifests in the folders above on the runner.
    let added = r#"
        [workspace]
        [lints.rust.unexpected_cfgs]
        level = "warn"
        check-cfg = ['cfg(feature, values("arena", "api"))']
    "#;
    let added: Table = added.parse().expect("well-formed");
    merge(&mut manifest, added);
    Ok(manifest.to_string())
}

/// Adds the entries of `from` to `into`, table by table.
fn merge(into: &mut Table, from: Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Table(into)), Value::Table(from)) => merge(into, from),
            (_, value) => drop(into.insert(key, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_trimmed_manifest_has_only_the_crates_of_the_bot() {
        let trimmed = trimmed(include_str!("../../../Cargo.toml")).unwrap();
        let manifest: Table = trimmed.parse().unwrap();
        let crates = manifest["dependencies"].as_table().unwrap();
        assert!(crates.contains_key("rayon"));
        assert!(crates.values().all(|wanted| wanted.get("optional").is_none()));
        for part in LEFT_OUT {
            assert!(!manifest.contains_key(part), "{part}");
        }
        assert_eq!(manifest["lints"]["rust"]["missing_docs"].as_str(), Some("deny"));
        assert!(manifest["profile"].get("release").is_some());
    }

    #[test]
    fn manifests_of_other_projects_are_refused() {
        let refused = |text: &str| trimmed(text).unwrap_err().to_string();
        assert!(refused("[package]\nname = \"other\"").contains("not the project `tensai`"));
        assert!(refused("[package").starts_with("Cargo.toml: "));
        let unix = "[package]\nname = \"tensai\"\n[target.'cfg(unix)'.dependencies]\nlibc = \"1\"";
        assert!(refused(unix).contains("libc: a crate for cfg(unix) must be an optional"));
    }

    /// The modules that `source`, the file of a module in `folder`, compiles with a feature only.
    fn behind_features<'a>(
        source: &'a str,
        folder: &'a str,
    ) -> impl Iterator<Item = (String, bool)> + 'a {
        let lines = source.lines().zip(source.lines().skip(1));
        lines.filter_map(move |(before, line)| {
            // A module with a path stands for another one in a build of the bot alone.
            if before.starts_with("#[path") {
                return None;
            }
            let (_, name) = line.strip_suffix(';')?.split_once("mod ")?;
            let is_behind = before.starts_with("#[cfg(") && before.contains("feature = ");
            Some((format!("{folder}/{name}"), is_behind))
        })
    }

    #[test]
    fn exactly_the_modules_behind_a_feature_are_left_out() {
        let library = behind_features(include_str!("../../lib.rs"), "src");
        let modules = library
            .chain(behind_features(include_str!("../../cli/mod.rs"), "src/cli"))
            .chain(behind_features(include_str!("../../engine/mod.rs"), "src/engine"))
            .chain(behind_features(include_str!("../../util/mod.rs"), "src/util"));
        let mut count = 0;
        for (module, is_behind) in modules {
            for path in [module.clone() + ".rs", module] {
                if Path::new(env!("CARGO_MANIFEST_DIR")).join(&path).exists() {
                    assert_eq!(is_needed(&path), !is_behind, "{path}");
                    count += usize::from(is_behind);
                }
            }
        }
        assert_eq!(count, LEFT_OUT_FOLDERS.len(), "each entry is a module");
    }

    #[test]
    fn files_of_the_arena_are_left_out() {
        assert!(is_needed("src/cli/bot.rs") && is_needed("src/main.rs") && is_needed("run.sh"));
        assert!(is_needed("src/record_of_something.rs"), "only whole names count");
        let arena = [
            "src/arena/mod.rs",
            "src/cli/commands/games/record/mod.rs",
            "src/cli/commands/dev/learn/beam.rs",
        ];
        for path in arena.into_iter().chain(["tests/tools.rs", "notes/x.md"]) {
            assert!(!is_needed(path), "{path}");
        }
    }
}
