import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { undoMs } from "@fava/wire/limits.ts";
import { activateLanguage } from "#lib/i18n.ts";
import { closeAllOverlays, isOverlayOpen } from "#lib/overlays.ts";
import { Refusal, silence } from "#testing/fixture-world.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { serve, type ServedWorld, signIn, stopServing } from "#testing/serve.ts";
import { dismissPassingToasts, shownToasts } from "#ui/toast-store.ts";
import { blockPerson, setFollow, setLike } from "./relation-actions.ts";
import { changeRelation, onPersonHidden, relationOf } from "./relations.ts";

const bo = { userId: 8, externalId: "x-bo", nickname: "Bo" };
const status = () => relationOf(bo.userId)?.followStatus;
const followed = () => server.asked("follow").map(({ on }) => on);

let server: ServedWorld;

beforeAll(() => activateLanguage("en"));
beforeEach(async () => {
  server = serve({ block: {}, unblock: {}, pushInfo: { key: "key", choice: null } });
  // A browser that can notify but has not asked yet.
  const pushManager = { getSubscription: async () => null };
  const Notification = { permission: "default" };
  vi.stubGlobal("navigator", { serviceWorker: { getRegistration: async () => ({ pushManager }) } });
  vi.stubGlobal("window", { PushManager: class {}, Notification });
  vi.stubGlobal("Notification", Notification);
  await signIn(server);
  changeRelation(bo.userId, { followStatus: 0, likeStatus: 0, presence: null, hidden: false });
});
afterEach(() => {
  dismissPassingToasts();
  closeAllOverlays();
  stopServing();
});

test("shows a follow at once, then the server's response, and asks about notifications for a new friend", async () => {
  const said = heldAnswer<{ followStatus: 2 }>();
  server.answer({ follow: () => said.answer });
  const done = setFollow(bo, true);
  expect(status()).toBe(1);
  said.give({ followStatus: 2 });
  await done;
  expect(status()).toBe(2);
  await vi.waitFor(() => expect(isOverlayOpen("notify")).toBe(true));
  expect(server.asked("follow")).toMatchObject([{ userId: 7, followUserId: 8, on: 1 }]);
});

test("makes a friend at once by following back", async () => {
  server.answer({ follow: { followStatus: 2 } });
  const done = setFollow({ ...bo, isFan: true }, true);
  expect(status()).toBe(2);
  await done;
});

test("reverts what the server rejects, with a message", async () => {
  changeRelation(bo.userId, { likeStatus: 1 });
  server.answer({ like: new Refusal(codes.slowDown) });
  const done = setLike(bo, false);
  expect(relationOf(bo.userId)?.likeStatus).toBe(0);
  await done;
  expect(relationOf(bo.userId)?.likeStatus).toBe(1);
  expect(shownToasts()).toMatchObject([{ type: "error" }]);
  expect(server.asked("like")).toMatchObject([{ userId: 7, likeUserId: 8, on: 0 }]);
});

test("ends with the last of several presses, one request at a time", async () => {
  const first = heldAnswer<{ followStatus: 1 }>();
  server.answer({ follow: ({ on }) => (on === 1 ? first.answer : { followStatus: 0 }) });
  const done = setFollow(bo, true);
  void setFollow(bo, false);
  void setFollow(bo, true);
  void setFollow(bo, false);
  expect(status()).toBe(0);
  await vi.waitFor(() => expect(followed()).toEqual([1]));
  first.give({ followStatus: 1 });
  await done;
  expect(status()).toBe(0);
  expect(followed()).toEqual([1, 0]);
});

test.each([
  [codes.forbidden, "not_met"],
  [codes.refused, "too_many"],
] as const)("[PEOPLE-101] shows a %d in a dialog, and changes nothing", async (code, reason) => {
  server.answer({ follow: new Refusal(code, { reason }) });
  await setFollow(bo, true);
  expect(status()).toBe(0);
  expect(isOverlayOpen("refused")).toBe(true);
  expect(shownToasts()).toEqual([]);
});

test("sends a block at once, hides the user, and offers an undo for 5 s", async () => {
  const hidden = vi.fn<(userId: number) => void>();
  const stop = onPersonHidden(hidden);
  changeRelation(bo.userId, { followStatus: 2, likeStatus: 1, presence: "online" });
  const done = blockPerson(bo);
  expect(relationOf(bo.userId)).toMatchObject({ hidden: true, followStatus: 0, likeStatus: 0, presence: null });
  expect(hidden.mock.calls[0]?.[0]).toBe(8);
  await done;
  const [toast] = shownToasts();
  expect(toast?.durationMs).toBe(undoMs);
  toast?.action?.run();
  await vi.waitFor(() => expect(relationOf(bo.userId)?.hidden).toBe(false));
  // No part of the relation is restored.
  expect(relationOf(bo.userId)).toMatchObject({ followStatus: 0, likeStatus: 0 });
  for (const name of ["block", "unblock"] as const)
    expect(server.asked(name)).toMatchObject([{ user_id: 7, other_id: 8 }]);
  stop();
});

test("changes nothing for a block that the server did not store", async () => {
  changeRelation(bo.userId, { followStatus: 2, likeStatus: 1, presence: "away" });
  server.answer({ block: silence });
  await blockPerson(bo);
  expect(relationOf(bo.userId)).toMatchObject({ hidden: false, followStatus: 2, likeStatus: 1, presence: "away" });
  expect(shownToasts()).toEqual([]);
});
