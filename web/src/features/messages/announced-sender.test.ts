import { expect, test } from "vitest";
import type { SocialMessage } from "#features/people/social-messages.ts";
import { conversation, message } from "#testing/message-makers.ts";
import { emptyMessages } from "./messages-state.ts";
import { announcedSender } from "./messages.ts";

function frame(change: { own?: boolean; request?: boolean } = {}): SocialMessage {
  return {
    type: "social",
    sequence: 1,
    event: {
      kind: "message",
      conversation: conversation("bo", change.request ? { state: "request_in" } : {}),
      message: message(1, change.own ? { position: "right" } : {}),
      unread_total: 1,
    },
  };
}

const open = {
  externalId: "bo",
  conversation: null,
  messages: [],
  next: null,
  load: "none",
  failed: "none",
  isKnown: true,
  toldRead: null,
} as const;

test("announces the sender of a message", () => {
  expect(announcedSender(frame(), emptyMessages)).toBe("bo");
});

test("announces nothing for an own message, a stranger's request, or what the log announces itself", () => {
  expect(announcedSender(frame({ own: true }), emptyMessages)).toBeNull();
  expect(announcedSender(frame({ request: true }), emptyMessages)).toBeNull();
  expect(announcedSender(frame(), { ...emptyMessages, thread: open })).toBeNull();
  expect(announcedSender({ type: "typing", externalId: "bo" }, emptyMessages)).toBeNull();
});
