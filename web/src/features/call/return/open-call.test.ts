import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeOverlay, isOverlayOpen } from "#lib/overlays.ts";
import { writeStored } from "#lib/storage.ts";
import { silence } from "#testing/fixture-world.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { serve, type ServedWorld, signIn, stopServing } from "#testing/serve.ts";
import { removeStoredCall } from "./stored-call.ts";
import { askTakeOver, onCallTaken } from "./open-call.ts";

const match = matchedPush("r1");
const info = { status: 3, match, return_ms: null, prices: { gender: 0, country: 0, both: 0 } } as const;
let server: ServedWorld;

async function answer(result: "done" | "closed"): Promise<void> {
  await vi.waitFor(() => expect(isOverlayOpen("take-over")).toBe(true));
  closeOverlay("take-over", result);
}

beforeEach(async () => {
  server = serve({ matchInfo: info });
  await signIn(server);
  writeStored("roomId", "r1");
});

afterEach(() => {
  removeStoredCall();
  stopServing();
});

test("takes camera and chat session without a question when no other tab is in a call", async () => {
  server.answer({ matchInfo: { ...info, match: null } });
  expect(await askTakeOver()).toBe(true);
  // Its page is gone: another dialog offers to return to it.
  server.answer({ matchInfo: { ...info, return_ms: 5_000 } });
  expect(await askTakeOver()).toBe(true);
  server.answer({ matchInfo: silence });
  expect(await askTakeOver()).toBe(true);
  removeStoredCall();
  expect(await askTakeOver()).toBe(true);
  expect(server.asked("matchInfo")).toHaveLength(3);
});

test("leaves a call in its tab unless the user wants it in this one", async () => {
  const asked = askTakeOver();
  await answer("closed");
  expect(await asked).toBe(false);
  const heard = vi.fn<(taken: typeof match) => void>();
  onCallTaken(heard)();
  expect(heard).not.toHaveBeenCalled();
});

test("passes a call that is wanted here to the call runtime, also when that loads later", async () => {
  const first = askTakeOver();
  await answer("done");
  expect(await first).toBe(false);
  const heard = vi.fn<(taken: typeof match) => void>();
  const stop = onCallTaken(heard);
  expect(heard.mock.calls).toEqual([[match]]);
  const second = askTakeOver();
  await answer("done");
  await second;
  expect(heard).toHaveBeenCalledTimes(2);
  stop();
});
