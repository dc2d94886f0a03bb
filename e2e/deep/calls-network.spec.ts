import { setTimeout as pause } from "node:timers/promises";
import { expect, type Page } from "@playwright/test";
import { type FlowFacts, flowFacts } from "../support/media.ts";
import { callScreen, expectTogether, meet } from "../support/people.ts";
import { test } from "../support/relayed.ts";
import { turnIsInstalled } from "../support/turn.ts";
import { words } from "../support/words.ts";

test.skip(!turnIsInstalled, "coturn is not installed");

const stepMs = 2_000;
const weakMs = 40_000;
const healMsMax = 25_000;

/** The loss, jitter and capacity of the network of each user. */
const ways = [
  { name: "2 % lost, 100 ms of jitter", loss: 0.02, jitterMs: 100 },
  { name: "8 % lost, 100 ms of jitter", loss: 0.08, jitterMs: 100 },
  { name: "300 kbit/s", carriedKbps: 300, jitterMs: 20 },
  { name: "80 kbit/s", carriedKbps: 80, jitterMs: 20 },
] as const;

for (const { name, ...weakness } of ways) {
  test(`keeps the sound over a network with ${name}, and shows both videos 25 s after it recovers`, async ({
    person,
    wire,
  }) => {
    test.setTimeout(240_000);
    const people = await Promise.all([
      person({ name: `Ana ${name}` }, { camera: "whole" }),
      person({ name: `Bo ${name}` }, { camera: "whole" }),
    ]);
    await meet(people[0], people[1]);
    await follow(people, 20_000, "before");
    wire.weaken(weakness);
    const heard = await follow(people, weakMs, name);
    // Fifty audio packets a second, less the loss of the network and a moment before the video was scaled down.
    for (const packets of heard) expect(packets, "audio packets").toBeGreaterThan((weakMs / 1_000) * 50 * 0.8);
    for (const page of people)
      await expect(callScreen(page).getByRole("heading", { name: words("reconnect.title") })).toBeHidden();
    wire.heal();
    await expect
      .poll(async () => Math.min(...(await Promise.all(people.map(flowFacts))).map(({ sentScale }) => sentScale)), {
        timeout: healMsMax,
      })
      .toBeGreaterThan(0);
    await follow(people, 30_000, "healed");
    await expectTogether(people[0], people[1]);
  });
}

/** Logs every two seconds what is sent each way; returns the number of received audio packets. */
async function follow(people: readonly [Page, Page], ms: number, what: string): Promise<[number, number]> {
  const first = await facts(people);
  let before = first;
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    await pause(stepMs);
    const now = await facts(people);
    const line = now.map((side, index) => {
      const frames = side.framesDecoded - (before[index]?.framesDecoded ?? 0);
      const sound = side.soundPackets - (before[index]?.soundPackets ?? 0);
      return `x${side.sentScale} ${Math.round(side.availableKbps)} kbit/s of ${Math.round(side.sentKbps)}, lost ${side.lossPercent} %, ${frames / 2} frames/s, ${sound / 2} sounds/s, ${side.limitedBy}`;
    });
    console.log(`${what} ${(passedMs + stepMs) / 1_000} s: ${line.join(" | ")}`);
    before = now;
  }
  const heard = before.map(({ soundPackets }, index) => soundPackets - (first[index]?.soundPackets ?? 0));
  return [heard[0] ?? 0, heard[1] ?? 0];
}

function facts(people: readonly [Page, Page]): Promise<[FlowFacts, FlowFacts]> {
  return Promise.all([flowFacts(people[0]), flowFacts(people[1])]);
}
