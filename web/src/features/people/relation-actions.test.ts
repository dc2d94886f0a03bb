import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { block, follow, like, unblock } from "@fava/wire/endpoints/social.ts";
import { undoMs } from "@fava/wire/limits.ts";
import { askAfterBefriending } from "#features/notifications/ask.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { activateLanguage } from "#lib/i18n.ts";
import { closeAllOverlays, isOverlayOpen } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { ownUser } from "#testing/own-user.ts";
import { dismissPassingToasts, shownToasts } from "#ui/toast-store.ts";
import { blockPerson, setFollow, setLike } from "./relation-actions.ts";
import { changeRelation, onPersonHidden, relationOf } from "./relations.ts";

vi.mock("#features/notifications/ask.ts");
vi.mock("#lib/api/request.ts");
vi.mock("#lib/session.ts", { spy: true });

const bo = { userId: 8, externalId: "x-bo", nickname: "Bo" };
const answers = vi.mocked(request);
const refused = (code: number, reason = "") => new RequestFailure({ code, reason });
const status = () => relationOf(bo.userId)?.followStatus;
const inputs = () => answers.mock.calls.map(([endpoint, input]) => [endpoint, input]);

/** An answer that comes when it is told to. */
function later(): { answer: (data: object) => void } {
  let answer: (data: object) => void = () => undefined;
  const promise = new Promise<object>((resolve) => {
    answer = resolve;
  });
  answers.mockReturnValueOnce(promise as never);
  return { answer: (data) => answer(data) };
}

beforeAll(() => activateLanguage("en"));
beforeEach(() => {
  vi.mocked(currentUser).mockReturnValue(ownUser({ user_id: 7 }));
  changeRelation(bo.userId, { followStatus: 0, likeStatus: 0, presence: null, hidden: false });
});
afterEach(() => {
  dismissPassingToasts();
  closeAllOverlays();
  vi.resetAllMocks();
});

test("[PEOPLE-100] [NOTIFY-20] following is shown at once, becomes what the server answers, and a new friend is asked about", async () => {
  const request = later();
  const done = setFollow(bo, true);
  expect(status()).toBe(1);
  expect(askAfterBefriending).not.toHaveBeenCalled();
  request.answer({ followStatus: 2 });
  await done;
  expect(status()).toBe(2);
  await vi.waitFor(() => expect(askAfterBefriending).toHaveBeenCalledOnce());
  expect(inputs()).toEqual([[follow, { userId: 7, followUserId: 8, on: 1 }]]);
});

test("[PEOPLE-100] following back makes a friend at once", async () => {
  const request = later();
  const done = setFollow({ ...bo, isFan: true }, true);
  expect(status()).toBe(2);
  request.answer({ followStatus: 2 });
  await done;
});

test("[PEOPLE-100] what the server does not do is taken back and told", async () => {
  changeRelation(bo.userId, { likeStatus: 1 });
  answers.mockRejectedValueOnce(refused(429));
  const done = setLike(bo, false);
  expect(relationOf(bo.userId)?.likeStatus).toBe(0);
  await done;
  expect(relationOf(bo.userId)?.likeStatus).toBe(1);
  expect(shownToasts()).toMatchObject([{ type: "error" }]);
  expect(inputs()).toEqual([[like, { userId: 7, likeUserId: 8, on: 0 }]]);
});

test("[PEOPLE-100] presses one after the other end as the last one says, one request at a time", async () => {
  const first = later();
  const second = later();
  const done = setFollow(bo, true);
  void setFollow(bo, false);
  void setFollow(bo, true);
  void setFollow(bo, false);
  expect(status()).toBe(0);
  expect(answers).toHaveBeenCalledTimes(1);
  first.answer({ followStatus: 1 });
  await vi.waitFor(() => expect(answers).toHaveBeenCalledTimes(2));
  second.answer({ followStatus: 0 });
  await done;
  expect(status()).toBe(0);
  expect(inputs().map(([, input]) => (input as { on: number }).on)).toEqual([1, 0]);
});

test.each([
  [403, "not_met"],
  [406, "too_many"],
])("[PEOPLE-101] a %d is told in a dialog, and nothing has changed", async (code, reason) => {
  answers.mockRejectedValueOnce(refused(code, reason));
  await setFollow(bo, true);
  expect(status()).toBe(0);
  expect(isOverlayOpen("refused")).toBe(true);
  expect(shownToasts()).toEqual([]);
});

test("[PEOPLE-102] a block is sent at once, hides the person, and can be undone for 5 s", async () => {
  const hidden = vi.fn<(userId: number) => void>();
  const stop = onPersonHidden(hidden);
  answers.mockResolvedValue({});
  changeRelation(bo.userId, { followStatus: 2, likeStatus: 1, presence: "online" });
  const done = blockPerson(bo);
  expect(relationOf(bo.userId)).toMatchObject({ hidden: true, followStatus: 0, likeStatus: 0, presence: null });
  expect(hidden.mock.calls[0]?.[0]).toBe(8);
  await done;
  const [toast] = shownToasts();
  expect(toast?.durationMs).toBe(undoMs);
  toast?.action?.run();
  await vi.waitFor(() => expect(relationOf(bo.userId)?.hidden).toBe(false));
  // Nothing of what the two were comes back.
  expect(relationOf(bo.userId)).toMatchObject({ followStatus: 0, likeStatus: 0 });
  expect(inputs()).toEqual([
    [block, { user_id: 7, other_id: 8 }],
    [unblock, { user_id: 7, other_id: 8 }],
  ]);
  stop();
});

test("[PEOPLE-102] a block that the server did not take leaves everything as it was", async () => {
  changeRelation(bo.userId, { followStatus: 2, likeStatus: 1, presence: "away" });
  answers.mockRejectedValueOnce(refused(0, "network"));
  await blockPerson(bo);
  expect(relationOf(bo.userId)).toMatchObject({ hidden: false, followStatus: 2, likeStatus: 1, presence: "away" });
  expect(shownToasts()).toEqual([]);
});
