import { once } from "node:events";
import { writeSync } from "node:fs";
import { pino } from "pino";
import { systemClock } from "#adapters/local/clock.ts";
import { systemRandom } from "#adapters/local/random.ts";
import { DirectMedia } from "#adapters/media/direct-media.ts";
import { Ledger } from "#billing/ledger.ts";
import { buildMeter } from "#build-services.ts";
import { CallService } from "#calls/room-service.ts";
import { openDatabase } from "#db/pool.ts";
import type { Clock } from "#ports/clock.ts";
import { MemoryCallLog } from "./match-world.ts";
import { matchedFor } from "./matched.ts";
import { MemoryBus } from "./memory-bus.ts";
import { passingLines } from "./passing-lines.ts";

/**
 * A process to be killed: calls with filters over the real ledger, in hurried time, until somebody ends it.
 * `node --import tsx metered-calls.ts <database> <factor> <user ids>`; says what happens in lines of JSON.
 */
export type MeteredCallsLine =
  | { readonly type: "ready" }
  | { readonly type: "live"; readonly callId: string; readonly payerId: string; readonly atMs: number }
  /** Written before the call is left, so that a call without this line was running to the end. */
  | { readonly type: "leaving"; readonly callId: string; readonly atMs: number };

const [url = "", factorText = "1", ...ids] = process.argv.slice(2);
const factor = Number(factorText);
const price = 1_600;

const clock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now() * factor,
  processorMs: () => systemClock.processorMs(),
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs / factor);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

function say(line: MeteredCallsLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

const { db } = openDatabase(url, { max: 6 });
const bus = new MemoryBus(() => clock.monotonicMs());
const calls = new CallService({
  bus,
  media: new DirectMedia({ stunUrls: [], clock }),
  log: new MemoryCallLog(),
  lines: passingLines,
  clock,
  random: systemRandom,
  roomsMax: ids.length,
});
const ledger = new Ledger({ db, clock });
await buildMeter({ db, ledger, bus, calls, clock, logger: pino({ level: "silent" }), ownPauseMs: 10_000 });
say({ type: "ready" });
// Whoever started this process looks at the ledger first.
await once(process.stdin, "data");
for (let at = 0; at + 1 < ids.length; at += 2) talk(BigInt(ids[at] ?? 0), BigInt(ids[at + 1] ?? 0));

/** One call after the other, of up to four minutes, the first of the two paying. */
function talk(payerId: bigint, otherId: bigint): void {
  for (const userId of [payerId, otherId]) bus.arrive(userId);
  const [offerer, answerer] = [matchedFor(payerId, price), matchedFor(otherId, 0)];
  const callId = calls.create({ offerer, answerer, preparedOffer: null });
  say({ type: "live", callId, payerId: String(payerId), atMs: clock.monotonicMs() });
  for (const userId of [payerId, otherId]) {
    const roomToken = calls.current(userId)?.match.token ?? "";
    calls.roomFrame(userId, { type: "media", roomId: callId, roomToken, state: "playing" });
  }
  clock.after(systemRandom.integer(5_000, 240_000), () => {
    say({ type: "leaving", callId, atMs: clock.monotonicMs() });
    calls.leave(payerId, "next");
    talk(payerId, otherId);
  });
}
