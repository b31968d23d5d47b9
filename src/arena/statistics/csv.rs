//! The figures as comma-separated values: a line for each player of each game.

use super::PHASES;
use super::player_game::PlayerGame;
use crate::game::TURNS;

/// The columns and values of a player's line. `game` is the number of the game, from 1, and `file`
/// the shown path of its file. Values that are not known are empty.
pub fn line(game: usize, file: &str, player: &PlayerGame) -> Vec<(String, String)> {
    let mut cells = Vec::new();
    let mut add = |name: &str, value: String| cells.push((name.to_owned(), value));
    add("game", game.to_string());
    add("file", file.to_owned());
    add("engine", player.engine.clone());
    add("seat", player.seat.index().to_string());
    add("opponent", player.opponent.clone());
    add("result", player.tally.points().to_string());
    add("end", player.end.map_or("fault", |end| end.name()).to_owned());
    for (name, fault) in ["fault", "opponent_fault"].into_iter().zip(player.faults) {
        add(name, fault.map_or("", |fault| fault.name()).to_owned());
    }
    add("turns", player.turns.to_string());
    for (name, score) in ["score", "opponent_score"].into_iter().zip(player.scores) {
        add(name, score.to_string());
    }
    let attack = player.first_attack;
    add("first_attack_turn", shown(attack.map(|attack| attack.turn)));
    add("first_attack_chain", shown(attack.map(|attack| attack.chain)));
    add("first_attack_ojama", shown(attack.map(|attack| attack.ojama)));
    add("attacked", player.order.name().to_owned());
    add("chains", player.chains.values().sum::<u64>().to_string());
    add("longest_chain", shown(player.chains.keys().next_back()));
    let lengths = player.chains.iter().map(|(length, count)| format!("{length}:{count}"));
    add("chain_lengths", lengths.collect::<Vec<_>>().join(" "));
    let ojama = player.ojama;
    add("sent", ojama.sent.to_string());
    add("sent_by_chains", ojama.by_chains.to_string());
    add("sent_by_skill", ojama.by_skill.to_string());
    add("offset", ojama.offset.to_string());
    add("fallen", ojama.fallen.to_string());
    add("waiting", ojama.waiting.to_string());
    add("skill_uses", player.skill.turns.len().to_string());
    add("skill_first_turn", shown(player.skill.turns.first()));
    add("skill_blocks", player.skill.blocks.to_string());
    // The turns of a random opening take no time.
    let asked = &player.think_us[player.first_turn..];
    add("think_ms", mean_ms(asked));
    let most = asked.iter().max();
    add("most_think_ms", shown(most.map(|&us| us as f64 / 1000.0)));
    for (first, end) in PHASES.into_iter().zip(PHASES[1..].iter().copied().chain([TURNS])) {
        let end_played = end.min(player.think_us.len());
        let first_asked = first.max(player.first_turn);
        let times = player.think_us.get(first_asked..end_played).unwrap_or_default();
        add(&format!("think_ms_{first}_{}", end - 1), mean_ms(times));
    }
    add("left_ms", shown(player.left.map(|left| left.as_secs_f64() * 1000.0)));
    add("opening", player.opening.join(", "));
    cells
}

fn shown(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The mean of times in microseconds, in milliseconds with three decimals; empty without times.
fn mean_ms(times: &[u64]) -> String {
    if times.is_empty() {
        return String::new();
    }
    let sum: f64 = times.iter().map(|&us| us as f64).sum();
    format!("{:.3}", sum / times.len() as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::super::{Definitions, samples};
    use super::*;
    use crate::record::Record;

    #[test]
    fn every_line_has_the_same_columns() {
        let definitions = Definitions { attack: 1.try_into().unwrap(), ..Definitions::default() };
        let games = [samples::exchange(), samples::greedy_against_random(1)];
        let lines: Vec<Vec<(String, String)>> = games
            .iter()
            .flat_map(|game| PlayerGame::both(game, &definitions).unwrap())
            .map(|player| line(7, "x/1.json", &player))
            .collect();
        let names = |line: &[(String, String)]| -> Vec<String> {
            line.iter().map(|(name, _)| name.clone()).collect()
        };
        assert!(lines.iter().all(|line| names(line) == names(&lines[0])));
        let values: Vec<&str> = lines[1].iter().map(|(_, value)| &**value).collect();
        assert_eq!(
            values.join("|"),
            "7|x/1.json|b|1|a|0|fault|invalid answer||3|2|2|2|2|1|second|1|2|2:1|1|1|0|1|0|0|0||0\
             |4.000|6|4.000||||||179983|0 0, 4 0, 0 0"
        );
        // A random turn is no turn of the engine: neither its time nor its chain counts.
        let with_opening = Record { opening: 1, ..samples::exchange() };
        let [_, player] = PlayerGame::both(&with_opening, &definitions).unwrap();
        let asked = &player.think_us[1..];
        let mean = asked.iter().sum::<u64>() as f64 / asked.len() as f64 / 1000.0;
        let cells = line(7, "x/1.json", &player);
        let cell = |name: &str| &cells.iter().find(|(column, _)| column == name).unwrap().1;
        assert_eq!([cell("think_ms"), cell("think_ms_0_9")], [&format!("{mean:.3}"); 2]);
    }
}
