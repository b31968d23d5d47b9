// The rules of CODE VS Reborn: a turn of one player, and a turn of both.
//
// Columns count from the left, rows from the bottom, both from 0. Nothing floats: the cells of a
// column are those below its height.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <variant>

constexpr int WIDTH = 10;
constexpr int HEIGHT = 16;        // a player with a cell above row 16 at the end of a turn has lost
constexpr int ROWS = HEIGHT + 3;  // in mid-turn a column can hold a row of ojama and two blocks more
constexpr int TURNS = 500;
constexpr int OJAMA = 11;
constexpr int OJAMA_ROW = 10;  // ojama in a row, one on each column
constexpr int GAUGE_FULL = 100;
constexpr int GAUGE_SKILL = 80;  // the gauge that the skill needs
constexpr int GAUGE_CHARGE = 8;  // what a turn with a chain adds to the gauge

struct Field {
    std::array<std::array<std::uint8_t, ROWS>, WIDTH> cells{};  // [column][row]: 0, 1 to 9, OJAMA
    std::array<int, WIDTH> height{};

    void push(int x, int cell) { cells[x].at(height[x]++) = static_cast<std::uint8_t>(cell); }
    int tallest() const { return *std::max_element(height.begin(), height.end()); }
    bool operator==(const Field& other) const { return cells == other.cells; }
};

// Upper left, upper right, lower left, lower right; 0 is empty.
using Pack = std::array<int, 4>;

struct Drop {
    int position;  // 0 to 8, the column of the pack's left cells
    int rotation;  // 0 to 3, quarter turns clockwise
};
struct Skill {};
using Action = std::variant<Drop, Skill>;

struct Player {  // at the end of a turn
    Field field;
    long long stock = 0;  // ojama that wait to fall
    int gauge = 0;
    long long score = 0;

    bool can_use_skill() const { return gauge >= GAUGE_SKILL; }
    bool is_over() const { return field.tallest() > HEIGHT; }
};

// The sum of floor(1.3^i) for i from 1 to `chain`.
inline long long chain_score(int chain) {
    long long score = 0;
    for (int i = 1; i <= chain; ++i) score += static_cast<long long>(std::pow(1.3, i));
    return score;
}

inline long long explosion_score(int blocks) {
    return blocks == 0 ? 0 : static_cast<long long>(25 * std::pow(2.0, blocks / 12.0));
}

// A player's half of a turn, before the opponent's half acts on it.
struct Step {
    Player player;
    int chain = 0;     // rounds in which blocks vanished
    int exploded = 0;  // blocks that the skill blew up

    // Ojama sent to the opponent. The chain and the explosion are halved separately.
    long long sent() const { return chain_score(chain) / 2 + explosion_score(exploded) / 2; }
};

// Lets the blocks of a pack fall, each in its column, the lower row first.
inline void drop(Field& field, const Pack& pack, Drop where) {
    auto [a, b, c, d] = pack;
    for (int turned = 0; turned < where.rotation; ++turned) {
        int upper_left = a;  // [a b; c d] becomes [c a; d b]
        a = c, c = d, d = b, b = upper_left;
    }
    const int left = where.position, right = left + 1;
    if (c != 0) field.push(left, c);
    if (d != 0) field.push(right, d);
    if (a != 0) field.push(left, a);
    if (b != 0) field.push(right, b);
}

// Removes each block for which `vanishes(block, neighbour)` holds for one of its eight neighbours,
// all at once. What is above falls. A block counts as a neighbour of itself if `with_itself`.
// Returns the number of removed blocks. Ojama are never removed.
template <typename Vanishes>
int remove_beside(Field& field, Vanishes vanishes, bool with_itself = false) {
    Field left;
    int removed = 0;
    for (int x = 0; x < WIDTH; ++x) {
        for (int y = 0; y < field.height[x]; ++y) {
            const int block = field.cells[x][y];
            bool goes = false;
            for (int nx = std::max(x - 1, 0); nx <= std::min(x + 1, WIDTH - 1); ++nx) {
                for (int ny = std::max(y - 1, 0); ny <= std::min(y + 1, field.height[nx] - 1); ++ny) {
                    const bool itself = nx == x && ny == y;
                    if (!itself || with_itself) goes |= vanishes(block, field.cells[nx][ny]);
                }
            }
            if (goes && block != OJAMA) {
                ++removed;
            } else {
                left.push(x, block);
            }
        }
    }
    field = left;
    return removed;
}

// Removes all pairs that sum to 10, round by round, and returns the number of rounds.
inline int run_chain(Field& field) {
    int chain = 0;
    while (remove_beside(field, [](int block, int other) { return block + other == 10; }) > 0) ++chain;
    return chain;
}

// Blows up each 5 and the blocks around it, and returns the number of blocks.
inline int explode(Field& field) {
    return remove_beside(field, [](int, int other) { return other == 5; }, true);
}

// Plays one player's half of a turn. Throws if the skill is used below its gauge.
inline Step play_half(const Player& before, const Pack& pack, const Action& action) {
    Step step{before};
    Player& player = step.player;
    if (player.stock >= OJAMA_ROW) {  // exactly one row a turn, the rest waits
        player.stock -= OJAMA_ROW;
        for (int x = 0; x < WIDTH; ++x) player.field.push(x, OJAMA);
    }
    if (const Drop* where = std::get_if<Drop>(&action)) {
        drop(player.field, pack, *where);
    } else {
        if (!before.can_use_skill()) throw std::invalid_argument("the skill needs a gauge of 80");
        player.gauge = 0;
        step.exploded = explode(player.field);
    }
    step.chain = run_chain(player.field);
    if (step.chain > 0) player.gauge = std::min(player.gauge + GAUGE_CHARGE, GAUGE_FULL);
    player.score += chain_score(step.chain) + explosion_score(step.exploded);
    return step;
}

struct Turn {
    std::array<Step, 2> steps;
    std::array<Player, 2> after;
};

// Plays a turn of both players at once. Both drop the same pack.
inline Turn play_turn(const std::array<Player, 2>& players, const Pack& pack,
                      const std::array<Action, 2>& actions) {
    Turn turn{{play_half(players[0], pack, actions[0]), play_half(players[1], pack, actions[1])}, {}};
    for (int seat : {0, 1}) {
        const Step& opponent = turn.steps[1 - seat];
        const int drain = opponent.chain >= 3 ? 12 + 2 * opponent.chain : 0;
        turn.after[seat] = turn.steps[seat].player;
        turn.after[seat].gauge = std::max(turn.after[seat].gauge - drain, 0);
        turn.after[seat].stock += opponent.sent();
    }
    const long long offset = std::min(turn.after[0].stock, turn.after[1].stock);
    for (Player& player : turn.after) player.stock -= offset;
    return turn;
}

enum class Result { FIRST_WINS, SECOND_WINS, DRAW };

// The result of the game, if it has ended after `turns_played` turns.
inline std::optional<Result> result(int turns_played, const std::array<Player, 2>& players) {
    const bool first_over = players[0].is_over(), second_over = players[1].is_over();
    if (!first_over && !second_over && turns_played < TURNS) return std::nullopt;
    if (first_over != second_over) return first_over ? Result::SECOND_WINS : Result::FIRST_WINS;
    if (players[0].score == players[1].score) return Result::DRAW;
    return players[0].score > players[1].score ? Result::FIRST_WINS : Result::SECOND_WINS;
}
