import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { blobsContract } from "#test/contracts/blobs-contract.ts";
import { startVersitygw } from "#test/fixtures/real-peers.ts";
import { probeBucket } from "./bucket-probe.ts";
import { S3Blobs, type S3Settings } from "./s3-blobs.ts";

type Versitygw = Awaited<ReturnType<typeof startVersitygw>>;

let service: Versitygw;
let blobs: S3Blobs;
/** Its own name for Amazon's `InvalidAccessKeyId`. */
const unknownAccount = "XAdminUserNotFound";
const picture = Buffer.from("picture");
const key = "2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97.webp";

async function open(): Promise<void> {
  service = await startVersitygw();
  blobs = new S3Blobs(service.settings);
}

async function close(): Promise<void> {
  blobs[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
}

blobsContract("versitygw", async () => {
  await open();
  return { blobs, stored: () => Promise.resolve(service.stored()), [Symbol.asyncDispose]: close };
});

describe("versitygw", () => {
  beforeEach(open);
  afterEach(close);

  test.each<[string, Partial<S3Settings>, string]>([
    ["another secret", { secretAccessKey: "guessed" }, "SignatureDoesNotMatch"],
    ["another account", { accessKeyId: "AKIASOMEBODYELSE" }, unknownAccount],
    ["a missing bucket", { bucket: "another" }, "NoSuchBucket"],
  ])("refuses %s, which is not a missing picture", async (_what, change, code) => {
    using wrong = new S3Blobs({ ...service.settings, ...change });
    await expect(wrong.put(picture, "webp")).rejects.toMatchObject({ name: code });
    await expect(wrong.get(key)).rejects.toMatchObject({ name: code });
    expect(service.stored()).toEqual([]);
  });

  test.each<[Awaited<ReturnType<typeof probeBucket>>, Partial<S3Settings>]>([
    [null, {}],
    [{ kind: "key" }, { accessKeyId: "AKIASOMEBODYELSE" }],
    [{ kind: "secret" }, { secretAccessKey: "guessed" }],
    [{ kind: "bucket" }, { bucket: "another" }],
    [{ kind: "region" }, { region: "us-test-9" }],
  ])("lets the doctor find %j", async (trouble, change) => {
    expect(await probeBucket({ ...service.settings, ...change })).toEqual(trouble);
    expect(service.stored()).toEqual([]);
  });

  test("gives up a stopped service within eight seconds, and works once it runs again", async () => {
    await blobs.put(picture, "webp");
    const old = await blobs.put(Buffer.from("old"), "webp");
    service.child.kill("SIGSTOP");
    const began = performance.now();
    await Promise.all(
      [blobs.put(Buffer.from("other"), "webp"), blobs.get(key), blobs.delete(old)].map((asked) =>
        expect(asked).rejects.toThrow(/abort/i),
      ),
    );
    expect(performance.now() - began).toBeLessThan(8_000);
    service.child.kill("SIGCONT");
    await expect(blobs.get(key)).resolves.toEqual(picture);
  });
});
