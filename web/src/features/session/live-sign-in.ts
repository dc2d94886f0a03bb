import { loadScript } from "./provider-scripts.ts";
import { claimText, type ThirdPartyProvider, readClaims, SignInError, type ThirdPartySignIn } from "./third-party.ts";

const facebookVersion = "v25.0";

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
  const google = await loadScript("google");
  const credential = await new Promise<string>((resolve, reject) => {
    google.accounts.id.initialize({
      client_id: provider.client_id,
      nonce,
      callback: (answer) => resolve(answer.credential),
    });
    google.accounts.id.prompt((moment) => {
      if (moment.isNotDisplayed?.()) reject(new SignInError("blocked"));
      else if (moment.isSkippedMoment?.() || moment.isDismissedMoment?.()) reject(new SignInError("cancelled"));
    });
  });
  const claims = readClaims(credential);
  return {
    login_type: 1,
    third_party_id: claimText(claims, "sub"),
    third_party_token: credential,
    nickname: claimText(claims, "name"),
    avatar: claimText(claims, "picture"),
  };
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
