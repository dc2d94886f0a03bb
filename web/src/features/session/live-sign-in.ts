import { currentLanguage } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import { session } from "#lib/session.ts";
import { googleButton } from "./google-button.ts";
import { type GoogleIdentity, type GoogleMoment, loadScript } from "./provider-scripts.ts";
import { claimText, type ThirdPartyProvider, readClaims, SignInError, type ThirdPartySignIn } from "./third-party.ts";

const facebookVersion = "v25.0";

/**
 * How long to wait for a report of Google's prompt. With FedCM, where the browser shows the prompt, the report that it
 * does not appear takes up to a minute.
 */
const promptSilentMs = 4_000;
/** How long the sign-in waits for the user: as long as a nonce is valid on the server. */
const googleWaitMs = 600_000;
/** The width limits of Google's button, in CSS pixels. */
const buttonWidthPx = { min: 200, max: 400 } as const;

/** Signs in with the provider's own script. The script opens the window, so it is loaded beforehand. */
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

/** Loads the scripts before the press, because a window that opens long after the press is blocked. */
export function warmUpLive(providers: readonly ThirdPartyProvider[]): void {
  const names = { 1: "google", 2: "FB", 3: "AppleID" } as const;
  for (const { login_type } of providers) {
    loadScript(names[login_type]).catch((error: unknown) => console.warn("sign-in script failed to load", error));
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
 * Asks by Google's prompt, and by its button in the login dialog if the prompt does not appear: Google suppresses it
 * for up to four weeks after a user closed it, or by an account setting.
 */
function credentialOfGoogle(google: GoogleIdentity, client: { client_id: string; nonce: string }): Promise<string> {
  const draw = (place: HTMLElement) => drawButton(google, place);
  let isOver = false;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let end: ReturnType<typeof setTimeout> | undefined;
  const answer = new Promise<string>((resolve, reject) => {
    const cancel = () => reject(new SignInError("cancelled"));
    const offerButton = () => {
      // The prompt may report after the sign-in is over, and a user who has signed in another way needs no button.
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
 * Whether a report says that the user, this page, or a later sign-in has closed the prompt. Where the browser shows the
 * prompt (FedCM), reports have no reason. A prompt that led to a sign-in is reported as dismissed, too.
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
  // The server reads name and image, because it has the secret that verifies the token.
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
  // Apple sends the user's name only at the very first sign-in, and beside the token rather than in it.
  const name = answer.user?.name;
  return {
    login_type: 3,
    third_party_id: claimText(readClaims(answer.authorization.id_token), "sub"),
    third_party_token: answer.authorization.id_token,
    nickname: [name?.firstName, name?.lastName].filter(Boolean).join(" "),
    avatar: "",
  };
}
