import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import { type Blobs, BlobsUnavailableError } from "#ports/blobs.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { memoryBlobs } from "#test/fakes/memory-blobs.ts";
import { WatchedBlobs } from "./watched-blobs.ts";

const key = "2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97.webp";
const inMemory = memoryBlobs(new Map());
const clock = new TestClock();

let isAway: boolean;
let asked: number;
let logged: { msg: string; operation?: string; lastedMs?: number }[];
let blobs: WatchedBlobs;

function orAway<Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) {
  return (...args: Args): Promise<Result> => {
    asked += 1;
    return isAway ? Promise.reject(new Error("ECONNREFUSED")) : work(...args);
  };
}

beforeEach(() => {
  isAway = false;
  asked = 0;
  logged = [];
  const logger = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const storage = {
    put: orAway((...words: Parameters<Blobs["put"]>) => inMemory.put(...words)),
    get: orAway((wanted: string) => inMemory.get(wanted)),
    delete: orAway((gone: string) => inMemory.delete(gone)),
  };
  blobs = new WatchedBlobs({ blobs: storage, clock, logger });
});

test("passes all operations on while the storage answers", async () => {
  expect(await blobs.put(Buffer.from("picture"), "webp")).toBe(key);
  expect(await blobs.get(key)).toEqual(Buffer.from("picture"));
  await blobs.delete(key);
  expect([await blobs.get(key), logged]).toEqual([null, []]);
});

test("marks each failure as temporary, counts it, and logs an outage at its start and end", async () => {
  isAway = true;
  for (const work of [() => blobs.put(Buffer.from("picture"), "webp"), () => blobs.get(key), () => blobs.get(key)])
    await expect(work()).rejects.toBeInstanceOf(BlobsUnavailableError);
  await expect(blobs.delete(key)).rejects.toMatchObject({ cause: { message: "ECONNREFUSED" } });
  expect(blobs.failures).toEqual({ put: 1, get: 2, delete: 1 });
  clock.advance(4_000);
  isAway = false;
  await blobs.get(key);
  await blobs.get(key);
  expect(logged.map(({ msg, operation, lastedMs }) => [msg, operation ?? lastedMs])).toEqual([
    ["blob storage is unavailable, answering requests with 503", "put"],
    ["blob storage is available again", 4_000],
  ]);
});

test("checks with a request at most every 10 s, and with none if another was just answered", async () => {
  await blobs.check();
  await blobs.check();
  expect(asked).toBe(1);
  isAway = true;
  clock.advance(10_000);
  await expect(blobs.check()).rejects.toBeInstanceOf(BlobsUnavailableError);
  await expect(blobs.check()).rejects.toBeInstanceOf(BlobsUnavailableError);
  expect(asked).toBe(2);
  isAway = false;
  await blobs.get(key);
  await blobs.check();
  expect(asked).toBe(3);
});
