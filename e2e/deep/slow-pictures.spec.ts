import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, type Page } from "@playwright/test";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { ScriptedClient } from "../../bench/scripted-client.ts";
import { giveBeans, wishForWomen } from "../support/beans.ts";
import { framesOf } from "../support/frames.ts";
import { callScreen, expectCallState, meet, test as base } from "../support/people.ts";
import type { Product } from "../support/product.ts";
import { expectBalance } from "../support/shop.ts";
import { SlowClassifier } from "../support/slow-classifier.ts";

type Random = ReturnType<typeof seededRandom>;

/** From Debian's package `stress-ng`. */
const stressPath = "/usr/bin/stress-ng";
const callMs = 600_000;
const stepMs = 5_000;
const classifierMs = 5_000;
const uploadDelayMsMax = 8_000;
const uploadsLostPercent = 5;
const processorSlowdown = 6;

/** The real models of the product. */
const test = base.extend<object, object>({
  environment: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      await use({ MODERATION: "auto" });
    },
    { scope: "worker" },
  ],
});

test.skip(!existsSync(stressPath), "stress-ng is not installed");

test("keeps a paid call of ten minutes with slow devices, uploads, classifier and machine", async ({
  person,
  product,
}) => {
  test.setTimeout(callMs + 300_000);
  const [ana, bo] = await Promise.all([
    person({ name: "Ana Slow" }, { camera: "whole", isUsedUp: true }),
    person({ name: "Bo Slow" }, { camera: "whole", isUsedUp: true }),
  ]);
  await giveBeans(ana, 50_000);
  await wishForWomen(ana);
  await meet(ana, bo);
  const rooms = () => framesOf(ana).pushes(pushCodes.matched).length;
  const random: Random = seededRandom(Number(process.env["TEST_SEED"] ?? 1));
  for (const page of [ana, bo]) await slowDown(page, random);
  using stress = busyMachine();
  await using classifier = new SlowClassifier(product.pid, classifierMs);
  using other = new ScriptedClient(new URL(product.url), () => null);
  await other.signIn("Cem Presses", 1);
  await other.connect();
  expect(stress.pid).toBeDefined();
  expect(classifier).toBeDefined();
  const before = rooms();
  const endsMs = performance.now() + callMs;
  for (let step = 0; performance.now() < endsMs; step += 1) {
    await pause(stepMs);
    for (const page of [ana, bo]) await expectCallState(page, "in-call");
    if (step % 6 !== 0) continue;
    // The request throws if the server rejects it.
    await other.search({ sex: 0, lookMs: 0 });
    await other.stop();
    console.log(`${step * (stepMs / 1_000)} s: ${await shownTo(ana)} | ${await shownTo(bo)}`);
  }
  expect(rooms(), "matches of the call").toBe(before);
  expect(await endedUnchecked(product.url)).toBe(0);
  expectSoundLedger(product);
});

test("ends the call of a page that sends no frames after 45 s, and refunds the partner", async ({
  person,
  product,
}) => {
  test.setTimeout(240_000);
  const [ana, bo] = await Promise.all([
    person({ name: "Ana Waits" }, { camera: "whole", isUsedUp: true }),
    person({ name: "Bo Silent" }, { camera: "whole", isUsedUp: true }),
  ]);
  await giveBeans(ana, 50_000);
  await wishForWomen(ana);
  await meet(ana, bo);
  await bo.route("**/api/video/inspect", (route) => route.abort());
  const beganMs = performance.now();
  await expect(callScreen(bo)).toBeHidden({ timeout: 90_000 });
  const tookMs = performance.now() - beganMs;
  expect(tookMs).toBeGreaterThan(40_000);
  expect(tookMs).toBeLessThan(75_000);
  expect(await endedUnchecked(product.url)).toBe(1);
  await ana.reload();
  await expectBalance(ana, "50,000");
  expectSoundLedger(product);
});

/** Throws the output of `npm run ledger:check` if the ledger is wrong. */
function expectSoundLedger({ dataDirectory }: Product): void {
  execFileSync(process.execPath, ["--import", "tsx", "tools/ledger-check.ts"], {
    env: { ...process.env, DATA_DIR: dataDirectory },
  });
}

/** A processor six times as slow, and an uplink that delays or loses frames. */
async function slowDown(page: Page, random: Random): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: processorSlowdown });
  await page.route("**/api/video/inspect", async (route) => {
    if (random.integer(1, 100) <= uploadsLostPercent) return route.abort();
    await pause(random.integer(0, uploadDelayMsMax));
    // The page may have aborted the request.
    return route.continue().catch(() => undefined);
  });
}

function busyMachine(): Disposable & { readonly pid: number | undefined } {
  const child = spawn(stressPath, ["--cpu", "4", "--quiet"], { stdio: "ignore" });
  return { pid: child.pid, [Symbol.dispose]: () => void child.kill("SIGTERM") };
}

async function shownTo(page: Page): Promise<string> {
  return framesOf(page).received.findLast((frame) => frame.includes('"shield"')) ?? "nothing";
}

/** Calls that the server ended for want of frames. */
async function endedUnchecked(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const values = [...text.matchAll(/^fava_calls_ended_unchecked_total(?:\{[^}]*\})? (\d+)$/gm)];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
