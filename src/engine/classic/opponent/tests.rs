use proptest::prelude::*;

use super::*;
use crate::board::Field;
use crate::game::{Action, Cell, Cells, ROWS, WIDTH};

/// Plays every line by the rules over cells, without any cut.
fn by_the_rules(
    player: &Player<Cells>,
    others_stock: Stock,
    packs: &[Pack],
    plies: usize,
) -> Tables {
    let mut found = Tables::new(plies);
    let line = Line {
        player: *player,
        net: player.stock as i64 - others_stock as i64,
        rain: Rain::NONE,
        skill: Skill::Never,
        sent: 0,
        drain: 0,
    };
    line.go(packs, 0, &mut found);
    found
}

#[derive(Clone, Copy)]
struct Line {
    player: Player<Cells>,
    net: i64,
    rain: Rain,
    skill: Skill,
    sent: Stock,
    drain: u16,
}

impl Line {
    fn go(self, packs: &[Pack], ply: usize, found: &mut Tables) {
        if ply == found.plies {
            return;
        }
        let falls = self.net >= 10;
        let forced = ply > 0 && !falls;
        for row in [falls].into_iter().chain(forced.then_some(true)) {
            let mut start = self;
            start.player.stock = if row { 10 } else { 0 };
            start.net = if !row {
                self.net
            } else if falls {
                self.net - 10
            } else {
                0
            };
            if row {
                start.rain = start.rain.with(ply);
            }
            found.looked_at[ply][start.rain.index(ply)] = true;
            for action in Action::all() {
                start.act(action, packs, ply, found);
            }
        }
    }

    fn act(self, action: Action, packs: &[Pack], ply: usize, found: &mut Tables) {
        let Ok(step) = self.player.step(&packs[ply], action) else { return };
        if step.player.field.is_over() {
            return;
        }
        let mut after = self;
        after.player = step.player;
        after.net -= step.sent() as i64;
        after.sent += step.sent();
        after.drain += u16::from(step.chain.drain());
        after.skill = match (action, self.skill) {
            (Action::Skill, _) => Skill::Now,
            (_, Skill::Never) => Skill::Never,
            _ => Skill::Earlier,
        };
        let count = |is: fn(&Cell) -> bool| {
            let cells = step.player.field.columns().as_flattened();
            cells.iter().filter(|cell| is(cell)).count() as u16
        };
        let entry = &mut found.table[ply][after.skill as usize][after.rain.index(ply)];
        *entry = entry.or(WorstCase {
            alive: true,
            fires: step.chain.0 > 0,
            chain: step.chain,
            skill_sent: step.explosion.ojama(),
            sent: after.sent,
            drain: after.drain,
            blocks: count(|cell| !cell.is_empty()),
            ojama: count(|&cell| cell == Cell::Ojama),
            explosion: step.player.field.explosion().0.into(),
        });
        after.go(packs, ply + 1, found);
    }
}

fn stable(codes: Vec<u8>) -> Cells {
    // Columns of random height; blocks that would vanish do so before the test.
    let mut columns = [[Cell::Empty; ROWS]; WIDTH];
    let mut codes = codes.into_iter();
    for column in &mut columns {
        let height = usize::from(codes.next().unwrap_or(0)) % 17;
        for cell in &mut column[..height] {
            let code = codes.next().unwrap_or(1) % 12;
            *cell = Cell::from_code(if code == 10 || code == 0 { 11 } else { code }).unwrap();
        }
    }
    let mut field = Field::from_cells(&Cells::from_columns(columns).unwrap());
    let quiet = Pack::new([1, 1, 1, 0]).unwrap();
    if field.is_unstable() {
        field = field.drop_pack(&quiet, Placement::from_index(0).unwrap()).field;
    }
    field.to_cells()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// The fast search agrees with the rules in every field of every entry, for any field.
    #[test]
    fn the_tables_are_those_of_a_plain_search(
        codes in prop::collection::vec(any::<u8>(), 170),
        numbers in prop::collection::vec(1u8..=9, 8),
        stock in 0u64..40,
        others_stock in 0u64..30,
        gauge in 60u8..=100,
    ) {
        let field = stable(codes);
        prop_assume!(!field.is_over());
        let stock = stock.saturating_sub(others_stock);
        let others_stock = if stock > 0 { 0 } else { others_stock };
        let pack = |n: &[u8]| Pack::new([n[0], n[1], 0, n[3]]).unwrap();
        let packs: Vec<Pack> = numbers.chunks(4).map(pack).collect();
        let player = Player { field, stock, gauge: Gauge::new(gauge).unwrap(), score: 0 };
        let fast = player.convert::<Field>();
        let request = OpponentRequest {
            player: &fast,
            others_stock,
            packs: &packs,
            plies: 2,
            sendable: None,
        };
        let budget = Budget::new(u64::MAX, None);
        let tables = search(&request, &mut TranspositionTable::new(18), &budget).unwrap();
        prop_assert_eq!(&tables, &by_the_rules(&player, others_stock, &packs, 2));
        // The halving leaves out rows at the second ply and changes nothing else.
        let halved = OpponentRequest { sendable: Some(0), ..request };
        let halved = search(&halved, &mut TranspositionTable::new(18), &budget).unwrap();
        for rain in Rain::all(0) {
            prop_assert_eq!(halved.any(1, rain), tables.any(1, rain));
            let (found, whole) = (halved.any(1, rain.with(1)), tables.any(1, rain.with(1)));
            prop_assert_eq!(found.or(whole), whole, "a row at the second ply");
        }
    }
}

fn player() -> Player<Cells> {
    let field = "
        6.........
        43........
        285.......
        17428....."
        .parse()
        .unwrap();
    Player { field, stock: 12, gauge: Gauge::new(72).unwrap(), score: 0 }
}

fn packs() -> Vec<Pack> {
    [[1, 9, 0, 2], [3, 5, 5, 1], [0, 7, 2, 4]].map(|cells| Pack::new(cells).unwrap()).to_vec()
}

/// The lines use the skill in an earlier ply too, and meet again.
#[test]
fn the_tables_of_three_plies_are_those_of_a_plain_search() {
    let (player, packs) = (player(), packs());
    let fast = player.convert::<Field>();
    let request =
        OpponentRequest { player: &fast, others_stock: 0, packs: &packs, plies: 3, sendable: None };
    let tables =
        search(&request, &mut TranspositionTable::new(20), &Budget::new(u64::MAX, None)).unwrap();
    assert_eq!(tables, by_the_rules(&player, 0, &packs, 3));
    let at = |ply, skill, rain| tables.at(ply, skill, Rain::from_bits(rain));
    assert!(at(2, Skill::Earlier, 0b001).alive && !at(0, Skill::Now, 0b1).alive);
    assert!(at(1, Skill::Now, 0b01).skill_sent > 0);
}

#[test]
fn a_spent_budget_finds_nothing() {
    let (player, packs) = (player().convert::<Field>(), packs());
    let request = OpponentRequest {
        player: &player,
        others_stock: 0,
        packs: &packs,
        plies: 3,
        sendable: None,
    };
    assert!(search(&request, &mut TranspositionTable::new(10), &Budget::new(100, None)).is_none());
}

#[test]
fn most_sent_counts_chains_and_the_skill() {
    let field = "9.........\n8#........\n7#........".parse().unwrap();
    let player = Player::<Field> { field, ..Player::new() };
    assert_eq!(most_sent(&player, &Pack::new([1, 1, 1, 0]).unwrap()), 0);
    let ready =
        Player { gauge: Gauge::new(80).unwrap(), field: "5".repeat(10).parse().unwrap(), ..player };
    assert_eq!(most_sent(&ready, &Pack::new([1, 1, 1, 0]).unwrap()), 22, "ten blocks");
}
