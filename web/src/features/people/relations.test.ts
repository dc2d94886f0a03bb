import { afterEach, expect, test, vi } from "vitest";
import type { SocialEvent } from "@fava/wire/messages.ts";
import { noteRelations, onPersonHidden, relationOf } from "./relations.ts";
import { publishSocial } from "./social-messages.ts";

const bo = { user_id: 8, externalId: "x-bo", followStatus: 1, likeStatus: 0, presence: null } as const;
const hear = (event: SocialEvent) => publishSocial({ type: "social", sequence: 1, event });

afterEach(() => noteRelations([bo]));

test("shares one relation between all parts of the page", () => {
  noteRelations([bo]);
  const about = { userId: 8, externalId: "x-bo", isContact: true } as const;
  hear({ kind: "relation", ...about, followStatus: 2, likeStatus: 1, presence: "online" });
  expect(relationOf(8)).toMatchObject({ followStatus: 2, likeStatus: 1, presence: "online", hidden: false });
});

test("follows the presence of friends only", () => {
  noteRelations([bo, { ...bo, user_id: 9, externalId: "x-cy", followStatus: 2, presence: "online" }]);
  publishSocial({ type: "presence", externalId: "x-cy", presence: "away" });
  publishSocial({ type: "presence", externalId: "x-bo", presence: "online" });
  expect(relationOf(9)?.presence).toBe("away");
  expect(relationOf(8)?.presence).toBeNull();
});

test("resets the relation to a user hidden by the server, and distinguishes that from an own block", () => {
  noteRelations([{ ...bo, followStatus: 2, presence: "online" }]);
  const heard = vi.fn<(userId: number, hidden: { by: "me" | "server" }) => void>();
  const stop = onPersonHidden(heard);
  hear({ kind: "hidden", userId: 8, externalId: "x-bo", unread_total: 0 });
  expect(relationOf(8)).toMatchObject({ hidden: true, followStatus: 0, presence: null });
  expect(heard.mock.calls[0]).toMatchObject([8, { by: "server" }]);
  stop();
});
