//! A parameter that is tuned, and how an engine gets its value.

use serde::{Deserialize, Serialize};

use crate::arena::EngineConfig;
use crate::arena::placeholder::{LONGEST_NAME, OF_THE_GAME, alike, filled, is_name, meant};
use crate::engine::{TUNABLE, Tunable};
use crate::util::sanitize::{NAME, quoted, visible};
use crate::util::suggestion::{closest, hint, separator};

/// A parameter that is tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The name: up to 64 letters, digits and underscores.
    pub name: String,
    /// The value at which the tuning starts.
    pub start: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// The first shift: a change that makes a noticeable difference in play.
    pub stride: f64,
    /// Whether the engine takes whole numbers only.
    #[serde(default)]
    pub whole: bool,
}

/// The smallest stride, so that both sides get different values: values have six decimals.
const LEAST_STRIDE: f64 = 1e-5;

/// The decimals of values, as a factor.
const DECIMALS: f64 = 1e6;

/// The greatest absolute value: a greater number has no six decimals.
const GREATEST: f64 = 1e9;

/// The stride of a parameter of this program, as a part of its default value.
const DEFAULT_STRIDE: f64 = 0.2;

/// The stride as a part of the range, where the default value is 0.
const STRIDE_OF_RANGE: f64 = 0.05;

impl Parameter {
    /// The keys of [`Self::from_words`].
    const KEYS: [&str; 6] = ["name", "start", "min", "max", "stride", "whole"];

    /// Reads a parameter from words `KEY=VALUE`; a word alone is the name. The keys are `name`,
    /// `start`, `min`, `max`, `stride` and `whole`. For a parameter of this program ([`TUNABLE`]),
    /// missing keys have the values of the list. Its stride is then a fifth of the default value,
    /// at least 1 if the parameter is whole, or a twentieth of the list's range if the default
    /// value is 0.
    ///
    /// # Errors
    /// Describes the first wrong word or value, in one line.
    pub fn from_words<S: AsRef<str>>(words: &[S]) -> Result<Self, String> {
        let hints = words.iter().map(|word| separator(word.as_ref(), Self::KEYS));
        if let Some(hint) = hints.into_iter().find(|hint| !hint.is_empty()) {
            let words = words.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ");
            return Err(format!("expected KEY=VALUE, found {}{hint}", quoted(&words)));
        }
        let mut given: [Option<&str>; 6] = [None; 6];
        for word in words {
            let word = word.as_ref();
            let (key, value) = word.split_once('=').unwrap_or(("name", word));
            let Some(index) = Self::KEYS.iter().position(|&known| known == key) else {
                let near = hint(closest(key, Self::KEYS));
                return Err(format!("unknown key {}{near}", quoted(key)));
            };
            if given[index].replace(value).is_some() {
                return Err(format!("{} is given twice", quoted(key)));
            }
        }
        let name = given[0].ok_or("expected a name, found none")?.to_owned();
        check_name(&name)?;
        let own = own(&name);
        let number = |index: usize, default: Option<f64>| match (given[index], default) {
            (Some(text), _) => {
                text.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(|| {
                    format!(
                        "{name}: {}: expected a number, found {}",
                        Self::KEYS[index],
                        quoted(text)
                    )
                })
            }
            (None, Some(default)) => Ok(default),
            (None, None) => {
                let names = TUNABLE.iter().map(|tunable| tunable.name);
                let near = hint(closest(&name, names));
                let key = Self::KEYS[index];
                Err(format!(
                    "{name}: expected {key}=NUMBER for a parameter that is not one of tensai's{near}"
                ))
            }
        };
        let (min, max) = (number(2, own.map(|own| own.min))?, number(3, own.map(|own| own.max))?);
        let start = number(1, own.map(Tunable::default_value))?;
        let whole = match given[5] {
            None => own.is_some_and(|own| own.is_whole),
            Some("true") => true,
            Some("false") => false,
            Some(text) => {
                return Err(format!(
                    "{name}: whole: expected true or false, found {}",
                    quoted(text)
                ));
            }
        };
        let least = if whole { 1.0 } else { 0.0 };
        let stride = number(
            4,
            own.map(|own| {
                let of_value = DEFAULT_STRIDE * own.default_value().abs();
                rounded(if of_value > 0.0 {
                    of_value.max(least)
                } else {
                    STRIDE_OF_RANGE * (own.max - own.min)
                })
            }),
        )?;
        let parameter = Self { name, start, min, max, stride, whole };
        parameter.check()?;
        Ok(parameter)
    }

    /// Checks the name and the values.
    ///
    /// # Errors
    /// Describes the first wrong one, in one line.
    pub fn check(&self) -> Result<(), String> {
        let Self { name, start, min, max, stride, whole } = self;
        check_name(name)?;
        let values = [("start", start), ("min", min), ("max", max), ("stride", stride)];
        if let Some((key, value)) = values.into_iter().find(|(_, value)| !value.is_finite()) {
            return Err(format!("{name}: {key}: expected a finite number, found {value}"));
        }
        if let Some((key, value)) = values.into_iter().find(|(_, value)| value.abs() > GREATEST) {
            return Err(format!(
                "{name}: {key}: expected -{GREATEST} to {GREATEST}, found {value}; scale the parameter"
            ));
        }
        if min >= max {
            return Err(format!("{name}: expected a min below max, found {min} and {max}"));
        }
        if *whole && min.ceil() > max.floor() {
            let reason = "expected a whole number from min to max";
            return Err(format!("{name}: whole: {reason}, found {min} and {max}"));
        }
        if !(min..=max).contains(&start) {
            return Err(format!("{name}: start: expected {min} to {max}, found {start}"));
        }
        let most = max - min;
        if !(*stride > 0.0 && *stride <= most) {
            return Err(format!(
                "{name}: stride: expected above 0 to {}, found {stride}",
                Self::text(most)
            ));
        }
        if *stride < LEAST_STRIDE {
            return Err(format!(
                "{name}: stride: expected {LEAST_STRIDE} or more, because values have six decimals, \
                 found {stride}; scale the parameter"
            ));
        }
        Ok(())
    }

    /// Whether the parameter may have the value.
    pub fn contains(&self, value: f64) -> bool {
        (self.min..=self.max).contains(&value)
    }

    /// The value as the engine and people get it, rounded to six decimals.
    pub fn text(value: f64) -> String {
        rounded(value).to_string()
    }
}

/// The contents of the placesholder `{...}` in the command and the variables of `engine` that look
/// like placeholders, well written or not.
fn placeholders(engine: &EngineConfig) -> Vec<String> {
    std::iter::once(&engine.cmd).chain(engine.env.values()).flat_map(|text| alike(text)).collect()
}

/// Returns the first of `placeholders` that is not the name of one of `known`. Several words are
/// such a placeholder only if a name of `known` is meant, because a program's own texts have such
/// words too, as in `awk '{print NR}'`.
fn unknown_placeholder<'a>(placeholders: &'a [String], known: &[&str]) -> Option<&'a str> {
    let is_meant = |placeholder: &str| known.iter().any(|name| meant(name) == meant(placeholder));
    let is_text = |placeholder: &str| placeholder.trim().contains(' ') && !is_meant(placeholder);
    let mut placeholders = placeholders.iter().map(String::as_str);
    placeholders.find(|placeholder| !known.contains(placeholder) && !is_text(placeholder))
}

/// Checks that an opponent has no placeholder for a parameter: its values never change.
///
/// # Errors
/// Describes the first placeholder, in one line.
pub fn check_opponent(engine: &EngineConfig) -> Result<(), String> {
    unknown_placeholder(&placeholders(engine), &OF_THE_GAME).map_or(Ok(()), |placeholder| {
        let who = quoted(&engine.name);
        let near = nearest(placeholder, &OF_THE_GAME);
        let found = in_braces(placeholder);
        Err(format!("{who}: an opponent gets no parameter, found {found} in its cmd or env{near}"))
    })
}

/// A hint at the name of `known` that `placeholder` may mean, in braces as in a command; empty if
/// there is none.
fn nearest(placeholder: &str, known: &[&str]) -> String {
    let name = meant(placeholder);
    let same = known.iter().find(|known| meant(known) == name).copied();
    let near = same.or_else(|| closest(&name, known.iter().copied()));
    near.map_or_else(String::new, |near| hint(Some(&in_braces(near))))
}

/// A placeholder as a message shows it. Its format, as in `{depth:.2f}`, is any text.
fn in_braces(placeholder: &str) -> String {
    format!("{{{}}}", visible(placeholder, NAME))
}

/// Checks that `name` can be that of a variable, and is short enough for messages.
fn check_name(name: &str) -> Result<(), String> {
    if is_name(name) {
        return Ok(());
    }
    let reason = format!("expected up to {LONGEST_NAME} letters, digits and underscores");
    Err(format!("name of a parameter: {reason}, found {}", quoted(name)))
}

/// `value` with six decimals. The nearest number to a product such as 0.2 * 0.8 is not the one of the
/// shortest text, 0.16.
fn rounded(value: f64) -> f64 {
    // Adding 0 turns a negative zero into a positive one.
    (value * DECIMALS).round() / DECIMALS + 0.0
}

fn own(name: &str) -> Option<&'static Tunable> {
    TUNABLE.iter().find(|tunable| tunable.name == name)
}

/// Returns `engine` under the name `name`, with the values of the parameters.
///
/// `{NAME}` in the command or in the value of a variable is replaced by the value of the parameter
/// NAME. A parameter without such a placeholder is given to this program as `--parameter
/// NAME=VALUE`, and to any other program in the variable NAME.
pub fn with_values(
    engine: &EngineConfig,
    name: &str,
    parameters: &[Parameter],
    values: &[f64],
) -> EngineConfig {
    let mut engine = EngineConfig { name: name.to_owned(), ..engine.clone() };
    let is_own = engine.is_own();
    for (parameter, &value) in parameters.iter().zip(values) {
        let value = Parameter::text(value);
        let is_in_command = placeholders(&engine).contains(&parameter.name);
        let of = |name: &str| (name == parameter.name).then(|| value.clone());
        engine.cmd = filled(&engine.cmd, of);
        for content in engine.env.values_mut() {
            *content = filled(content, of);
        }
        if !is_in_command && is_own {
            engine.cmd += &format!(" --parameter {}={value}", parameter.name);
        } else if !is_in_command {
            engine.env.insert(parameter.name.clone(), value);
        }
    }
    engine
}

/// Checks that `engine` can get the parameters: each placeholder `{NAME}` must be that of a
/// parameter, and those that this program gets as `--parameter` must be its own, with a range
/// within its own.
///
/// # Errors
/// Describes the first parameter that does not fit, in one line.
pub fn check_all(engine: &EngineConfig, parameters: &[Parameter]) -> Result<(), String> {
    if parameters.is_empty() {
        return Err("`parameters`: expected one at least, found none".to_owned());
    }
    parameters.iter().try_for_each(Parameter::check)?;
    let placeholders = placeholders(engine);
    let names = || parameters.iter().map(|parameter| parameter.name.as_str());
    let known: Vec<&str> = names().chain(OF_THE_GAME).collect();
    if let Some(placeholder) = unknown_placeholder(&placeholders, &known) {
        let near = match nearest(placeholder, &known) {
            none if none.is_empty() && is_name(placeholder) => {
                format!(
                    "; add `--parameter name={placeholder}`, or write ${{{placeholder}}} for a shell"
                )
            }
            near => near,
        };
        let found = in_braces(placeholder);
        return Err(format!("{found} in cmd or env is the place of no parameter{near}"));
    }
    for (index, parameter) in parameters.iter().enumerate() {
        let Parameter { name, min, max, whole, .. } = parameter;
        if parameters[..index].iter().any(|other| other.name == *name) {
            return Err(format!("{name}: expected once, found twice"));
        }
        if placeholders.contains(name) || !engine.is_own() {
            continue;
        }
        let Some(own) = own(name) else {
            let near = hint(closest(name, TUNABLE.iter().map(|tunable| tunable.name)));
            return Err(format!("{name}: tensai has no such parameter{near}"));
        };
        if *min < own.min || *max > own.max {
            let (least, most) = (own.min, own.max);
            return Err(format!(
                "{name}: expected a range within {least} to {most}, found {min} to {max}"
            ));
        }
        if own.is_whole && !whole {
            return Err(format!(
                "{name}: expected whole=true, because tensai takes whole numbers only"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Parameter, String> {
        Parameter::from_words(words)
    }

    #[test]
    fn own_parameters_need_only_their_names() {
        let discount = read(&["discount"]).unwrap();
        assert_eq!((discount.start, discount.min, discount.max), (0.8, 0.3, 1.0));
        assert!(!discount.whole);
        assert_eq!(discount.stride.to_string(), "0.16", "not 0.16000000000000003");
        let opening = read(&["name=opening", "max=12"]).unwrap();
        assert_eq!(
            (opening.start, opening.max, opening.stride, opening.whole),
            (8.0, 12.0, 1.6, true)
        );
        for tunable in TUNABLE {
            read(&[tunable.name]).unwrap();
        }
    }

    #[test]
    fn mistakes_are_named() {
        let refused = |words: &[&str]| read(words).unwrap_err();
        assert_eq!(refused(&["start=1"]), "expected a name, found none");
        assert_eq!(
            refused(&["discuont"]),
            "discuont: expected min=NUMBER for a parameter that is not one of tensai's; did you mean \
             `discount`?"
        );
        assert_eq!(
            refused(&["discount", "strid=1"]),
            "unknown key `strid`; did you mean `stride`?"
        );
        assert_eq!(refused(&["discount", "name=a"]), "`name` is given twice");
        let comma = refused(&["name=a,start=1"]);
        assert!(comma.ends_with("write a space before `start=`"), "{comma}");
        let quotes = refused(&["discount start=1"]);
        assert!(quotes.ends_with("before `start=`"), "{quotes}");
        assert_eq!(refused(&["discount", "min=x"]), "discount: min: expected a number, found `x`");
        assert_eq!(
            refused(&["discount", "start=2"]),
            "discount: start: expected 0.3 to 1, found 2"
        );
        assert_eq!(
            refused(&["discount", "min=1"]),
            "discount: expected a min below max, found 1 and 1"
        );
        assert!(
            refused(&["discount", "stride=0"]).starts_with("discount: stride: expected above 0 to")
        );
        assert!(
            refused(&["discount", "whole=1"]).ends_with("whole: expected true or false, found `1`")
        );
        assert!(
            refused(&["a b", "start=1", "min=0", "max=2", "stride=1"]).ends_with("found `a b`")
        );
        assert_eq!(
            refused(&["a", "start=0.5", "min=0.2", "max=0.8", "stride=0.1", "whole=true"]),
            "a: whole: expected a whole number from min to max, found 0.2 and 0.8"
        );
        assert!(
            refused(&["a", "start=2e-7", "min=0", "max=1e-6", "stride=1e-7"])
                .ends_with("found 0.0000001; scale the parameter")
        );
    }

    #[test]
    fn engines_get_values_by_placeholder_variable_or_option() {
        let parameters = ["x", "y"].map(|name| {
            let name = format!("name={name}");
            read(&[&name, "start=1", "min=0", "max=2", "stride=0.5"]).unwrap()
        });
        let values = [1.0 / 3.0, -0.0];
        let of = |engine: &EngineConfig| with_values(engine, "plus", &parameters, &values);
        let external = EngineConfig::new("bot", "./bot --x {x}");
        let given = of(&external);
        assert_eq!((&*given.name, &*given.cmd), ("plus", "./bot --x 0.333333"));
        assert_eq!(given.env.into_iter().collect::<Vec<_>>(), [("y".to_owned(), "0".to_owned())]);
        let mut in_variable = EngineConfig::new("bot", "./bot");
        in_variable.env.insert("OPTIONS".to_owned(), "x={x},y={y}".to_owned());
        assert_eq!(of(&in_variable).env["OPTIONS"], "x=0.333333,y=0");
        assert_eq!(of(&in_variable).env.len(), 1);
        let own = [read(&["discount"]).unwrap()];
        let given = with_values(&EngineConfig::new("t", "tensai"), "minus", &own, &[0.75]);
        assert_eq!(given.cmd, "tensai --parameter discount=0.75");
    }

    #[test]
    fn a_place_without_a_parameter_is_refused() {
        let parameters = [read(&["depth", "start=1", "min=0", "max=2", "stride=0.5"]).unwrap()];
        let check = |cmd: &str, variable: &str| {
            let mut engine = EngineConfig::new("bot", cmd);
            engine.env.insert("OPTIONS".to_owned(), variable.to_owned());
            check_all(&engine, &parameters)
        };
        assert_eq!(
            check("./bot {detph}", "").unwrap_err(),
            "{detph} in cmd or env is the place of no parameter; did you mean `{depth}`?"
        );
        let unknown = check("./bot {depth}", "a={x}").unwrap_err();
        assert!(unknown.starts_with("{x} in cmd or env is the place of no parameter"), "{unknown}");
        for good in ["{depth}{depth}", "{}", "{a b}", "{\"a\": 1}", "{", "${x}", "{game}-{seat}"] {
            assert_eq!(check("./bot", good), Ok(()), "{good}");
        }
        for slip in ["{ depth }", "{Depth}", "{DEPTH}", "{depth:d}", "{depth:.2f}", "{dep-th}"] {
            let refused = check(&format!("./bot {slip}"), "").unwrap_err();
            assert!(refused.starts_with(slip), "{refused}");
            assert!(refused.ends_with("; did you mean `{depth}`?"), "{refused}");
        }
        assert!(check("./bot", "{Game}").unwrap_err().ends_with("; did you mean `{game}`?"));
        let words = ["max_depth", "start=1", "min=0", "max=2", "stride=0.5"];
        for slip in ["{max-depth}", "{max depth}", "{ Max_Depth }"] {
            let engine = EngineConfig::new("bot", format!("./bot {slip}"));
            let refused = check_all(&engine, &[read(&words).unwrap()]).unwrap_err();
            assert!(refused.ends_with("; did you mean `{max_depth}`?"), "{refused}");
        }
        let unseen = check("./bot {depth:\u{1b}[31m}", "").unwrap_err();
        assert!(unseen.starts_with("{depth:\\u{1b}[31m} in cmd or env is"), "{unseen}");
        let mut others = parameters.clone();
        others[0].name = "dept\u{feff}".to_owned();
        let unseen = check_all(&EngineConfig::new("bot", "./bot {depth}"), &others).unwrap_err();
        assert!(unseen.ends_with("found `dept\\u{feff}`"), "{unseen}");
        let other = check_opponent(&EngineConfig::new("other", "./bot {depth}")).unwrap_err();
        assert!(other.starts_with("`other`: an opponent gets no parameter, found {depth}"));
        assert_eq!(check_opponent(&EngineConfig::new("other", "./bot {seat}")), Ok(()));
        let slip = check_opponent(&EngineConfig::new("other", "./bot { seat }")).unwrap_err();
        assert!(slip.ends_with("; did you mean `{seat}`?"), "{slip}");
    }

    #[test]
    fn a_variable_of_a_shell_is_not_a_placeholder() {
        let parameters = [read(&["depth", "start=1", "min=0", "max=2", "stride=0.5"]).unwrap()];
        let engine = EngineConfig::new("bot", "sh -c './bot ${depth}'");
        let given = with_values(&engine, "plus", &parameters, &[2.0]);
        assert_eq!((given.cmd, &*given.env["depth"]), (engine.cmd, "2"));
    }

    #[test]
    fn this_program_takes_only_its_own_parameters() {
        let tensai = EngineConfig::new("t", "tensai");
        let check = |words: &[&str]| check_all(&tensai, &[read(words).unwrap()]);
        assert_eq!(check(&["discount"]), Ok(()));
        let external = ["x", "start=1", "min=0", "max=2", "stride=1"];
        let unknown = check(&external).unwrap_err();
        assert!(unknown.starts_with("x: tensai has no such parameter"), "{unknown}");
        assert_eq!(
            check_all(&EngineConfig::new("b", "./bot"), &[read(&external).unwrap()]),
            Ok(())
        );
        let placed = EngineConfig::new("t", "tensai --threads {x}");
        assert_eq!(check_all(&placed, &[read(&external).unwrap()]), Ok(()));
        let wide = check(&["discount", "max=2"]).unwrap_err();
        assert_eq!(wide, "discount: expected a range within 0.3 to 1, found 0.3 to 2");
        assert!(check(&["opening", "whole=false"]).unwrap_err().contains("expected whole=true"));
        let twice = [read(&["discount"]).unwrap(), read(&["discount"]).unwrap()];
        assert!(check_all(&tensai, &twice).unwrap_err().ends_with("found twice"));
        assert!(check_all(&tensai, &[]).is_err());
    }
}
