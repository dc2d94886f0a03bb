import * as v from "valibot";
import { loginTypes } from "@fava/wire/people.ts";
import { type Provider, SignInError, type ThirdPartySignIn } from "./third-party.ts";

const closedCheckMs = 300;

const messageSchema = v.object({
  type: v.literal("fava-sandbox-identity"),
  login_type: v.picklist(loginTypes),
  third_party_id: v.pipe(v.string(), v.minLength(1)),
  third_party_token: v.pipe(v.string(), v.minLength(1)),
  nickname: v.string(),
  avatar: v.string(),
});

/**
 * Opens the sandbox provider's account chooser. Has to run inside the click itself, or the browser blocks the window.
 *
 * @throws SignInError `blocked` without a window, `cancelled` when it was closed unanswered.
 */
export function signInWithSandbox(provider: Provider, nonce: string): Promise<ThirdPartySignIn> {
  const address = new URL(provider.url, location.origin);
  address.searchParams.set("client_id", provider.client_id);
  address.searchParams.set("nonce", nonce);
  address.searchParams.set("origin", location.origin);
  const popup = window.open(address, "fava-sign-in", "popup,width=480,height=760");
  if (!popup) return Promise.reject(new SignInError("blocked"));
  return answerOf(popup);
}

function answerOf(popup: Window): Promise<ThirdPartySignIn> {
  const listening = new AbortController();
  return new Promise<ThirdPartySignIn>((resolve, reject) => {
    const closed = setInterval(() => {
      if (popup.closed) reject(new SignInError("cancelled"));
    }, closedCheckMs);
    listening.signal.addEventListener("abort", () => clearInterval(closed));
    const heard = (event: MessageEvent<unknown>) => {
      // Any page may post messages to this one: only our own chooser's window counts.
      if (event.origin !== location.origin || event.source !== popup) return;
      const message = v.safeParse(messageSchema, event.data);
      if (!message.success) return;
      const { type: _type, ...signIn } = message.output;
      resolve(signIn);
    };
    window.addEventListener("message", heard, { signal: listening.signal });
  }).finally(() => {
    listening.abort();
    popup.close();
  });
}
