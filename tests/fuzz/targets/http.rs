//! The server of `tensai serve` reads the bytes of a connection.

use std::sync::OnceLock;

use tensai::web::server::InMemory;

use super::FuzzTarget;

/// Requests, with the token in some of them.
pub const HTTP: FuzzTarget = FuzzTarget {
    // Two copies of what is on its way, and what a method makes of its parameters.
    memory: 16 << 20,
    words: &[
        "GET / HTTP/1.1\r\n",
        "POST /api/hello HTTP/1.1\r\n",
        "/api/show",
        "/api/choices",
        "/api/share",
        "/api/import",
        "/live?token=00000000000000000000000000000000",
        "/?token=00000000000000000000000000000000",
        "Host: localhost\r\n",
        "Host: evil.example\r\n",
        "Origin: null\r\n",
        "X-Tensai-Token: 00000000000000000000000000000000\r\n",
        "Content-Length: 2\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Connection: close\r\n",
        "\r\n\r\n",
        "{}",
        "0\r\n\r\n",
    ],
    ..FuzzTarget::new("http", http)
};

/// A request without the token gets nothing: no page, no result, and not the token.
fn http(data: &[u8]) -> Option<String> {
    static SERVER: OnceLock<InMemory> = OnceLock::new();
    let server = SERVER.get_or_init(|| InMemory::new().unwrap());
    let answer = String::from_utf8(server.exchange(data)).expect("answers are text");
    assert!(answer.is_empty() || answer.starts_with("HTTP/1."), "{answer}");
    let token = InMemory::TOKEN.as_bytes();
    let tokens = data.windows(token.len()).filter(|window| *window == token).count();
    let statuses: Vec<&str> = answer.lines().filter(|line| line.starts_with("HTTP/1.")).collect();
    let accepted = statuses.iter().filter(|line| line.contains(" 200 ")).count();
    assert!(accepted <= tokens, "{accepted} answers for {tokens} tokens: {answer}");
    // An error may quote what was asked for.
    assert!(tokens > 0 || !answer.contains(InMemory::TOKEN), "the answer has the token: {answer}");
    assert!(!answer.to_ascii_lowercase().contains("access-control-"), "{answer}");
    let messages = answer.lines().filter_map(|line| line.split_once("\"message\":"));
    let messages: String = messages.map(|(_, message)| message.to_owned() + "\n").collect();
    (accepted == 0).then(|| statuses.join("\n") + &messages)
}
