import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import { identifierLengthMax } from "../limits.ts";
import { descriptionSchema } from "../signals.ts";

const ringId = formText(1, identifierLengthMax);

export const ring = endpoint({
  path: "/api/call/ring",
  summary: "Ring a friend, who can take it for 30 s; one's own search ends. A second time it is the same ring",
  access: "complete",
  overSocket: true,
  input: {
    user_id: formUserId,
    other_id: formUserId,
    /** Session description prepared in advance; travels inside the match push of the other when they accept. */
    offer: v.optional(descriptionSchema),
  },
  output: v.variant("state", [
    v.object({
      state: v.literal("ringing"),
      id: v.string(),
      /** When it ends by itself, milliseconds since the epoch. */
      until: v.number(),
    }),
    /** The other rang as well: the match is pushed to both. `id` is that ring. */
    v.object({ state: v.literal("connected"), id: v.string(), until: v.number() }),
    /** The other cannot or does not want to be rung, whyever: that cannot be told. */
    v.object({ state: v.literal("unavailable") }),
  ]),
});

export const ringAnswer = endpoint({
  path: "/api/call/ring/answer",
  summary: "Accept a ring, which leaves one's search or call, or decline it; a second answer is the first one's",
  access: "complete",
  overSocket: true,
  input: { user_id: formUserId, id: ringId, accept: formChoice([0, 1]) },
  /** What the first answer was. After `connected` the match is pushed to both. */
  output: v.object({ state: v.picklist(["connected", "declined"]) }),
});

export const ringCancel = endpoint({
  path: "/api/call/ring/cancel",
  summary: "End one's own ring before it was answered; one that is over already stays as it ended",
  access: "complete",
  overSocket: true,
  input: { user_id: formUserId, id: ringId },
  output: v.object({}),
});

export const ringMute = endpoint({
  path: "/api/call/ring/mute",
  summary: "Not be rung by a friend for 24 hours, or take it back; nobody is told",
  access: "complete",
  input: { user_id: formUserId, other_id: formUserId, on: formChoice([0, 1]) },
  /** When it ends by itself, milliseconds since the epoch; null: the friend may ring. */
  output: v.object({ until: v.nullable(v.number()) }),
});
