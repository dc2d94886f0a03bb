import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { readOwnJson, writeOwnJson } from "#lib/lossless-json.ts";
import { createTestDatabase } from "#test/fixtures/database.ts";
import {
  recordedEvents,
  recordedPeople,
  recordedProcesses,
  recordedRequests,
} from "#test/fixtures/recorded-peer-messages.ts";
import { connected, redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { startServer } from "#test/fixtures/site-in-process.ts";
import { SitePerson } from "#test/fixtures/site-person.ts";

/** A shared machine may stall for seconds. */
const patiently = { timeout: 30_000 };

interface Reply {
  readonly type: string;
  readonly id: number;
  readonly reason?: string;
}

test.runIf(redisIsInstalled)(
  "[PEER-60] reads all questions and messages of the version before without an error",
  async () => {
    await using database = await createTestDatabase();
    await using redis = await TestRedis.start();
    const faults: string[] = [];
    const logger = pino({ level: "error" }, { write: (line: string) => void faults.push(line) });
    await using server = await startServer({ database, redis, logger });
    await using ana = await SitePerson.at(server, "ana");
    await using bo = await SitePerson.at(server, "bo");
    const { id: self } = await database.db.selectFrom("processes").select("id").executeTakeFirstOrThrow();
    const [publisher, listener] = [await connected(redis), await connected(redis)];
    const replies = new Map<number, Reply>();
    await listener.subscribe(`fava:x:${recordedProcesses.before}`);
    listener.on("message", (_channel, text: string) => {
      for (const reply of (readOwnJson(text) as { messages: Reply[] }).messages) replies.set(reply.id, reply);
    });
    const here = (text: string) =>
      text
        .replaceAll(String(recordedPeople.ana), String(ana.userId))
        .replaceAll(String(recordedPeople.bo), String(bo.userId))
        .replaceAll(recordedProcesses.now, self);
    const send = async (channel: string, message: object) => {
      const envelope = { v: 1, from: recordedProcesses.before, atMs: performance.now(), messages: [message] };
      return publisher.publish(here(channel), here(writeOwnJson(envelope)));
    };
    for (const { kind, news } of recordedEvents) await send("fava:all", { type: "news", kind, news });
    const answered: string[] = [];
    for (const [id, { kind, key, input }] of recordedRequests.entries()) {
      const question = { type: "ask", id, kind, key: here(key), input };
      if ((await send(`fava:k:${key}`, question)) === 0) continue;
      await vi.waitFor(() => expect(replies.has(id)).toBe(true), patiently);
      answered.push(`${kind} ${replies.get(id)?.type} ${replies.get(id)?.reason ?? ""}`.trim());
    }
    // The two are no friends.
    expect(answered).toEqual(
      recordedRequests.map(({ kind }) => (kind === "greetFriend" ? `${kind} nobody` : `${kind} answer`)),
    );
    expect(await ana.push(100_002)).toMatchObject({ reason: "left" });
    expect(await ana.socket.next("chat")).toMatchObject({ text: "from 16" });
    expect(await ana.socket.next("shield")).toMatchObject({ other: "clear" });
    expect(faults).toEqual([]);
    for (const client of [publisher, listener]) client.disconnect();
  },
);
