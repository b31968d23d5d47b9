//! The turns of `rules.txt`: one a rule with the result that the rule text demands, then turns from
//! random fields.

use tensai::game::{
    Action, Cell, Cells, Gauge, HEIGHT, Pack, Player, ROWS, State, WIDTH, reference,
};

use crate::vectors::GoldenVector;

/// A turn with the result of player 0: rounds, blocks blown up, ojama sent.
struct Case {
    turn: GoldenVector,
    expected: [u64; 3],
}

/// Three blocks that make no pair among themselves.
const ONES: &str = "11/10";
/// A 4 at the lower left, and no pair.
const FOUR: &str = "11/41";
/// Falls on [`CHAIN_OF_3`] at `1 0` with [`ONES`]: 9 + 1, then 8 + 2, then 7 + 3.
const CHAIN_OF_3: &str = "3.........\n2.........\n9.........\n84........\n74........";

fn player(drawing: &str, stock: u64, gauge: u8) -> Player<Cells> {
    let gauge = Gauge::new(gauge).unwrap();
    Player { field: drawing.parse().unwrap(), stock, gauge, score: 0 }
}

fn field(drawing: &str) -> Player<Cells> {
    player(drawing, 0, 0)
}

/// A player with one column of `height` cells at the left: 1 and 2 in turn, with `top` and `bottom`
/// at its ends.
fn tower(height: usize, bottom: char, top: char, stock: u64) -> Player<Cells> {
    let mut columns = [[Cell::Empty; ROWS]; WIDTH];
    for (y, cell) in columns[0][..height].iter_mut().enumerate() {
        let symbol = match y {
            0 => bottom,
            y if y + 1 == height => top,
            y => ['1', '2'][y % 2],
        };
        *cell = Cell::from_symbol(symbol).unwrap();
    }
    Player { field: Cells::from_columns(columns).unwrap(), stock, ..Player::new() }
}

/// Two rows, the upper one first.
fn pack(word: &str) -> Pack {
    let codes: Vec<u8> =
        word.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    Pack::new(codes.try_into().unwrap()).unwrap()
}

/// A turn of player 0 against `opponent`.
fn versus(
    name: &str,
    players: [Player<Cells>; 2],
    word: &str,
    actions: [&str; 2],
    expected: [u64; 3],
) -> Case {
    let turn = GoldenVector {
        name: name.to_owned(),
        before: State { turn: 20, players },
        pack: pack(word),
        actions: actions.map(|action| action.parse().unwrap()),
    };
    Case { turn, expected }
}

/// A turn of player 0 against an opponent with an empty field, who drops the pack at the right.
fn alone(name: &str, own: Player<Cells>, word: &str, action: &str, expected: [u64; 3]) -> Case {
    versus(name, [own, Player::new()], word, [action, "8 0"], expected)
}

fn falls() -> Vec<Case> {
    let mut cases = Vec::new();
    let packs = [
        ("", "12/34"),
        ("_no_upper_left", "02/34"),
        ("_no_lower_left", "12/04"),
        ("_no_lower_right", "12/30"),
        ("_no_upper_right", "10/34"),
    ];
    for (which, word) in packs {
        for rotation in 0..4 {
            let name = format!("rotation_{rotation}{which}");
            let action = format!("3 {rotation}");
            cases.push(alone(&name, Player::new(), word, &action, [0; 3]));
        }
    }
    let uneven = "...1......\n...2......\n...3......";
    cases.extend([
        alone("leftmost_position", Player::new(), "12/34", "0 0", [0; 3]),
        alone("rightmost_position", Player::new(), "12/34", "8 0", [0; 3]),
        alone("each_block_falls_in_its_own_column", field(uneven), "12/34", "3 0", [0; 3]),
        alone("blocks_fall_on_ojama", field(".#........\n1#1......."), "12/34", "1 1", [0; 3]),
    ]);
    cases
}

fn vanish() -> Vec<Case> {
    let one = [1, 0, 0];
    vec![
        alone("pair_horizontal", field("...6......"), FOUR, "4 0", one),
        alone("pair_vertical", field("....6....."), FOUR, "4 0", one),
        alone("pair_diagonal_upwards", field("...6......\n...1......"), FOUR, "4 0", one),
        alone("pair_diagonal_downwards", field("...61....."), FOUR, "4 0", one),
        alone("five_and_five", field("...5......"), "11/51", "4 0", one),
        alone("pair_within_the_pack", Player::new(), "13/72", "4 0", one),
        alone("one_block_in_two_pairs", field("..6.6....."), FOUR, "3 0", one),
        alone("two_pairs_in_one_round", field("...8......\n...6......"), "21/41", "4 0", one),
        alone("three_blocks_with_the_sum_10_stay", field("...2......"), "11/71", "4 0", [0; 3]),
        alone("a_pair_two_columns_apart_stays", field("..6......."), FOUR, "4 0", [0; 3]),
        alone("the_sides_do_not_touch", field("1........6"), FOUR, "0 0", [0; 3]),
        alone("ojama_never_vanishes", field("8#........\n7#2......."), "99/19", "1 0", one),
        alone(
            "chain_of_2",
            field("2.........\n9.........\n84........\n14........"),
            ONES,
            "1 0",
            [2, 0, 1],
        ),
        alone("chain_of_3", field(CHAIN_OF_3), ONES, "1 0", [3, 0, 2]),
        alone(
            "chain_of_3_beside_ojama",
            field("3.........\n2.........\n9#........\n8#........\n7#........"),
            ONES,
            "1 0",
            [3, 0, 2],
        ),
        alone(
            "ojama_in_a_column_falls_and_separates",
            field("2.........\n#.........\n9.........\n84........"),
            ONES,
            "1 0",
            one,
        ),
    ]
}

fn gauges() -> Vec<Case> {
    let charging = |gauge| player("9.........", 0, gauge);
    let chain_of_3 = |gauge| player(CHAIN_OF_3, 0, gauge);
    let other = |gauge| player("", 0, gauge);
    let (chains, both) = (["1 0", "8 0"], ["1 0", "1 0"]);
    let chain_of_2 = field("2.........\n9.........\n84........\n14........");
    vec![
        alone("a_chain_charges_the_gauge", charging(72), ONES, "1 0", [1, 0, 0]),
        alone("the_gauge_is_at_most_100", charging(96), ONES, "1 0", [1, 0, 0]),
        alone("no_chain_no_charge", other(40), ONES, "1 0", [0; 3]),
        versus("a_chain_of_2_drains_nothing", [chain_of_2, other(60)], ONES, chains, [2, 0, 1]),
        versus("a_chain_of_3_drains", [chain_of_3(0), other(60)], ONES, chains, [3, 0, 2]),
        versus("a_drain_stops_at_0", [chain_of_3(0), other(10)], ONES, chains, [3, 0, 2]),
        versus("both_drain", [chain_of_3(50), chain_of_3(50)], ONES, both, [3, 0, 2]),
        versus("capped_before_the_drain", [charging(96), chain_of_3(0)], ONES, both, [1, 0, 0]),
    ]
}

fn skills() -> Vec<Case> {
    let skill = |name, drawing, gauge, expected| {
        alone(name, player(drawing, 0, gauge), "12/34", "S", expected)
    };
    let ring = "2#3.......\n#5#.......\n1#4.......";
    let falling = "..8.......\n..63......\n.562......";
    let longer = "..89......\n..63......\n.5621.....";
    vec![
        skill("skill_at_a_gauge_of_80", "9.........\n5.........\n61........", 80, [0, 4, 15]),
        skill("skill_at_a_gauge_of_100", "9.........\n5.........\n61........", 100, [0, 4, 15]),
        skill("skill_without_a_five", "12........", 88, [0; 3]),
        skill("skill_on_an_empty_field", "", 80, [0; 3]),
        skill("a_five_alone_explodes", "5.........", 80, [0, 1, 13]),
        skill("a_block_between_two_fives_counts_once", "515.......", 80, [0, 3, 14]),
        skill("an_explosion_spares_ojama", ring, 80, [0, 5, 16]),
        skill("explosion_and_chain_are_halved_separately", falling, 80, [1, 3, 14]),
        skill("the_chain_after_an_explosion_charges", longer, 99, [2, 3, 15]),
        alone("the_row_falls_before_the_explosion", player(ring, 10, 80), ONES, "S", [0, 5, 16]),
        versus(
            "both_use_the_skill",
            [player(ring, 0, 80), player("5.........", 0, 96)],
            ONES,
            ["S", "S"],
            [0, 5, 16],
        ),
        versus(
            "the_skill_against_a_chain_of_3",
            [player(falling, 0, 80), player(CHAIN_OF_3, 0, 79)],
            ONES,
            ["S", "1 0"],
            [1, 3, 14],
        ),
    ]
}

fn rows() -> Vec<Case> {
    let stock = |stock| player("1.........\n2..3......", stock, 0);
    let own = |stock| player(CHAIN_OF_3, stock, 0);
    let chains = ["1 0", "8 0"];
    vec![
        alone("no_row_below_10_ojama", stock(9), ONES, "0 0", [0; 3]),
        alone("a_row_falls_on_each_column", stock(10), ONES, "0 0", [0; 3]),
        alone("one_row_a_turn", stock(25), ONES, "0 0", [0; 3]),
        alone("one_row_of_a_large_stock", stock(1234), ONES, "0 0", [0; 3]),
        alone("sent_ojama_reduce_the_own_stock", own(8), ONES, "1 0", [3, 0, 2]),
        alone("more_sent_than_in_the_own_stock", own(1), ONES, "1 0", [3, 0, 2]),
        alone("a_chain_after_a_row", own(12), ONES, "1 0", [3, 0, 2]),
        alone("a_row_separates_a_pair", player("....6.....", 12, 0), FOUR, "4 0", [0; 3]),
        versus("ojama_join_the_opponents_stock", [own(0), stock(9)], ONES, chains, [3, 0, 2]),
        versus("the_row_falls_before_ojama_arrive", [own(0), stock(8)], ONES, chains, [3, 0, 2]),
        versus("rows_fall_on_both_sides", [stock(30), stock(0)], ONES, ["0 0", "1 2"], [0; 3]),
    ]
}

fn ends() -> Vec<Case> {
    let scored = |score| Player { score, ..tower(16, '1', '2', 0) };
    let at = |turn, mut case: Case| {
        case.turn.before.turn = turn;
        case
    };
    let last = |name, scores: [u64; 2]| {
        let players = scores.map(|score| Player { score, ..Player::new() });
        at(499, versus(name, players, ONES, ["0 0", "8 0"], [0; 3]))
    };
    let (both, none) = (["0 0", "0 0"], [0; 3]);
    let one = [1, 0, 0];
    vec![
        alone("row_16_is_allowed", tower(14, '1', '2', 0), ONES, "0 0", none),
        alone("row_17_loses", tower(15, '1', '1', 0), ONES, "0 0", none),
        alone("ojama_in_row_17_lose", tower(16, '1', '2', 10), ONES, "5 0", none),
        alone("a_column_of_19_cells", tower(16, '1', '2', 10), ONES, "0 0", none),
        alone("a_chain_in_row_17_saves", tower(16, '1', '6', 0), "12/43", "0 0", one),
        alone("a_chain_below_the_row_saves", tower(16, '9', '2', 10), ONES, "1 0", one),
        versus("both_lose_and_the_score_decides", [scored(7), scored(9)], ONES, both, none),
        versus("both_lose_with_equal_scores", [scored(9), scored(9)], ONES, both, none),
        versus("the_score_does_not_save", [scored(99), Player::new()], ONES, both, none),
        last("the_last_turn_is_won_by_the_score", [8, 3]),
        last("the_last_turn_is_drawn", [3, 3]),
    ]
}

/// All turns of the file, in order.
pub fn all() -> Vec<GoldenVector> {
    let cases = [falls(), vanish(), gauges(), skills(), rows(), ends()];
    cases.into_iter().flatten().map(|case| case.turn).chain(random()).collect()
}

/// A generator whose numbers depend on no crate's version (SplitMix64).
struct Generator(u64);

impl Generator {
    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }

    /// A player with a field of up to 16 rows, one cell in eight ojama, in which no pair is left.
    fn player(&mut self) -> Player<Cells> {
        let mut columns = [[Cell::Empty; ROWS]; WIDTH];
        for column in &mut columns {
            let height = self.below(HEIGHT + 1);
            for cell in &mut column[..height] {
                let code = if self.below(8) == 0 { 11 } else { 1 + self.below(9) as u8 };
                *cell = Cell::from_code(code).unwrap();
            }
        }
        let mut field = Cells::from_columns(columns).unwrap();
        reference::run_chain(&mut field);
        let gauge = Gauge::new(self.below(101) as u8).unwrap();
        Player { field, gauge, stock: self.below(25) as u64, score: self.below(300) as u64 }
    }

    /// A turn in which both players act at random, by the skill half of the time if they may.
    fn turn(&mut self) -> GoldenVector {
        let mut players = [self.player(), self.player()];
        players[self.below(2)].stock = 0; // stocks are offset: at most one is above 0
        let mut codes = [0; 4].map(|_| 1 + self.below(9) as u8);
        if let Some(code) = codes.get_mut(self.below(5)) {
            *code = 0;
        }
        let actions = [0, 1].map(|seat: usize| {
            let skill = players[seat].gauge.allows_skill() && self.below(2) == 0;
            let (position, rotation) = (self.below(9), self.below(4));
            let drop: Action = format!("{position} {rotation}").parse().unwrap();
            if skill { Action::Skill } else { drop }
        });
        let before = State { turn: self.below(500), players };
        GoldenVector { name: String::new(), before, pack: Pack::new(codes).unwrap(), actions }
    }
}

/// Fifty turns from random fields, and the first five with a chain of 3 after an explosion.
fn random() -> Vec<GoldenVector> {
    let mut generator = Generator(1);
    let mut turns: Vec<GoldenVector> = (0..50).map(|_| generator.turn()).collect();
    for (turn, number) in turns.iter_mut().zip(1..) {
        turn.name = format!("random_field_{number}");
    }
    let chains = |turn: &GoldenVector| {
        let steps = turn.before.play(&turn.pack, turn.actions).unwrap().steps;
        steps.iter().any(|step| step.explosion.0 > 0 && step.chain.0 >= 3)
    };
    let skills = std::iter::repeat_with(|| generator.turn()).filter(chains).take(5).zip(1..);
    turns.extend(skills.map(|(turn, number)| GoldenVector {
        name: format!("random_field_chain_after_the_skill_{number}"),
        ..turn
    }));
    turns
}

/// The reference simulator gives the results that the rule text demands, and no field has a pair
/// before the turn.
#[test]
fn the_named_turns_have_the_results_of_the_rule_text() {
    let cases = [falls(), vanish(), gauges(), skills(), rows(), ends()];
    for Case { turn, expected } in cases.into_iter().flatten() {
        let step = &turn.before.play(&turn.pack, turn.actions).unwrap().steps[0];
        let found = [step.chain.0.into(), step.explosion.0.into(), step.sent()];
        assert_eq!(found, expected, "{}", turn.name);
        for player in turn.before.players {
            assert_eq!(reference::pairs(&player.field), None, "{}", turn.name);
        }
    }
}
