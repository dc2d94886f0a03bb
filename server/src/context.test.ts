import { tmpdir } from "node:os";
import { pino } from "pino";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { MarkerClassifier } from "#adapters/classifier/marker-classifier.ts";
import type { GivenAdapters } from "#adapters/open.ts";
import { grantPromo } from "#billing/wallet.ts";
import { pushOwnDataOnChange } from "#lib/own-data-pushes.ts";
import { ServerSecret } from "#lib/server-secret.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { FakeS3 } from "#test/fakes/fake-s3.ts";
import { memoryBlobs } from "#test/fakes/memory-blobs.ts";
import { ScriptedFrames } from "#test/fakes/scripted-frames.ts";
import { type BeanWorld, beanWorld, minuteHold } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { HubWorld } from "#test/fixtures/hub-world.ts";
import { readConfig } from "./config.ts";
import { AppContext } from "./context.ts";

const serverSecret = new ServerSecret("secret of the tests, long enough to be one");
const logger = pino({ level: "silent" });
/** No sandbox people, since their user ids would collide with those of the test. */
const realProviders = {
  GOOGLE_CLIENT_ID: "client",
  FACEBOOK_APP_ID: "app",
  FACEBOOK_APP_SECRET: "secret",
  APPLE_CLIENT_ID: "client",
  APPLE_REDIRECT_URI: "https://fava.example/apple",
};

let world: BeanWorld;

beforeAll(async () => {
  world = await beanWorld();
});

afterEach(() => expectSoundLedger(world.database.db));

function createContext(overrides: GivenAdapters = {}, environment: Record<string, string> = {}) {
  const config = readConfig({ ...realProviders, ...environment });
  return AppContext.create({ config, database: world.database, serverSecret, logger }, overrides);
}

test("sends pushes 100_003 and 100_007 when beans change, until the app is closed", async () => {
  const ana = await world.person();
  await using sockets = await HubWorld.start({ socketsMax: 2 });
  sockets.people.set("ana", ana);
  const client = await sockets.signedIn("ana");
  const { db } = world.database;
  const { ledger } = world;
  const { user_no: userNo } = await db
    .selectFrom("users")
    .select("user_no")
    .where("id", "=", ana)
    .executeTakeFirstOrThrow();
  {
    using _telling = pushOwnDataOnChange(ledger, sockets.hub);
    expect(await grantPromo({ db, ledger }, { userNo, beans: 700n })).toBe(true);
    expect(await grantPromo({ db, ledger }, { userNo: "99999999", beans: 700n })).toBe(false);
  }
  expect(await grantPromo({ db, ledger }, { userNo, beans: 1n })).toBe(true);
  await client.settled();
  expect(client.received.flatMap((frame) => (frame.type === "push" ? [frame.push] : []))).toEqual([
    { code: 100_003 },
    { code: 100_007 },
  ]);
  expect(await ledger.of(ana)).toBe(701n);
});

test("returns holds that a crash left open before it listens", async () => {
  const { ledger } = world;
  const ana = await world.person(10_000n);
  const minute = (number: number) => minuteHold(ana, { id: "cut-off", minute: number, amount: 1_600n });
  await ledger.hold(minute(1));
  await ledger.settleHold(minute(1).key, 1_600n);
  await ledger.hold(minute(2));
  for (const start of ["first", "second"]) {
    await using app = await createContext();
    expect([start, app.http.server.listening, await ledger.account(ana)]).toEqual([
      start,
      false,
      { balance: 10_000n, held: 0n, debt: 0n },
    ]);
  }
  expect(await ledger.openHolds()).toEqual([]);
});

test("reports why a start failed, also if a started part does not end", async () => {
  const ends = vi.spyOn(MarkerClassifier.prototype, Symbol.asyncDispose).mockRejectedValueOnce(new Error("not ended"));
  const broken = Object.assign(new TestClock(), {
    nowMs: () => {
      throw new Error("no time");
    },
  });
  await expect(createContext({ clock: broken }, { MODERATION: "marker" })).rejects.toThrow("no time");
  expect(ends).toHaveBeenCalledOnce();
  ends.mockRestore();
});

test("is ready without its bucket, names it, and counts its failures", async () => {
  const fake = await FakeS3.start();
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = fake.settings;
  await using app = await createContext(
    { classifier: null },
    {
      MODERATION: "marker",
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  );
  await fake[Symbol.asyncDispose]();
  const ready = await app.http.inject("/readyz");
  expect([ready.statusCode, ready.json()]).toEqual([
    200,
    { status: "ready", checks: { database: "ready", bucket: "failing" } },
  ]);
  const metrics = await app.http.inject("/metrics");
  expect(metrics.body).toContain('fava_blobs_failures_total{operation="get"} 1');
});

test("reports connections of the database, free disk and the queues of moderators in its metrics", async () => {
  await using app = await createContext({ classifier: null }, { MODERATION: "marker", DATA_DIR: tmpdir() });
  const { body } = await app.http.inject("/metrics");
  const valueOf = (series: string) =>
    Number(
      body
        .split("\n")
        .find((line) => line.startsWith(`${series} `))
        ?.split(" ")[1],
    );
  const used = valueOf('fava_database_connections{of="used"}');
  expect([used > 0, used < valueOf('fava_database_connections{of="limit"}')]).toEqual([true, true]);
  const free = valueOf('fava_disk_bytes{of="free"}');
  expect([free > 0, free < valueOf('fava_disk_bytes{of="size"}')]).toEqual([true, true]);
  expect(valueOf("fava_database_waiting")).toBeGreaterThanOrEqual(0);
  for (const queue of ["reports", "restricted", "avatars", "photos", "texts", "appeals", "notices"])
    expect([queue, valueOf(`fava_cases_waiting{queue="${queue}"}`)]).toEqual([queue, 0]);
  expect(valueOf("fava_appeals_overdue")).toBe(0);
  expect(body).not.toContain("fava_redis_memory_bytes{");
});

describe("an adapter that a test replaces", () => {
  test("is used by the server and disposed by the test", async () => {
    const kept = new Map<string, Buffer>();
    const ended: string[] = [];
    const classifier = Object.assign(new ScriptedFrames(), {
      [Symbol.asyncDispose]: async () => void ended.push("classifier"),
    });
    const clock = new TestClock();
    {
      await using app = await createContext({ classifier, blobs: memoryBlobs(kept), clock });
      const metrics = await app.http.inject({ url: "/metrics" });
      expect(metrics.body).toContain(`fava_inspection_ready{engine="${classifier.engine}"} 1`);
    }
    expect(ended).toEqual([]);
  });

  test("may be no classifier", async () => {
    await using app = await createContext({ classifier: null }, { MODERATION: "marker" });
    expect((await app.http.inject({ url: "/metrics" })).body).toContain('fava_inspection_ready{engine="off"} 1');
  });
});
