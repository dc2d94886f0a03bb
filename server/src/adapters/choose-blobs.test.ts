import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FakeS3 } from "#test/fakes/fake-s3.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { chooseBlobs } from "./open.ts";
import { readConfig } from "#config.ts";

test("stores pictures in the bucket if one is set, otherwise in the data directory", async () => {
  await using fake = await FakeS3.start();
  const directory = await mkdtemp(join(tmpdir(), "fava-choose-"));
  leftovers.push({ [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) });
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = fake.settings;
  const settings = {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const inBucket = await chooseBlobs(readConfig({ ...settings, DATA_DIR: directory }));
  const key = await inBucket.put(Buffer.from("picture"), "webp");
  inBucket[Symbol.dispose]?.();
  expect(Array.from(fake.objects.keys())).toEqual([key]);
  expect(await readdir(directory)).toEqual([]);

  const inFiles = await chooseBlobs(readConfig({ DATA_DIR: directory }));
  await inFiles.put(Buffer.from("picture"), "webp");
  expect(await readdir(join(directory, "blobs"))).toHaveLength(1);
});
