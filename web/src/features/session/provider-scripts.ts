/** The parts of the providers' browser scripts that sign-in uses, and their loading. */

export interface GoogleIdentity {
  initialize(options: { client_id: string; nonce: string; callback(answer: { credential: string }): void }): void;
  prompt(listener: (moment: GoogleMoment) => void): void;
  renderButton(place: HTMLElement, look: Readonly<Record<string, string | number>>): void;
  cancel(): void;
}

/** The state of Google's prompt. If the browser shows it, neither its display nor the reason of a skip is reported. */
export interface GoogleMoment {
  isDisplayed?(): boolean;
  isNotDisplayed?(): boolean;
  isSkippedMoment?(): boolean;
  getSkippedReason?(): string | undefined;
  getDismissedReason?(): string | undefined;
}

interface GoogleScript {
  accounts: { id: GoogleIdentity };
}

interface FacebookScript {
  init(options: { appId: string; version: string; cookie: boolean; xfbml: boolean }): void;
  login(
    listener: (answer: { authResponse: { accessToken: string; userID: string } | null }) => void,
    options: { scope: string },
  ): void;
}

interface AppleScript {
  auth: {
    init(options: { clientId: string; scope: string; redirectURI: string; nonce: string; usePopup: boolean }): void;
    signIn(): Promise<{
      authorization: { id_token: string };
      user?: { name?: { firstName?: string; lastName?: string } };
    }>;
  };
}

interface ProviderScripts {
  google: GoogleScript;
  FB: FacebookScript;
  AppleID: AppleScript;
}

const addresses: Readonly<Record<keyof ProviderScripts, string>> = {
  google: "https://accounts.google.com/gsi/client",
  FB: "https://connect.facebook.net/en_US/sdk.js",
  AppleID: "https://appleid.cdn-apple.com/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js",
};

const loading = new Map<keyof ProviderScripts, Promise<unknown>>();

/** Loads a provider's script once; a failed load can be retried. */
export async function loadScript<Name extends keyof ProviderScripts>(name: Name): Promise<ProviderScripts[Name]> {
  const pending = loading.get(name) ?? insertScript(addresses[name]);
  loading.set(name, pending);
  await pending.catch((error: unknown) => {
    loading.delete(name);
    throw error;
  });
  const script = (globalThis as unknown as Partial<ProviderScripts>)[name];
  if (!script) throw new Error(`the script of ${name} did not initialize`);
  return script;
}

function insertScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = address;
    element.async = true;
    element.addEventListener("load", () => resolve());
    element.addEventListener("error", () => {
      element.remove();
      reject(new Error(`could not load ${address}`));
    });
    document.head.append(element);
  });
}
