// The words of the page. English texts are the keys of the Japanese ones.
import { $, filled } from "./draw.js";
import { memory, oneOf } from "./settings.js";

/** @type {Record<string, string>} */
const JAPANESE = {
  // Views and tools
  Views: "画面",
  Play: "対戦",
  Watch: "観戦",
  Analyse: "検討",
  Puzzles: "問題",
  Panel: "パネル",
  "Light or dark (t)": "明るい・暗い (t)",
  "Light or dark": "明るい・暗い",
  "Keys and colors (?)": "キーと色 (?)",
  "Keys and colors": "キーと色",
  "Left field": "左のフィールド",
  "Right field": "右のフィールド",
  "Next packs": "次のパック",
  "Time line": "タイムライン",
  "Sound (m)": "音 (m)",
  Sound: "音",
  "Drop the files here": "ここにファイルをドロップ",
  "No answer from the program: {}": "プログラムから応答がありません: {}",
  "The program is busy: {}": "プログラムが混み合っています: {}",

  // Fields
  "field, highest column {} of {} rows": "フィールド、最も高い列は {} 段（上限 {} 段）",
  score: "スコア",
  stock: "ストック",
  gauge: "ゲージ",
  "this turn": "このターン",
  "time left": "残り時間",
  "1 row falls": "1 段降る",
  "{} rows fall": "{} 段降る",
  ready: "使える",
  "has chosen": "選択済み",
  thinking: "考え中",
  won: "勝ち",
  loses: "負け",
  Player: "あなた",
  "Player 2": "2 人目の人",
  "First player": "1 人目",
  "Second player": "2 人目",
  "chain {}": "{} 連鎖",
  "sends {}": "{} 個送る",
  "skill: {}": "スキル: {} 個",
  skill: "スキル",
  "column {}, rotation {}": "列 {}、回転 {}",
  "column {}, row {}": "列 {}、段 {}",
  "loses the game": "負けになります",
  "turn {}": "ターン {}",
  "plans {} at turn {}": "ターン {1} に {0} 連鎖予定",
  "expects {} at turn {}": "相手は {1} に {0} 連鎖",
  ojama: "お邪魔",
  empty: "空",

  // The pack in hand
  "Your pack": "手元のパック",
  "Turn left (z)": "左回転 (z)",
  "Turn left": "左回転",
  "Left (left arrow)": "左へ (←)",
  "To the left": "左へ",
  "Drop (down arrow)": "落とす (↓)",
  Drop: "落とす",
  "Right (right arrow)": "右へ (→)",
  "To the right": "右へ",
  "Turn right (up arrow)": "右回転 (↑)",
  "Turn right": "右回転",
  "Skill (e): every 5 explodes with its neighbours": "スキル (e): すべての 5 が周りのブロックごと爆発",
  Skill: "スキル",

  // Time line
  "First turn (Home)": "最初のターン (Home)",
  "First turn": "最初のターン",
  "Previous turn (left arrow)": "前のターン (←)",
  "Previous turn": "前のターン",
  "Previous step (comma)": "前のステップ (,)",
  "Previous step, \u22121": "前のステップ, \u22121",
  "Run, pause (space)": "再生・一時停止 (スペース)",
  Run: "再生",
  Pause: "一時停止",
  "Next step (full stop)": "次のステップ (.)",
  "Next step, +1": "次のステップ, +1",
  "Next turn (right arrow)": "次のターン (→)",
  "Next turn": "次のターン",
  "Last turn (End)": "最後のターン (End)",
  "Last turn": "最後のターン",
  "Slower (-)": "遅く (-)",
  Slower: "遅く",
  Speed: "速さ",
  "Faster (+)": "速く (+)",
  Faster: "速く",
  "Turn {}": "ターン {}",
  "After turn {}": "ターン {} のあと",
  "step {} of {}": "ステップ {} / {}",

  // The list of keys
  "move; also a and d, and the mouse": "移動（a と d、マウスでも）",
  "turn right, turn left; also the mouse wheel and the right button": "右回転、左回転（ホイールと右ボタンでも）",
  space: "スペース",
  "drop; also a click": "落とす（クリックでも）",
  "take the last turn back, hint": "待った、ヒント",
  Games: "棋譜",
  "previous, next turn": "前・次のターン",
  "previous, next step of the turn; also shift and an arrow": "ターンの前・次のステップ（Shift と矢印でも）",
  "first, last turn": "最初・最後のターン",
  "run or pause, faster, slower": "再生・一時停止、速く、遅く",
  "light or dark, this list": "明るい・暗い、この一覧",
  "Numbers that sum to ten share a color, the greater number is darker.":
    "和が 10 になる数字は同じ色で、大きいほうが濃い色です。",
  "Dashed blocks show where the pack lands; rings and lines mark the blocks that vanish.":
    "破線のブロックはパックが落ちる場所、輪と線は消えるブロックです。",
  Close: "閉じる",

  // Playing
  "A person": "人",
  "tensai, level {}": "tensai レベル {}",
  greedy: "貪欲",
  random: "ランダム",
  "New game": "新しい対戦",
  Left: "左",
  Right: "右",
  Clock: "時計",
  "no clock": "時計なし",
  "contest clock: 3 minutes, and 20 seconds a turn": "コンテストの持ち時間: 3 分、1 ターン 20 秒まで",
  "Seed of the packs": "パックのシード",
  "or a file of packs": "またはパックのファイル",
  "A seed is a whole number, 0 or more": "シードは 0 以上の整数です",
  "Continue the last game": "前回の続き",
  "The game": "ゲーム",
  "Blocks next to each other that sum to 10 vanish, also diagonally.":
    "隣り合う（斜めも）2 つのブロックの和が 10 になると消えます。",
  "What lies above falls, and the next round may follow: a chain.":
    "上のブロックが落ちて、また消えることがあります。これが連鎖です。",
  "Long chains send ojama to the other player.": "長い連鎖は相手にお邪魔ブロックを送ります。",
  "A column above the dashed line at the end of a turn loses.": "ターンの終わりに破線を越えている列があると負けです。",
  "{} wins": "{} の勝ち",
  "danger line": "デンジャーライン",
  "last turn": "最後のターン",
  adjudication: "判定",
  "no packs": "パックなし",
  fault: "反則",
  "time ran out": "時間切れ",
  Draw: "引き分け",
  "The packs are used up": "パックがなくなりました",
  "Game over": "対戦終了",
  "Play again": "もう一度",
  Undo: "待った",
  Hint: "ヒント",
  Save: "保存",
  "Go on": "続ける",
  "{} s for this turn": "このターンあと {} 秒",
  "the 20 seconds of a turn ran out": "1 ターン 20 秒の時間切れ",
  "Speed of chains": "連鎖の速さ",
  slow: "遅い",
  fast: "速い",
  "at once": "すぐに",
  "Take the last turn back (u)": "前のターンに戻る (u)",
  "What the bot would do (h)": "AI ならどうするか (h)",
  "Save the game as a record": "棋譜を保存する",
  "Hint: {}": "ヒント: {}",
  "for a chain of {} at turn {}": "ターン {1} の {0} 連鎖のため",
  "The game is kept. You can go on, or take the last turn back.":
    "対戦はそのままです。続けるか、前のターンに戻れます。",
  Attacks: "攻撃",
  Keys: "キー",
  move: "移動",
  drop: "落とす",
  hint: "ヒント",
  undo: "待った",
  "turn right, left": "右回転、左回転",
  "move, left player": "移動（左の人）",
  "move, right player": "移動（右の人）",
  "turn, drop, skill": "回転、落とす、スキル",

  // Watching
  "Open games": "棋譜を開く",
  "Drop files anywhere on this page.": "このページのどこにでもファイルをドロップできます。",
  "It reads records, official replays (with their packs), inputs of bots and situations.":
    "棋譜、公式リプレイ（パックと一緒に）、AI の入力、局面を読めます。",
  Files: "ファイル",
  "or paste a text": "またはテキストを貼り付け",
  Open: "開く",
  reading: "読み込み中",
  "pasted text": "貼り付けたテキスト",
  "{} is too large": "{} は大きすぎます",
  "This game": "この対戦",
  "game {}": "{} 戦目",
  "Running match": "進行中のマッチ",
  "Follow the running game": "進行中の対戦を追う",
  Engine: "AI",
  Engines: "AI",
  Elo: "Elo",
  "Elo, 95 %": "Elo（95 %）",
  Standing: "順位",
  "won-drawn-lost": "勝-分-負",
  "Cross table": "対戦表",
  "{} of {} games": "{} / {} 試合",
  "{} games": "{} 試合",
  "The match is over": "マッチは終わりました",
  "Running league": "進行中のリーグ",
  "The league has stopped": "リーグは停止しました",
  Score: "得点率",

  "Ojama in stock": "ストックのお邪魔",
  "Potential: chain one block away": "あと 1 ブロックで起こる連鎖",
  "The engines\u2019 own value, in ojama": "AI 自身の評価値（お邪魔の個数）",
  "curve: {}": "曲線: {}",
  Plan: "プラン",
  "What the engines plan (p)": "AI のプラン (p)",
  "what the engines plan: next packs are dashed, small numbers are rounds":
    "AI のプラン：次のパックは破線、小さな数字は消える順番",
  "plan: chain {}": "プラン: {} 連鎖",

  // Analysis
  Analysis: "検討",
  Review: "振り返り",
  Moves: "手順",
  Edit: "編集",
  Share: "共有",
  For: "対象",
  Strength: "強さ",
  quick: "速い",
  "very quick": "とても速い",
  normal: "普通",
  deep: "深い",
  "very deep": "とても深い",
  Stop: "停止",
  "Analyse this turn": "このターンを検討",
  "each turn": "毎ターン",
  "{} drops": "{} 手",
  "Win probability": "勝率",
  "win probability: {}": "勝率: {}",
  "no chance known": "勝率は不明",
  value: "評価値",
  win: "勝ち",
  loss: "負け",
  "Best actions": "最善手",
  action: "行動",
  chain: "連鎖",
  then: "その後",
  when: "いつ",
  sends: "送る数",
  actions: "行動",
  "{} at turn {}": "ターン {1} に {0} 連鎖",
  "Chains within reach: {}": "組める連鎖: {}",
  plan: "プラン",
  "the plan that is followed": "選んだプラン",
  "Balances of the plans, in ojama": "相手のプランとの比較（お邪魔の個数）",
  "Triggers, and what buries them": "発火点と、埋まる段数",
  "show on the fields": "フィールドに表示",
  "potential after 0, 1, 2 \u2026 rows: {}": "0、1、2 … 段降ったあとの潜在連鎖数: {}",
  place: "場所",
  block: "ブロック",
  "buried by": "埋まる段数",
  never: "埋まらない",
  "1 row": "1 段",
  "{} rows": "{} 段",
  chosen: "選択",
  "By the search {} is better than {} by {} ojama: too little to change the choice.":
    "読みでは {} が {} より {} 個だけ上ですが、選択を変えるほどの差ではありません。",
  "A match is played here: this page shows it, and plays no other games.":
    "ここではマッチが行われています。このページはそれを表示するだけです。",

  // Review
  "played out {} times: {} wins {}, {} wins {}, difference {}: {}":
    "{} 回ずつ最後まで対戦: {} は勝率 {}、{} は勝率 {}、差 {}: {}",
  "{} to {}": "{} から {}",
  "a loss": "損",
  "no loss": "損ではない",
  "not certain": "判定できない",
  "they say nothing": "差が出ない",
  "Review the game": "対戦を振り返る",
  Turns: "ターン",
  blunder: "大悪手",
  mistake: "悪手",
  inaccuracy: "緩手",
  "good move": "好手",
  "good moves": "好手",
  blunders: "大悪手",
  mistakes: "悪手",
  inaccuracies: "緩手",
  "mean loss {} ojama": "平均損失 {} 個",
  "loses {}": "{}の損",
  "{} ojama": "おじゃま {} 個",
  "turn {} cost most: {}": "最も損したターン {}: {}",
  played: "実際",
  better: "最善",
  "This is the best action.": "最善手です。",
  "Show the line": "手順を見る",
  "Try again": "もう一度考える",
  "Find a better action than {}.": "{} より良い手を探してください。",
  "Right: {} is the best action.": "正解: {} が最善です。",
  "Right: {} is as good as the best action.": "正解: {} は最善とほぼ同じ価値です。",
  "{} is looked at.": "{} を調べています。",
  "The best action is {}.": "最善は {} です。",
  "As good as the best action, {}.": "最善の {} とほぼ同じ価値です。",
  "The search prefers {}, but the playouts what was played.":
    "読みでは {} が上ですが、最後まで対戦すると実際の手のほうが勝ちます。",
  "It fell, but no action is known that would have saved it.": "勝率は下がりましたが、防げた手は見つかっていません。",
  "accuracy {}": "精度 {}",
  accuracy: "精度",
  both: "両者",
  "Learn from mistakes": "ミスから学ぶ",
  "Mistake {} of {}": "ミス {} / {}",
  "No mistake was found: nothing better is known.": "ミスは見つかりませんでした。",
  "That was the last one: {} of {} found.": "これで最後です。{1} 問中 {0} 問正解。",
  "Show me": "答えを見る",
  "Back to the turn": "ターンに戻る",
  "Next mistake": "次のミス",
  Previous: "前へ",
  Finish: "終える",
  "That is what was played.": "それは実際の手です。",
  "{} is not the best action.": "{} は最善ではありません。",
  Again: "もう一度",

  // Moves
  Start: "開始",
  "Moves and variations": "手順と変化",
  "Make it the main line": "本譜にする",
  "Remove from here on": "ここから先を消す",
  "Play on from here": "ここから対戦",
  "I play": "自分の側",
  against: "相手",

  // Editing
  "Edit the position": "局面の編集",
  "field to edit": "編集するフィールド",
  "What a click puts into a cell": "クリックで置くもの",
  "Click or drag on a field; the right button empties. Keys: arrows, 1 to 9, #, Delete.":
    "フィールドをクリックまたはドラッグします。右ボタンで消えます。キー: 矢印、1～9、#、Delete。",
  "The marked blocks sum to 10: they vanish with the next pack.":
    "印のブロックは和が 10 なので、次のパックで消えます。",
  "Take the last change back (u)": "前の変更に戻る (u)",
  "Clear left": "左を空に",
  "Clear right": "右を空に",
  "Swap sides": "左右を入れ替え",
  "Analyse this position": "この局面を検討",
  Cancel: "取り消し",
  "Stocks, gauges, scores": "ストック、ゲージ、スコア",
  Turn: "ターン",
  Packs: "パック",
  "pack {}": "パック {}",
  "upper left": "左上",
  "upper right": "右上",
  "lower left": "左下",
  "lower right": "右下",

  // Sharing
  "Put the text behind the address of any page of this program, or open it below.":
    "このプログラムのページのアドレスの後ろに付けるか、下で開いてください。",
  "This position": "この局面",
  "This line of the game": "この手順",
  "Open a shared text": "共有テキストを開く",
  Text: "テキスト",
  "Save as a file": "ファイルに保存",
  Record: "棋譜",
  Situation: "局面",
  "Input of a bot": "AI の入力",
  link: "リンク",
  Copy: "コピー",
  Copied: "コピーしました",
  "Press Ctrl+C to copy": "Ctrl+C でコピーしてください",
  "{} characters": "{} 文字",

  // Puzzles
  "Set off a chain of {} with {} packs": "{1} パックで {0} 連鎖を起こす",
  "Set off a chain of {} with one pack": "1 パックで {} 連鎖を起こす",
  "Survive {} turns": "{} ターン生き残る",
  "Survive this turn": "このターンを生き残る",
  "Win in this turn": "このターンで勝つ",
  "Solved!": "正解！",
  "Not solved: take the drop back, or start again.": "失敗です。一手戻すか、最初からやり直してください。",
  "One pack is left.": "残り 1 パックです。",
  "{} packs are left.": "残り {} パックです。",
  "Win within {} turns": "{} ターン以内に勝つ",
  You: "あなた",
  Opponent: "相手",
  "difficulty {} of 5": "難しさ {} / 5",
  "one solution": "解は 1 つ",
  "{} solutions": "解は {} 通り",
  "Start again": "最初から",
  Solution: "解答",
  Next: "次へ",
  Difficulty: "難しさ",
  all: "すべて",
  solved: "解決済み",
  "{} of {} solved": "{1} 問中 {0} 問解決",
  "Save the puzzles": "問題を保存",
  "More puzzles": "問題を増やす",
  "A file of tensai puzzles": "tensai puzzles のファイル",
  "Search the open game": "開いている対戦から探す",
  "No puzzle was found in this game.": "この対戦に問題は見つかりませんでした。",
  "Play or open a game first: puzzles are found in games.":
    "先に対戦するか棋譜を開いてください。問題は棋譜から作られます。",

  // Lessons
  "Make ten": "10 を作る",
  "Two blocks next to each other that sum to 10 vanish.": "隣り合う 2 つのブロックの和が 10 になると消えます。",
  "The 7 lies there: drop the 3 beside it.": "7 の隣に 3 を落としましょう。",
  "Move with the arrow keys, the mouse or the buttons.": "矢印キー、マウスかボタンで動かします。",
  "Turn with the up arrow or a button, drop with the down arrow, a click or the button.":
    "↑キーかボタンで回し、↓キー、クリックかボタンで落とします。",
  "Diagonals count": "斜めも隣",
  "Neighbours touch also at a corner.": "斜めも隣です。",
  "The 8 is between two 6s: a 2 that lands beside the lower 6 touches the 8 diagonally.":
    "8 は 6 にはさまれ、下の 6 の隣に落ちた 2 は、斜めに 8 と触れます。",
  "A chain": "連鎖",
  "What lies above vanished blocks falls, and may make ten again: that is a chain.":
    "消えたブロックの上が落ちて、また 10 になると連鎖です。",
  "The badge over the field says how long it is.": "フィールドの上に連鎖数が出ます。",
  "Find the place for a chain of 3.": "3 連鎖になる場所を探しましょう。",
  Ojama: "お邪魔",
  "Chains from 2 on send ojama into the other player\u2019s stock.": "2 連鎖からは相手のストックにお邪魔を送ります。",
  "From a stock of 10 on, a row of them falls each turn, and ojama never vanish.":
    "ストックが 10 になると毎ターン 1 段降り、お邪魔は消えません。",
  "A row falls now, and column 4 is full: shorten it, or lose.":
    "今 1 段降り、列 4 はいっぱいです。短くしないと負けです。",
  "The skill": "スキル",
  "Each turn with a chain fills your gauge by 8; at 80 the skill is ready.":
    "連鎖したターンごとにゲージが 8 たまり、80 でスキルが使えます。",
  "It replaces the drop: every 5 explodes with all its neighbours, except ojama.":
    "パックの代わりに、すべての 5 が、お邪魔以外の周りごと爆発します。",
  "No drop saves you here.": "ここではどこに落としても負けです。",
  "Press e, or the button Skill.": "e かスキルボタンを押しましょう。",
  "The danger line": "デンジャーライン",
  "A column that is over the dashed line at the end of a turn loses.":
    "ターンの終わりに破線を越えた列があると負けです。",
  "Nothing can vanish here: find the place that is low enough.": "ここでは何も消えません。十分低い場所を探しましょう。",

  // The first screen and the end of a game
  "no connection: the program may have ended": "接続なし: プログラムが終了した可能性があります",
  Puzzle: "問題",
  "solved on {} days in a row": "{} 日連続で解決",
  "{} is closed": "{} を閉じました",
  "Close {}": "{} を閉じる",
  Options: "設定",
  "Learn in two minutes": "2 分で学ぶ",
  "six small positions to play": "遊びながら覚える 6 つの局面",
  "Puzzle of the day": "今日の問題",
  "another one each day": "毎日 1 問",
  "Watch a game": "対戦を見る",
  "two strong bots": "強い AI 同士",
  "Play again (Enter)": "もう一度 (Enter)",
  "New game (n)": "新しい対戦 (n)",
  "Review my mistakes": "ミスを振り返る",
  "Your column {} passed the danger line.": "あなたの列 {} がデンジャーラインを越えました。",
  "Column {} of {} passed the danger line.": "{1} の列 {0} がデンジャーラインを越えました。",
  player: "プレイヤー",
  "longest chain": "最長連鎖",
  "ojama sent": "送ったお邪魔",
  "Your games": "あなたの対戦",
  "won of": "勝ち / 対戦",
  opponent: "相手",
  left: "途中",
  draw: "引き分け",
  lost: "負け",
  "{} turns": "{} ターン",
  "longest chain {}": "最長 {} 連鎖",
  "Save or add": "保存・追加",
  "Save all": "すべて保存",
  "Add games from a file": "ファイルから追加",
  "This file has no games that this page has saved": "このページが保存した対戦のファイルではありません",
  "stacks high, overlooks a lot, and sends large skills": "高く積み、見落としは多いが、大きなスキルを送る",
  "piles its packs up, and attacks now and then": "パックを積み上げ、たまに攻める",
  "plans its first chains": "はじめて連鎖を計画する",
  "plans chains, and uses the skill": "連鎖を計画し、スキルも使う",
  "attacks with long chains": "長い連鎖で攻める",
  "attacks early, and defends": "早く攻め、守りもする",
  "reads two turns of both sides": "両者の 2 ターン先を読む",
  "reads three turns of both sides": "両者の 3 ターン先を読む",
  "as strong as in a contest": "コンテストの強さ",
  "Lesson {} of {}: {}": "レッスン {} / {}: {}",
  "Well done!": "できました！",
  "Not yet: take the drop back.": "まだです。一手戻しましょう。",
  "Next lesson": "次のレッスン",
  "Play your first game": "最初の対戦をする",
  "End the lessons": "レッスンを終える",

  // Recorded games, and what engines say about their turns
  "previous game, next game; all games of a file of games": "前の棋譜、次の棋譜。ファイルの棋譜の一覧",
  "All games": "棋譜の一覧",
  "Previous game ([)": "前の棋譜 ([)",
  "Previous game": "前の棋譜",
  "Next game (])": "次の棋譜 (])",
  "Next game": "次の棋譜",
  "The address of this turn": "このターンのアドレス",
  "The game, to analyse: put it behind the address of another page of tensai":
    "検討用の棋譜。tensai の別のページのアドレスの後ろに付ける",
  Result: "結果",
  "Longest chains": "最長連鎖",
  Scores: "スコア",
  "value {}": "評価値 {}",
  "plan {}": "プラン {}",
  "best {}": "候補 {}",
  "{} plies": "{} 手先まで",
  "width {}": "幅 {}",
  "{} nodes": "{} ノード",
  "plan: chain {}, the engine says {}": "プラン: {} 連鎖、エンジンは {} 連鎖と表示",
  // The fields
  "\u25cf your turn": "\u25cf あなたの番",
  "{}, cell by cell": "{}（マスごと）",
  turn: "ターン",
  "row {}": "{} 段目",
  "column {}": "列 {}",
  // Analysis by itself, evaluation, pictures
  "win probability of {}: {}": "{} の勝率: {}",
  "mark the best": "最善手を表示",
  Deeper: "もっと深く",
  Pictures: "画像",
  "This position (PNG)": "この局面 (PNG)",
  "These turns (GIF)": "この区間 (GIF)",
  "From turn": "開始ターン",
  "to turn": "終了ターン",
  "The picture has {} frames and {} KB.": "画像は {} コマ、{} KB です。",
  // Alone, what comes, keys, statistics
  Alone: "ひとりで",
  "the longest chain in 30 packs": "30 パックで最長の連鎖",
  "The longest chain in {} packs": "{} パックで最長の連鎖を作る",
  "One field, no opponent, no clock. On one day all players get the same packs.":
    "相手も時計もない 1 人用です。同じ日には全員が同じパックです。",
  Today: "今日",
  "Best of all": "自己最高",
  "Packs of today": "今日のパック",
  "Other packs": "別のパック",
  "Packs of {}": "{} のパック",
  "Packs {}": "パック {}",
  "Pack {} of {}": "パック {} / {}",
  "Best on these packs": "このパックの最高",
  "Your best on these packs": "このパックでの自己最高",
  End: "終わる",
  "Longest chain {}": "最長 {} 連鎖",
  "Longest chain": "最長連鎖",
  "{} ojama sent in all": "合計 {} 個のお邪魔",
  "Column {} passed the danger line.": "{} 列目がデンジャーラインを越えました。",
  "the chain in turn {}": "連鎖はターン {}",
  "You were better.": "あなたのほうが上です。",
  "Try these packs": "このパックに挑戦",
  "Watch it": "見る",
  "Others see your run, and try the same packs.": "ほかの人が内容を見て、同じパックに挑戦できます。",
  Chains: "連鎖",
  "Your results": "あなたの結果",
  "A result of another person": "ほかの人の結果",
  "This text has no result of a game alone.": "このテキストに 1 人用の結果はありません。",
  "This result is cut off or changed.": "この結果のテキストは途中で切れているか、書き換えられています。",
  "This is a result of a game alone: open it under Alone.":
    "これはひとり用の結果です。「ひとりで」の画面で開いてください。",
  "solved on 1 day in a row": "1 日連続で解決",
  "Show what the opponent can send": "相手が送れるお邪魔を表示",
  "next turn": "次のターン",
  "in {} turns": "{} ターン後",
  "Can send nothing within {} turns": "{} ターン以内には何も送れない",
  "Can send {} {} (chain {})": "{1}に {0} 送れる（{2} 連鎖）",
  "{} ojama wait for you: not a row yet": "あなたへのお邪魔 {} 個: まだ 1 段に満たない",
  "1 row falls on you this turn": "このターン、あなたに 1 段降る",
  "{} rows fall on you, one a turn": "あなたに毎ターン 1 段、計 {} 段降る",
  "Keys and touch": "キーとタッチ",
  "Press a button, then the key for it.": "ボタンを押してから、割り当てるキーを押します。",
  "Press a key": "キーを押す",
  "Other keys": "キーを変える",
  "Standard keys": "標準のキー",
  "All keys are the standard ones again.": "すべて標準のキーに戻しました。",
  "{} has another meaning on this page. Press another key.":
    "{} はこのページで別の意味があります。別のキーを押してください。",
  "{} is already the key of: {} ({}). Press another key.":
    "{} はすでに「{}」（{}）のキーです。別のキーを押してください。",
  "A finger that flicks down drops the pack": "指を下にはじくと落とす",
  "Left of two players": "2 人のうち左",
  "Right of two players": "2 人のうち右",
  Game: "対戦",
  "to the left": "左へ",
  "to the right": "右へ",
  "turn right": "右回転",
  "turn left": "左回転",
  "new game": "新しい対戦",
  "Nothing was added: this is no whole file of statistics that this page has saved.":
    "何も追加していません。このページが保存した統計の完全なファイルではありません。",
  "Nothing was added: the browser has no room for it.": "何も追加していません。ブラウザーに空きがありません。",
  "{} played, {} won": "{} 局、{} 勝",
  "Solved puzzles": "解いた問題",
  "{} days in a row, at most {}": "{} 日連続、最長 {} 日",
  "All {} games": "{} 局すべて",
  // Touch, the end of an animation, what is opened, pictures
  Touch: "タッチ",
  "tap or drag": "タップ・ドラッグ",
  "tap above the line": "線の上をタップ",
  "tap again": "もう一度タップ",
  "tap Skill": "スキルをタップ",
  "flick down": "下にはじく",
  "move the pack": "パックを動かす",
  "turn right; also the round arrows": "右回転（丸い矢印のボタンでも）",
  "drop, where the first tap has put the pack; also Drop": "最初のタップの場所に落とす（「落とす」でも）",
  "A second tap on the same column drops the pack": "同じ列をもう一度タップすると落とす",
  "Tap the same column again to drop the pack.": "同じ列をもう一度タップすると落とします。",
  "Tap a column of the field or drag to move the pack.":
    "フィールドの列をタップするかドラッグして、パックを動かします。",
  "Tap above the dashed line to turn it.": "破線の上をタップすると回ります。",
  "Tap the same column again to drop it.": "同じ列をもう一度タップすると落ちます。",
  "The buttons do the same.": "ボタンでも同じです。",
  "Tap or drag on a field; the cross empties.": "フィールドをタップかドラッグ。× で空にします。",
  "Tap the button Skill.": "スキルボタンを押しましょう。",
  "This was the solution.": "これが解答です。",
  "The costly turns are played out.": "損の大きいターンを試合して確かめています。",
  "This is no shared text: such a text begins with a #.":
    "共有テキストではありません。# で始まるテキストを貼り付けてください。",
  "Paste the text of a game first.": "先に棋譜のテキストを貼り付けてください。",
  "This is no game.": "棋譜ではありません。",
  "The page opens records, official replays with their packs, inputs of bots, situations, shared texts and puzzles.":
    "記録、公式リプレイ（パックと一緒に）、AI の入力、局面、共有テキスト、問題を開けます。",
  "An animation has 1 to {} turns, from turn {} to turn {}.":
    "動く画像は 1〜{} ターンで、ターン {} からターン {} の間です。",
  "One file with all games, results and solved puzzles, for another browser.":
    "対戦、結果、解いた問題を 1 つのファイルで別のブラウザーに移せます。",
};

/** @typedef {"en" | "ja"} Language */

/** @type {Language} */
let chosen = memory.get("client.language", oneOf("en", "ja")) ?? (navigator.language?.startsWith("ja") ? "ja" : "en");

export const language = () => chosen;

/** @param {Language} next */
export function chooseLanguage(next) {
  chosen = next;
  memory.set("client.language", next);
}

/**
 * The words of a text in the chosen language. `{}` are filled in order; `{0}`, `{1}` by number.
 * @param {string} text
 * @param {...unknown} values
 */
export function t(text, ...values) {
  const words = chosen === "ja" ? (JAPANESE[text] ?? text) : text;
  const numbered = words.replaceAll(/\{(\d)\}/g, (_, at) => String(values[Number(at)]));
  return filled(numbered, ...values);
}

/**
 * The words of a text of several sentences, each of which has words of its own.
 * @param {string} text
 */
export const sentences = (text) =>
  text
    .split(/(?<=[.?!]) /)
    .map((sentence) => t(sentence))
    .join(chosen === "ja" ? "" : " ");

/**
 * The name of a player, or of its seat if it has none.
 * @param {readonly string[]} names
 * @param {number} seat
 */
export function playerName(names, seat) {
  const name = names[seat];
  if (/^Player( 2)?$/.test(name)) return t(name);
  const level = /^tensai level ([1-9])$/.exec(name)?.[1];
  return level ? t("tensai, level {}", level) : name || t(seat ? "Second player" : "First player");
}

/**
 * What an action has done, in words: its chain, or the skill, and the ojama that it sends.
 * @param {string} action
 * @param {number} chain
 * @param {number} sent
 */
export function effect(action, chain, sent) {
  const parts = [action === "S" ? t("skill") : chain ? t("chain {}", chain) : "", sent ? t("sends {}", sent) : ""];
  return parts.filter(Boolean).join(", ");
}

/**
 * The English text, title and label of each part of the page that is marked by `data-t`.
 * @type {WeakMap<Element, { text: string | null, attributes: [string, string][] }>}
 */
const english = new WeakMap();

/** @param {Element} part */
function englishOf(part) {
  const text = part.textContent ?? "";
  const attributes = ["title", "aria-label"].flatMap((name) => {
    const value = part.getAttribute(name);
    return value === null ? [] : [/** @type {[string, string]} */ ([name, value])];
  });
  return { text: part.children.length === 0 && /[A-Za-z]{2}/.test(text) ? text.trim() : null, attributes };
}

/** Translates the parts of the page that are marked by `data-t`: texts, titles and labels. */
export function translate() {
  document.documentElement.lang = chosen;
  for (const part of document.querySelectorAll("[data-t]")) {
    const words = english.get(part) ?? englishOf(part);
    english.set(part, words);
    if (words.text !== null) part.textContent = sentences(words.text);
    for (const [name, value] of words.attributes) part.setAttribute(name, t(value));
  }
  const other = $("language");
  other.textContent = chosen === "ja" ? "English" : "日本語";
  other.lang = chosen === "ja" ? "en" : "ja";
}
