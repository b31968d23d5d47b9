// All tests in one process, hence with one browser; the test that waits longest first.
// `node --test FILE` runs the tests of one file.
import "./client.live.test.mjs";
import "./client.play.test.mjs";
import "./client.hands.test.mjs";
import "./client.first.test.mjs";
import "./client.analyse.test.mjs";
import "./client.offline.test.mjs";
import "./client.layout.test.mjs";
import "./steps.test.mjs";
import "./keys.test.mjs";
import "./fragments.test.mjs";
import "./layout.test.mjs";
import "./policy.test.mjs";
