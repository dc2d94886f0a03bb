import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import { identifierLengthMax } from "../limits.ts";
import { loginTypes, sources } from "../people.ts";
import { login } from "./session.ts";

const exportSchema = v.variant("state", [
  v.object({ state: v.literal("none") }),
  v.object({ state: v.literal("preparing"), percent: v.number() }),
  v.object({
    state: v.literal("ready"),
    name: v.string(),
    size_bytes: v.number(),
    /** Address of the file; opens for its owner's browser until `until`, milliseconds since the epoch. */
    url: v.string(),
    until: v.number(),
  }),
  v.object({ state: v.literal("failed") }),
]);

export const accountInfo = endpoint({
  path: "/api/user/account/info",
  summary: "Sign-ins of the last 90 days, and what deleting the account would mean",
  access: "user",
  isRead: true,
  appeal: true,
  input: { user_id: formUserId },
  output: v.object({
    sessions: v.array(
      v.object({
        /** 1: the one that asks. */
        current: v.picklist([0, 1]),
        source: v.picklist(sources),
        login_type: v.picklist(loginTypes),
        /** As far as the browser told: `Chrome on Linux` is two words of the catalogs and these two names. */
        browser: v.string(),
        system: v.string(),
        country_name: v.string(),
        /** Milliseconds since the epoch. */
        at: v.number(),
        ended_at: v.nullable(v.number()),
        end_reason: v.nullable(v.picklist(["expired", "kicked", "deleted", "signed_out", "banned"])),
      }),
    ),
    deletion: v.object({
      /** Unused purchases that would be refunded. */
      refunds: v.array(v.object({ beans: v.number(), price_minor: v.number(), currency_code: v.string() })),
      /** Beans that would be lost. */
      beans_lost: v.number(),
      /** Until when one could come back if it was deleted now, milliseconds since the epoch. */
      until: v.number(),
    }),
  }),
});

export const accountDel = endpoint({
  path: "/api/user/account/del",
  summary: "Delete the account: gone at once for everybody, and for good after 14 days",
  access: "user",
  appeal: true,
  input: {
    user_id: formUserId,
    /** The account number, typed by the person to confirm. */
    user_no: formText(1, 16),
  },
  output: v.object({
    /** Until when one can come back, milliseconds since the epoch. */
    until: v.number(),
  }),
});

export const accountRestore = endpoint({
  path: "/api/user/account/restore",
  summary: "Come back to a deleted account within 14 days, and be signed in",
  access: "public",
  input: {
    /** Out of the answer 403 `account_deleted` of a sign-in. */
    restore_token: formText(1, 1_024),
    source: formChoice(sources),
    imei: v.optional(formText(0, identifierLengthMax), ""),
  },
  output: login.output,
});

export const logoutAll = endpoint({
  path: "/api/logout/all",
  summary: "End every session of the person, this one among them",
  access: "user",
  input: { user_id: formUserId },
  output: v.object({}),
});

export const userExport = endpoint({
  path: "/api/user/export",
  summary: "Everything kept about the person as one file: look how far it is, or begin",
  access: "user",
  appeal: true,
  input: {
    user_id: formUserId,
    /** 0 look, 1 begin. */
    begin: v.optional(formChoice([0, 1]), 0),
  },
  output: exportSchema,
});
