import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { activateLanguage } from "#lib/i18n.ts";
import { dismissPassingToasts, shownToasts } from "#ui/toast-store.ts";
import { startRematchNotices } from "./rematch-notices.ts";
import { onMeetingStart } from "./rematch.ts";
import { publishSocial } from "./social-messages.ts";

beforeAll(() => activateLanguage("en"));
afterEach(dismissPassingToasts);

test.each(["both", "waiting"] as const)("shows `%s` in a toast with a button that starts the call", (state) => {
  const owner = new AbortController();
  startRematchNotices(owner.signal, () => false);
  const started = vi.fn<(person: object) => void>();
  const stop = onMeetingStart(started);
  const event = { kind: "meet", userId: 8, externalId: "x-bo", nickname: "Bo", avatar: "", state } as const;
  publishSocial({ type: "social", sequence: 1, event });
  shownToasts()[0]?.action?.run();
  expect(started.mock.calls).toEqual([[{ userId: 8, nickname: "Bo" }]]);
  dismissPassingToasts();
  owner.abort();
  publishSocial({ type: "social", sequence: 2, event });
  expect(shownToasts()).toEqual([]);
  stop();
});

test("shows no toast for the end of the waiting", () => {
  const owner = new AbortController();
  startRematchNotices(owner.signal, () => false);
  const event = { kind: "meet", userId: 8, externalId: "x-bo", nickname: "Bo", avatar: "", state: "over" } as const;
  publishSocial({ type: "social", sequence: 1, event });
  expect(shownToasts()).toEqual([]);
  owner.abort();
});

test("shows no toast to a user who waits for that partner, or is in a call with them", () => {
  const owner = new AbortController();
  startRematchNotices(owner.signal, (userId) => userId === 8);
  const told = (userId: number, state: "waiting" | "both") => {
    const event = { kind: "meet", userId, externalId: "x", nickname: `${userId} ${state}`, avatar: "", state } as const;
    publishSocial({ type: "social", sequence: 1, event });
  };
  told(8, "waiting");
  expect(shownToasts()).toEqual([]);
  told(8, "both");
  told(9, "waiting");
  expect(shownToasts()).toHaveLength(2);
  owner.abort();
});
