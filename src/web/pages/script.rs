//! Combines ES modules into one script, as a page that is one file cannot load modules.
//!
//! A module becomes a function that returns its exports, and its imports become constants:
//!
//! ```text
//! modules["board.js"] = (() => { const { t } = modules["words.js"]; ...; return { board }; })();
//! ```
//!
//! Comments on lines of their own and the spaces before a line are left out, as every page contains
//! the script. So a module keeps to these restrictions, which a test checks: an import names single
//! exports of a module before it; an export stands before a `const`, a `function` or a `class`, and
//! never changes; a template literal stands on one line.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A module: the name of its file, and its text.
pub type Module = (&'static str, &'static str);

/// The module of a name and the modules that it needs, of `modules`, in their order.
pub fn needed<'a>(modules: impl DoubleEndedIterator<Item = &'a Module>, name: &str) -> Vec<Module> {
    let mut names = vec![name.to_owned()];
    let mut kept = Vec::new();
    // Each module stands after those that it imports.
    for &module in modules.rev() {
        if !names.iter().any(|name| name == module.0) {
            continue;
        }
        kept.push(module);
        let imports = lines(module.1).filter_map(|line| Some(import(&line)?.1.to_owned()));
        names.extend(imports);
    }
    kept.reverse();
    kept
}

/// The modules as one script, in this order.
pub fn joined(modules: &[Module]) -> String {
    let mut script = String::from("\"use strict\";\nconst modules = {};\n");
    for (name, source) in modules {
        let mut exports: Vec<String> = Vec::new();
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(script, "modules[\"{name}\"] = (() => {{");
        for line in lines(source) {
            if let Some((names, from)) = import(&line) {
                let names = names.replace(" as ", ": ");
                let _ = writeln!(script, "const {{{names}}} = modules[\"{from}\"];");
            } else if let Some(declared) = line.strip_prefix("export ") {
                exports.extend(exported(declared).map(str::to_owned));
                script += declared;
                script.push('\n');
            } else {
                script += &line;
                script.push('\n');
            }
        }
        let _ = writeln!(script, "return {{ {} }};\n}})();", exports.join(", "));
    }
    script
}

/// The lines of a module without comments of their own and without the spaces before a line; an
/// import of several lines is one.
fn lines(source: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut lines = source.lines().map(str::trim_start);
    std::iter::from_fn(move || {
        loop {
            let line = lines.next()?;
            if line.starts_with("//") {
                continue;
            }
            // Code may follow the comment on its line, as it does after the type of a cast.
            if line.starts_with("/*") && (line.ends_with("*/") || !line.contains("*/")) {
                let mut end = line;
                while !end.ends_with("*/") {
                    end = lines.next()?;
                }
                continue;
            }
            if line != "import {" {
                return Some(Cow::Borrowed(line));
            }
            let mut import = line.to_owned();
            while !import.ends_with(';') {
                import += lines.next()?;
            }
            return Some(Cow::Owned(import));
        }
    })
}

/// The names of an import and the file's name, without its folder.
fn import(line: &str) -> Option<(&str, &str)> {
    let (names, path) = line.strip_prefix("import {")?.split_once("} from \"")?;
    let path = path.strip_suffix("\";")?;
    Some((names.trim().trim_end_matches(','), path.rsplit('/').next()?))
}

/// The name that a declaration exports.
fn exported(declaration: &str) -> Option<&str> {
    let rest = declaration.strip_prefix("async ").unwrap_or(declaration);
    let (_, rest) = rest.split_once(' ')?;
    rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$').next()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Fails unless the modules are written as [`joined`] needs them.
    pub fn check(modules: &[Module]) {
        for (at, (name, source)) in modules.iter().enumerate() {
            for line in lines(source) {
                let is_import = line.starts_with("import ");
                assert!(!is_import || import(&line).is_some(), "{name}: {line}");
                assert!(line.matches('`').count().is_multiple_of(2), "{name}: {line}");
                for kind in ["export {", "export let", "export default", "export *"] {
                    assert!(!line.starts_with(kind), "{name}: {line}");
                }
                let Some((names, from)) = import(&line) else { continue };
                let before = modules[..at].iter().find(|(other, _)| *other == from);
                let (_, before) =
                    before.unwrap_or_else(|| panic!("{name}: {from} is no module before"));
                let exports: Vec<&str> = before
                    .lines()
                    .filter_map(|line| exported(line.strip_prefix("export ")?))
                    .collect();
                for wanted in names.split(',').map(str::trim) {
                    let wanted = wanted.split(" as ").next().unwrap();
                    assert!(exports.contains(&wanted), "{name}: {from} does not export {wanted}");
                }
            }
        }
    }

    #[test]
    fn a_page_has_the_modules_that_its_first_one_needs() {
        let modules = [
            ("a.js", "export const one = 1;"),
            ("b.js", "import { one } from \"./a.js\";\nexport const two = one;"),
            ("c.js", "import {\n  one,\n} from \"./a.js\";\nexport const three = one;"),
            ("d.js", "import { three } from \"./c.js\";\nthree;"),
        ];
        let names =
            |name: &str| needed(modules.iter(), name).iter().map(|module| module.0).collect();
        let [of_b, of_d]: [Vec<&str>; 2] = ["b.js", "d.js"].map(names);
        assert_eq!(of_b, ["a.js", "b.js"]);
        assert_eq!(of_d, ["a.js", "c.js", "d.js"]);
    }

    #[test]
    fn modules_become_functions() {
        let modules = [
            (
                "a.js",
                "// First.\nconst hidden = 1;\n/**\n * Second.\n */\nexport const one = hidden;\n/** @returns {void} */\nexport async function two() {}\n",
            ),
            ("b.js", "import { one, two as second } from \"../a.js\";\nsecond(one);\n"),
            ("c.js", "import {\n  one,\n  two,\n} from \"./a.js\";\ntwo(one);\n"),
        ];
        check(&modules);
        let script = joined(&modules);
        assert!(script.contains("const {one, two: second} = modules[\"a.js\"];"), "{script}");
        assert!(script.contains("const {one,two} = modules[\"a.js\"];"), "{script}");
        assert!(script.contains("return { one, two };"), "{script}");
        assert!(!script.contains("//") && !script.contains('*'), "{script}");
        assert!(!script.contains("export") && !script.contains("import"), "{script}");
    }
}
