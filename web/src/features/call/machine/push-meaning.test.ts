import { active } from "@fava/wire/endpoints/profile.ts";
import type { BanFacts } from "@fava/wire/moderation.ts";
import { pushCodes, type Push } from "@fava/wire/pushes.ts";
import { knownReportReason } from "@fava/wire/reasons.ts";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { activateLanguage, t } from "#lib/i18n.ts";
import { type FakeCallPorts, fakeCallPorts } from "#testing/call-ports.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { testMeter } from "#testing/meter-fixtures.ts";
import { dismissPassingToasts, shownToasts } from "#ui/toast-store.ts";
import { idle, stepCall } from "./call-machine.ts";
import { CallRuntime } from "./call-runtime.ts";
import { callStore } from "./call-store.ts";
import { callEventOf } from "./socket-events.ts";

const nowMs = 1_000;
let ports: FakeCallPorts;

const push = (sent: Push) => ports.socket.listener.frame({ type: "push", sequence: 1, push: sent });
/** Translates a push into an event of the call machine. */
const eventOf = (sent: Push) => callEventOf({ type: "push", sequence: 1, push: sent }, nowMs);

beforeAll(() => activateLanguage("en", { remember: false }));
beforeEach(() => {
  ports = fakeCallPorts();
  ports.smallRequest.mockResolvedValue({});
  void new CallRuntime(ports);
});

afterEach(dismissPassingToasts);

test("dispatches a match for 100001", () => {
  const match = matchedPush("room-1");
  expect(eventOf(match)).toEqual({ type: "matched", match, nowMs });
});

test.each([
  ["left", "left"],
  ["not_joined", "not-joined"],
  ["restart", "left"],
  ["cut", "cut"],
] as const)("[PUSH-5] treats 100002 with the reason %s as the partner's departure", (reason, why) => {
  const left = { code: pushCodes.otherLeft, roomId: "room-1", reason };
  expect(eventOf(left)).toEqual({ type: "other-left", roomId: "room-1", why, nowMs });
});

test("[PUSH-5] reports missing frames of the partner, who broke no rule, for 100002 with a cause", () => {
  const unchecked = { whose: "other", cause: "none", returned: 614 } as const;
  const left = { code: pushCodes.otherLeft, roomId: "room-1", reason: "cut", unchecked } as const;
  expect(eventOf(left)).toEqual({ type: "unchecked", roomId: "room-1", end: unchecked });
});

test("loads the user again for 100003", async () => {
  push({ code: pushCodes.systemNotice });
  await vi.waitFor(() => expect(ports.refreshUser).toHaveBeenCalledOnce());
});

test("loads the user and reports once for pushes that arrive together, such as 100003 and 100007", async () => {
  push({ code: pushCodes.systemNotice });
  push({ code: pushCodes.dataReport });
  await vi.waitFor(() => expect(ports.smallRequest).toHaveBeenCalledOnce());
  expect(ports.refreshUser).toHaveBeenCalledOnce();
  push({ code: pushCodes.systemNotice });
  await vi.waitFor(() => expect(ports.refreshUser).toHaveBeenCalledTimes(2));
  expect(ports.smallRequest).toHaveBeenCalledOnce();
});

test.each([
  ["acted", "info"],
  ["nothing_found", "info"],
  ["warned", "warning"],
] as const)("shows 100004 with the outcome %s as a toast, in the page's own words", (outcome, type) => {
  push({ code: pushCodes.reportNotice, text: "", outcome, reason_id: 5 });
  const text = t(`report.outcome.${outcome}`, { reason: t(`reason.report.${knownReportReason(5)}`) });
  expect(shownToasts()).toMatchObject([{ type, text }]);
});

test("shows the answer to a question about a text or a mute in the page's own words for 100004", () => {
  push({ code: pushCodes.reportNotice, text: "", outcome: "text_accepted", reason_id: 0, question_id: "7" });
  expect(shownToasts()).toMatchObject([{ type: "info", text: t("asked.answer.text_accepted") }]);
});

test("[PUSH-11] ends the session with the ban notice for 100005", () => {
  const facts: BanFacts = {
    at: 1,
    until: null,
    reason_id: 1,
    by: "software",
    is_provisional: true,
    rule: "explicit_picture_sure",
    call_at: 1,
    reports: 0,
    strike: 0,
    strike_until: null,
  };
  const notice = {
    isBan: true as const,
    id: "1048",
    reason_id: 1,
    reason: "pornography",
    time: null,
    appeal_token: "a",
    facts,
  };
  push({ code: pushCodes.banned, ...notice });
  expect(ports.banSession).toHaveBeenCalledWith(notice, "push");
});

test.each([
  [
    "type 1 with too few beans announces it",
    { type: 1, is_enough: 0, roomId: "r" },
    { type: "low-beans", roomId: "r" },
  ],
  [
    "type 2 closes the match",
    { type: 2, is_enough: 0, roomId: "r" },
    { type: "closed-by-server", roomId: "r", notice: "closed" },
  ],
  [
    "type 2 with the cause and the beans that came back",
    { type: 2, is_enough: 1, roomId: "r", why: "unchecked", unchecked: { whose: "own", cause: "late", returned: 614 } },
    { type: "unchecked", roomId: "r", end: { whose: "own", cause: "late", returned: 614 } },
  ],
  ["type 2 without a room closes the search", { type: 2, is_enough: 0, roomId: "" }, { type: "search-closed" }],
  [
    "type 2 during a pause closes the search and says until when it lasts",
    { type: 2, is_enough: 0, roomId: "", why: "paused", until: 5_000 },
    { type: "search-closed", notice: { why: "paused", untilMs: 5_000 } },
  ],
] as const)("[PUSH-6] handles 100006 of %s", (_what, content, event) => {
  expect(eventOf({ code: pushCodes.callMessage, meter: null, ...content })).toEqual(event);
});

test("[PUSH-6] changes nothing for 100006 of type 1 with enough beans", () => {
  expect(eventOf({ code: pushCodes.callMessage, type: 1, is_enough: 1, roomId: "r", meter: null })).toBeNull();
});

test("replaces the meter for 100006 of type 1 with one, whether the beans suffice or not", () => {
  const meter = testMeter();
  const message = { code: pushCodes.callMessage, type: 1, roomId: "r", meter } as const;
  const told = { type: "meter", roomId: "r", meter, nowMs };
  expect(eventOf({ ...message, is_enough: 1 })).toEqual({ ...told, isEnough: true });
  expect(eventOf({ ...message, is_enough: 0 })).toEqual({ ...told, isEnough: false });
});

test("reports that the beans ran out for 100006 of type 2 with a meter", () => {
  const meter = testMeter({ left_ms: 0 });
  const message = { code: pushCodes.callMessage, type: 2, is_enough: 0, roomId: "r", meter } as const;
  expect(eventOf(message)).toEqual({ type: "ran-out", roomId: "r", meter });
});

test("changes the call machine by a push", () => {
  callStore.setState({ call: stepCall(idle, { type: "start", wish: { sex: 0, country: 0 }, nowMs: 0 }).state });
  push({ code: pushCodes.callMessage, type: 2, is_enough: 0, roomId: "", meter: null });
  expect(callStore.getState().call.status).toBe("idle");
});

test("[PUSH-12] loads the user again and sends a report of type 1 for 100007", async () => {
  push({ code: pushCodes.dataReport });
  await vi.waitFor(() => expect(ports.smallRequest).toHaveBeenCalled());
  expect(ports.refreshUser).toHaveBeenCalledOnce();
  expect(ports.smallRequest.mock.calls[0]?.slice(0, 2)).toEqual([active, { user_id: 7, type: 1 }]);
});

test("loads the user again in a new chat session, because earlier pushes are lost", async () => {
  ports.socket.listener.live(true);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(ports.refreshUser).not.toHaveBeenCalled();
  ports.socket.listener.live(false);
  await vi.waitFor(() => expect(ports.refreshUser).toHaveBeenCalledOnce());
});
