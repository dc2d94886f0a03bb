import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeAllOverlays, isOverlayOpen } from "#lib/overlays.ts";
import { startSession } from "#lib/session.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { ownUser } from "#testing/own-user.ts";
import { serve, stopServing, storeSession } from "#testing/serve.ts";
import { beginReport } from "./SafetyPage.tsx";

const here = vi.fn<() => void>();
let owner: AbortController;

beforeEach(() => {
  owner = new AbortController();
  vi.stubGlobal("window", new EventTarget());
});
afterEach(() => {
  owner.abort();
  closeAllOverlays();
  stopServing();
  here.mockClear();
});

test("waits for the session on an early press of Report, and opens the recent people", async () => {
  const user = heldAnswer<ReturnType<typeof ownUser>>();
  serve({ myInfo: () => user.answer });
  await storeSession();
  startSession(owner.signal);
  const begun = beginReport(here);
  await Promise.resolve();
  expect(isOverlayOpen("people")).toBe(false);
  user.give(ownUser());
  await begun;
  expect(isOverlayOpen("people")).toBe(true);
  expect(here).not.toHaveBeenCalled();
});

test("continues on the page when a visitor reports", async () => {
  await beginReport(here);
  expect(here).toHaveBeenCalledOnce();
  expect(isOverlayOpen("people")).toBe(false);
});
