import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formText, formUserId } from "../form.ts";
import { deskNoteLengthMax, identifierLengthMax } from "../limits.ts";

/** Why a user needs an age check: the policy of a country, or a moderator who asked for it. */
const ageGates = ["country", "asked"] as const;
export type AgeGateReason = (typeof ageGates)[number];

/** `failed`: the last method did not show that the user is an adult. */
const ageStates = ["none", "pending", "failed", "passed"] as const;

/** What a user can begin with: any method, or an identity document only. */
const ageBeginnings = ["any", "document"] as const;

/** Data of a 403 `age_check`. */
const ageRefusalSchema = v.object({
  why: v.picklist(ageGates),
  state: v.picklist(["none", "pending", "failed"]),
  /** When the user can begin the next check, milliseconds since the epoch; null: now, or never. */
  retry_at: v.nullable(v.number()),
});
export type AgeRefusal = v.InferOutput<typeof ageRefusalSchema>;

const ageInfoSchema = v.object({
  /** The user needs a check before meeting anyone. */
  required: v.boolean(),
  why: v.nullable(v.picklist(ageGates)),
  state: v.picklist(ageStates),
  /** What the user can begin with now. None with `vendor` null: the country is closed; otherwise wait or ask support. */
  methods: v.array(v.picklist(ageBeginnings)),
  /** The vendor's name; null where this site has none. */
  vendor: v.nullable(v.string()),
  retry_at: v.nullable(v.number()),
  /** Of a check that a moderator asked for: its deadline; otherwise null. */
  until: v.nullable(v.number()),
});
export type AgeInfo = v.InferOutput<typeof ageInfoSchema>;

export const ageInfo = endpoint({
  path: "/api/age/info",
  summary: "Read whether the user needs an age check, and its state",
  access: "user",
  input: { user_id: formUserId },
  output: ageInfoSchema,
});

export const ageBegin = endpoint({
  path: "/api/age/begin",
  summary: "Begin an age check at the vendor, or continue the running one",
  access: "user",
  input: { user_id: formUserId, method: v.optional(v.picklist(ageBeginnings), "any") },
  /** The vendor's page, for a window of its own. */
  output: v.object({ url: v.string() }),
});

export const adminAgeAsk = endpoint({
  path: "/admin/age/ask",
  summary: "Ask the reported user for an age check instead of a ban",
  access: "moderator",
  input: {
    user_id: formUserId,
    /** The claimed case. */
    id: formText(1, identifierLengthMax),
    note: v.optional(formText(0, deskNoteLengthMax), ""),
  },
  output: v.object({
    /** When the case returns to its queue, milliseconds since the epoch. */
    until: v.number(),
  }),
});
