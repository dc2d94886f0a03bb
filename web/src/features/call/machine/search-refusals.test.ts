import { codes } from "@fava/wire/codes.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { localMedia, openMedia } from "#lib/media/local-media.ts";
import { currentUser } from "#lib/session.ts";
import { CallController } from "./call-controller.ts";
import { callStore } from "./call-store.ts";
import type { ChatSocket } from "./chat-socket.ts";

vi.mock("#lib/api/request.ts");
vi.mock("#lib/session.ts");
vi.mock("#lib/media/local-media.ts");
vi.mock("./hidden-phone.ts");
vi.mock("#features/call/room/offer-cache.ts");

const live = { status: "live", stream: {} as MediaStream, cameraOn: true, microphoneOn: true } as const;
const socket = { whenLive: () => Promise.resolve(true), send: () => undefined } as unknown as ChatSocket;

let controller: CallController;

beforeEach(() => {
  vi.mocked(currentUser).mockReturnValue({ user_id: 7 } as NonNullable<ReturnType<typeof currentUser>>);
  vi.mocked(openMedia).mockResolvedValue(live);
  vi.mocked(localMedia.getState).mockReturnValue({ media: live } as ReturnType<typeof localMedia.getState>);
  controller = new CallController(socket);
});

afterEach(() => {
  controller.dispatch({ type: "session-ended" });
  controller.dispose();
  vi.resetAllMocks();
});

test.each([
  ["paused", { until: 5_000 }, { why: "paused", untilMs: 5_000 }],
  ["paused", { until: null }, { why: "paused", untilMs: null }],
])("[SAFE-232] a search that is refused as %s with %o ends and says so", async (reason, data, notice) => {
  vi.mocked(request).mockRejectedValue(
    new RequestFailure({ code: codes.forbidden, reason, data: { reason, ...data } }),
  );
  controller.dispatch({ type: "start", wish: { sex: 0, country: 0 }, nowMs: 0 });
  await vi.waitFor(() => expect(callStore.getState().call).toMatchObject({ status: "idle", notice }));
});
