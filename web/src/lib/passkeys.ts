import { browserSupportsWebAuthn, startAuthentication, startRegistration } from "@simplewebauthn/browser";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { passkeyLoginPrepare, passkeyPrepare } from "@fava/wire/endpoints/passkeys.ts";

const bareAddress = /^[\d.]+$|^\[/;

/** Whether this browser can use passkeys on this page: a passkey belongs to a name, never to a bare address. */
export function offersPasskeys(): boolean {
  return window.isSecureContext && browserSupportsWebAuthn() && !bareAddress.test(location.hostname);
}

/** `cancelled`: the user closed the browser's dialog, or took too long. `exists`: this device has a passkey already. */
export class PasskeyError extends Error {
  override readonly name = "PasskeyError";
  readonly reason: "cancelled" | "exists" | "failed";
  constructor(cause: Error) {
    super(`passkey: ${cause.message}`, { cause });
    const reasons: Readonly<Record<string, "cancelled" | "exists">> = {
      NotAllowedError: "cancelled",
      AbortError: "cancelled",
      InvalidStateError: "exists",
    };
    this.reason = reasons[cause.name] ?? "failed";
  }
}

/** Creates a passkey on a device of the user. Resolves to the answer that the server takes. @throws PasskeyError */
export async function createPasskey(optionsJSON: OutputOf<typeof passkeyPrepare>): Promise<string> {
  const { id, rawId, type, response } = await startRegistration({ optionsJSON }).catch(fail);
  const { clientDataJSON, attestationObject } = response;
  return JSON.stringify({ id, rawId, type, response: { clientDataJSON, attestationObject } });
}

/** Signs the server's challenge with a passkey that the user chooses. @throws PasskeyError */
export async function signWithPasskey(optionsJSON: OutputOf<typeof passkeyLoginPrepare>): Promise<string> {
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON }).catch(fail);
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return JSON.stringify({ id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } });
}

function fail(error: unknown): never {
  throw error instanceof Error ? new PasskeyError(error) : error;
}
