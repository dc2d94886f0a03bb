import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import { identifierLengthMax } from "../limits.ts";
import { descriptionSchema } from "../signals.ts";

const ringId = formText(1, identifierLengthMax);

export const ring = endpoint({
  path: "/api/call/ring",
  summary: "Ring a friend, who can accept for 30 s; the caller's search ends. Repeating it keeps the same ring",
  access: "complete",
  overSocket: true,
  input: {
    user_id: formUserId,
    other_id: formUserId,
    /** Session description prepared in advance; the callee's match push carries it when they accept. */
    offer: v.optional(descriptionSchema),
  },
  output: v.variant("state", [
    v.object({
      state: v.literal("ringing"),
      id: v.string(),
      /** Deadline of the ring, milliseconds since the epoch. */
      until: v.number(),
    }),
    /** The callee was ringing the caller as well: the server pushes the match to both. `id` is the callee's ring. */
    v.object({ state: v.literal("connected"), id: v.string(), until: v.number() }),
    /** The callee cannot or does not want to be rung; the response does not reveal why. */
    v.object({ state: v.literal("unavailable") }),
  ]),
});

export const ringAnswer = endpoint({
  path: "/api/call/ring/answer",
  summary: "Accept a ring, which ends the callee's search or call, or decline it; the first answer counts",
  access: "complete",
  overSocket: true,
  input: { user_id: formUserId, id: ringId, accept: formChoice([0, 1]) },
  /**
   * State by the first answer, which later ones do not change. After `connected` the server pushes the match to both.
   */
  output: v.object({ state: v.picklist(["connected", "declined"]) }),
});

export const ringCancel = endpoint({
  path: "/api/call/ring/cancel",
  summary: "Cancel a ring before it is answered; a ring that has ended stays as it is",
  access: "complete",
  overSocket: true,
  input: { user_id: formUserId, id: ringId },
  output: v.object({}),
});

export const ringMute = endpoint({
  path: "/api/call/ring/mute",
  summary: "Mute the rings of a friend for 24 hours, or end the mute; the friend is not notified",
  access: "complete",
  input: { user_id: formUserId, other_id: formUserId, on: formChoice([0, 1]) },
  /** When the mute ends, milliseconds since the epoch; null: the friend may ring. */
  output: v.object({ until: v.nullable(v.number()) }),
});
