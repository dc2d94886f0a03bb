import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BrowserContext, expect, type Page, type Route } from "@playwright/test";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { installStillCamera } from "@fava/web/testing/remote-person.ts";
import { rooms } from "../gallery/rooms.ts";
import { scene } from "../gallery/scene.ts";
import { type PageWorld, test } from "../support/fixture-page.ts";
import { words } from "../support/words.ts";

interface Chunk {
  file: string;
  css?: readonly string[];
  imports?: readonly string[];
  dynamicImports?: readonly string[];
}

const directory = process.env["WEB_DIR"] ?? fileURLToPath(new URL("../../web/dist", import.meta.url));
const manifest = JSON.parse(readFileSync(`${directory}/.vite/manifest.json`, "utf8")) as Record<string, Chunk>;
const atOnce = filesOf("index.html");
const chunks = Object.values(manifest);

/** Style sheets that come with some part of the page. */
const styles = new Set(chunks.flatMap(({ css = [] }) => css).filter((file) => !atOnce.has(file)));
/** The files of each part. Texts are told apart by their language, and signing in with a real provider has no fixture. */
const parts = chunks
  .flatMap(({ dynamicImports = [] }) => dynamicImports)
  .filter((name) => !/locales|\.md$|live-sign-in|hand-formats/.test(name))
  .map((name) => ({ file: "", ...manifest[name] }));
const scripts = new Set(parts.map(({ file }) => file));

/** Nothing is pressed on it: what the server has sent takes no press before its script is there. */
const aboutUs = scene("about us", { path: "/aboutUs" }, () => Promise.resolve());

/** Ways through the product that show every style sheet. */
const shownStyles = [
  "a session that has expired",
  "about us",
  "a new person gives birthday and gender",
  "the browser asks for camera and microphone",
  "a shop without packs, and what may stand in it",
  "a path that does not exist",
  "the page of text: terms",
  "the figures of transparency, and of a new installation",
  "what to write to the safety centre",
  "the preferences",
  "the notice of a ban",
  "the receipt of a purchase",
  "profile and messages over a call",
  "an order that waits for a decision",
  "the dialog to forbid",
  "an account that is deleted",
  "what is said of devices: no-microphone",
  "pictures of oneself that could not be loaded",
  "a report in a call",
  "a pause before anybody is met again",
  "a page that comes back to its call",
  "calls that our checks have ended",
];
/** Those that bring a part without a style sheet that is its own alone. */
const shownScripts = [
  "a new person gives birthday and gender",
  "the notice of a ban",
  "a shop without packs, and what may stand in it",
  "the receipt of a purchase",
  "an account that is deleted",
  "a pause before anybody is met again",
  "the same where nobody is signed in",
  "a session that another sign-in has ended",
  "finding people",
  "what the server refuses to do about people",
  "somebody under age",
  "a meter before the first picture",
  "the safety rules, and a search that is too dear",
  "beans that run out in a call",
  "a search in a country where nobody is",
  "the withdrawal of a purchase",
  "the spending cap",
  "a call in another tab",
];

// What has failed is counted from test to test.
test.describe.configure({ mode: "serial" });
test.use({ sharesPages: true });

const failedStyles = new Set<string>();
for (const name of shownStyles)
  test(`[DEVICE-13] shown with the style sheets that failed once: ${name}`, ({ world }) =>
    playWith(world, name, { failing: styles, failed: failedStyles }));

test("[DEVICE-13] every style sheet was among them", () => {
  expect([...styles].filter((file) => !failedStyles.has(file))).toEqual([]);
});

const failedScripts = new Set<string>();
for (const name of shownScripts)
  test(`[DEVICE-13] shown with the parts whose script failed once: ${name}`, ({ world }) =>
    playWith(world, name, { failing: scripts, failed: failedScripts }));

test("[DEVICE-13] every part was among them, by its script or by its own style sheet", () => {
  const hasFailed = ({ file, css = [] }: Chunk) => failedScripts.has(file) || css.some((one) => failedStyles.has(one));
  expect(parts.filter((part) => !hasFailed(part)).map(({ file }) => file)).toEqual([]);
});

test("[DEVICE-13] the texts of the page are fetched again when they failed once", async ({ world }) => {
  const texts = new Set(["first", "later"].map((part) => manifest[`locales/en.json?${part}`]?.file ?? ""));
  const failed = new Set<string>();
  await playWith(world, "a session that has expired", { failing: texts, failed });
  expect(failed).toEqual(texts);
});

/** What stands in an open page is fetched by no part of it, but by those of every other page: here, too. */
function forgetStyleFiles(): void {
  document.addEventListener("DOMContentLoaded", () => {
    for (const style of document.querySelectorAll("style")) delete style.dataset["file"];
  });
}

/** Plays a scene in which each of these files cannot be fetched the first time, and looks at its style sheets. */
async function playWith(
  world: PageWorld,
  name: string,
  { failing, failed }: { failing: ReadonlySet<string>; failed: Set<string> },
): Promise<void> {
  world.expectErrors(/ERR_FAILED/);
  const way = [aboutUs, ...rooms.flatMap(({ scenes }) => scenes)].find((one) => one.name === name);
  if (!way) throw new Error(`no scene ${name}`);
  const begun = new Map<string, number>();
  const prepare = async (context: BrowserContext) => {
    await context.route(/\/assets\//, async (route) => {
      const file = new URL(route.request().url()).pathname.slice(1);
      if (!failing.has(file)) return route.fallback();
      // What the browser fetches beforehand, and does not get, is no failure yet: the part asks for it once more.
      const failures = await failuresOf(route);
      const before = begun.get(file) ?? failures;
      begun.set(file, before);
      if (failures === before) return route.abort();
      failed.add(file);
      return route.fallback();
    });
  };
  const options = way.options();
  const before = [countFailures, forgetStyleFiles, ...[options.before ?? installStillCamera].flat()];
  const page = await world.open({ nowMs: galleryNowMs, ...options, before, prepare });
  const show = () => expectStyled(page, name);
  await way.play({ world, page, said: words, show });
  // A page that the server has sent with its words is there before its parts.
  await page.waitForLoadState("networkidle");
  await show();
}

/** Runs in the page: counts the tries to load a part that have failed. */
function countFailures(): void {
  Object.assign(window, { failures: 0 });
  window.addEventListener("vite:preloadError", () => {
    Object.assign(window, { failures: (window as unknown as { failures: number }).failures + 1 });
  });
}

async function failuresOf(route: Route): Promise<number> {
  const asked = route
    .request()
    .frame()
    .evaluate(() => (window as unknown as { failures: number }).failures);
  // A page that is left meanwhile misses nothing.
  return asked.catch(() => Number.POSITIVE_INFINITY);
}

/** Every style sheet that the page has asked for is in force. */
async function expectStyled(page: Page, name: string): Promise<void> {
  const missing = () =>
    page.evaluate(() => {
      const hasRules = (sheet: CSSStyleSheet) => {
        try {
          return sheet.cssRules.length > 0;
        } catch {
          // One that could not be fetched does not let itself be read.
          return false;
        }
      };
      const asked = performance.getEntriesByType("resource").map((entry) => entry.name);
      const inForce = [...document.styleSheets].filter(hasRules).map(({ href }) => href);
      return [...new Set(asked.filter((url) => url.endsWith(".css") && !inForce.includes(url)))];
    });
  await expect.poll(missing, { message: name }).toEqual([]);
}

/** What the home screen fetches at once. */
function filesOf(name: string, known = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk || known.has(chunk.file)) return known;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) known.add(file);
  for (const imported of chunk.imports ?? []) filesOf(imported, known);
  return known;
}
