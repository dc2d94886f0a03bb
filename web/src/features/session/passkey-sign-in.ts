import { useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { passkeyLogin, passkeyLoginPrepare } from "@fava/wire/endpoints/passkeys.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { deviceId } from "#lib/device-id.ts";
import { useT } from "#lib/i18n.ts";
import { PasskeyError, signWithPasskey } from "#lib/passkeys.ts";
import { showToast } from "#ui/toast-store.ts";
import { enterBy } from "./sign-in.ts";
import { signInSource } from "./sign-in-source.ts";

/** Signs in with a passkey that the user chooses in the browser's own dialog. */
export function usePasskeySignIn(): { isPending: boolean; start: () => void } {
  const t = useT();
  const [isPending, setPending] = useState(false);
  async function run(): Promise<void> {
    setPending(true);
    try {
      const answer = await signWithPasskey(await request(passkeyLoginPrepare, {}));
      await enterBy(request(passkeyLogin, { answer, source: signInSource(), imei: deviceId() }));
    } catch (error) {
      if (hasFailed(error)) showToast({ type: "error", text: t("passkeys.signInFailed") });
    } finally {
      setPending(false);
    }
  }
  return { isPending, start: () => void run() };
}

/** False if the user closed the browser's dialog, or if a ban notice or the toast "Server error" informs them. */
function hasFailed(error: unknown): boolean {
  if (error instanceof PasskeyError) return error.reason !== "cancelled";
  if (error instanceof RequestFailure) return error.code === codes.badInput;
  throw error;
}
