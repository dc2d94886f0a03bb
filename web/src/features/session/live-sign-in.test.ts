import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeAllOverlays, closeOverlay, isOverlayOpen } from "#lib/overlays.ts";
import { googleButton } from "./google-button.ts";
import { signInLive } from "./live-sign-in.ts";
import type { GoogleIdentity, GoogleMoment } from "./provider-scripts.ts";
import { type ThirdPartyProvider, readClaims } from "./third-party.ts";

const provider = (loginType: 1 | 2 | 3): ThirdPartyProvider => ({
  login_type: loginType,
  mode: "live",
  client_id: "client-1",
  url: "https://chat.example/return",
});

const idToken = (claims: object) =>
  ["e30", btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(claims)))), "signature"].join(".");

const scripts = {
  google: {
    accounts: {
      id: {
        initialize: vi.fn<GoogleIdentity["initialize"]>(),
        prompt: vi.fn<GoogleIdentity["prompt"]>(),
        renderButton: vi.fn<GoogleIdentity["renderButton"]>(),
        cancel: vi.fn<() => void>(),
      },
    },
  },
  FB: { init: vi.fn<(options: object) => void>(), login: vi.fn<(listener: object, options: object) => void>() },
  AppleID: { auth: { init: vi.fn<(options: object) => void>(), signIn: vi.fn<() => Promise<object>>() } },
};

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers();
  for (const [name, script] of Object.entries(scripts)) vi.stubGlobal(name, script);
  // Every script that is added to the page loads.
  vi.stubGlobal("document", {
    createElement: () => new EventTarget(),
    head: { append: (script: EventTarget) => script.dispatchEvent(new Event("load")) },
  });
});
afterEach(() => {
  closeAllOverlays();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("signs in with Google by our client id and nonce; id, name and image come from its token", async () => {
  scripts.google.accounts.id.initialize.mockImplementation((options) => {
    options.callback({ credential: idToken({ sub: "g-1", name: "Añá", picture: "https://pictures.example/1" }) });
  });
  await expect(signInLive(provider(1), "nonce-1")).resolves.toEqual({
    login_type: 1,
    third_party_id: "g-1",
    third_party_token: expect.stringContaining(".") as string,
    nickname: "Añá",
    avatar: "https://pictures.example/1",
  });
  expect(scripts.google.accounts.id.initialize.mock.calls[0]?.[0]).toMatchObject({
    client_id: "client-1",
    nonce: "nonce-1",
  });
});

/** A Google sign-in whose prompt was requested, with Google's report on it. */
async function askGoogle() {
  const signingIn = signInLive(provider(1), "nonce-1");
  // The test looks at the result later.
  signingIn.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  const { initialize, prompt } = scripts.google.accounts.id;
  return {
    signingIn,
    say: (moment: GoogleMoment) => prompt.mock.lastCall?.[0](moment),
    choose: () => initialize.mock.lastCall?.[0].callback({ credential: idToken({ sub: "g-1" }) }),
  };
}

test("signs in when Google's prompt closes because the user chose an account", async () => {
  const { signingIn, say, choose } = await askGoogle();
  const dismissed = { isDismissedMoment: () => true, getDismissedReason: () => "credential_returned" };
  say(dismissed);
  choose();
  await expect(signingIn).resolves.toMatchObject({ third_party_id: "g-1" });
});

test.each<[string, () => GoogleMoment]>([
  ["is not shown", () => ({ isNotDisplayed: () => true })],
  ["is skipped without a reason", () => ({ isSkippedMoment: () => true })],
  ["is skipped", () => ({ isSkippedMoment: () => true, getSkippedReason: () => "issuing_failed" })],
])("shows Google's button in the login popup, which signs in, if the prompt %s", async (_what, moment) => {
  const { signingIn, say, choose } = await askGoogle();
  say(moment());
  expect(isOverlayOpen("login")).toBe(true);
  const place = { clientWidth: 900 } as HTMLElement;
  googleButton.getState().draw?.(place);
  const { renderButton } = scripts.google.accounts.id;
  expect(renderButton).toHaveBeenCalledExactlyOnceWith(place, expect.objectContaining({ width: 400, locale: "en" }));
  choose();
  await expect(signingIn).resolves.toMatchObject({ third_party_id: "g-1" });
  expect(googleButton.getState().draw).toBeNull();
});

test("draws the button when the prompt reports nothing for four seconds, but not when it is shown", async () => {
  const shown = await askGoogle();
  shown.say({ isDisplayed: () => true });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isOverlayOpen("login")).toBe(false);
  shown.say({ getSkippedReason: () => "user_cancel", isSkippedMoment: () => true });
  await expect(shown.signingIn).rejects.toMatchObject({ reason: "cancelled" });

  const silent = await askGoogle();
  await vi.advanceTimersByTimeAsync(3_999);
  expect(isOverlayOpen("login")).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect([isOverlayOpen("login"), googleButton.getState().draw]).toEqual([true, expect.any(Function)]);
  silent.choose();
  await silent.signingIn;
});

test("cancels when the user closes the dialog, and ignores the prompt's late report", async () => {
  const { signingIn, say } = await askGoogle();
  say({ isNotDisplayed: () => true });
  closeOverlay("login");
  await expect(signingIn).rejects.toMatchObject({ reason: "cancelled" });
  expect(scripts.google.accounts.id.cancel).toHaveBeenCalledOnce();
  say({ isSkippedMoment: () => true });
  expect([isOverlayOpen("login"), googleButton.getState().draw]).toEqual([false, null]);
});

test("fails a Google sign-in that takes as long as its nonce is valid", async () => {
  const { signingIn } = await askGoogle();
  await vi.advanceTimersByTimeAsync(600_000);
  await expect(signingIn).rejects.toMatchObject({ reason: "failed" });
});

test("requests email and public_profile from Facebook, and sends its access token to the server", async () => {
  scripts.FB.login.mockImplementation((listener) => {
    (listener as (answer: object) => void)({ authResponse: { accessToken: "access", userID: "f-1" } });
  });
  await expect(signInLive(provider(2), "unused")).resolves.toMatchObject({
    login_type: 2,
    third_party_id: "f-1",
    third_party_token: "access",
  });
  expect(scripts.FB.login.mock.calls[0]?.[1]).toEqual({ scope: "email,public_profile" });
  expect(scripts.FB.init.mock.calls[0]?.[0]).toMatchObject({ appId: "client-1" });
});

test("opens Apple's popup for name and email with our return address; the id is the token's subject", async () => {
  scripts.AppleID.auth.signIn.mockResolvedValue({
    authorization: { id_token: idToken({ sub: "a-1" }) },
    user: { name: { firstName: "Ana", lastName: "Silva" } },
  });
  await expect(signInLive(provider(3), "nonce-3")).resolves.toMatchObject({
    login_type: 3,
    third_party_id: "a-1",
    nickname: "Ana Silva",
  });
  expect(scripts.AppleID.auth.init.mock.calls[0]?.[0]).toEqual({
    clientId: "client-1",
    scope: "name email",
    redirectURI: "https://chat.example/return",
    nonce: "nonce-3",
    usePopup: true,
  });
});

const failures = [
  {
    what: "a closed Apple popup",
    loginType: 3,
    arrange: () => scripts.AppleID.auth.signIn.mockRejectedValue({ error: "popup_closed_by_user" }),
    reason: "cancelled",
  },
  {
    what: "an Apple failure",
    loginType: 3,
    arrange: () => scripts.AppleID.auth.signIn.mockRejectedValue({ error: "invalid_client" }),
    reason: "failed",
  },
  {
    what: "a script that a filter has emptied",
    loginType: 1,
    arrange: () => vi.stubGlobal("google", undefined),
    reason: "failed",
  },
] as const;

test.each(failures)("reports $what as what it is", async ({ loginType, arrange, reason }) => {
  arrange();
  await expect(signInLive(provider(loginType), "n")).rejects.toMatchObject({ name: "SignInError", reason });
});

test("fails for a token that cannot be read", () => {
  expect(() => readClaims("no token")).toThrowError(expect.objectContaining({ reason: "failed" }) as Error);
});
