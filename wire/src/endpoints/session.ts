import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText } from "../form.ts";
import { avatarUrlLengthMax, deviceIdLengthMax, identifierLengthMax, identityTokenLengthMax } from "../limits.ts";
import { loginTypes, sexSchema, sources } from "../people.ts";

export const loginPrepare = endpoint({
  path: "/api/login/prepare",
  summary: "A nonce for the third-party sign-in, and which providers are configured how",
  access: "public",
  input: {},
  output: v.object({
    nonce: v.string(),
    server_time: v.number(),
    providers: v.array(
      v.object({
        login_type: v.picklist(loginTypes),
        /** `sandbox`: our own account chooser; `live`: the provider's script. */
        mode: v.picklist(["sandbox", "live"]),
        client_id: v.string(),
        /** Live Apple: the registered return address. Sandbox: the address of the account chooser. */
        url: v.string(),
      }),
    ),
  }),
});

export const login = endpoint({
  path: "/api/login",
  summary: "Sign in with a token of Google (1), Facebook (2) or Apple (3)",
  access: "public",
  input: {
    login_type: formChoice(loginTypes),
    third_party_id: formText(1, identifierLengthMax),
    third_party_token: formText(1, identityTokenLengthMax),
    /** Accepted and ignored: only the provider's data counts. */
    avatar: v.optional(formText(0, avatarUrlLengthMax), ""),
    nickname: v.optional(formText(0, 200), ""),
    source: formChoice(sources),
    /** Random device id that the browser generated once. */
    imei: v.optional(formText(0, deviceIdLengthMax), ""),
  },
  output: v.object({
    user_id: v.number(),
    user_no: v.string(),
    avatar: v.string(),
    nickname: v.string(),
    sex: sexSchema,
    country_id: v.number(),
    country_name: v.string(),
    country_flag: v.string(),
    /** 1: this sign-in created the account. */
    is_register: v.picklist([0, 1]),
    token: v.string(),
    /** Key that signs the requests of this session, base64url of 32 bytes. */
    sign_key: v.string(),
    tencent_id: v.string(),
    tencent_sign: v.string(),
    server_time: v.number(),
  }),
});

export const logout = endpoint({
  path: "/api/logout",
  summary: "End this session on the server",
  access: "user",
  input: {},
  output: v.object({}),
});
