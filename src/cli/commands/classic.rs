//! The options of `--engine classic`: a preset of y.s.'s bot, each of its parameters, the data
//! that it prints.

use std::time::Duration;

use clap::Args;

use crate::cli::arguments::named;
use crate::engine::classic::{Parameters, Preset};
use crate::engine::{Classic, Engine};
use crate::game::Chain;
use crate::util::duration;

/// The heading of the parameters in the help.
const HEADING: &str = "Classic engine (defaults: online, submission)";

/// The options of `--engine classic`.
#[derive(Args, Debug, Clone)]
pub struct ClassicArgs {
    /// Print the data behind each decision of the classic engine.
    ///
    /// Fields, lines and the opponent's tables go to standard error.
    #[arg(long)]
    verbose: bool,

    /// Print the parameters of --engine classic, which are options too, and exit.
    #[arg(long)]
    pub help_classic: bool,

    // Last, because its heading applies to all options after it.
    #[command(flatten)]
    parameters: ParameterArgs,
}

impl ClassicArgs {
    /// Makes the engine that the options describe.
    pub fn engine(&self) -> Box<dyn Engine> {
        Box::new(Classic::new(self.parameters.parameters(), self.verbose))
    }
}

/// The help of the classic engine's parameters, which the other helps leave out. `command_line` is
/// the whole command line.
pub fn help(command_line: clap::Command) -> String {
    let command = command_line.disable_help_flag(true).disable_version_flag(true);
    let subcommands: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command = subcommands.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |subcommand| subcommand.hide(true))
    });
    let mut command = command
        .disable_help_subcommand(true)
        .about("The parameters of the classic engine, with their values in both presets.")
        .long_about(None)
        .after_help("Example:\n  tensai --engine classic --preset online --later-width 2000")
        .override_usage("tensai --engine classic [OPTIONS]")
        .mut_args(|arg| {
            let is_classic = arg.get_help_heading() == Some(HEADING);
            arg.hide(!is_classic)
        });
    command.render_help().to_string()
}

/// Makes the options from the parameters that they set: `field: kind => place in Parameters`.
macro_rules! options {
    ($($(#[$meta:meta])* $name:ident: $type:ty => $($place:tt).+ $(, $convert:expr)?;)*) => {
        /// The parameters of the classic engine.
        #[derive(Args, Debug, Clone, Default)]
        #[command(next_help_heading = HEADING)]
        struct ParameterArgs {
            /// Preset of y.s.'s bot: online, as it last played online on four cores, or submission,
            /// as it was submitted for one core [default: submission].
            #[arg(long, value_parser = named(&Preset::NAMED), hide = true)]
            preset: Option<Preset>,
            $(
                $(#[$meta])*
                #[arg(long, allow_negative_numbers = true, hide = true)]
                $name: Option<$type>,
            )*
        }

        impl ParameterArgs {
            /// Returns the preset, changed by the options that were given.
            fn parameters(&self) -> Parameters {
                let mut parameters = Parameters::of(self.preset.unwrap_or_default());
                $(if let Some(value) = self.$name {
                    parameters.$($place).+ = options!(@convert value $(, $convert)?);
                })*
                parameters
            }
        }
    };
    (@convert $value:ident) => { $value };
    (@convert $value:ident, $convert:expr) => { $convert($value) };
}

options! {
    /// Turns that the opening beam looks ahead [20, 16].
    #[arg(value_name = "TURNS")]
    opening_depth: usize => opening.depth;
    /// Fields that the opening beam keeps in a layer [30000, 5000].
    #[arg(value_name = "N")]
    opening_width: usize => opening.width;
    /// Fields of a layer of the opening beam that may share a chain length [4900, 1500].
    #[arg(value_name = "N")]
    opening_cap: usize => opening.cap;
    /// Time of the opening beam [19s, 19s].
    #[arg(value_name = "TIME", value_parser = duration::parse)]
    opening_time: Duration => opening.time;
    /// The chain that the opening beam reaches as soon as possible [12, 12].
    #[arg(value_name = "CHAIN")]
    target: u8 => target, Chain;
    /// Difference by which a chain may be shorter than the target and still be kept [1, 1].
    #[arg(value_name = "N")]
    target_kept: u8 => kept;
    /// The chain that ends the opening beam; 0 for none [0, 16].
    #[arg(value_name = "CHAIN")]
    final_target: u8 => final_target, Chain;
    /// Columns on each side that the opening beam does not use, 0 to 4 [2, 2].
    #[arg(value_name = "N", value_parser = clap::value_parser!(u8).range(0..=4))]
    closed_columns: u8 => closed;
    /// The row from which on blocks make a field worthless to the opening beam [14, 14].
    #[arg(value_name = "ROW")]
    height_limit: u8 => height_limit;
    /// Turns in which the plan is always played [8, 8].
    #[arg(value_name = "TURNS")]
    unquestioned: usize => unquestioned;
    /// The plan is played unless the best move is better by more than this, in ojama [50, 35].
    #[arg(value_name = "OJAMA")]
    plan_margin: f64 => plan_margin;
    /// A plan worth this much is always played, in ojama [70, 70].
    #[arg(value_name = "OJAMA")]
    plan_enough: f64 => plan_enough;
    /// Turns that a later beam looks ahead [20, 16].
    #[arg(value_name = "TURNS")]
    later_depth: usize => later.depth;
    /// Fields that a later beam keeps in a layer [3850, 700].
    #[arg(value_name = "N")]
    later_width: usize => later.width;
    /// Fields of a layer of a later beam that may share a chain length [1470, 350].
    #[arg(value_name = "N")]
    later_cap: usize => later.cap;
    /// Time of a later beam [2.5s, 1.35s].
    #[arg(value_name = "TIME", value_parser = duration::parse)]
    later_time: Duration => later.time;
    /// The later beam's move is played unless the best move is better by this, in ojama [10, 10].
    #[arg(value_name = "OJAMA")]
    later_margin: f64 => later_margin;
    /// Turns that the opponent's beam looks ahead [10, 10].
    #[arg(value_name = "TURNS")]
    opponent_depth: usize => opponent.depth;
    /// Fields that the opponent's beam keeps in a layer [750, 500].
    #[arg(value_name = "N")]
    opponent_width: usize => opponent.width;
    /// Fields of a layer of the opponent's beam that may share a chain length [250, 200].
    #[arg(value_name = "N")]
    opponent_cap: usize => opponent.cap;
    /// Time of the opponent's beam [500ms, 500ms].
    #[arg(value_name = "TIME", value_parser = duration::parse)]
    opponent_time: Duration => opponent.time;
    /// Turns within which the opponent may answer a possible attack [10, 10].
    #[arg(value_name = "TURNS")]
    attack_depth: usize => attack.depth;
    /// Turns within which the opponent may attack if it is not attacked [5, 5].
    #[arg(value_name = "TURNS")]
    unattacked_depth: usize => unattacked_depth;
    /// Fields that these two beams keep in a layer [1600, 500].
    #[arg(value_name = "N")]
    attack_width: usize => attack.width;
    /// Fields of a layer of these two beams that may share a chain length [400, 200].
    #[arg(value_name = "N")]
    attack_cap: usize => attack.cap;
    /// Time of each of these two beams [1s, 500ms].
    #[arg(value_name = "TIME", value_parser = duration::parse)]
    attack_time: Duration => attack.time;
    /// Turns within which the beam's move answers an attack of the opponent [7, 7].
    #[arg(value_name = "TURNS")]
    answer_depth: usize => answer.depth;
    /// Fields that the beams of the answers keep in a layer [350, 200].
    #[arg(value_name = "N")]
    answer_width: usize => answer.width;
    /// Fields of a layer of the beams of the answers that may share a chain length [100, 75].
    #[arg(value_name = "N")]
    answer_cap: usize => answer.cap;
    /// Time of each beam of the answers [500ms, 350ms].
    #[arg(value_name = "TIME", value_parser = duration::parse)]
    answer_time: Duration => answer.time;
    /// Turns that the beam of skill mode looks ahead [10, 10].
    #[arg(value_name = "TURNS")]
    skill_depth: usize => skill.depth;
    /// Fields that the beam of skill mode keeps in a layer [1000, 500].
    #[arg(value_name = "N")]
    skill_width: usize => skill.width;
    /// Fields of a layer of that beam that may blow up the same number of blocks [200, 200].
    #[arg(value_name = "N")]
    skill_cap: usize => skill.cap;
    /// Time of the beam of skill mode [500ms, 500ms].
    #[arg(value_name = "TIME", value_parser = duration::parse)]
    skill_time: Duration => skill.time;
    /// Time left in the game below which no beam is searched [30s, 30s].
    #[arg(value_name = "TIME", value_parser = duration::parse)]
    beams_until: Duration => beams_until;
    /// Plies of the exhaustive searches, 1 to 4 [4, 4].
    #[arg(value_name = "N", value_parser = plies)]
    plies: usize => plies;
    /// Chains are given up if the later beam finds none of this length [8, 9].
    #[arg(value_name = "CHAIN")]
    give_up_below: u8 => give_up_below, Chain;
    /// Weight of a single ojama in a stock, against those of a row [0.2, 0.2].
    #[arg(value_name = "PART")]
    weight_units: f64 => weights.units;
    /// Penalty of a five in an outer column, in ojama; it makes the search slow [0, 0].
    #[arg(value_name = "OJAMA")]
    weight_edge_five: f64 => weights.edge_five;
    /// Value of a column of 15 [0, 0].
    #[arg(value_name = "OJAMA")]
    weight_row_15: f64 => weights.high.0;
    /// Value of a column of 16 [0, 0].
    #[arg(value_name = "OJAMA")]
    weight_row_16: f64 => weights.high.1;
    /// Value of a column of 17 [-100, -100].
    #[arg(value_name = "OJAMA")]
    weight_row_17: f64 => weights.high.2;
    /// Weight of the own skill while chains are built, against skill mode [0.5, 0.5].
    #[arg(value_name = "PART")]
    weight_skill: f64 => weights.skill_while_building;
    /// Ojama on the own field from which on the own skill counts while chains are built [50, 50].
    #[arg(value_name = "OJAMA")]
    skill_from_ojama: u32 => weights.skill_from_ojama;
    /// Weight of a skill of the opponent that is not ready [0.2, 0.2].
    #[arg(value_name = "PART")]
    weight_unready_skill: f64 => weights.unready_skill;
    /// Value that is given back for an attack of the opponent that comes too early and is small
    /// [50, 50].
    #[arg(value_name = "OJAMA")]
    weight_early_attack: f64 => weights.early_attack;
    /// Part that is taken back of each ojama of a small attack [0.9, 0.9].
    #[arg(value_name = "PART")]
    weight_small_attack: f64 => weights.small_attack;
    /// Value of a small chain while no ojama are on the opponent's field [-20, -10].
    #[arg(value_name = "OJAMA")]
    weight_first_small_chain: f64 => weights.small_chain.0;
    /// Value of a small chain while no more than 20 ojama are there [-10, -5].
    #[arg(value_name = "OJAMA")]
    weight_second_small_chain: f64 => weights.small_chain.1;
    /// The longest chain that is small while no ojama are on the opponent's field [10, 10].
    #[arg(value_name = "CHAIN")]
    first_small_chain: u8 => weights.small_chain_most.0, Chain;
    /// The longest chain that is small while no more than 20 ojama are there [9, 9].
    #[arg(value_name = "CHAIN")]
    second_small_chain: u8 => weights.small_chain_most.1, Chain;
    /// Value of a ply at which the opponent could attack [-5, -5].
    #[arg(value_name = "OJAMA")]
    weight_may_attack: f64 => weights.may_attack;
    /// Value of a ply at which the opponent could attack and is assumed not to [15, 15].
    #[arg(value_name = "OJAMA")]
    weight_spared: f64 => weights.spared;
}

/// Parses a number of plies.
fn plies(text: &str) -> Result<usize, String> {
    let plies = text.parse().ok().filter(|plies| (1..=4).contains(plies));
    plies.ok_or_else(|| "expected 1 to 4".to_owned())
}
