import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formInteger, formUserId } from "../form.ts";

export const matchSubscriptionInfo = endpoint({
  path: "/api/video/match/tell/info",
  summary: "The user's stored request for a notification of a fitting search",
  access: "complete",
  isRead: true,
  input: { user_id: formUserId },
  output: v.strictObject({
    wish: v.nullable(
      v.strictObject({
        sex: v.picklist([0, 1, 2]),
        /** As for `/api/video/match/start`. */
        country: v.number(),
        /** Milliseconds since the epoch. */
        until: v.number(),
      }),
    ),
  }),
});

export const matchSubscription = endpoint({
  path: "/api/video/match/tell",
  summary: "Notify the user once, within 24 hours, when another user searches and both their filters match",
  access: "complete",
  input: {
    user_id: formUserId,
    /** As for `/api/video/match/start`; the notification is free. */
    sex: formChoice([0, 1, 2]),
    country: formInteger(-1, 10_000),
    /** 1: replaces an earlier request; 0: removes it. */
    on: formChoice([0, 1]),
  },
  output: v.strictObject({
    /** Milliseconds since the epoch; null where no request is stored. */
    until: v.nullable(v.number()),
  }),
});
