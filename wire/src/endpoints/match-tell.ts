import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formInteger, formUserId } from "../form.ts";

export const matchTellInfo = endpoint({
  path: "/api/video/match/tell/info",
  summary: "Whom the person asked to be told of, as far as it stands",
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

export const matchTell = endpoint({
  path: "/api/video/match/tell",
  summary: "Be told once, within 24 hours, when somebody waits whom these filters and theirs bring together",
  access: "complete",
  input: {
    user_id: formUserId,
    /** As for `/api/video/match/start`; being told costs nothing. */
    sex: formChoice([0, 1, 2]),
    country: formInteger(-1, 10_000),
    /** 1: in place of what was asked for before; 0: not any more. */
    on: formChoice([0, 1]),
  },
  output: v.strictObject({
    /** Milliseconds since the epoch; null where nothing is asked for. */
    until: v.nullable(v.number()),
  }),
});
