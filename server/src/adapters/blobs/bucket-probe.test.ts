import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeS3 } from "#test/fakes/fake-s3.ts";
import { type BucketTrouble, probeBucket } from "./bucket-probe.ts";
import type { S3Settings } from "./s3-blobs.ts";

let fake: FakeS3;
beforeEach(async () => {
  fake = await FakeS3.start();
});
afterEach(() => fake[Symbol.asyncDispose]());

test("puts, reads, lists and deletes one object, and leaves nothing behind", async () => {
  expect(await probeBucket(fake.settings)).toBeNull();
  expect(fake.requests.map(({ request }) => request.split(" ")[0])).toEqual(["PUT", "GET", "GET", "DELETE"]);
  expect(fake.objects.size).toBe(0);
});

test.each<[Partial<S3Settings>, BucketTrouble]>([
  [{ accessKeyId: "AKIASOMEBODYELSE" }, { kind: "key" }],
  [{ secretAccessKey: "guessed" }, { kind: "secret" }],
  [{ bucket: "another" }, { kind: "bucket" }],
  [{ region: "us-test-9" }, { kind: "region" }],
  [{ endpoint: "http://127.0.0.1:9" }, { kind: "silent" }],
])("names the problem of %j", async (change, trouble) => {
  expect(await probeBucket({ ...fake.settings, ...change })).toEqual(trouble);
});

test.each([
  ["PUT", "put"],
  ["GET", "get"],
  ["LIST", "list"],
  ["DELETE", "delete"],
] as const)("reports that the key may not %s", async (method, step) => {
  fake.denied.add(method);
  expect(await probeBucket(fake.settings)).toEqual({ kind: "refused", step });
});

test("reports a bucket that accepts requests and never answers", async () => {
  fake.isSilent = true;
  expect(await probeBucket(fake.settings)).toEqual({ kind: "silent" });
});
