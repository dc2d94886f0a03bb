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
    /** Address of the file; valid in its owner's browser until `until`, milliseconds since the epoch. */
    url: v.string(),
    until: v.number(),
  }),
  v.object({ state: v.literal("failed") }),
]);

export const accountInfo = endpoint({
  path: "/api/user/account/info",
  summary: "Sign-ins of the last 90 days, and the consequences of deleting the account",
  access: "user",
  isRead: true,
  appeal: true,
  input: { user_id: formUserId },
  output: v.object({
    sessions: v.array(
      v.object({
        /** 1: the session of this request. */
        current: v.picklist([0, 1]),
        source: v.picklist(sources),
        login_type: v.picklist(loginTypes),
        /** Names from the user agent; the catalogs join them, as in `Chrome on Linux`. */
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
      /** Unused purchases that the deletion would refund. */
      refunds: v.array(v.object({ beans: v.number(), price_minor: v.number(), currency_code: v.string() })),
      /** Beans that the deletion would forfeit. */
      beans_lost: v.number(),
      /** Until when an account deleted now could be restored, milliseconds since the epoch. */
      until: v.number(),
    }),
  }),
});

export const accountDel = endpoint({
  path: "/api/user/account/del",
  summary: "Delete the account: hidden at once, erased after 14 days",
  access: "user",
  appeal: true,
  input: {
    user_id: formUserId,
    /** The account number, typed by the user to confirm. */
    user_no: formText(1, 16),
  },
  output: v.object({
    /** Until when the account can be restored, milliseconds since the epoch. */
    until: v.number(),
  }),
});

export const accountRestore = endpoint({
  path: "/api/user/account/restore",
  summary: "Restore an account deleted in the last 14 days, and sign in",
  access: "public",
  input: {
    /** From the 403 `account_deleted` of a sign-in. */
    restore_token: formText(1, 1_024),
    source: formChoice(sources),
    imei: v.optional(formText(0, identifierLengthMax), ""),
  },
  output: login.output,
});

export const logoutAll = endpoint({
  path: "/api/logout/all",
  summary: "End every session of the user, including this one",
  access: "user",
  input: { user_id: formUserId },
  output: v.object({}),
});

export const userExport = endpoint({
  path: "/api/user/export",
  summary: "Export all data of the user as one file: read the progress, or start it",
  access: "user",
  appeal: true,
  input: {
    user_id: formUserId,
    /** 0: read the state, 1: start an export. */
    begin: v.optional(formChoice([0, 1]), 0),
  },
  output: exportSchema,
});
