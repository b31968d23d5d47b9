//! The line that a search expects, as shown to people.

use super::{OwnNode, OwnRequest, OwnSearcher};
use crate::board::Field;
use crate::engine::classic::evaluation::{LOSS, WIN};
use crate::game::Action;
use crate::search::child::Child;
use crate::search::{Budget, OjamaHundredths, TranspositionTable};

/// Returns the own actions and fields of the expected line that begins with `first`. Returns `None`
/// if the budget is spent.
pub fn line(
    request: &OwnRequest<'_>,
    first: Action,
    table: &mut TranspositionTable,
    budget: &Budget,
) -> Option<Vec<(Action, Field)>> {
    table.new_search();
    let mut search = OwnSearcher::new(request, table, budget);
    let mut node = search.root();
    let mut line = Vec::new();
    for ply in 0..request.plies {
        let mut best: Option<(OjamaHundredths, Child)> = None;
        for child in search.children(&node, ply)? {
            if ply == 0 && child.action != first {
                continue;
            }
            let alpha = best.as_ref().map_or(LOSS - OjamaHundredths(1), |(value, _)| *value);
            let value = search.worst(&node, &child, ply, alpha, WIN)?;
            if best.as_ref().is_none_or(|(best, _)| value > *best) {
                best = Some((value, child));
            }
        }
        let Some((_, child)) = best else { break };
        line.push((child.action, child.field));
        if child.field.is_over() || search.end(&node, &child, ply).is_some() {
            break;
        }
        // The opponent's case that is worse for us.
        let (quiet, attacked) = search.outcomes(&node, &child, ply);
        let next = |line| OwnNode { field: child.field, line };
        let mut value = |node| search.value(node, ply + 1, LOSS, WIN);
        let quiet = next(quiet);
        node = match attacked.map(next) {
            Some(attacked) if value(quiet)? > value(attacked)? => attacked,
            _ => quiet,
        };
        node.let_rain(ply + 1);
    }
    Some(line)
}
