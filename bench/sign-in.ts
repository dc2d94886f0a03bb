import { type Caller, signedCall } from "@fava/server/test/fixtures/signed-call.ts";
import type { Endpoint, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { userUpdate } from "@fava/wire/endpoints/profile.ts";
import { login } from "@fava/wire/endpoints/session.ts";

/** A signed-in user: the id, the keys that sign requests, and the token that opens the chat socket. */
export interface SignedIn {
  readonly userId: number;
  readonly caller: Caller & { readonly token: string; readonly signKey: Buffer };
  readonly chatSign: { readonly id: string; readonly sign: string };
}

/** Signs in through the sandbox identity provider, and completes a new account with birthday and gender. */
export async function signIn(target: string, { name, sex }: { name: string; sex: 1 | 2 }): Promise<SignedIn> {
  const grant = await fetch(`${target}/sandbox/identity/google/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  const identity = (await grant.json()) as { third_party_id: string; third_party_token: string; nickname: string };
  const { third_party_id, third_party_token, nickname } = identity;
  const account = { login_type: 1 as const, third_party_id, third_party_token, nickname, source: 1 as const };
  const answer = await callOrThrow({ target }, login, account);
  const { user_id: userId, token, sign_key } = answer;
  const caller = { target, token, signKey: Buffer.from(sign_key, "base64url") };
  if (answer.sex === 0) {
    await callOrThrow(caller, userUpdate, { user_id: userId, birth_year: 1995, birthday: "1995-05-15" });
    await callOrThrow(caller, userUpdate, { user_id: userId, sex });
  }
  return { userId, caller, chatSign: { id: answer.tencent_id, sign: answer.tencent_sign } };
}

/** @throws Error with path, code and data if the server refuses the request. */
export async function callOrThrow<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: InputOf<E>,
): Promise<OutputOf<E>> {
  const answer = await signedCall(caller, endpoint, input);
  if (answer.code === 200) return answer.data;
  throw new Error(`${endpoint.path} answered ${answer.code} ${JSON.stringify(answer.data)}`);
}
