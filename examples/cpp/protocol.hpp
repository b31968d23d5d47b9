// The contest's protocol: text on standard input and output. `run` plays a bot's whole life.
#pragma once

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "simulator.hpp"

// What a bot reads at the start of a turn: the state at the end of the turn before.
struct Observation {
    int turn = 0;  // 0 to 499
    Player own, opponent;
    long long own_time = 0, opponents_time = 0;  // left for the game, in milliseconds
};

inline long long read_number(std::istream& in) {
    long long number;
    if (!(in >> number)) throw std::runtime_error("expected a number in the input");
    return number;
}

inline void read_end(std::istream& in) {
    std::string word;
    if (!(in >> word) || word != "END") throw std::runtime_error("expected END, found: " + word);
}

// Reads a player: time left, stock, gauge, score, and 16 rows of 10 cells, the topmost row first.
inline Player read_player(std::istream& in, long long& time) {
    Player player;
    time = read_number(in);
    player.stock = read_number(in);
    player.gauge = static_cast<int>(read_number(in));
    player.score = read_number(in);
    std::array<std::array<int, WIDTH>, HEIGHT> rows;
    for (auto& row : rows) {
        for (int& cell : row) cell = static_cast<int>(read_number(in));
    }
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {  // from the bottom upwards
        for (int x = 0; x < WIDTH; ++x) {
            if ((*row)[x] != 0) player.field.push(x, (*row)[x]);
        }
    }
    read_end(in);
    return player;
}

// Reads the packs of a game, whose first two numbers have been read.
inline std::vector<Pack> read_packs(std::istream& in, int upper_left, int upper_right) {
    std::vector<Pack> packs(TURNS);
    for (std::size_t turn = 0; turn < packs.size(); ++turn) {
        for (std::size_t cell = 0; cell < 4; ++cell) {
            const bool is_read = turn == 0 && cell < 2;
            packs[turn][cell] = is_read ? (cell == 0 ? upper_left : upper_right)
                                        : static_cast<int>(read_number(in));
        }
        read_end(in);
    }
    return packs;
}

inline std::ostream& operator<<(std::ostream& out, const Action& action) {
    if (const Drop* drop = std::get_if<Drop>(&action)) {
        return out << drop->position << ' ' << drop->rotation;
    }
    return out << 'S';
}

// Plays until the input ends: prints the name, then for each turn the action that
// `decide(packs, observation)` returns.
//
// The first line of a game's packs has two numbers, the first line of a turn has one. So one process
// can play several games. Standard output is for answers only: write your own notes to std::cerr.
template <typename Decide>
void run(const std::string& name, Decide decide) {
    std::cout << name << std::endl;
    std::vector<Pack> packs;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::vector<int> numbers;
        for (int number; words >> number;) numbers.push_back(number);
        if (numbers.size() == 2) {
            packs = read_packs(std::cin, numbers[0], numbers[1]);
        } else if (numbers.size() == 1) {
            Observation observation;
            observation.turn = numbers[0];
            observation.own = read_player(std::cin, observation.own_time);
            observation.opponent = read_player(std::cin, observation.opponents_time);
            // std::endl flushes: an answer that stays in a buffer loses the game on time.
            std::cout << decide(packs, observation) << std::endl;
        }
    }
}
