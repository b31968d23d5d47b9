//! Requests of strangers are refused, whatever they send.

use std::io::Write as _;
use std::net::Shutdown;

use serde_json::json;

use super::client::{self, Served, request};

#[test]
fn the_page_is_shown_to_those_who_have_its_address() {
    let served = Served::start(&[]);
    let path = format!("GET /?token={}", served.token);
    let answer = served.send(&path, &[("Host", &served.address)], "");
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.body.starts_with("<!doctype html>"));
    assert!(answer.body.contains(&served.token), "the page asks with it");
    for header in [
        "content-type: text/html; charset=utf-8",
        "content-security-policy: default-src 'none'; script-src 'nonce-",
        "frame-ancestors 'none'",
        "cache-control: no-store",
        "referrer-policy: no-referrer",
        "x-content-type-options: nosniff",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(answer.head.contains(header), "{header}: {}", answer.head);
    }
    assert!(!answer.head.contains("access-control"), "no other page may read it");
    let port = served.address.rsplit(':').next().unwrap();
    let named = format!("localhost:{port}");
    assert_eq!(served.send(&path, &[("Host", &named)], "").status, 200);
}

/// The first line of a request, its headers, and the status of the answer.
type Case<'a> = (&'a str, Vec<(&'a str, &'a str)>, u16);

#[test]
fn strangers_get_nothing() {
    let served = Served::start(&[]);
    let (own, token) = (served.address.as_str(), served.token.as_str());
    let origin = format!("http://{own}");
    let page = format!("GET /?token={token}");
    let wrong = format!("GET /?token={}", "0".repeat(32));
    let live = format!("GET /live?token={token}");
    let hello = "POST /api/hello";
    let absolute = format!("GET http://evil.example/?token={token}");
    let with =
        |more: (&'static str, &'static str)| vec![("Host", own), ("X-Tensai-Token", token), more];
    let cases: Vec<Case<'_>> = vec![
        (&page, vec![("Host", "evil.example")], 403),
        (&page, vec![("Host", "127.0.0.1.evil.example:80")], 403),
        (&page, vec![("Host", own), ("Host", "evil.example")], 403),
        (&page, vec![], 403),
        (&page, vec![("Host", own), ("Origin", "http://evil.example")], 403),
        (&page, vec![("Host", own), ("Origin", "null")], 403),
        (&absolute, vec![("Host", own)], 403),
        ("GET /", vec![("Host", own)], 403),
        (&wrong, vec![("Host", own)], 403),
        ("GET /?token=", vec![("Host", own)], 403),
        ("GET /live", vec![("Host", own)], 403),
        (&live, vec![("Host", own), ("Sec-Fetch-Site", "cross-site")], 403),
        (&live, vec![("Host", own)], 404),
        (hello, vec![("Host", own)], 403),
        (hello, vec![("Host", own), ("X-Tensai-Token", "x")], 403),
        (hello, with(("Origin", "http://evil.example")), 403),
        (hello, with(("Sec-Fetch-Site", "same-site")), 403),
        (hello, with(("X-Tensai-Token", "x")), 403),
        (hello, with(("Origin", &*origin.clone().leak())), 200),
        ("POST /api/no_such_method", with(("A", "b")), 404),
        ("POST /api/..%2f..%2fetc%2fpasswd", with(("A", "b")), 404),
        ("GET /../../etc/passwd", with(("A", "b")), 404),
        ("GET /api/hello", with(("A", "b")), 405),
        ("OPTIONS /api/hello", with(("Origin", &*origin.clone().leak())), 405),
        ("PUT /", with(("A", "b")), 405),
        ("CONNECT evil.example:80", with(("A", "b")), 403),
    ];
    for (line, headers, status) in cases {
        let answer = served.send(line, &headers, "");
        assert_eq!(answer.status, status, "{line} {headers:?}: {answer:?}");
        let is_own = status == 200;
        assert_eq!(answer.body.contains(r#""host":"server""#), is_own, "{line}: {answer:?}");
        assert!(is_own || !answer.body.contains(token), "{line}: the answer has the token");
        assert!(!answer.head.contains("access-control"), "{line}");
    }
}

#[test]
fn a_refusal_says_what_is_wrong() {
    let served = Served::start(&[]);
    let own = served.address.as_str();
    let page = format!("GET /?token={}", served.token);
    for (line, headers, said) in [
        (
            &*page,
            vec![("Host", "evil.example")],
            "the header Host is not an address of this server",
        ),
        (
            &page,
            vec![("Host", own), ("Origin", "null")],
            "a page of another server sent this request",
        ),
        ("GET /", vec![("Host", own)], "the token is missing or wrong"),
    ] {
        let answer = served.send(line, &headers, "");
        assert!(answer.body.contains(said), "{line} {headers:?}: {answer:?}");
    }
}

#[test]
fn bodies_are_bounded() {
    let served = Served::start(&[]);
    let origin = &mut String::new();
    let own = served.own(origin);
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(2 << 20));
    let answer = served.send("POST /api/choices", &own, &large);
    assert_eq!(answer.status, 413, "{answer:?}");
    assert!(answer.body.contains("more than 1 MiB"), "{answer:?}");
    // A game may have what its bots said.
    let answer = served.send("POST /api/show", &own, &large);
    assert_ne!(answer.status, 413, "{answer:?}");
    // An announced length is refused before anything of it is read.
    let endless = [&own[..], &[("Content-Length", "99999999999")]].concat();
    let mut stream = served.connect();
    let text = request("POST /api/import", &endless, "").replace("Content-Length: 0\r\n", "");
    stream.write_all(text.as_bytes()).unwrap();
    let answer = client::answer(stream);
    assert_eq!(answer.status, 413, "{answer:?}");
    // Without a length, what is too much is refused when it comes.
    let mut stream = served.connect();
    let head = request("POST /api/show", &own, "")
        .replace("Content-Length: 0", "Transfer-Encoding: chunked");
    stream.write_all(head.replace("HTTP/1.0", "HTTP/1.1").as_bytes()).unwrap();
    let chunk = format!("10000\r\n{}\r\n", "7".repeat(1 << 16));
    let sent = (0..100).take_while(|_| stream.write_all(chunk.as_bytes()).is_ok()).count();
    let answer = client::answer(stream);
    assert!(answer.status == 413 || sent < 100, "{sent} chunks: {answer:?}");
    for wrong in ["{", "[1", "\u{1b}[2J", "nul"] {
        let answer = served.send("POST /api/hello", &own, wrong);
        assert_eq!(answer.status, 400, "{answer:?}");
        assert!(answer.body.contains("the parameters are not JSON: line 1, column"), "{answer:?}");
    }
    let deep = "[".repeat(500_000);
    assert_eq!(served.send("POST /api/hello", &own, &deep).status, 400);
    assert!(served.ask("hello", &json!({}))["result"]["version"].is_string(), "it goes on");
}

#[test]
fn heads_are_bounded() {
    let served = Served::start(&[]);
    let long = "x".repeat(200_000);
    let answer = served.send(&format!("GET /?token={long}"), &[("Host", &served.address)], "");
    assert!([0, 414, 431].contains(&answer.status), "{answer:?}");
    let answer = served.send("GET /", &[("Host", &served.address), ("A", &long)], "");
    assert!([0, 431].contains(&answer.status), "{answer:?}");
    // The limit is the one that the documents name, to the byte.
    let head = |filled: usize| {
        let (host, token) = (&served.address, &served.token);
        let text = format!(
            "GET /?token={token} HTTP/1.0\r\nHost: {host}\r\nA: {}\r\n\r\n",
            "x".repeat(filled)
        );
        (text.len(), text)
    };
    let room = (64 << 10) - head(0).0;
    for (filled, status) in [(room, 200), (room + 1, 431), (100_000, 431)] {
        let mut stream = served.connect();
        let _ = stream.write_all(head(filled).1.as_bytes());
        let answer = client::answer(stream);
        let is_closed = answer.status == 0 && filled == 100_000;
        assert!(answer.status == status || is_closed, "{filled} bytes more: {answer:?}");
    }
    for garbage in [
        "\0\0\0\0\r\n\r\n",
        "GET\r\n\r\n",
        "\u{1b}[2J / HTTP/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\n",
    ] {
        let mut stream = served.connect();
        stream.write_all(garbage.as_bytes()).unwrap();
        let _ = stream.shutdown(Shutdown::Write);
        let answer = client::answer(stream);
        assert!([0, 400, 403, 505].contains(&answer.status), "{garbage:?}: {answer:?}");
    }
    assert!(served.ask("hello", &json!({}))["result"].is_object(), "it goes on");
}

#[test]
fn clients_that_never_finish_their_requests_keep_nobody_out() {
    let served = Served::start(&[]);
    // More than the connections that the server has at a time, each with half a head.
    let slow: Vec<_> = (0..300)
        .map(|_| {
            let mut stream = served.connect();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
            stream
        })
        .collect();
    assert!(served.ask("hello", &json!({}))["result"].is_object(), "after 5 s at most");
    drop(slow);
}
