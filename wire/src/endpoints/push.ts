import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formIds, formInteger, formText, formUserId } from "../form.ts";
import { pushEndpointLengthMax, pushOffsetMin } from "../limits.ts";
import { notificationChoiceSchema, notificationKinds } from "../notifications.ts";

/** Where the push service of the browser takes messages for it. */
export const pushEndpoint = formText(1, pushEndpointLengthMax);

/** Where a browser is reached, and by which clock it lives. */
export const pushBrowser = {
  endpoint: pushEndpoint,
  /** Keys as browsers give them out, in base64url without padding: an uncompressed point of P-256, and 16 random bytes. */
  p256dh: v.pipe(v.string(), v.regex(/^B[\w-]{86}$/)),
  auth: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)),
  offset_min: formInteger(pushOffsetMin.min, pushOffsetMin.max),
} as const;

export const pushInfo = endpoint({
  path: "/api/push/info",
  summary: "Whether people can be told of something while no page is open, and what this browser is told",
  access: "user",
  isRead: true,
  input: { user_id: formUserId, endpoint: v.optional(pushEndpoint) },
  output: v.strictObject({
    /** The key that a browser subscribes with, in base64url; null where the operator has none, so that nobody is told. */
    key: v.nullable(v.string()),
    /** Null where this browser is told nothing, or did not say which it is. */
    choice: v.nullable(notificationChoiceSchema),
  }),
});

export const pushAdd = endpoint({
  path: "/api/push/add",
  summary: "Tell this browser while no page is open; a second time changes what it is told",
  access: "user",
  input: {
    user_id: formUserId,
    ...pushBrowser,
    /** Ids joined by commas. */
    kinds: formIds(notificationKinds.length - 1, notificationKinds.length),
    names: formChoice([0, 1]),
    quiet: formChoice([0, 1]),
  },
  output: notificationChoiceSchema,
});

export const pushDel = endpoint({
  path: "/api/push/del",
  summary: "Tell this browser nothing any more",
  access: "user",
  input: { user_id: formUserId, endpoint: pushEndpoint },
  output: v.strictObject({}),
});
