// Plays any legal action with equal probability. `random_bot SEED` sets the seed (default 1).
#include <random>

#include "protocol.hpp"

int main(int argc, char** argv) {
    std::mt19937 rng(argc > 1 ? std::stoul(argv[1]) : 1);
    run("random-cpp", [&](const std::vector<Pack>&, const Observation& turn) -> Action {
        // Every drop is legal on every field; the skill is legal from a gauge of 80 on.
        const int drops = (WIDTH - 1) * 4;
        const int last = turn.own.can_use_skill() ? drops : drops - 1;
        const int choice = std::uniform_int_distribution<int>(0, last)(rng);
        if (choice == drops) return Skill{};
        return Drop{choice / 4, choice % 4};
    });
}
