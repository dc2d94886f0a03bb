import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { smallRequest } from "#lib/api/request.ts";
import { closeOverlay, isOverlayOpen } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { writeStored } from "#lib/storage.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { forgetCall } from "./kept-call.ts";
import { askTakeOver, onCallTaken } from "./open-call.ts";

vi.mock("#lib/api/request.ts");
vi.mock("#lib/session.ts");

const match = matchedPush("r1");
const me = { user_id: 7 } as NonNullable<ReturnType<typeof currentUser>>;

function serverSays(info: object): void {
  vi.mocked(smallRequest).mockResolvedValue({ return_ms: null, ...info } as Awaited<ReturnType<typeof smallRequest>>);
}

async function answer(result: "done" | "closed"): Promise<void> {
  await vi.waitFor(() => expect(isOverlayOpen("take-over")).toBe(true));
  closeOverlay("take-over", result);
}

beforeEach(() => {
  vi.mocked(currentUser).mockReturnValue(me);
  writeStored("roomId", "r1");
  serverSays({ match });
});

afterEach(() => {
  forgetCall();
  vi.clearAllMocks();
});

test("[CALL-85] a tab takes camera and chat login without a question where no other one is in a call", async () => {
  serverSays({ match: null });
  expect(await askTakeOver()).toBe(true);
  // Its page is gone: what is there to take is offered elsewhere.
  serverSays({ match, return_ms: 5_000 });
  expect(await askTakeOver()).toBe(true);
  vi.mocked(smallRequest).mockRejectedValue(new RequestFailure({ code: 0, reason: "network", message: "nobody" }));
  expect(await askTakeOver()).toBe(true);
  forgetCall();
  vi.mocked(smallRequest).mockClear();
  expect(await askTakeOver()).toBe(true);
  expect(vi.mocked(smallRequest)).not.toHaveBeenCalled();
});

test("[CALL-85] a call of another tab stays there unless the person wants it here", async () => {
  const asked = askTakeOver();
  await answer("closed");
  expect(await asked).toBe(false);
  const heard = vi.fn<(taken: typeof match) => void>();
  onCallTaken(heard)();
  expect(heard).not.toHaveBeenCalled();
});

test("[CALL-85] a call that is wanted here goes to whoever runs calls, also when they are loaded later", async () => {
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
