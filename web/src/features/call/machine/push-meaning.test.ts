import { active } from "@fava/wire/endpoints/profile.ts";
import type { BanFacts } from "@fava/wire/moderation.ts";
import { pushCodes, type Push } from "@fava/wire/pushes.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { smallRequest } from "#lib/api/request.ts";
import { banSession, currentUser, refreshUser } from "#lib/session.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { meterWord } from "#testing/meter-word.ts";
import { showToast } from "#ui/toast-store.ts";
import type { ChatSocketListener } from "./chat-socket.ts";

const parts = vi.hoisted(() => ({
  listener: null as unknown,
  dispatch: vi.fn<(event: unknown) => void>(),
  resumed: vi.fn<() => void>(),
}));

vi.mock("#lib/api/request.ts");
vi.mock("#lib/i18n.ts", async (original) => ({ ...(await original<object>()), t: (key: string) => key }));
vi.mock("#lib/session.ts");
vi.mock("#lib/media/local-media.ts");
vi.mock("./tab-lock.ts", () => ({}));
vi.mock("#ui/toast-store.ts");
vi.mock("./chat-socket.ts", () => ({
  ChatSocket: function (listener: unknown) {
    parts.listener = listener;
  },
}));
vi.mock("./call-controller.ts", () => ({
  CallController: function () {
    return { dispatch: parts.dispatch, resumed: parts.resumed };
  },
}));

await import("./call.ts");
const me = { user_id: 7 } as NonNullable<ReturnType<typeof currentUser>>;

const push = (sent: Push) => (parts.listener as ChatSocketListener).frame({ type: "push", sequence: 1, push: sent });

beforeEach(() => {
  vi.mocked(currentUser).mockReturnValue(me);
  vi.mocked(refreshUser).mockResolvedValue(me);
  vi.mocked(smallRequest).mockResolvedValue({});
});

afterEach(() => {
  vi.clearAllMocks();
});

test("[PUSH-1] 100001 is a match", () => {
  const match = matchedPush("room-1");
  push(match);
  expect(parts.dispatch).toHaveBeenCalledWith(expect.objectContaining({ type: "matched", match }));
});

test.each([
  ["left", "left"],
  ["not_joined", "not-joined"],
  ["restart", "left"],
  ["cut", "cut"],
] as const)("[PUSH-5] 100002 with the reason %s: the other is gone", (reason, why) => {
  push({ code: pushCodes.otherLeft, roomId: "room-1", reason });
  expect(parts.dispatch).toHaveBeenCalledWith(expect.objectContaining({ type: "other-left", roomId: "room-1", why }));
});

test("[PUSH-5] [SAFE-521] 100002 with a cause: our checks had no frames of the other, who broke no rule", () => {
  const unchecked = { whose: "other", cause: "none", returned: 614 } as const;
  push({ code: pushCodes.otherLeft, roomId: "room-1", reason: "cut", unchecked });
  expect(parts.dispatch.mock.calls).toEqual([[{ type: "unchecked", roomId: "room-1", end: unchecked }]]);
});

test("[PUSH-9] 100003 refreshes the user", async () => {
  push({ code: pushCodes.systemNotice });
  await vi.waitFor(() => expect(refreshUser).toHaveBeenCalledOnce());
});

test("[PUSH-64] what comes together, as 100003 and 100007 do, is one refresh and one report", async () => {
  push({ code: pushCodes.systemNotice });
  push({ code: pushCodes.dataReport });
  await vi.waitFor(() => expect(smallRequest).toHaveBeenCalledOnce());
  expect(refreshUser).toHaveBeenCalledOnce();
  push({ code: pushCodes.systemNotice });
  await vi.waitFor(() => expect(refreshUser).toHaveBeenCalledTimes(2));
  expect(smallRequest).toHaveBeenCalledOnce();
});

test.each([
  ["acted", "info"],
  ["nothing_found", "info"],
  ["warned", "warning"],
] as const)("[PUSH-10] 100004 with the outcome %s is told as a notice, in the page's own words", (outcome, type) => {
  push({ code: pushCodes.reportNotice, text: "", outcome, reason_id: 5 });
  expect(showToast).toHaveBeenCalledWith(expect.objectContaining({ type, text: `report.outcome.${outcome}` }));
});

test("[PUSH-10] 100004 that answers a question about a text or a mute is told in the page's own words", () => {
  push({ code: pushCodes.reportNotice, text: "", outcome: "text_accepted", reason_id: 0, question_id: "7" });
  expect(showToast).toHaveBeenCalledWith(expect.objectContaining({ type: "info", text: "asked.answer.text_accepted" }));
});

test("[PUSH-11] 100005 ends the session with the ban notice", () => {
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
  expect(banSession).toHaveBeenCalledWith(notice, { endedCall: false });
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
] as const)("[PUSH-6] 100006 of %s", (_what, content, event) => {
  push({ code: pushCodes.callMessage, meter: null, ...content });
  expect(parts.dispatch.mock.calls).toEqual([[event]]);
});

test("[PUSH-6] 100006 of type 1 with enough beans changes nothing", () => {
  push({ code: pushCodes.callMessage, type: 1, is_enough: 1, roomId: "r", meter: null });
  expect(parts.dispatch).not.toHaveBeenCalled();
});

test("[BEANS-350] 100006 of type 1 with a meter is its newest word, enough beans or not", () => {
  const meter = meterWord();
  push({ code: pushCodes.callMessage, type: 1, is_enough: 1, roomId: "r", meter });
  push({ code: pushCodes.callMessage, type: 1, is_enough: 0, roomId: "r", meter });
  const told = { type: "meter", roomId: "r", meter, nowMs: expect.any(Number) as number };
  expect(parts.dispatch.mock.calls).toEqual([[{ ...told, isEnough: true }], [{ ...told, isEnough: false }]]);
});

test("[BEANS-358] 100006 of type 2 with a meter says that the beans ran out", () => {
  const meter = meterWord({ left_ms: 0 });
  push({ code: pushCodes.callMessage, type: 2, is_enough: 0, roomId: "r", meter });
  expect(parts.dispatch.mock.calls).toEqual([[{ type: "ran-out", roomId: "r", meter }]]);
});

test("[PUSH-12] 100007 refreshes the user and answers with a report of type 1", async () => {
  push({ code: pushCodes.dataReport });
  await vi.waitFor(() => expect(smallRequest).toHaveBeenCalled());
  expect(refreshUser).toHaveBeenCalledOnce();
  expect(vi.mocked(smallRequest).mock.calls[0]?.slice(0, 2)).toEqual([active, { user_id: 7, type: 1 }]);
});

test("[BEANS-115] a chat session that begins anew has the person fetched: what was pushed before it reached nobody", async () => {
  const listener = parts.listener as ChatSocketListener;
  listener.live(true);
  expect(parts.resumed).toHaveBeenCalledOnce();
  expect(refreshUser).not.toHaveBeenCalled();
  listener.live(false);
  await vi.waitFor(() => expect(refreshUser).toHaveBeenCalledOnce());
});
