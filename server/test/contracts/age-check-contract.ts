import { describe, expect, test } from "vitest";
import { type AgeCheck, AgeCheckError, type AgeCheckRequest } from "#ports/age-check.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";

/** An adapter with a vendor that the test controls. */
export interface AgeCheckWorld extends AsyncDisposable {
  vendor: AgeCheck;
  nowMs: () => number;
  /** The person passes on the vendor's page. */
  pass: (vendorRef: string) => Promise<void>;
  fail: (vendorRef: string, method: "estimate" | "document") => Promise<void>;
  /** The person leaves the vendor's page without a result. */
  leave: (vendorRef: string) => Promise<void>;
  /** The vendor's notification about a check, which may claim any result. */
  notification: (vendorRef: string) => Buffer;
  goDown: () => Promise<void>;
}

export function ageRequest(change: Partial<AgeCheckRequest> = {}): AgeCheckRequest {
  return { reference: "check-1", allowsEstimate: true, returnUrl: null, notifyUrl: null, ...change };
}

const unreadable = ["", "{", "null", "[]", "{}", `{"session_key":7,"ref":7}`, `{"session_key":"../x","ref":"../x"}`];

/** Contract of `AgeCheck`. `makeWorld` opens a new world for each test. */
export function ageCheckContract(name: string, makeWorld: () => Promise<AgeCheckWorld>): void {
  async function open(): Promise<AgeCheckWorld & { ref: string }> {
    const world = await makeWorld();
    leftovers.push(world);
    const { vendorRef: ref } = await world.vendor.begin(ageRequest());
    return Object.assign(world, { ref });
  }

  describe(`${name} keeps the contract of age checks`, () => {
    test("begins each check with a page and an end of its own", async () => {
      const { vendor, nowMs } = await open();
      const one = await vendor.begin(ageRequest({ reference: "check-2" }));
      const other = await vendor.begin(ageRequest({ reference: "check-3" }));
      expect(URL.canParse(one.url, "http://localhost")).toBe(true);
      expect(one.vendorRef).not.toBe("");
      expect(one.expiresAt.getTime()).toBeGreaterThan(nowMs());
      expect(other.vendorRef).not.toBe(one.vendorRef);
      expect(other.url).not.toBe(one.url);
    });

    test("reports a check as pending until the person is done", async () => {
      const { vendor, ref } = await open();
      expect(await vendor.ask(ref)).toEqual({ state: "pending", method: null });
    });

    test("reports a pass with its method, and the same again", async () => {
      const { vendor, ref, pass } = await open();
      await pass(ref);
      expect(await vendor.ask(ref)).toEqual({ state: "passed", method: "estimate" });
      expect(await vendor.ask(ref)).toEqual({ state: "passed", method: "estimate" });
    });

    test.each(["estimate", "document"] as const)("reports a failed %s", async (method) => {
      const { vendor, ref, fail } = await open();
      await fail(ref, method);
      expect(await vendor.ask(ref)).toEqual({ state: "failed", method });
    });

    test("reports an abandoned and an unknown check as expired", async () => {
      const { vendor, ref, leave } = await open();
      await leave(ref);
      expect(await vendor.ask(ref)).toEqual({ state: "expired", method: null });
      expect(await vendor.ask("unknown")).toEqual({ state: "expired", method: null });
      const foreign = "11111111-2222-3333-4444-555555555555";
      expect(await vendor.ask(foreign)).toEqual({ state: "expired", method: null });
    });

    test("uses a notification only to name its check", async () => {
      const { vendor, ref, notification } = await open();
      expect(vendor.hint(notification(ref), {})).toBe(ref);
      expect(await vendor.ask(ref)).toEqual({ state: "pending", method: null });
    });

    test.each(unreadable)("reads no check in the notification %j", async (text) => {
      const { vendor } = await open();
      expect(vendor.hint(Buffer.from(text), {})).toBeNull();
    });

    test("reads no check in a notification that is too large or not text", async () => {
      const { vendor, ref, notification } = await open();
      const padded = Buffer.concat([notification(ref), Buffer.alloc(1_000_000, " ")]);
      expect(vendor.hint(padded, {})).toBeNull();
      expect(vendor.hint(Buffer.from([0xff, 0xfe, 0x00]), {})).toBeNull();
    });

    test("forgets a check repeatedly", async () => {
      const { vendor, ref, pass } = await open();
      await pass(ref);
      for (const forgotten of [ref, ref, "unknown"]) expect(await vendor.forget(forgotten)).toBeUndefined();
    });

    test("reports a vendor that is away as an error", async () => {
      const { vendor, ref, goDown } = await open();
      await goDown();
      await expect(vendor.begin(ageRequest())).rejects.toThrow(AgeCheckError);
      await expect(vendor.ask(ref)).rejects.toThrow(AgeCheckError);
    });
  });
}
