import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signInLive } from "./live-sign-in.ts";
import { loadScript } from "./provider-scripts.ts";
import { type ThirdPartyProvider, readClaims } from "./third-party.ts";

vi.mock("./provider-scripts.ts");

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
    accounts: { id: { initialize: vi.fn<(options: object) => void>(), prompt: vi.fn<(listener: object) => void>() } },
  },
  FB: { init: vi.fn<(options: object) => void>(), login: vi.fn<(listener: object, options: object) => void>() },
  AppleID: { auth: { init: vi.fn<(options: object) => void>(), signIn: vi.fn<() => Promise<object>>() } },
};

beforeEach(() => {
  vi.mocked(loadScript).mockImplementation((name) => Promise.resolve(scripts[name] as never));
});
afterEach(() => void vi.resetAllMocks());

test("[SIGNIN-11] Google signs in with our client id and nonce; id, name and picture come out of its token", async () => {
  scripts.google.accounts.id.initialize.mockImplementation((options) => {
    const token = idToken({ sub: "g-1", name: "Añá", picture: "https://pictures.example/1" });
    (options as { callback(answer: { credential: string }): void }).callback({ credential: token });
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

test("[SIGNIN-12] Facebook is asked for email and public_profile, and its access token is what the server gets", async () => {
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

test("[SIGNIN-13] Apple opens a popup for name and email with our return address; the id is the token's subject", async () => {
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
    what: "a script that does not load",
    loginType: 1,
    arrange: () => vi.mocked(loadScript).mockRejectedValue(new Error("blocked by a filter")),
    reason: "failed",
  },
] as const;

test.each(failures)("[ERR-15] $what is told as what it is", async ({ loginType, arrange, reason }) => {
  arrange();
  await expect(signInLive(provider(loginType), "n")).rejects.toMatchObject({ name: "SignInError", reason });
});

test("[ERR-15] a token that cannot be read is a failed sign-in", () => {
  expect(() => readClaims("no token")).toThrowError(expect.objectContaining({ reason: "failed" }) as Error);
});
