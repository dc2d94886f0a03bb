import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { blobsContract } from "#test/contracts/blobs-contract.ts";
import { FakeS3 } from "#test/fakes/fake-s3.ts";
import { S3Blobs, type S3Settings } from "./s3-blobs.ts";

let fake: FakeS3;
let blobs: S3Blobs;

async function open(): Promise<void> {
  fake = await FakeS3.start();
  blobs = new S3Blobs(fake.settings);
}

async function close(): Promise<void> {
  blobs[Symbol.dispose]();
  await fake[Symbol.asyncDispose]();
}

blobsContract("S3", async () => {
  await open();
  return {
    blobs,
    stored: async () => Array.from(fake.objects.keys()),
    [Symbol.asyncDispose]: close,
  };
});

describe("the bucket on loopback", () => {
  beforeEach(open);
  afterEach(close);

  const picture = Buffer.from("picture");
  const key = "2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97.webp";

  test("sets the content type of objects, and signs every request correctly", async () => {
    await blobs.put(picture, "webp");
    await blobs.put(picture, "zip");
    expect(Array.from(fake.objects.values(), ({ contentType }) => contentType)).toEqual([
      "image/webp",
      "application/zip",
    ]);
    await blobs.get(key);
    await blobs.delete(key);
    expect(fake.requests.map(({ request }) => request.split(" ")[0])).toEqual(["PUT", "PUT", "GET", "DELETE"]);
    expect(fake.requests.every(({ refused }) => refused === null)).toBe(true);
  });

  test.each<[string, Partial<S3Settings>, string]>([
    ["another secret", { secretAccessKey: "guessed" }, "SignatureDoesNotMatch"],
    ["another account", { accessKeyId: "AKIASOMEBODYELSE" }, "InvalidAccessKeyId"],
    ["another region", { region: "us-test-9" }, "AuthorizationHeaderMalformed"],
  ])(
    "throws if the bucket refuses because of %s, instead of reporting a missing picture",
    async (_what, change, code) => {
      using wrong = new S3Blobs({ ...fake.settings, ...change });
      await expect(wrong.put(picture, "webp")).rejects.toThrow(code);
      await expect(wrong.get(key)).rejects.toThrow(code);
      expect(fake.objects.size).toBe(0);
    },
  );

  test("throws for a missing bucket, instead of reporting a missing picture", async () => {
    using wrong = new S3Blobs({ ...fake.settings, bucket: "another" });
    await expect(wrong.get(key)).rejects.toThrow("NoSuchBucket");
  });

  test("retries a busy service, and throws if it stays busy", async () => {
    fake.failures.count = 1;
    await expect(blobs.put(picture, "webp")).resolves.toBe(key);
    fake.failures.count = 9;
    await expect(blobs.get(key)).rejects.toThrow("SlowDown");
  });

  test("gives up a deletion without an answer after three seconds", async () => {
    fake.isSilent = true;
    const began = performance.now();
    await expect(blobs.delete(key)).rejects.toThrow(/abort/i);
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  test("gives up a write or read without an answer within eight seconds", async () => {
    await blobs.put(picture, "webp");
    fake.isSilent = true;
    const began = performance.now();
    await Promise.all(
      [blobs.put(picture, "webp"), blobs.get(key)].map((asked) => expect(asked).rejects.toThrow(/abort/i)),
    );
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  test("gives up an object that stops in the middle within eight seconds", async () => {
    await blobs.put(picture, "webp");
    fake.stopsInTheMiddle = true;
    const began = performance.now();
    await expect(blobs.get(key)).rejects.toThrow("stopped sending");
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  test("throws if the service is away", async () => {
    await fake[Symbol.asyncDispose]();
    await expect(blobs.get(key)).rejects.toThrow(/ECONNREFUSED/);
  });
});
