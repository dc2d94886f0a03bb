import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#adapters/local/clock.ts";
import { systemRandom } from "#adapters/local/random.ts";
import type { Clock } from "#ports/clock.ts";
import { randomId } from "#ports/random.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { CutLine } from "#test/fixtures/cut-line.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { Processes } from "./processes.ts";

let database: TestDatabase;
const logger = pino({ level: "silent" });

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(async () => {
  await database.pool.query("delete from processes");
});

function open(clock: Clock = systemClock, isAlone = false): Promise<Processes> {
  return Processes.open({ self: randomId(systemRandom), database, clock, logger, isAlone });
}

describe("the log while beats fail", () => {
  /** Beats over a connection that fails for many tries and then recovers; returns the log lines. */
  async function loggedOfCut({ isAway }: { isAway: boolean }): Promise<string[]> {
    const lines: string[] = [];
    const write = (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg);
    const url = new URL(database.url);
    await using line = await CutLine.to({ host: url.hostname, port: Number(url.port) });
    url.port = String(line.port);
    let pauses = 0;
    // The clock runs ten times as fast.
    const clock: Clock = {
      ...systemClock,
      monotonicMs: () => systemClock.monotonicMs() * 10,
      after: (delayMs, work) => systemClock.after(delayMs / 10, () => ((pauses += 1), work())),
    };
    const self = randomId(systemRandom);
    const options = { self, clock, logger: pino({ level: "info" }, { write }), isAlone: false };
    await using processes = await Processes.open({ ...options, database: { url: url.href, db: database.db, isAway } });
    line.cut();
    await until(async () => pauses >= 30);
    line.mend();
    const beats: number[] = [];
    using _listening = processes.onTurn((askedAtMs) => beats.push(askedAtMs));
    await until(async () => beats.length > 1);
    return lines;
  }

  test("has one line at the start and one at the end of an outage", async () => {
    expect(await loggedOfCut({ isAway: false })).toEqual(["server heartbeat failed", "server heartbeat recovered"]);
  });

  test("has no additional line if the outage of the database is logged", async () => {
    expect(await loggedOfCut({ isAway: true })).toEqual([]);
  });
});

async function rowsOf({ self }: Pick<Processes, "self">) {
  const { rows } = await database.pool.query<{ dead: boolean; draining: boolean }>(
    "select dead_at is not null as dead, draining from processes where id = $1",
    [self],
  );
  return rows;
}

/** Sets the age of the last beat. */
async function silence({ self }: Pick<Processes, "self">, ms: number): Promise<void> {
  await database.pool.query("update processes set beat_at = clock_timestamp() - $2 * interval '1 ms' where id = $1", [
    self,
    ms,
  ]);
}

async function cutOff({ self }: Processes): Promise<void> {
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks join processes on objid = lock_number
     where locktype = 'advisory' and objsubid = 2 and id = $1`,
    [self],
  );
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(20);
}

/** Takes over dead processes and records them. */
async function taking(process: Processes): Promise<string[]> {
  const taken: string[] = [];
  await process.takeOver((dead) => Promise.resolve(taken.push(dead) > 0));
  return taken;
}

describe("which servers are alive", () => {
  test("excludes stopping and dead servers", async () => {
    await using one = await open();
    await using other = await open();
    await database.pool.query("insert into processes (id, dead_at) values ('dead', now())");
    expect([await one.areOthers(), await other.areOthers()]).toEqual([true, true]);
    await other.drain();
    expect([await one.areOthers(), await other.areOthers()]).toEqual([false, true]);
    await one.drain();
    expect(await other.areOthers()).toBe(false);
  });

  test("[START-69] leaves a server with heartbeats alone, and removes a server that stops cleanly", async () => {
    await using one = await open();
    {
      await using other = await open();
      expect(await taking(one)).toEqual([]);
      expect(await rowsOf(other)).toEqual([{ dead: false, draining: false }]);
      await other.drain();
      expect(await rowsOf(other)).toEqual([{ dead: false, draining: true }]);
    }
    const { rows } = await database.pool.query("select id from processes");
    expect(rows).toEqual([{ id: one.self }]);
  });

  test("[START-69] continues heartbeats and lock over a new connection after the old one breaks", async () => {
    await using one = await open();
    const broken = one.session;
    await cutOff(one);
    await until(async () => one.session !== null && one.session !== broken);
    await until(async () => {
      const { rows } = await database.pool.query(
        "select from pg_locks join processes on objid = lock_number where locktype = 'advisory' and id = $1",
        [one.self],
      );
      return rows.length === 1;
    });
    expect(broken?.ended.aborted).toBe(true);
  });
});

describe("which servers are dead", () => {
  test("[START-69] judges at a start a server with a free lock and two seconds of silence at once", async () => {
    // Silence before the start of the database does not count.
    await until(async () => {
      const { rows } = await database.pool.query(
        "select where pg_postmaster_start_time() < clock_timestamp() - interval '2.2 s'",
      );
      return rows.length > 0;
    });
    const killed = { self: "killed" };
    await database.pool.query("insert into processes (id) values ($1)", [killed.self]);
    await silence(killed, 2_100);
    await using one = await open(new TestClock());
    expect(await taking(one)).toEqual([killed.self]);
    expect(await rowsOf(killed)).toEqual([]);
  });

  test("[START-69] waits at a start until a server killed just now has been silent long enough", async () => {
    await database.pool.query("insert into processes (id) values ('killed just now')");
    await using one = await open();
    expect(await taking(one)).toEqual(["killed just now"]);
  });

  test("[START-69] does not judge at a start a silent server that holds its lock", async () => {
    await using stopped = await open(new TestClock());
    await silence(stopped, 60_000);
    await using one = await open(new TestClock());
    expect(await taking(one)).toEqual([]);
    expect(await rowsOf(stopped)).toEqual([{ dead: false, draining: false }]);
  });

  test("[START-69] judges all others at a start on a database that no other server can reach", async () => {
    await using stopped = await open(new TestClock());
    await using one = await open(new TestClock(), true);
    expect(await taking(one)).toEqual([stopped.self]);
  });

  test("[START-69] judges a silent server after two own heartbeats since the last gap, and that server learns so", async () => {
    const clock = new TestClock();
    await using stopped = await open(new TestClock());
    await using one = await open(clock);
    const taken = await taking(one);
    const beat = async (afterMs: number) => {
      let isDone = false;
      using _turn = one.onTurn(() => (isDone = true));
      clock.advance(afterMs);
      await until(async () => isDone);
    };
    await silence(stopped, 60_000);
    await beat(1_000);
    // As after a pause of the database, in which no process could beat.
    await beat(60_000);
    await beat(1_000);
    await delay(100);
    expect(taken).toEqual([]);
    // An earlier beat may still be running, and then this one starts nothing.
    while (taken.length === 0) await beat(1_000);
    expect(taken).toEqual([stopped.self]);
    // Its connection was closed, perhaps during a beat, which then fails.
    await until(async () => {
      stopped.beatNow();
      return stopped.isLost;
    });
    await stopped.lost;
  });

  test("[START-69] retries a failed takeover, and keeps the server dead meanwhile, even if it exits", async () => {
    const clock = new TestClock();
    await using stopped = await open(new TestClock());
    await using one = await open(clock, true);
    let tries = 0;
    await one.takeOver(async () => (tries += 1) > 2);
    expect(await rowsOf(stopped)).toEqual([{ dead: true, draining: false }]);
    await stopped[Symbol.asyncDispose]();
    expect(await rowsOf(stopped)).toEqual([{ dead: true, draining: false }]);
    await until(async () => {
      clock.advance(1_000);
      await delay(20);
      return (await rowsOf(stopped)).length === 0;
    });
    expect(tries).toBe(3);
  });

  test("retries a failed takeover although another server removed the dead one from the list, without blocking others", async () => {
    await using _one = await open(new TestClock());
    await using _another = await open(new TestClock());
    await using survivor = await open(new TestClock(), true);
    const [asked, taken]: [string[], string[]] = [[], []];
    let isFailing = true;
    await survivor.takeOver(async (dead) => {
      if (asked.push(dead) <= 2) return false;
      if (isFailing && dead === asked[0]) throw new Error("no answer");
      return taken.push(dead) > 0;
    });
    const [failing = "", other = ""] = asked;
    const isTaken = (dead: string) => async () => {
      survivor.beatNow();
      return taken.includes(dead);
    };
    await until(isTaken(other));
    expect(await rowsOf({ self: failing })).toEqual([{ dead: true, draining: false }]);
    await database.pool.query("delete from processes where id = $1", [failing]);
    isFailing = false;
    await until(isTaken(failing));
    expect(taken).toEqual([other, failing]);
  });
});
