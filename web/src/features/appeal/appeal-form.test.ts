import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { appealAdd, appealStatus } from "@fava/wire/endpoints/appeals.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { banStatus } from "#testing/appeal-status.ts";
import { appealForm, dropDraft, keptAppealDraft } from "./appeal-form.ts";

vi.mock("#lib/api/request.ts");

const token = "12.1767225600000.abcdefgh";
const written = { ground: 2, text: "We were joking." } as const;
let sent: unknown[];

beforeEach(() => {
  sent = [];
  dropDraft();
});
afterEach(() => vi.resetAllMocks());

const open = () => appealForm(token, (status) => sent.push(status));

test("[APPEAL-32] what is written is kept at every change, and there again the next time", () => {
  const { change } = open();
  change({ ground: 2, text: "We were" });
  expect(open().store.getState()).toMatchObject({ draft: { ground: 2, text: "We were" }, problem: null });
});

test.each([
  ["a ground", { ground: null, text: "words" }],
  ["words", { ground: 1, text: " \n" }],
] as const)("[APPEAL-32] without %s nothing is sent, which the next change forgets", async (_what, draft) => {
  const { store, change, send } = open();
  change(draft);
  await send();
  expect(request).not.toHaveBeenCalled();
  expect(store.getState()).toMatchObject({ problem: "appeal.needText", sending: false });
  change(written);
  expect(store.getState().problem).toBeNull();
});

test("[APPEAL-32] it is sent once with the token alone; then its draft is gone and the page has the answer", async () => {
  vi.mocked(request).mockResolvedValue(banStatus());
  const { store, change, send } = open();
  change(written);
  const sending = Promise.all([send(), send()]);
  expect(store.getState().sending).toBe(true);
  await sending;
  expect(request).toHaveBeenCalledExactlyOnceWith(appealAdd, { appeal_token: token, ...written }, { token: "" });
  expect(sent).toEqual([banStatus()]);
  expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
});

test.each([
  [{ code: codes.refused, reason: "appealed_before" }, "refused.appealed_before"],
  [{ code: codes.refused, reason: "appeal_too_late" }, "refused.appeal_too_late"],
  [{ code: 0, reason: "network" }, "appeal.failed"],
])("[APPEAL-32] after an answer of %o the draft stays, and %s is said", async (failure, problem) => {
  vi.mocked(request).mockRejectedValue(new RequestFailure(failure));
  const { store, change, send } = open();
  change(written);
  await send();
  expect(store.getState()).toEqual({ draft: written, problem, sending: false });
  expect([sent, keptAppealDraft(token)]).toMatchObject([[], written]);
});

describe("[APPEAL-70] an appeal whose answer was lost", () => {
  const before = new RequestFailure({ code: codes.refused, reason: "appealed_before" });
  const received = banStatus({ beans: 1 });

  test.each([
    { code: 0, reason: "network" },
    { code: codes.serverError, reason: "" },
  ])("is told as sent by the next try (%o)", async (failure) => {
    vi.mocked(request).mockRejectedValueOnce(new RequestFailure(failure));
    vi.mocked(request).mockRejectedValueOnce(before).mockResolvedValueOnce(received);
    const { change, send } = open();
    change(written);
    await send();
    await send();
    expect(request).toHaveBeenLastCalledWith(appealStatus, { appeal_token: token }, { token: "", quiet: true });
    expect(sent).toEqual([received]);
    expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
  });

  test("can be asked about again where that is not answered either", async () => {
    const silence = new RequestFailure({ code: 0, reason: "timeout" });
    vi.mocked(request).mockRejectedValueOnce(silence).mockRejectedValueOnce(before).mockRejectedValueOnce(silence);
    vi.mocked(request).mockRejectedValueOnce(before).mockResolvedValueOnce(received);
    const { store, change, send } = open();
    change(written);
    await send();
    await send();
    expect(store.getState()).toEqual({ draft: written, problem: "appeal.failed", sending: false });
    await send();
    expect(sent).toEqual([received]);
  });
});
