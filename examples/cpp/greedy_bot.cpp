// Plays the drop with the longest chain now. It looks one turn ahead and knows no opponent.
#include <tuple>

#include "protocol.hpp"

// The skill pays from one row of ojama on, which the explosion of a single 5 sends.
constexpr int SKILL_PAYS = OJAMA_ROW;

// Orders drops, the best one highest: survive, long chain, low columns. The height rule breaks ties
// between equal chains: first the tallest column, then the sum of the squared heights, which is
// lowest on a flat field.
std::tuple<bool, int, int, int> quality(const Step& step) {
    int squares = 0;
    for (int height : step.player.field.height) squares += height * height;
    return {!step.player.is_over(), step.chain, -step.player.field.tallest(), -squares};
}

Action decide(const std::vector<Pack>& packs, const Observation& turn) {
    const Pack& pack = packs.at(turn.turn);
    Drop best{0, 0};
    Step best_step = play_half(turn.own, pack, best);
    for (int position = 0; position < WIDTH - 1; ++position) {
        for (int rotation = 0; rotation < 4; ++rotation) {
            const Drop drop{position, rotation};
            const Step step = play_half(turn.own, pack, drop);
            // The first of equal drops stays: from the left, and the smallest rotation.
            if (quality(step) > quality(best_step)) {
                best = drop;
                best_step = step;
            }
        }
    }
    if (turn.own.can_use_skill()) {
        const Step skill = play_half(turn.own, pack, Skill{});
        const bool pays = skill.sent() >= SKILL_PAYS && skill.sent() > best_step.sent();
        if (!skill.player.is_over() && (pays || best_step.player.is_over())) return Skill{};
    }
    return best;
}

int main() { run("greedy-cpp", decide); }
