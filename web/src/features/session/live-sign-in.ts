import { currentLanguage } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import { session } from "#lib/session.ts";
import { googleButton } from "./google-button.ts";
import { type GoogleIdentity, type GoogleMoment, loadScript } from "./provider-scripts.ts";
import { claimText, type ThirdPartyProvider, readClaims, SignInError, type ThirdPartySignIn } from "./third-party.ts";

const facebookVersion = "v25.0";

/** So long Google's prompt may say nothing. Where the browser itself shows it, it says up to a minute late that it does not. */
const promptSilentMs = 4_000;
/** As long as the server knows a nonce: nothing can come of what takes longer. */
const googleWaitMs = 600_000;
/** What Google takes for its button, in CSS pixels. */
const buttonWidthPx = { min: 200, max: 400 } as const;

/** Signs in with the provider's own script. Its window opens from the script, so the script is loaded beforehand. */
export async function signInLive(provider: ThirdPartyProvider, nonce: string): Promise<ThirdPartySignIn> {
  try {
    switch (provider.login_type) {
      case 1:
        return await signInWithGoogle(provider, nonce);
      case 2:
        return await signInWithFacebook(provider);
      case 3:
        return await signInWithApple(provider, nonce);
    }
  } catch (error) {
    throw error instanceof SignInError ? error : new SignInError("failed", error);
  }
}

/** Fetches the scripts before the press, because a window that opens long after the press is blocked. */
export function warmUpLive(providers: readonly ThirdPartyProvider[]): void {
  const names = { 1: "google", 2: "FB", 3: "AppleID" } as const;
  for (const { login_type } of providers) {
    loadScript(names[login_type]).catch((error: unknown) => console.warn("sign-in script", error));
  }
}

async function signInWithGoogle(provider: ThirdPartyProvider, nonce: string): Promise<ThirdPartySignIn> {
  const { accounts } = await loadScript("google");
  const credential = await credentialOfGoogle(accounts.id, { client_id: provider.client_id, nonce });
  const claims = readClaims(credential);
  return {
    login_type: 1,
    third_party_id: claimText(claims, "sub"),
    third_party_token: credential,
    nickname: claimText(claims, "name"),
    avatar: claimText(claims, "picture"),
  };
}

/**
 * Asks by Google's prompt, and in the login popup by its own button where that does not come: for up to four weeks after
 * somebody closed it, and for good where their account says so.
 */
function credentialOfGoogle(google: GoogleIdentity, client: { client_id: string; nonce: string }): Promise<string> {
  const draw = (place: HTMLElement) => drawButton(google, place);
  let isOver = false;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let end: ReturnType<typeof setTimeout> | undefined;
  const answer = new Promise<string>((resolve, reject) => {
    const cancel = () => reject(new SignInError("cancelled"));
    const offerButton = () => {
      // The prompt's word may come long after the end, and whoever has come in another way needs no button.
      if (isOver || session.getState().status !== "anonymous") return cancel();
      googleButton.setState({ draw });
      void openOverlay("login").then(() => {
        google.cancel();
        cancel();
      });
    };
    silence = setTimeout(offerButton, promptSilentMs);
    end = setTimeout(() => reject(new SignInError("failed", "no answer")), googleWaitMs);
    google.initialize({ ...client, callback: ({ credential }) => resolve(credential) });
    google.prompt((moment) => {
      if (moment.isDisplayed?.()) clearTimeout(silence);
      else if (wasClosed(moment)) cancel();
      else if (moment.isNotDisplayed?.() || moment.isSkippedMoment?.()) offerButton();
    });
  });
  return answer.finally(() => {
    isOver = true;
    clearTimeout(silence);
    clearTimeout(end);
    if (googleButton.getState().draw === draw) googleButton.setState({ draw: null });
  });
}

/**
 * By the person, by us, or in favour of another sign-in; where the browser itself shows the prompt no reason is told. One
 * that has led to a sign-in is dismissed as well, which ends nothing.
 */
function wasClosed(moment: GoogleMoment): boolean {
  const reason = moment.getSkippedReason?.() ?? moment.getDismissedReason?.() ?? "";
  return ["user_cancel", "tap_outside", "cancel_called", "flow_restarted"].includes(reason);
}

function drawButton(google: GoogleIdentity, place: HTMLElement): void {
  const { min, max } = buttonWidthPx;
  google.renderButton(place, {
    size: "large",
    text: "continue_with",
    width: Math.min(max, Math.max(min, place.clientWidth)),
    locale: currentLanguage().replace("-", "_"),
  });
}

async function signInWithFacebook(provider: ThirdPartyProvider): Promise<ThirdPartySignIn> {
  const facebook = await loadScript("FB");
  facebook.init({ appId: provider.client_id, version: facebookVersion, cookie: false, xfbml: false });
  const answer = await new Promise<{ accessToken: string; userID: string } | null>((resolve) =>
    facebook.login((result) => resolve(result.authResponse), { scope: "email,public_profile" }),
  );
  if (!answer) throw new SignInError("cancelled");
  // Name and picture are read by the server, which has the secret that proves the token is ours.
  return {
    login_type: 2,
    third_party_id: answer.userID,
    third_party_token: answer.accessToken,
    nickname: "",
    avatar: "",
  };
}

async function signInWithApple(provider: ThirdPartyProvider, nonce: string): Promise<ThirdPartySignIn> {
  const apple = await loadScript("AppleID");
  apple.auth.init({
    clientId: provider.client_id,
    scope: "name email",
    redirectURI: provider.url,
    nonce,
    usePopup: true,
  });
  const answer = await apple.auth.signIn().catch((error: unknown) => {
    const code = typeof error === "object" && error !== null && "error" in error ? error.error : null;
    throw new SignInError(code === "popup_closed_by_user" ? "cancelled" : "failed", error);
  });
  // Apple names the person only at the very first sign-in, and beside the token rather than in it.
  const name = answer.user?.name;
  return {
    login_type: 3,
    third_party_id: claimText(readClaims(answer.authorization.id_token), "sub"),
    third_party_token: answer.authorization.id_token,
    nickname: [name?.firstName, name?.lastName].filter(Boolean).join(" "),
    avatar: "",
  };
}
