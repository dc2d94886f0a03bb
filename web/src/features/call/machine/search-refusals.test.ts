import { codes } from "@fava/wire/codes.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { type FakeCallPorts, fakeCallPorts } from "#testing/call-ports.ts";
import { CallController } from "./call-controller.ts";
import { callStore } from "./call-store.ts";

let ports: FakeCallPorts;
let controller: CallController;

beforeEach(() => {
  ports = fakeCallPorts();
  controller = new CallController(ports, ports.socket);
});

afterEach(() => {
  controller.dispatch({ type: "session-ended" });
  controller.dispose();
});

test.each([
  ["paused", { until: 5_000 }, { why: "paused", untilMs: 5_000 }],
  ["paused", { until: null }, { why: "paused", untilMs: null }],
])("ends a search that the server rejects as %s with %o, and shows why", async (reason, data, notice) => {
  ports.request.mockRejectedValue(new RequestFailure({ code: codes.forbidden, reason, data: { reason, ...data } }));
  controller.dispatch({ type: "start", wish: { sex: 0, country: 0 }, nowMs: 0 });
  await vi.waitFor(() => expect(callStore.getState().call).toMatchObject({ status: "idle", notice }));
});
