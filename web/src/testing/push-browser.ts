import { toBase64Url } from "#lib/api/hex.ts";
import { afterEachTest } from "./test-cleanup.ts";
import { type FakePushOptions, installFakePush } from "./fake-push.ts";

/** A server's push key, in bytes and as the server sends it. */
export const pushKeyBytes = [4, ...Array.from({ length: 64 }, (_none, at) => at)];
export const pushKey = toBase64Url(new Uint8Array(pushKeyBytes));

let restore = () => {};
afterEachTest(() => {
  restore();
  restore = () => {};
});

/** A browser that can notify, until the test ends. */
export function fakePush(options: FakePushOptions): ReturnType<typeof installFakePush> {
  const fake = installFakePush(options);
  restore = fake.restore;
  return fake;
}
