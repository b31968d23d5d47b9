//! The content security policy of a page that is a file, which lets the page load nothing and run
//! only its own script, whatever a record, a name or a bot has put into it.

/// The scripts that a page may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scripts {
    /// None.
    None,
    /// The script of the page.
    Own,
    /// The script of the page, its worker, and WebAssembly.
    OwnWithWorker,
}

/// The policy as an element of the page's head, before all styles and scripts. Those of the page
/// itself have this `nonce`, of letters and digits.
pub fn element(nonce: &str, scripts: Scripts) -> String {
    let scripts = match scripts {
        Scripts::None => String::new(),
        Scripts::Own => format!("script-src 'nonce-{nonce}'; "),
        Scripts::OwnWithWorker => {
            format!("script-src 'nonce-{nonce}' 'wasm-unsafe-eval'; worker-src blob:; ")
        }
    };
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; {scripts}\
         style-src 'nonce-{nonce}'; img-src data:; base-uri 'none'; form-action 'none'\">"
    )
}

/// The nonce of a page with this content: equal pages are equal files. Content cannot contain its
/// own nonce, because that is a hash of the whole content.
pub fn nonce(content: &[u8]) -> String {
    blake3::hash(content).to_hex()[..32].to_owned()
}
