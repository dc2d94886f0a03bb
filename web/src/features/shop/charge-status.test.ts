import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearForSignOut, readStored, writeStored } from "#lib/storage.ts";
import { serve, type ServedWorld, signIn, stopServing } from "#testing/serve.ts";
import { chargeStatus, followChargeStatus } from "./charge-status.ts";

let server: ServedWorld;
let page: EventTarget;
let stop: () => void;

beforeEach(async () => {
  server = serve();
  page = new EventTarget();
  vi.stubGlobal("window", page);
  await signIn(server);
  stop = followChargeStatus();
});
afterEach(() => {
  stop();
  stopServing();
  clearForSignOut();
});

function otherTabWrites(value: 0 | 1 | 2): void {
  writeStored("chargeStatus", value);
  page.dispatchEvent(Object.assign(new Event("storage"), { key: "chargeStatus" }));
}

test("loads the user again when another tab reports paid, and resets the status", async () => {
  otherTabWrites(chargeStatus.paid);
  await vi.waitFor(() => expect(readStored("chargeStatus")).toBe(0));
  expect(server.asked("myInfo")).toHaveLength(2);
});

test("loads nothing when another tab only starts a payment", async () => {
  otherTabWrites(chargeStatus.pending);
  await Promise.resolve();
  expect(server.asked("myInfo")).toHaveLength(1);
  expect(readStored("chargeStatus")).toBe(1);
});
