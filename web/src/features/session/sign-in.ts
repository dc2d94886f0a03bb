import { useState } from "react";
import * as v from "valibot";
import { codes } from "@fava/wire/codes.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { login, loginPrepare } from "@fava/wire/endpoints/session.ts";
import { type LoginType, loginTypes } from "@fava/wire/people.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { deviceId } from "#lib/device-id.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { RemoteValue, useRemote } from "#lib/remote-value.ts";
import { completeLogin } from "#lib/session.ts";
import { showToast } from "#ui/toast-store.ts";
import { askToRestore } from "./restore-account.ts";
import { signInSource } from "./sign-in-source.ts";
import { type Preparation, type ThirdPartyProvider, SignInError, type ThirdPartySignIn } from "./third-party.ts";

/** A nonce is valid for 10 minutes on the server; a fresh one is fetched well before. */
const preparationFreshMs = 8 * 60_000;

/** Loaded with the nonce if a provider is live, long before the press; the sandbox does not need it. */
const live = () => import("./live-sign-in.ts");

const preparationValue = new RemoteValue({
  staleMs: preparationFreshMs,
  load: async () => {
    const preparation = await request(loginPrepare, {}, { quiet: true });
    const providers = preparation.providers.filter(({ mode }) => mode === "live");
    if (providers.length > 0) (await live()).warmUpLive(providers);
    return preparation;
  },
});

interface SignIn {
  /** The provider whose window is open, or null. */
  pending: LoginType | null;
  /** Call it in the click itself, or the browser blocks the provider's window. */
  start(loginType: LoginType): void;
}

/** Sign-in with one of the three providers. The nonce is fetched ahead, so that the window opens in the click. */
export function useSignIn(): SignIn {
  const t = useT();
  const [pending, setPending] = useState<LoginType | null>(null);
  const preparation = useRemote(preparationValue);

  async function run(loginType: LoginType, { providers, nonce }: Preparation): Promise<void> {
    setPending(loginType);
    // A nonce is valid for one sign-in, whatever its result.
    preparationValue.invalidate();
    try {
      const provider = providerOf(providers, loginType);
      const signedIn =
        provider.mode === "sandbox"
          ? await signInWithSandbox(provider, nonce)
          : await (await live()).signInLive(provider, nonce);
      await enter(signedIn);
    } catch (error) {
      const text = failureText(error);
      if (text) showToast({ type: "error", text: t(text) });
    } finally {
      setPending(null);
    }
  }

  return {
    pending,
    start(loginType) {
      if (preparation && !preparationValue.isStale) {
        void run(loginType, preparation);
        return;
      }
      // No valid nonce has arrived yet. Browsers still allow a window for a moment after the press.
      preparationValue.fetch().then(
        (arrived) => run(loginType, arrived),
        (error: unknown) => {
          if (!(error instanceof RequestFailure)) throw error;
          showToast({ type: "error", text: t("error.server") });
        },
      );
    },
  };
}

function providerOf(providers: readonly ThirdPartyProvider[], loginType: LoginType): ThirdPartyProvider {
  const provider = providers.find((candidate) => candidate.login_type === loginType);
  if (!provider) throw new SignInError("failed", `no provider ${loginType}`);
  return provider;
}

async function enter(signedIn: ThirdPartySignIn): Promise<void> {
  if (signedIn.third_party_id === "" || signedIn.third_party_token === "") throw new SignInError("failed");
  await enterBy(request(login, { ...signedIn, source: signInSource(), imei: deviceId() }));
}

/** Completes a sign-in, or asks whether to restore the deleted account that it found. */
export async function enterBy(response: Promise<OutputOf<typeof login>>): Promise<void> {
  try {
    await completeLogin(await response);
  } catch (error) {
    if (!(error instanceof RequestFailure) || !offerRestore(error)) throw error;
  }
}

/** Null if something else informs the user: a ban notice, the toast "Server error", or the window that they closed. */
function failureText(error: unknown): "login.blocked" | "login.failed" | null {
  if (error instanceof SignInError) {
    if (error.reason === "cancelled") return null;
    if (error.reason === "failed") console.error("sign-in failed", error.cause);
    return error.reason === "blocked" ? "login.blocked" : "login.failed";
  }
  if (!(error instanceof RequestFailure)) throw error;
  return error.code === codes.badInput ? "login.failed" : null;
}

const deletedSchema = v.object({
  reason: v.literal("account_deleted"),
  until: v.number(),
  restore_token: v.string(),
});

/** Asks whether to restore the account if the sign-in found a deleted one; returns whether it did. */
export function offerRestore(failure: RequestFailure): boolean {
  if (failure.code !== codes.forbidden) return false;
  const deleted = v.safeParse(deletedSchema, failure.data);
  if (!deleted.success) return false;
  closeOverlay("login");
  askToRestore(deleted.output.until, deleted.output.restore_token);
  return true;
}

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
 * Opens the sandbox provider's account chooser. Call it in the click itself, or the browser blocks the window.
 *
 * @throws SignInError `blocked` without a window, `cancelled` when it was closed unanswered
 */
function signInWithSandbox(provider: ThirdPartyProvider, nonce: string): Promise<ThirdPartySignIn> {
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
      // Any page may post messages to this one: accept only those of our own chooser's window.
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
