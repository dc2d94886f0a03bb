import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { callScreen, giveProfile, signIn } from "../e2e/support/people.ts";
import { words } from "../e2e/support/words.ts";
import { chromium as chromiumOptions } from "../browser.config.ts";
import { type FrameNotes, watchFirstFrame } from "./first-frame-watch.ts";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";
import { serveProduct } from "./served-product.ts";

const calls = 20;
const quickCalls = 3;
const stepTimeoutMs = 20_000;
/** Between two calls everything comes to rest: the last connection is closed, the next offers are prepared. */
const restMs = 2_000;
/** The same two people are kept apart for 15 s while they are the only ones (rule of the matcher). */
const pairGapMs = 15_500;

/** As cameras make them; the tests' camera makes fewer, and a picture would wait for the next one. */
const framesPerSecond = 30;

/** Press to first remote frame: two Chromium pages with open cameras, of which one waits when the other presses. */
export async function benchFirstFrame({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  // `npm start` builds the web app where it is stale: an older one may lack what this looks for.
  await using product = await serveProduct({ program: ["tools/start.mjs"] });
  const { args, ...launchOptions } = chromiumOptions;
  const camera = "--use-fake-device-for-media-stream";
  const browser = await chromium.launch({
    ...launchOptions,
    args: [...args.filter((argument) => !argument.startsWith(camera)), `${camera}=fps=${framesPerSecond}`],
  });
  try {
    const [waiting, coming] = [await openPerson(browser, product.url), await openPerson(browser, product.url)];
    await signInAs(waiting, "Waiting Wanda");
    await signInAs(coming, "Coming Carl");
    // The first call of each page accepts the rules and loads the parts of a call.
    await startFirst(waiting);
    await startFirst(coming);
    await inCall(coming);
    const measured: FrameNotes[] = [];
    for (let call = 0; call < (isQuick ? quickCalls : calls); call += 1) {
      await coming.waitForTimeout(pairGapMs - restMs);
      measured.push(await oneCall({ waiting, coming }));
    }
    return report(measured);
  } finally {
    await browser.close();
  }
}

async function openPerson(browser: Browser, url: string): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    baseURL: url,
    viewport: { width: 1_440, height: 900 },
    locale: "en-US",
    permissions: ["camera", "microphone"],
  });
  context.setDefaultTimeout(stepTimeoutMs);
  await context.addInitScript(watchFirstFrame, "’s video");
  const page = await context.newPage();
  await page.goto("/");
  return page;
}

async function signInAs(page: Page, name: string): Promise<void> {
  await signIn(page, { name });
  await giveProfile(page);
  await page.getByRole("button", { name: words("home.account") }).waitFor();
}

async function startFirst(page: Page): Promise<void> {
  await page.getByRole("button", { name: words("home.start") }).click();
  await page.getByRole("checkbox", { name: words("rules.never") }).check();
  await page.getByRole("button", { name: words("rules.ok") }).click();
  await callScreen(page).waitFor();
}

/** The newcomer leaves, so that the other waits again by itself, rests at home, and presses Start. */
async function oneCall({ waiting, coming }: { waiting: Page; coming: Page }): Promise<FrameNotes> {
  await coming.getByRole("button", { name: words("call.end") }).click();
  await waiting.locator("[data-match-state='1']").waitFor();
  await coming.waitForTimeout(restMs);
  await coming.getByRole("button", { name: words("home.start") }).click();
  await inCall(coming);
  return coming.evaluate(() => window.frameNotes);
}

async function inCall(page: Page): Promise<void> {
  await page.locator("[data-match-state='3']").waitFor();
}

function report(measured: readonly FrameNotes[]): BenchmarkReport {
  const toPush = measured.map(({ pressedMs, matchedMs }) => matchedMs - pressedMs);
  const toFrame = measured.map(({ pressedMs, firstFrameMs }) => firstFrameMs - pressedMs);
  const row = (name: string, values: readonly number[]) => [
    name,
    percentile(values, 0),
    percentile(values, 50),
    percentile(values, 95),
    percentile(values, 100),
  ];
  return {
    title: `First frame: ${measured.length} calls between two Chromium pages, one waiting when the other presses Start`,
    columns: ["from the press to", "least ms", "p50 ms", "p95 ms", "most ms"],
    rows: [row("match push in the page", toPush), row("first remote frame", toFrame)],
    goals: [
      {
        name: "press to first remote frame, p50",
        unit: "ms",
        better: "lower",
        reach: 250,
        measured: percentile(toFrame, 50),
      },
      {
        name: "press to first remote frame, p95",
        unit: "ms",
        better: "lower",
        reach: 500,
        measured: percentile(toFrame, 95),
      },
    ],
    notes: [
      "fake cameras, loopback, no relay; measured in the newcomer's page from the click to requestVideoFrameCallback",
      `offers that travelled inside the match push: ${measured.filter(({ hadOffer }) => hadOffer).length} of ${measured.length}`,
    ],
  };
}
