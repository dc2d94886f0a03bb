import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { fuzz, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { beanWorld } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import type { MeteredCallsLine } from "#test/fixtures/metered-calls.ts";
import { beansOf } from "./meter-machine.ts";
import { netCostOf } from "./meter-store.ts";

const program = fileURLToPath(new URL("../../test/fixtures/metered-calls.ts", import.meta.url));
/** Times faster than life: a minute of a call takes 0.2 s. */
const factor = 300;
const pairsCount = 30;
const crashes = fuzz(4).numRuns;
const price = 1_600n;

interface SeenCall {
  readonly payerId: bigint;
  readonly liveAtMs: number;
  /** Null while it runs. */
  leftAtMs: number | null;
}

let child: ChildProcess | null = null;
afterEach(() => void child?.kill("SIGKILL"));

/** Starts the process, lets calls run for a moment and kills it in the middle of them; answers which it had. */
async function runAndKill(
  url: string,
  people: readonly bigint[],
  on: { ready: () => Promise<void>; killAfterMs: number },
): Promise<Map<string, SeenCall>> {
  const words = ["--import", "tsx", program, url, String(factor), ...people.map(String)];
  const running = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  child = running;
  const exited = once(running, "exit");
  const calls = new Map<string, SeenCall>();
  for await (const text of createInterface({ input: running.stdout })) {
    const line = JSON.parse(text) as MeteredCallsLine;
    if (line.type === "ready") {
      await on.ready();
      running.stdin.write("go\n");
      setTimeout(() => running.kill("SIGKILL"), on.killAfterMs);
    } else if (line.type === "live") {
      calls.set(line.callId, { payerId: BigInt(line.payerId), liveAtMs: line.atMs, leftAtMs: null });
    } else {
      const call = calls.get(line.callId);
      if (call) call.leftAtMs = line.atMs;
    }
  }
  expect(await exited).toEqual([null, "SIGKILL"]);
  return calls;
}

test(
  "[BEANS-281] killed in the middle of minutes: no hold stays open, and nobody paid for time they did not have",
  async () => {
    const random = seededRandom(fuzz(1).seed);
    const world = await beanWorld();
    const { db } = world.database;
    const people: bigint[] = [];
    for (let pair = 0; pair < pairsCount; pair += 1) {
      people.push(await world.person(1_000_000n), await world.person());
    }
    let lastCalls = new Map<string, SeenCall>();
    let [heldAtCrash, paidBeans] = [0, 0n];
    const checkRecovered = async () => {
      expect(await world.ledger.openHolds()).toEqual([]);
      await expectSoundLedger(db);
      for (const [callId, { payerId, liveAtMs, leftAtMs }] of lastCalls) {
        const cost = await netCostOf(db, { callId, userId: payerId });
        const hadMs = leftAtMs === null ? 0 : leftAtMs - liveAtMs;
        expect(cost).toBeLessThanOrEqual(beansOf(price, hadMs));
        paidBeans += cost;
      }
    };
    for (let crash = 0; crash < crashes; crash += 1) {
      const killAfterMs = random.integer(400, 1_200);
      lastCalls = await runAndKill(world.database.url, people, { ready: checkRecovered, killAfterMs });
      heldAtCrash += (await world.ledger.openHolds()).length;
    }
    await runAndKill(world.database.url, [], { ready: checkRecovered, killAfterMs: 0 });
    const { rows } = await world.database.pool.query("select 1 from bean_transfers where kind = 'credit'");
    // Otherwise this test would not have been in the middle of anything.
    expect([heldAtCrash > 0, paidBeans > 0n, rows.length > 0]).toEqual([true, true, true]);
  },
  storyTimeoutMs(60_000),
);
