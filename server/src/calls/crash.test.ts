import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { fuzz, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { beanWorld, type LedgerWay, ledgerWays } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { testProgram } from "#test/fixtures/compiled-programs.ts";
import type { MeteredCallsLine } from "#test/fixtures/metered-calls.ts";
import { beansOf } from "./meter-machine.ts";
import { netCostOf } from "./meter-store.ts";

const program = testProgram("server/test/fixtures/metered-calls.ts");
/** How much faster time runs: a minute of a call takes 0.6 s, which leaves a busy database time to respond. */
const factor = 100;
const pairsCount = 30;
const crashes = fuzz(2).numRuns;
const price = 1_600n;
/** Minutes charged before a crash: enough that some belong to ended calls. */
const minutesBeforeCrash = 20;
/** At most two minutes of a call. */
const pauseMsMax = 120_000 / factor;

interface SeenCall {
  readonly payerId: bigint;
  readonly liveAtMs: number;
  /** Null while the user is in the call. */
  leftAtMs: number | null;
}

let child: ChildProcess | null = null;
afterEach(() => void child?.kill("SIGKILL"));

interface Run {
  readonly url: string;
  readonly way: LedgerWay;
  readonly people: readonly bigint[];
  readonly ready: () => Promise<void>;
  /** Resolves when it is time to kill the process. */
  readonly due: () => Promise<void>;
}

/** Starts a server, kills it while calls run, and returns these calls. */
async function runAndKill({ url, way, people, ready, due }: Run): Promise<Map<string, SeenCall>> {
  const words = [program, url, way, String(factor), ...people.map(String)];
  const running = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  child = running;
  const exited = once(running, "exit");
  const calls = new Map<string, SeenCall>();
  let killing = Promise.resolve();
  for await (const text of createInterface({ input: running.stdout })) {
    const line = JSON.parse(text) as MeteredCallsLine;
    if (line.type === "ready") {
      await ready();
      running.stdin.write("go\n");
      killing = due().finally(() => running.kill("SIGKILL"));
    } else if (line.type === "live") {
      calls.set(line.callId, { payerId: BigInt(line.payerId), liveAtMs: line.atMs, leftAtMs: null });
    } else {
      const call = calls.get(line.callId);
      if (call) call.leftAtMs = line.atMs;
    }
  }
  await killing;
  expect(await exited).toEqual([null, "SIGKILL"]);
  return calls;
}

test.each(ledgerWays)(
  "[BEANS-281] leaves no open hold after a kill in the middle of minutes, and charges no time without video (%s)",
  async (way) => {
    const random = seededRandom(fuzz(1).seed);
    const world = await beanWorld();
    const { db, url } = world.database;
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
    const minutesPaid = async () => {
      const paid = await world.database.pool.query("select 1 from bean_transfers where kind = 'call'");
      return paid.rows.length;
    };
    for (let crash = 0; crash < crashes; crash += 1) {
      const [paidBefore, pauseMs] = [await minutesPaid(), random.integer(0, pauseMsMax)];
      // Waits for a number of charges instead of a time, since a busy machine may be slow.
      const due = async () => {
        while ((await minutesPaid()) < paidBefore + minutesBeforeCrash) await delay(20);
        await delay(pauseMs);
      };
      lastCalls = await runAndKill({ url, way, people, ready: checkRecovered, due });
      heldAtCrash += (await world.ledger.openHolds()).length;
    }
    await runAndKill({ url, way, people: [], ready: checkRecovered, due: async () => {} });
    const { rows } = await world.database.pool.query("select 1 from bean_transfers where kind = 'credit'");
    // Fails if no crash has interrupted a paid minute, because then the test proves nothing.
    expect([heldAtCrash > 0, paidBeans > 0n, rows.length > 0]).toEqual([true, true, true]);
  },
  storyTimeoutMs(120_000),
);
