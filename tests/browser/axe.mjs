// The faults in accessibility that axe-core finds in a page.
import { createRequire } from "node:module";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** The faults, each as one line. */
export async function faults(page) {
  if (!await page.evaluate("typeof axe !== 'undefined'")) await page.addScriptTag({ path: AXE });
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
    `${id}: ${target.join(" ")}: ${failureSummary.replaceAll(/\s+/g, " ")}`));
}
