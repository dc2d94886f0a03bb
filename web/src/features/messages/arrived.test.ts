import { expect, test } from "vitest";
import type { SocialFrame } from "#lib/social-frames.ts";
import { conversation, message } from "#testing/message-makers.ts";
import { arrivedFrom } from "./messages.ts";
import { emptyMessages } from "./messages-state.ts";

function frame(change: { own?: boolean; request?: boolean } = {}): SocialFrame {
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

test("[A11Y-11] a message says from whom it is", () => {
  expect(arrivedFrom(frame(), emptyMessages)).toBe("bo");
});

test("[A11Y-11] nothing is said of an own message, of a stranger's request, nor where the log says it", () => {
  expect(arrivedFrom(frame({ own: true }), emptyMessages)).toBeNull();
  expect(arrivedFrom(frame({ request: true }), emptyMessages)).toBeNull();
  expect(arrivedFrom(frame(), { ...emptyMessages, thread: open })).toBeNull();
  expect(arrivedFrom({ type: "typing", externalId: "bo" }, emptyMessages)).toBeNull();
});
