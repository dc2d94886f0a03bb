import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DirectMedia } from "@fava/server/adapters/media/direct-media.ts";
import { checkLedger } from "@fava/server/billing/ledger-check.ts";
import { Ledger } from "@fava/server/billing/ledger.ts";
import { CallStore } from "@fava/server/calls/call-store.ts";
import { openMeters } from "@fava/server/calls/meter-service.ts";
import { RoomEvents } from "@fava/server/calls/room-events.ts";
import { CallService } from "@fava/server/calls/room-service.ts";
import { startEmbedded } from "@fava/server/db/embedded.ts";
import { migrate } from "@fava/server/db/migrate.ts";
import { openDatabase, type OpenedDatabase } from "@fava/server/db/pool.ts";
import { createLogger } from "@fava/server/edge/http/logger.ts";
import type { Bus } from "@fava/server/ports/bus.ts";
import { passingChatFilter } from "@fava/server/test/fakes/passing-chat-filter.ts";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { matchedFor } from "@fava/server/test/fixtures/matched.ts";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";
import { StepClock } from "./step-clock.ts";

const stepMs = 100;
const stepsPerMinute = 60_000 / stepMs;
const price = 1_600;
const databaseConnections = 16;
/** One statement must not take longer than any may. */
const peopleAtOnce = 2_000;

interface Figures {
  readonly calls: number;
  readonly payers: number;
  /** Real seconds for each virtual minute in which every call runs. */
  readonly secondsPerMinute: number;
  readonly stepsMs: readonly number[];
  readonly minutesHeld: number;
}

/** Calls that all pay by the minute, in virtual time as fast as the database allows: is it faster than life? */
export async function benchMetering({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const calls = isQuick ? 1_000 : 10_000;
  const minutes = isQuick ? 1 : 2;
  const runs = [await measure({ calls, payersEach: 1, minutes }), await measure({ calls, payersEach: 2, minutes })];
  const worst = runs[1]!;
  return {
    title: "Metering: calls that pay by the minute, one process, real database",
    columns: ["calls", "payers", "real s per minute", "minutes held/s", "late p50 ms", "late p99 ms", "late worst ms"],
    rows: runs.map((run) => [
      String(run.calls),
      String(run.payers),
      run.secondsPerMinute,
      run.minutesHeld / (run.secondsPerMinute * minutes),
      percentile(run.stepsMs, 50),
      percentile(run.stepsMs, 99),
      Math.max(...run.stepsMs),
    ]),
    goals: [
      {
        name: `real seconds for a minute of ${worst.calls} calls with ${worst.payers} payers`,
        unit: "s",
        better: "lower",
        reach: 60,
        measured: worst.secondsPerMinute,
      },
      {
        name: "worst time from the start of a minute to its hold",
        unit: "ms",
        better: "lower",
        reach: 2_000,
        measured: Math.max(...worst.stepsMs),
      },
    ],
    notes: [
      `Calls begin spread over a minute; virtual time goes on by ${stepMs} ms once every hold of the step is made.`,
      "Late: real time from such a step to the last of its holds. The ledger check is clean after each run.",
    ],
  };
}

async function measure(size: { calls: number; payersEach: 1 | 2; minutes: number }): Promise<Figures> {
  const directory = await mkdtemp(join(tmpdir(), "fava-bench-"));
  try {
    await using server = await startEmbedded({ directory, log: () => undefined });
    await using database = openDatabase(server.url, { max: databaseConnections });
    await migrate(database.db);
    const people = await createPeople(database, size.calls * 2);
    return await run(database, people, size);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function run(
  { db, pool }: OpenedDatabase,
  people: readonly bigint[],
  { calls: callsCount, payersEach, minutes }: { calls: number; payersEach: 1 | 2; minutes: number },
): Promise<Figures> {
  const clock = new StepClock(stepMs);
  const random = seededRandom(1);
  const media = new DirectMedia({ stunUrls: [], clock });
  const logger = createLogger({ level: "warn" });
  const events = new RoomEvents({ logger });
  await using log = new CallStore({ db, self: "bench", clock, logger });
  const calls = new CallService({
    bus: silentBus,
    media,
    events,
    log,
    chatFilter: passingChatFilter,
    clock,
    random,
    roomsMax: callsCount,
  });
  const ledger = new Ledger({ db, clock });
  // A step is as long as minutes wait for each other.
  const waits = { ownPauseMs: 10_000, minuteWaitMs: 0 };
  const meters = openMeters({ db, ledger, bus: silentBus, calls, clock, logger, ...waits });
  events.deliverTo([meters]);
  for (let call = 0; call < callsCount; call += 1) {
    const [payer, other] = [people[call * 2]!, people[call * 2 + 1]!];
    clock.after(random.integer(0, 59_999), () => beginCall(calls, [payer, other], payersEach));
  }
  const goOn = async (steps: number): Promise<number[]> => {
    const times: number[] = [];
    for (let step = 0; step < steps; step += 1) {
      const beganMs = performance.now();
      clock.step();
      await meters.idle();
      times.push(performance.now() - beganMs);
    }
    return times;
  };
  // Until every call is past its free seconds.
  await goOn(stepsPerMinute + stepsPerMinute / 4);
  const heldBefore = await holdsMade(pool);
  const stepsMs = await goOn(minutes * stepsPerMinute);
  const minutesHeld = (await holdsMade(pool)) - heldBefore;
  if (calls.roomCount !== callsCount) throw new Error(`${callsCount - calls.roomCount} calls ended on the way`);
  calls.endAll();
  await meters[Symbol.asyncDispose]();
  const { findings } = await checkLedger(db);
  const breached = findings.filter(({ breachCount }) => breachCount > 0);
  if (breached.length > 0) throw new Error(`the ledger does not hold: ${breached.map(({ name }) => name).join(", ")}`);
  const seconds = stepsMs.reduce((sum, ms) => sum + ms, 0) / 1_000;
  return {
    calls: callsCount,
    payers: callsCount * payersEach,
    secondsPerMinute: seconds / minutes,
    stepsMs,
    minutesHeld,
  };
}

function beginCall(calls: CallService, people: readonly [bigint, bigint], payersEach: 1 | 2): void {
  const [offerer, answerer] = [matchedFor(people[0], price), matchedFor(people[1], payersEach === 2 ? price : 0)];
  const roomId = calls.create({ offerer, answerer, preparedOffer: null });
  for (const userId of people) {
    const roomToken = calls.current(userId)?.match.token ?? "";
    calls.roomMessage(userId, { type: "media", roomId, roomToken, state: "playing" });
  }
}

async function holdsMade(pool: OpenedDatabase["pool"]): Promise<number> {
  const { rows } = await pool.query<{ holds: number }>("select count(*)::integer as holds from bean_holds");
  return rows[0]?.holds ?? 0;
}

/** People who have bought enough beans for the run. */
async function createPeople({ pool }: OpenedDatabase, count: number): Promise<bigint[]> {
  const { rows } = await pool.query<{ id: bigint }>(
    `insert into users (user_no, external_id, nickname, country_id)
     select (10000000 + number)::text, 'ext-' || number, 'person', 18 from generate_series(1, $1) as number
     returning id`,
    [count],
  );
  const people = rows.map(({ id }) => id);
  for (let at = 0; at < count; at += peopleAtOnce) {
    await pool.query(
      `select posted.outcome from unnest($1::bigint[]) as person (id) cross join lateral bean_post(
         'pay:sandbox:' || id, 'purchase', null, 'sales:sandbox', id, null, 100000, 'order' || id, null, false, $2
       ) as posted`,
      [people.slice(at, at + peopleAtOnce), new Date(Date.UTC(2025, 11, 1))],
    );
  }
  return people;
}

const silentBus: Bus = {
  push: () => undefined,
  social: () => undefined,
  chat: () => undefined,
  pass: () => undefined,
  confirm: async () => true,
  isHere: () => true,
  isPresent: async () => true,
  presentCount: () => 0,
};
