import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { blobsContract } from "#testing/blobs-contract.ts";
import { S3Blobs, type S3Settings } from "./s3-blobs.ts";
import { S3StandIn } from "./s3-stand-in.ts";

let standIn: S3StandIn;
let blobs: S3Blobs;

async function open(): Promise<void> {
  standIn = await S3StandIn.start();
  blobs = new S3Blobs(standIn.settings);
}

async function close(): Promise<void> {
  blobs[Symbol.dispose]();
  await standIn[Symbol.asyncDispose]();
}

blobsContract("S3", async () => {
  await open();
  return {
    blobs,
    stored: async () => Array.from(standIn.objects.keys()),
    [Symbol.asyncDispose]: close,
  };
});

describe("the bucket on loopback", () => {
  beforeEach(open);
  afterEach(close);

  const picture = Buffer.from("picture");
  const key = "2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97.webp";

  test("[IMG-44] objects say what they are, and every request carried a signature that holds", async () => {
    await blobs.put(picture, "webp");
    await blobs.put(picture, "zip");
    expect(Array.from(standIn.objects.values(), ({ contentType }) => contentType)).toEqual([
      "image/webp",
      "application/zip",
    ]);
    await blobs.get(key);
    await blobs.delete(key);
    expect(standIn.requests.map(({ request }) => request.split(" ")[0])).toEqual(["PUT", "PUT", "GET", "DELETE"]);
    expect(standIn.requests.every(({ refused }) => refused === null)).toBe(true);
  });

  test.each<[string, Partial<S3Settings>, string]>([
    ["another secret", { secretAccessKey: "guessed" }, "SignatureDoesNotMatch"],
    ["another account", { accessKeyId: "AKIASOMEBODYELSE" }, "InvalidAccessKeyId"],
    ["another region", { region: "us-test-9" }, "AuthorizationHeaderMalformed"],
  ])(
    "[IMG-44] with %s the bucket refuses, and that is an error, never a missing picture",
    async (_what, change, code) => {
      using wrong = new S3Blobs({ ...standIn.settings, ...change });
      await expect(wrong.put(picture, "webp")).rejects.toThrow(code);
      await expect(wrong.get(key)).rejects.toThrow(code);
      expect(standIn.objects.size).toBe(0);
    },
  );

  test("[IMG-45] a bucket that does not exist is an error, never a missing picture", async () => {
    using wrong = new S3Blobs({ ...standIn.settings, bucket: "another" });
    await expect(wrong.get(key)).rejects.toThrow("NoSuchBucket");
  });

  test("[IMG-45] a service that is busy for a moment is asked again, one that stays so is an error", async () => {
    standIn.failures.count = 1;
    await expect(blobs.put(picture, "webp")).resolves.toBe(key);
    standIn.failures.count = 9;
    await expect(blobs.get(key)).rejects.toThrow("SlowDown");
  });

  test("[IMG-45] a service that is away is an error", async () => {
    await standIn[Symbol.asyncDispose]();
    await expect(blobs.get(key)).rejects.toThrow(/ECONNREFUSED/);
  });
});
