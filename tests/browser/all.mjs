// All tests in one process, hence with one browser; the test that waits longest first.
// `node --test FILE` runs the tests of one file.
import "./serve.live.test.mjs";
import "./serve.play.test.mjs";
import "./serve.hands.test.mjs";
import "./serve.first.test.mjs";
import "./serve.alone.test.mjs";
import "./serve.analyse.test.mjs";
import "./serve.explore.test.mjs";
import "./serve.values.test.mjs";
import "./serve.pictures.test.mjs";
import "./serve.review.test.mjs";
import "./offline.test.mjs";
import "./serve.layout.test.mjs";
import "./steps.test.mjs";
import "./keys.test.mjs";
import "./fragments.test.mjs";
import "./layout.test.mjs";
import "./policy.test.mjs";
