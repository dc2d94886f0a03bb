import type { Endpoint, InputOf } from "@fava/wire/endpoint.ts";
import { signKeyOf } from "#lib/api/sign-keys.ts";
import { signedHeaders } from "#lib/api/sign.ts";
import { readStored } from "#lib/storage.ts";
import { RequestFailure } from "./request-failure.ts";
import { formOf } from "./request.ts";

/** Sends a signed request in the same turn, so that it leaves even while the page closes. */
export type PreparedRequest = () => Promise<void>;

/**
 * Signs a request now, to be sent while its signature is valid (minutes): a closing page has no time left to sign. The
 * response is not read, because the page is gone by then.
 *
 * @throws RequestFailure without a session.
 */
export async function prepareRequest<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<PreparedRequest> {
  const token = readStored("loginToken") ?? "";
  const key = await signKeyOf(token);
  if (!key) throw new RequestFailure({ code: 0, reason: "expired" });
  const { path } = endpoint;
  const form = formOf(input as object, null);
  const headers = await signedHeaders({ path, token, key, body: form.bytes });
  return async () => {
    const request = { method: "POST", keepalive: true, body: form.bytes };
    await fetch(path, { ...request, headers: { ...headers, "content-type": form.contentType } });
  };
}
