import { setTimeout as pause } from "node:timers/promises";
import { expect, type Page } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { busyCamera } from "../support/busy-camera.ts";
import { framesOf } from "../support/frames.ts";
import { flowFacts } from "../support/media.ts";
import { callScreen, expectTogether, meet } from "../support/people.ts";
import { test } from "../support/relayed.ts";
import { turnIsInstalled, type UdpProxy, type Weakness } from "../support/turn.ts";
import { words } from "../support/words.ts";

test.skip(!turnIsInstalled, "coturn is not installed");

const stepMs = 2_000;
const weakMs = 60_000;
/** After this long on a weak network, sound and video have settled. */
const settledMs = 40_000;
/** A rung that did not hold is tried again after a minute at most. */
const healMsMax = 120_000;

interface Case {
  readonly name: string;
  readonly weakness: Weakness;
  /** After how many seconds Firefox has paused the video, which the network does not carry. */
  readonly pausesWithinSeconds?: number;
  /** The share of sound packets that arrive, once settled. */
  readonly soundShareMin: number;
  /** The longest wait in the buffer, once settled. */
  readonly waitMsMax: number;
}

const cases: readonly Case[] = [
  { name: "2 % lost", weakness: { loss: 0.02, jitterMs: 100 }, soundShareMin: 0.9, waitMsMax: 0 },
  { name: "8 % lost", weakness: { loss: 0.08, jitterMs: 100 }, soundShareMin: 0.85, waitMsMax: 0 },
  { name: "300 kbit/s", weakness: { carriedKbps: 300, jitterMs: 20 }, soundShareMin: 0.8, waitMsMax: 400 },
  {
    name: "80 kbit/s",
    weakness: { carriedKbps: 80, jitterMs: 20 },
    pausesWithinSeconds: 12,
    soundShareMin: 0.5,
    waitMsMax: 400,
  },
  {
    name: "300 kbit/s and a buffer of 5 s",
    weakness: { carriedKbps: 300, queueMsMax: 5_000 },
    soundShareMin: 0.9,
    waitMsMax: 700,
  },
];

for (const { name, weakness, pausesWithinSeconds, soundShareMin, waitMsMax } of cases) {
  test(`Firefox keeps the sound over a network with ${name}, tells its level, and recovers`, async ({
    person,
    partner,
    wire,
  }) => {
    test.setTimeout(360_000);
    const [ana, bo] = await Promise.all([
      person({ name: `Ana ${name}` }, { camera: "whole", before: busyCamera }),
      partner({ name: `Bo ${name}` }, { camera: "whole" }),
    ]);
    await meet(ana, bo);
    await expect.poll(() => scaleOf(ana)).toBe(1.5);
    await pause(20_000);
    wire.weaken(weakness);
    const seen = await follow({ ana, bo, wire, name });
    const settled = seen.filter(({ atMs }) => atMs > settledMs);
    expect(Math.min(...settled.map(({ sounds }) => sounds)), "sound packets a second").toBeGreaterThan(0);
    expect(mean(settled.map(({ sounds }) => sounds)), "sound packets a second").toBeGreaterThan(50 * soundShareMin);
    expect(Math.max(...settled.map(({ waitMs }) => waitMs)), "wait in the buffer").toBeLessThanOrEqual(waitMsMax);
    // A paused video is tried again for some seconds.
    const still = settled.filter(({ scale, frames }) => scale > 0 && frames === 0);
    expect(still.length, "steps without a frame of a sent video").toBeLessThanOrEqual(3);
    const changes = seen.filter(({ scale }, at) => at > 0 && scale !== seen[at - 1]?.scale);
    expect(changes.length, "changes of the rung").toBeLessThanOrEqual(6);
    const pausedMs = seen.find(({ scale }) => scale === 0)?.atMs;
    if (pausesWithinSeconds !== undefined) expect(pausedMs, "paused").toBeLessThanOrEqual(pausesWithinSeconds * 1_000);
    await expectToldRung(ana, bo);

    wire.heal();
    await expect.poll(async () => [1, 1.5, 2].includes(await scaleOf(ana)), { timeout: healMsMax }).toBe(true);
    await expectTogether(ana, bo);
    await expectToldRung(ana, bo);
    for (const page of [ana, bo]) {
      await expect(callScreen(page).getByRole("heading", { name: words("reconnect.title") })).toBeHidden();
      expect(framesOf(page).pushes(pushCodes.matched)).toHaveLength(1);
    }
  });
}

/** What Firefox sends, and what of it arrives in Chromium, every two seconds. */
interface Step {
  readonly atMs: number;
  readonly scale: number;
  /** Each a second. */
  readonly frames: number;
  readonly sounds: number;
  readonly waitMs: number;
}

async function follow(call: { ana: Page; bo: Page; wire: UdpProxy; name: string }): Promise<Step[]> {
  const { ana, bo, wire, name } = call;
  const steps: Step[] = [];
  let before = await flowFacts(bo);
  for (let atMs = stepMs; atMs <= weakMs; atMs += stepMs) {
    await pause(stepMs);
    const [sent, received] = await Promise.all([flowFacts(ana), flowFacts(bo)]);
    const perSecond = (total: number) => (total * 1_000) / stepMs;
    const step = {
      atMs,
      scale: sent.sentScale,
      // A video that comes back after a pause is counted from zero.
      frames: perSecond(Math.max(0, received.framesDecoded - before.framesDecoded)),
      sounds: perSecond(received.soundPackets - before.soundPackets),
      waitMs: wire.takeLongestWaitMs(),
    };
    before = received;
    steps.push(step);
    console.log(
      `${name} ${atMs / 1_000} s: x${step.scale}, ${Math.round(sent.sentKbps)} kbit/s, ${step.frames} frames/s, ${step.sounds} sounds/s, waits ${step.waitMs} ms; Chromium x${received.sentScale}`,
    );
  }
  return steps;
}

async function scaleOf(page: Page): Promise<number> {
  return (await flowFacts(page)).sentScale;
}

const levels: Readonly<Record<number, number>> = { 0: 0, 4: 1, 2: 2, 1.5: 3, 1: 3 };

/** Expects that the partner's page was told the level of what the first one sends. */
async function expectToldRung(page: Page, partner: Page): Promise<void> {
  const told = () =>
    framesOf(partner)
      .received.findLast((text) => text.includes('"peer-quality"'))
      ?.match(/"level":(\d)/)?.[1];
  await expect.poll(async () => Number(told()) === levels[await scaleOf(page)], "level as told").toBe(true);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
