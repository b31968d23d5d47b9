// The simulator against the golden vectors (`../vectors/README.md`).
// `build/test_simulator FOLDER` reads them from another folder than ../vectors.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "simulator.hpp"

namespace {

int failures = 0;

template <typename T>
void expect_equal(const T& found, const T& expected, const std::string& what) {
    if (found == expected) return;
    std::cerr << what << ": found " << found << ", expected " << expected << '\n';
    ++failures;
}

// The lines of a vector file without comments and blank lines.
std::vector<std::string> records(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::vector<std::string> records;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line[0] != '#') records.push_back(line);
    }
    return records;
}

// Reads `STOCK GAUGE SCORE COLUMN...`; a column is given from the bottom, `-` is an empty one.
Player read_player(std::istream& in) {
    Player player;
    in >> player.stock >> player.gauge >> player.score;
    for (int x = 0; x < WIDTH; ++x) {
        std::string column;
        in >> column;
        for (char symbol : column) {
            if (symbol != '-') player.field.push(x, symbol == '#' ? OJAMA : symbol - '0');
        }
    }
    return player;
}

// Writes a player as read_player reads it.
std::string text(const Player& player) {
    std::ostringstream out;
    out << player.stock << ' ' << player.gauge << ' ' << player.score;
    for (int x = 0; x < WIDTH; ++x) {
        out << ' ' << (player.field.height[x] == 0 ? "-" : "");
        for (int y = 0; y < player.field.height[x]; ++y) {
            const int cell = player.field.cells[x][y];
            out << (cell == OJAMA ? '#' : static_cast<char>('0' + cell));
        }
    }
    return out.str();
}

// Reads `POSITION ROTATION` or `S`.
Action read_action(std::istream& in) {
    std::string word;
    in >> word;
    if (word == "S") return Skill{};
    Drop drop{std::stoi(word), 0};
    in >> drop.rotation;
    return drop;
}

std::string text(const std::optional<Result>& result) {
    if (!result) return "-";
    return *result == Result::DRAW ? "draw" : *result == Result::FIRST_WINS ? "0" : "1";
}

void check_turns(const std::string& path) {
    int number = 0, turns = 0;
    std::string name;
    Pack pack{};
    std::array<Player, 2> before;
    std::array<Action, 2> actions;
    Turn turn;
    for (const std::string& record : records(path)) {
        std::istringstream in(record);
        std::string key, rest;
        int seat = 0;
        in >> key;
        if (key == "turn") {
            in >> number >> name;
        } else if (key == "pack") {
            for (int& cell : pack) in >> cell;
        } else if (key == "end") {
            in >> rest;
            expect_equal(text(result(number + 1, turn.after)), rest, name + ": end");
            ++turns;
        } else {
            in >> seat;
            in >> std::ws;
            const std::string what = name + ": " + key + " of player " + std::to_string(seat);
            if (key == "before") {
                before[seat] = read_player(in);
            } else if (key == "action") {
                actions[seat] = read_action(in);
                if (seat == 1) turn = play_turn(before, pack, actions);
            } else {
                std::getline(in, rest);
                const Step& step = turn.steps[seat];
                std::ostringstream found;
                if (key == "skill") found << (before[seat].can_use_skill() ? "yes" : "no");
                if (key == "result") {
                    found << step.chain << ' ' << step.exploded << ' ' << step.sent();
                }
                if (key == "after") found << text(turn.after[seat]);
                expect_equal(found.str(), rest, what);
            }
        }
    }
    std::cout << path << ": " << turns << " turns\n";
    if (turns == 0) ++failures;
}

void check_scores(const std::string& path) {
    for (const std::string& record : records(path)) {
        std::istringstream in(record);
        std::string key;
        int count = 0;
        long long score = 0, sent = 0;
        in >> key >> count >> score >> sent;
        const long long found = key == "chain" ? chain_score(count) : explosion_score(count);
        expect_equal(found, score, key + ' ' + std::to_string(count) + ": score");
        expect_equal(found / 2, sent, key + ' ' + std::to_string(count) + ": ojama sent");
    }
}

void check_that_the_skill_is_refused_below_its_gauge() {
    Player player;
    player.gauge = GAUGE_SKILL - 1;
    try {
        play_half(player, Pack{1, 2, 3, 0}, Skill{});
    } catch (const std::invalid_argument&) {
        return;
    }
    std::cerr << "the skill is played at a gauge of 79\n";
    ++failures;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string folder = argc > 1 ? argv[1] : "../vectors";
    check_turns(folder + "/rules.txt");
    check_turns(folder + "/games.txt");
    check_scores(folder + "/scores.txt");
    check_that_the_skill_is_refused_below_its_gauge();
    std::cout << (failures == 0 ? "passed\n" : "FAILED\n");
    return failures == 0 ? 0 : 1;
}
