import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import { deviceIdLengthMax, passkeyAnswerLengthMax } from "../limits.ts";
import { sources } from "../people.ts";
import { login } from "./session.ts";

const publicKeyType = v.literal("public-key");
const credentialId = v.pipe(v.string(), v.regex(/^[\w-]{16,1400}$/));
const credentialFields = {
  id: credentialId,
  rawId: credentialId,
  type: publicKeyType,
  clientExtensionResults: v.optional(v.object({}), {}),
};

/** The answer of a browser's `navigator.credentials`, as the JSON of `toJSON()`. */
function signedAnswer<const Entries extends v.ObjectEntries>(response: Entries) {
  return v.pipe(
    v.string(),
    v.maxLength(passkeyAnswerLengthMax),
    v.parseJson(),
    v.object({ ...credentialFields, response: v.object(response) }),
  );
}

export const passkeyInfo = endpoint({
  path: "/api/user/passkey/info",
  summary: "The user's passkeys, and how many recovery codes are left",
  access: "user",
  isRead: true,
  input: { user_id: formUserId },
  output: v.object({
    passkeys: v.array(
      v.object({
        id: v.string(),
        /** Names from the user agent that added it. */
        browser: v.string(),
        system: v.string(),
        /** Milliseconds since the epoch. */
        at: v.number(),
        used_at: v.nullable(v.number()),
      }),
    ),
    codes_left: v.number(),
  }),
});

export const passkeyPrepare = endpoint({
  path: "/api/user/passkey/prepare",
  summary: "What a browser needs to create a passkey; valid once and for five minutes",
  access: "user",
  input: { user_id: formUserId },
  output: v.object({
    challenge: v.string(),
    rp: v.object({ name: v.string(), id: v.string() }),
    user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
    pubKeyCredParams: v.array(v.object({ type: publicKeyType, alg: v.number() })),
    timeout: v.number(),
    attestation: v.literal("none"),
    excludeCredentials: v.array(v.object({ id: v.string(), type: publicKeyType })),
    authenticatorSelection: v.object({
      residentKey: v.literal("required"),
      requireResidentKey: v.literal(true),
      userVerification: v.literal("required"),
    }),
  }),
});

export const passkeyAdd = endpoint({
  path: "/api/user/passkey/add",
  summary: "Store a passkey that the browser has created",
  access: "user",
  input: {
    user_id: formUserId,
    answer: signedAnswer({ clientDataJSON: v.string(), attestationObject: v.string() }),
  },
  output: v.object({}),
});

export const passkeyDel = endpoint({
  path: "/api/user/passkey/del",
  summary: "Remove a passkey",
  access: "user",
  input: { user_id: formUserId, id: credentialId },
  output: v.object({}),
});

export const recoveryCodes = endpoint({
  path: "/api/user/recovery/codes",
  summary: "Make ten recovery codes, of which each signs in once; earlier ones end",
  access: "user",
  input: { user_id: formUserId },
  output: v.object({ codes: v.array(v.string()) }),
});

export const passkeyLoginPrepare = endpoint({
  path: "/api/login/passkey/prepare",
  summary: "What a browser needs to sign in with a passkey; valid once and for five minutes",
  access: "public",
  input: {},
  output: v.object({
    challenge: v.string(),
    rpId: v.string(),
    timeout: v.number(),
    userVerification: v.literal("required"),
  }),
});

const device = { source: formChoice(sources), imei: v.optional(formText(0, deviceIdLengthMax), "") };

export const passkeyLogin = endpoint({
  path: "/api/login/passkey",
  summary: "Sign in with a passkey",
  access: "public",
  input: {
    answer: signedAnswer({
      clientDataJSON: v.string(),
      authenticatorData: v.string(),
      signature: v.string(),
      userHandle: v.string(),
    }),
    ...device,
  },
  output: login.output,
});

export const recoveryLogin = endpoint({
  path: "/api/login/recovery",
  summary: "Sign in with the account number and a recovery code, which then ends",
  access: "public",
  input: { user_no: formText(1, 16), code: formText(1, 64), ...device },
  output: login.output,
});
