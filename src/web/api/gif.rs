//! `gif`: an animated picture of the frames that a page has drawn.
//!
//! A page draws with the fonts and the colors of its browser, which has no encoder of animations. It sends
//! the part of each frame that differs from the frame before, as compressed indices into one palette.

use std::io::Read as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::read::ZlibDecoder;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use serde::{Deserialize, Serialize};

use super::client_error::ApiError;

/// Parameters of `gif`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GifParams {
    /// The width in pixels, 1 to 2000.
    pub width: u16,
    /// The height in pixels, 1 to 2000.
    pub height: u16,
    /// The colors, six hexadecimal digits each: 1 to 256 of them.
    pub palette: String,
    /// The frames: 1 to 1000. All of them together have at most 2^26 pixels.
    pub frames: Vec<GifFrame>,
}

/// A frame: a rectangle that covers a part of what was shown before.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GifFrame {
    /// The distance from the left edge, in pixels.
    pub left: u16,
    /// The distance from the upper edge, in pixels.
    pub top: u16,
    /// The width in pixels, from 1.
    pub width: u16,
    /// The height in pixels, from 1.
    pub height: u16,
    /// How long the frame is shown, in milliseconds, rounded down to hundredths of a second.
    pub ms: u32,
    /// The index of each pixel's color, row by row from the top, a byte each: base64 of zlib.
    pub pixels: String,
}

/// Result of `gif`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GifResult {
    /// The file, as base64. It is shown over and over.
    pub base64: String,
}

/// The most pixels of a side.
const SIDE: u16 = 2000;

/// The most frames: a turn has about ten.
const FRAMES: usize = 1000;

/// The most pixels of all frames. Compressing them takes less than a second.
const PIXELS: u64 = 1 << 26;

/// The most bytes of a file, more than a messenger passes on.
const BYTES: usize = 16 << 20;

/// Makes the file of an animation.
pub fn gif(params: &GifParams) -> Result<GifResult, ApiError> {
    let &GifParams { width, height, ref palette, ref frames } = params;
    if !(1..=SIDE).contains(&width) || !(1..=SIDE).contains(&height) {
        let reason = format!("`width`, `height`: expected 1 to {SIDE}, found {width}, {height}");
        return Err(ApiError::bad_request(reason));
    }
    let palette = colors(palette)?;
    if !(1..=FRAMES).contains(&frames.len()) {
        let reason = format!("`frames`: expected 1 to {FRAMES}, found {}", frames.len());
        return Err(ApiError::bad_request(reason));
    }
    let pixels = frames.iter().map(|frame| u64::from(frame.width) * u64::from(frame.height));
    if pixels.sum::<u64>() > PIXELS {
        return Err(ApiError::bad_request(format!("`frames`: more than {PIXELS} pixels")));
    }
    let failed = |error: gif::EncodingError| ApiError::internal(error.to_string());
    let mut encoder = Encoder::new(Vec::new(), width, height, &palette).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    for (at, frame) in frames.iter().enumerate() {
        let refused = |reason| ApiError::bad_request(format!("`frames[{at}]`: {reason}"));
        let frame = frame.decoded([width, height], palette.len() / 3).map_err(refused)?;
        encoder.write_frame(&frame).map_err(failed)?;
        if encoder.get_ref().len() > BYTES {
            return Err(ApiError::bad_request(format!("the file takes more than {BYTES} bytes")));
        }
    }
    let file = encoder.into_inner().map_err(|error| ApiError::internal(error.to_string()))?;
    Ok(GifResult { base64: BASE64_STANDARD.encode(file) })
}

/// The bytes of a palette: red, green and blue of each color.
fn colors(palette: &str) -> Result<Vec<u8>, ApiError> {
    let reason = "`palette`: expected 1 to 256 colors, six hexadecimal digits each";
    let is_hexadecimal = palette.bytes().all(|digit| digit.is_ascii_hexdigit());
    if !is_hexadecimal
        || !palette.len().is_multiple_of(6)
        || !(6..=6 * 256).contains(&palette.len())
    {
        return Err(ApiError::bad_request(reason));
    }
    let bytes = palette.as_bytes().chunks(2);
    let parsed = bytes.map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap_or(""), 16));
    parsed.collect::<Result<_, _>>().map_err(|_| ApiError::bad_request(reason))
}

impl GifFrame {
    /// The frame of a file of this size, with its pixels.
    fn decoded(&self, [width, height]: [u16; 2], colors: usize) -> Result<Frame<'static>, String> {
        let is_inside = |from: u16, length: u16, all: u16| {
            length > 0 && from.checked_add(length).is_some_and(|end| end <= all)
        };
        if !is_inside(self.left, self.width, width) || !is_inside(self.top, self.height, height) {
            return Err("it is empty, or leaves the picture".to_owned());
        }
        let count = usize::from(self.width) * usize::from(self.height);
        let packed = BASE64_STANDARD.decode(&self.pixels).map_err(|error| error.to_string())?;
        let mut pixels = Vec::with_capacity(count);
        let mut unpacked = ZlibDecoder::new(&*packed).take(count as u64 + 1);
        unpacked.read_to_end(&mut pixels).map_err(|error| error.to_string())?;
        if pixels.len() != count {
            return Err(format!("expected {count} pixels, found another number"));
        }
        if let Some(&color) = pixels.iter().find(|&&color| usize::from(color) >= colors) {
            return Err(format!("color {color} of {colors}"));
        }
        Ok(Frame {
            delay: u16::try_from(self.ms / 10).unwrap_or(u16::MAX),
            dispose: DisposalMethod::Keep,
            left: self.left,
            top: self.top,
            width: self.width,
            height: self.height,
            buffer: pixels.into(),
            ..Frame::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::read::ZlibEncoder;
    use gif::{ColorOutput, DecodeOptions};
    use serde_json::{Value, json};

    use super::*;

    fn packed(pixels: &[u8]) -> String {
        let mut packed = Vec::new();
        ZlibEncoder::new(pixels, Compression::best()).read_to_end(&mut packed).unwrap();
        BASE64_STANDARD.encode(packed)
    }

    /// Two frames of 3 x 2 pixels: all red, then the right column blue for two seconds.
    fn params() -> Value {
        json!({
            "width": 3,
            "height": 2,
            "palette": "ff00000000FF00ff00",
            "frames": [
                { "left": 0, "top": 0, "width": 3, "height": 2, "ms": 300, "pixels": packed(&[0; 6]) },
                { "left": 2, "top": 0, "width": 1, "height": 2, "ms": 2009, "pixels": packed(&[1; 2]) },
            ],
        })
    }

    fn made(params: Value) -> Result<Vec<u8>, String> {
        let made = gif(&serde_json::from_value(params).unwrap()).map_err(|error| error.message)?;
        Ok(BASE64_STANDARD.decode(made.base64).unwrap())
    }

    #[test]
    fn an_animation_decodes_to_its_frames() {
        let file = made(params()).unwrap();
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(&*file).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (3, 2));
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let first = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!((first.width, first.height, first.delay), (3, 2, 30));
        assert_eq!(*first.buffer, [255, 0, 0, 255].repeat(6));
        let second = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!((second.left, second.top, second.width, second.height), (2, 0, 1, 2));
        assert_eq!((second.delay, second.dispose), (200, DisposalMethod::Keep));
        assert_eq!(*second.buffer, [0, 0, 255, 255].repeat(2));
        assert!(decoder.read_next_frame().unwrap().is_none());
    }

    #[test]
    fn what_is_no_animation_is_refused() {
        let refused = |pointer: &str, value: Value| {
            let mut params = params();
            *params.pointer_mut(pointer).unwrap() = value;
            made(params).unwrap_err()
        };
        assert!(refused("/width", json!(0)).contains("`width`"));
        assert!(refused("/height", json!(2001)).contains("2001"));
        for palette in ["", "ff", "ff000g", "éeeee", &"000000".repeat(257)] {
            assert!(refused("/palette", json!(palette)).starts_with("`palette`"), "{palette}");
        }
        assert!(refused("/frames", json!([])).contains("1 to 1000"));
        assert!(refused("/frames/1/left", json!(3)).starts_with("`frames[1]`: it is empty, or"));
        assert!(refused("/frames/0/width", json!(0)).starts_with("`frames[0]`: it is empty, or"));
        let large = json!({
            "left": 0, "top": 0, "width": 2000, "height": 2000, "ms": 0, "pixels": "",
        });
        assert!(refused("/frames", vec![large; 17].into()).contains("more than 67108864 pixels"));
        assert!(refused("/frames/0/pixels", json!("?")).starts_with("`frames[0]`: "));
        assert!(refused("/frames/0/pixels", json!("AAAA")).starts_with("`frames[0]`: "));
        // Neither too few pixels nor more than the frame has, however many they would be.
        for count in [5, 7, 10_000_000] {
            let pixels = packed(&vec![0; count]);
            let message = refused("/frames/0/pixels", json!(pixels));
            assert!(message.contains("expected 6 pixels"), "{message}");
        }
        let message = refused("/frames/1/pixels", json!(packed(&[1, 3])));
        assert_eq!(message, "`frames[1]`: color 3 of 3");
    }
}
