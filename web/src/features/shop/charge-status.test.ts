import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as session from "#lib/session.ts";
import { clearForSignOut, readStored, writeStored } from "#lib/storage.ts";
import { chargeStatus, followChargeStatus } from "./charge-status.ts";

vi.mock("#lib/session.ts", { spy: true });

let page: EventTarget;
let stop: () => void;

beforeEach(() => {
  page = new EventTarget();
  vi.stubGlobal("window", page);
  vi.mocked(session.refreshUser).mockReset().mockResolvedValue(null);
  stop = followChargeStatus();
});
afterEach(() => {
  stop();
  clearForSignOut();
  vi.unstubAllGlobals();
});

function otherTabWrites(value: 0 | 1 | 2): void {
  writeStored("chargeStatus", value);
  page.dispatchEvent(Object.assign(new Event("storage"), { key: "chargeStatus" }));
}

test("[BEANS-301] when another tab says paid, the person is fetched anew and the word is taken back", async () => {
  otherTabWrites(chargeStatus.paid);
  expect(session.refreshUser).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(readStored("chargeStatus")).toBe(0));
});

test("[BEANS-301] a payment that another tab only begins is no reason to fetch anything", () => {
  otherTabWrites(chargeStatus.pending);
  expect(session.refreshUser).not.toHaveBeenCalled();
  expect(readStored("chargeStatus")).toBe(1);
});
