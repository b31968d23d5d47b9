//! Admits only requests from pages that this server sent.
//!
//! Any page of a browser can send requests to a server of this machine, and a name that an attacker
//! owns can point to this machine (DNS rebinding). Three checks keep such pages out:
//!
//! * `Host` must be `localhost` or an IP address, never another name; if the server listens to this
//!   machine only, the address must be a loopback address;
//! * `Origin`, which a browser adds to a request of another page, must be the server itself;
//! * the token, 128 random bits that only the address on the terminal has.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Uri, header};
use thiserror::Error;

/// The secret of a server, as 32 hexadecimal digits.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new token.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self::of(bytes))
    }

    /// The token of these bytes.
    pub(super) fn of(bytes: [u8; 16]) -> Self {
        let mut digits = String::new();
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
        }
        Self(digits)
    }

    /// The digits.
    pub fn digits(&self) -> &str {
        &self.0
    }

    /// Whether `given` is the token. The time does not depend on how many digits agree, since
    /// hashes are compared.
    fn is(&self, given: &str) -> bool {
        blake3::hash(given.as_bytes()) == blake3::hash(self.0.as_bytes())
    }
}

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// `Host` is missing, or is not an address that the server may have.
    #[error(
        "the header Host is not an address of this server: use the address that `tensai` printed"
    )]
    Host,
    /// The request is sent by a page of another server.
    #[error("a page of another server sent this request")]
    Origin,
    /// The token is missing or wrong.
    #[error(
        "the token is missing or wrong: use the address that `tensai` printed, which has a new \
         token after each start"
    )]
    Token,
}

/// The checks of a server.
pub struct Guard {
    token: Token,
    /// Whether the server listens to this machine only.
    is_local: bool,
}

/// The header with the token of a method.
pub const TOKEN: HeaderName = HeaderName::from_static("x-tensai-token");

/// The header by which a browser names the relation of the page to the server.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

impl Guard {
    /// The checks of a server that listens at `address`.
    pub fn new(token: Token, address: SocketAddr) -> Self {
        Self { token, is_local: address.ip().is_loopback() }
    }

    /// The server's token.
    pub const fn token(&self) -> &Token {
        &self.token
    }

    /// Checks the headers of any request.
    ///
    /// # Errors
    /// The request does not come from a page of this server.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = only(headers, &header::HOST).ok_or(Refusal::Host)?;
        // A request may name the server in its first line as well, and that one then counts.
        let named = uri.authority().map_or(host, Authority::as_str);
        if named != host || !self.is_own(host) {
            return Err(Refusal::Host);
        }
        match headers.get(header::ORIGIN) {
            None => Ok(()),
            Some(_) => {
                let origin =
                    only(headers, &header::ORIGIN).and_then(|it| it.strip_prefix("http://"));
                if origin == Some(host) { Ok(()) } else { Err(Refusal::Origin) }
            }
        }
    }

    /// Checks the token of the page and of the live stream, which have it in their address. A
    /// request of a script must come from a page of this server; a link (`is_link`) may be on any
    /// page.
    ///
    /// # Errors
    /// The token is missing or wrong, or a page of another server asks.
    pub fn check_address(
        &self,
        token: Option<&str>,
        headers: &HeaderMap,
        is_link: bool,
    ) -> Result<(), Refusal> {
        if !is_link {
            check_site(headers)?;
        }
        if token.is_some_and(|token| self.token.is(token)) { Ok(()) } else { Err(Refusal::Token) }
    }

    /// Checks the token of a method, which stands in a header: no other page can send that header
    /// without asking first.
    ///
    /// # Errors
    /// The token is missing or wrong, or a page of another server asks.
    pub fn check_method(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        check_site(headers)?;
        let is_right = only(headers, &TOKEN).is_some_and(|token| self.token.is(token));
        if is_right { Ok(()) } else { Err(Refusal::Token) }
    }

    /// Whether `host` may name this machine: it is `localhost` or an IP address, which must be a
    /// loopback address if the server listens to this machine only. A stranger can choose any
    /// other name. The port is not compared, because it differs where a tunnel forwards the
    /// connection.
    fn is_own(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        let name = authority.host();
        // No user before the name, and after it nothing or a port.
        let port = host.strip_prefix(name).map(|rest| rest.strip_prefix(':').unwrap_or(rest));
        // A number is parsed with a sign as well.
        let is_port = |port: &str| {
            port.bytes().all(|byte| byte.is_ascii_digit())
                && (port.is_empty() || port.parse::<u16>().is_ok())
        };
        if !port.is_some_and(is_port) {
            return false;
        }
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        // Only an address of version 6 has brackets.
        let address = match name.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            Some(digits) => digits.parse().ok().map(IpAddr::V6),
            None => name.parse().ok().map(IpAddr::V4),
        };
        let Some(address) = address else { return false };
        !self.is_local || address.is_loopback()
    }
}

/// Checks that the browser, if it says so, was asked by a page of this server or by its user.
fn check_site(headers: &HeaderMap) -> Result<(), Refusal> {
    match headers.get(SITE).map(|site| site.as_bytes()) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(Refusal::Origin),
    }
}

/// The value of a header that is given once, as text.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str) -> Guard {
        Guard::new(Token::of([0xab; 16]), address.parse().unwrap())
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        headers
    }

    fn checked(address: &str, uri: &str, pairs: &[(&'static str, &str)]) -> Result<(), Refusal> {
        guard(address).check(&uri.parse().unwrap(), &headers(pairs))
    }

    #[test]
    fn a_host_is_localhost_or_an_address_that_the_server_may_have() {
        let local = |host: &str| checked("127.0.0.1:7475", "/", &[("host", host)]);
        for host in
            ["127.0.0.1:7475", "localhost:7475", "LOCALHOST", "[::1]:7475", "127.0.0.1:9000"]
        {
            assert_eq!(local(host), Ok(()), "{host}");
        }
        let outside = [
            "",
            "evil.example:7475",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "192.168.0.7:7475",
            "0.0.0.0:7475",
            "me@127.0.0.1:7475",
            "127.1:7475",
            "2130706433",
            "[::ffff:127.0.0.1]",
            "127.0.0.1:7475/",
            "localhost:port",
            "127.0.0.1:+80",
            "[127.0.0.1]",
            "127.0.0.1:-0",
            "localhost:65536",
            "[::1]:+80",
        ];
        for host in outside {
            assert_eq!(local(host), Err(Refusal::Host), "{host}");
        }
        let open = |host: &str| checked("0.0.0.0:7475", "/", &[("host", host)]);
        assert_eq!(open("192.168.0.7:7475"), Ok(()));
        assert_eq!(open("evil.example:7475"), Err(Refusal::Host));
    }

    #[test]
    fn a_host_is_given_once_and_the_first_line_agrees() {
        let own = ("host", "127.0.0.1:7475");
        let at = "127.0.0.1:7475";
        assert_eq!(checked(at, "/", &[]), Err(Refusal::Host));
        assert_eq!(checked(at, "/", &[own, own]), Err(Refusal::Host));
        assert_eq!(checked(at, "http://127.0.0.1:7475/", &[own]), Ok(()));
        assert_eq!(checked(at, "http://evil.example/", &[own]), Err(Refusal::Host));
    }

    #[test]
    fn an_origin_is_the_server_itself() {
        let from = |origin: &str| {
            let host = ("host", "127.0.0.1:7475");
            checked("127.0.0.1:7475", "/", &[host, ("origin", origin)])
        };
        assert_eq!(from("http://127.0.0.1:7475"), Ok(()));
        let outside = [
            "null",
            "",
            "https://127.0.0.1:7475",
            "http://127.0.0.1",
            "http://localhost:7475",
            "http://evil.example",
            "http://127.0.0.1:7475.evil.example",
            "file://",
        ];
        for origin in outside {
            assert_eq!(from(origin), Err(Refusal::Origin), "{origin}");
        }
    }

    #[test]
    fn the_whole_token_is_needed() {
        let guard = guard("127.0.0.1:7475");
        let token = "ab".repeat(16);
        assert_eq!(guard.token().digits(), token);
        let none = HeaderMap::new();
        assert_eq!(guard.check_address(Some(&token), &none, true), Ok(()));
        for wrong in [None, Some(""), Some(&token[1..]), Some("x")] {
            assert_eq!(guard.check_address(wrong, &none, true), Err(Refusal::Token));
        }
        let method = |pairs: &[(&'static str, &str)]| guard.check_method(&headers(pairs));
        let right = ("x-tensai-token", token.as_str());
        assert_eq!(method(&[right]), Ok(()));
        assert_eq!(method(&[]), Err(Refusal::Token));
        assert_eq!(method(&[right, right]), Err(Refusal::Token));
        assert_eq!(method(&[right, ("sec-fetch-site", "same-origin")]), Ok(()));
        assert_eq!(method(&[right, ("sec-fetch-site", "cross-site")]), Err(Refusal::Origin));
        let cross = headers(&[("sec-fetch-site", "cross-site")]);
        assert_eq!(guard.check_address(Some(&token), &cross, true), Ok(()), "a link");
        assert_eq!(guard.check_address(Some(&token), &cross, false), Err(Refusal::Origin));
    }

    #[test]
    fn two_tokens_differ() {
        let [one, other] = [0, 1].map(|_| Token::random().unwrap());
        assert_ne!(one.digits(), other.digits());
        assert_eq!(one.digits().len(), 32);
    }
}
