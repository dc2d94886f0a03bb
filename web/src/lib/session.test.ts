import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BanNotice } from "@fava/wire/codes.ts";
import { signOutRedirectMs } from "@fava/wire/limits.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { closeAllOverlays, isOverlayOpen, openOverlay } from "#lib/overlays.ts";
import { followConnection, noteAnswer } from "#lib/socket/connection.ts";
import { clearForSignOut, readStored, writeStored } from "#lib/storage.ts";
import {
  acknowledgeEnd,
  banSession,
  completeLogin,
  currentUser,
  endSession,
  type LoginData,
  refreshUser,
  replaceUser,
  session,
  signOut,
  startSession,
} from "./session.ts";

const signKey = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const ana: OwnUser = {
  id: 1,
  user_id: 7,
  user_no: "1048",
  nickname: "ana",
  avatar: "/media/ana.webp",
  sex: 2,
  birthday: "2000-01-01",
  birth_year: 2000,
  country: "BR",
  country_id: 5,
  country_name: "Brazil",
  country_flag: "/flags/BR.svg",
  credit5: 0,
  role: 0,
  language: "en",
  accountType: 1,
  createTime: "",
  loginTime: "",
  externalId: "x-ana",
  loginIp: "",
  imei: "",
  thirdPartyId: "",
  profile_complete: true,
  age_try_again: null,
  tencent_sign: "fresh",
  about: "",
  location: "",
  nickname_next: null,
  searchable: 1,
  ringable: 1,
};

const loginData = (token: string): LoginData => ({
  user_id: 7,
  user_no: "1048",
  avatar: "",
  nickname: "ana",
  sex: 2,
  country_id: 5,
  country_name: "Brazil",
  country_flag: "",
  is_register: 0,
  token,
  sign_key: signKey,
  tencent_id: "x-ana",
  tencent_sign: "sign",
  server_time: Date.now(),
});

let page: EventTarget & Pick<Window, "location" | "history">;
let owner: AbortController;
let answers: Record<string, unknown>;
let paths: string[];
let wentHome: number;

/** Another tab writes to the shared storage. */
function otherTab(write: () => void): void {
  write();
  page.dispatchEvent(Object.assign(new Event("storage"), { key: "loginToken" }));
}

beforeEach(() => {
  const location = { pathname: "/aboutUs", search: "", hash: "" } as Location;
  const history = { pushState: () => (wentHome += 1) } as unknown as History;
  page = Object.assign(new EventTarget(), { location, history });
  owner = new AbortController();
  answers = { "/api/user/info/my": { code: 200, data: ana }, "/api/logout": { code: 200, data: {} } };
  paths = [];
  wentHome = 0;
  vi.stubGlobal("window", page);
  vi.stubGlobal("fetch", (path: string) => {
    paths.push(path);
    const answer = answers[path];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(Response.json(answer));
  });
});

afterEach(() => {
  endSession("signed_out");
  acknowledgeEnd();
  owner.abort();
  clearForSignOut();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("stores the login data, loads the user and closes the login dialog", async () => {
  const popup = openOverlay("login");
  await completeLogin(loginData("tok-1"));
  expect(session.getState()).toEqual({ status: "signed-in", token: "tok-1", user: ana });
  expect(await popup).toBe("done");
  expect(readStored("loginToken")).toBe("tok-1");
  expect(readStored("uid")).toBe(7);
  expect(readStored("tencentCloudToken")).toBe("fresh");
  expect(readStored("externalId")).toBe("x-ana");
  expect(readStored("role")).toBe(0);
  replaceUser({ ...ana, credit5: 9 });
  expect(currentUser()?.credit5).toBe(9);
});

/** Holds the next response with the user until it is released. */
function holdAnswer(data: OwnUser): { isAsked: Promise<void>; letGo: () => void } {
  const present = fetch;
  let letGo: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    vi.stubGlobal("fetch", () => {
      vi.stubGlobal("fetch", present);
      resolve();
      return new Promise((answer) => (letGo = () => answer(Response.json({ code: 200, data }))));
    });
  });
  return { isAsked, letGo: () => letGo() };
}

test("keeps a saved change when an older response with the user comes later", async () => {
  await completeLogin(loginData("tok-1"));
  const older = holdAnswer({ ...ana, profile_complete: false });
  const refreshed = refreshUser();
  await older.isAsked;
  replaceUser(ana);
  older.letGo();
  expect((await refreshed)?.profile_complete).toBe(true);
  expect(currentUser()?.profile_complete).toBe(true);
});

test("shows the response to the later of two requests, whichever comes first", async () => {
  await completeLogin(loginData("tok-1"));
  const older = holdAnswer({ ...ana, credit5: 1 });
  const first = refreshUser();
  await older.isAsked;
  answers["/api/user/info/my"] = { code: 200, data: { ...ana, credit5: 2 } };
  await refreshUser();
  older.letGo();
  await first;
  expect(currentUser()?.credit5).toBe(2);
});

test("restores a stored session, and retries until the server responds", async () => {
  await completeLogin(loginData("tok-2"));
  endSession("expired");
  acknowledgeEnd();
  const { keepSignKey } = await import("#lib/api/sign-keys.ts");
  await keepSignKey("tok-2", signKey);
  writeStored("uid", 7);
  writeStored("loginToken", "tok-2");
  answers["/api/user/info/my"] = new TypeError("no network");
  startSession(owner.signal);
  expect(session.getState().status).toBe("restoring");
  await vi.waitFor(() => expect(paths.filter((path) => path.endsWith("/my"))).toHaveLength(2));
  answers["/api/user/info/my"] = { code: 200, data: ana };
  vi.stubGlobal("navigator", { onLine: false });
  followConnection(owner.signal);
  noteAnswer();
  await vi.waitFor(() => expect(session.getState().status).toBe("signed-in"));
});

test("[SIGNIN-5] ends the session on the server at sign-out, clears the storage, and goes home after 0.5 s", async () => {
  await completeLogin(loginData("tok-3"));
  writeStored("language", "tr");
  vi.useFakeTimers();
  const done = signOut();
  expect(session.getState()).toEqual({ status: "anonymous", because: "signed_out" });
  expect(readStored("loginToken")).toBeNull();
  expect(readStored("language")).toBe("tr");
  vi.advanceTimersByTime(signOutRedirectMs - 1);
  expect(wentHome).toBe(0);
  vi.advanceTimersByTime(1);
  expect(wentHome).toBe(1);
  await done;
  expect(paths).toContain("/api/logout");
});

test("[SIGNIN-5] stays on a page that the user opens right after sign-out, and navigates nowhere once the page is gone", async () => {
  startSession(owner.signal);
  vi.useFakeTimers();
  await completeLogin(loginData("tok-5"));
  const left = signOut();
  page.location.pathname = "/privacy";
  vi.advanceTimersByTime(signOutRedirectMs);
  await left;
  await completeLogin(loginData("tok-6"));
  const closed = signOut();
  owner.abort();
  vi.advanceTimersByTime(signOutRedirectMs);
  await closed;
  expect(wentHome).toBe(0);
});

test("[SIGNIN-6] clears the credentials and closes all dialogs when the user signs in elsewhere, and stays on the page", async () => {
  startSession(owner.signal);
  await completeLogin(loginData("tok-4"));
  void openOverlay("preferences");
  answers["/api/user/info/my"] = { code: 404, data: { reason: "kicked" } };
  await expect(refreshUser()).rejects.toMatchObject({ code: 404 });
  expect(session.getState()).toEqual({ status: "kicked" });
  expect(readStored("loginToken")).toBeNull();
  expect(isOverlayOpen("preferences")).toBe(false);
  expect(wentHome).toBe(0);
});

test("[BAN-1] ends the session with the notice on code 408, without going home", async () => {
  startSession(owner.signal);
  await completeLogin(loginData("tok-5"));
  const notice = { id: "1048", reason_id: 1, reason: "pornography", time: null, appeal_token: "a" };
  answers["/api/user/info/my"] = { code: 408, data: notice };
  await expect(refreshUser()).rejects.toMatchObject({ code: 408 });
  expect(session.getState()).toEqual({ status: "banned", notice, source: "request" });
  expect(readStored("loginToken")).toBeNull();
  expect(wentHome).toBe(0);
});

describe("the unread notice of a ban", () => {
  const notice = {
    id: "1048",
    reason_id: 1,
    reason: "",
    time: null,
    appeal_token: "a",
    facts: {},
  } as unknown as BanNotice;

  const kept = new Map<string, string>();

  beforeEach(() => {
    kept.clear();
    vi.stubGlobal("sessionStorage", {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    });
  });

  /** A reload of the tab starts with a fresh store and what this tab has stored. */
  function reload(): void {
    owner.abort();
    owner = new AbortController();
    const before = [...kept];
    acknowledgeEnd();
    for (const [name, value] of before) kept.set(name, value);
    startSession(owner.signal);
  }

  test("is shown again after a reload, until it was read", async () => {
    startSession(owner.signal);
    await completeLogin(loginData("tok-ban"));
    banSession(notice, "push-in-call");
    reload();
    expect(session.getState()).toEqual({ status: "banned", notice, source: "push-in-call" });
    acknowledgeEnd();
    reload();
    expect(session.getState()).toEqual({ status: "anonymous", because: null });
  });

  test("is no longer shown once the ban is over, or a user signed in", async () => {
    startSession(owner.signal);
    banSession({ ...notice, time: new Date(Date.now() - 1_000).toISOString() }, "push");
    reload();
    expect(session.getState().status).toBe("anonymous");
    banSession(notice, "push");
    await completeLogin(loginData("tok-after"));
    expect(kept.size).toBe(0);
  });
});

test("follows another tab's account change, without changing the storage", async () => {
  startSession(owner.signal);
  await completeLogin(loginData("tok-6"));
  otherTab(() => writeStored("loginToken", "tok-of-the-other-tab"));
  expect(session.getState()).toMatchObject({ status: "restoring", token: "tok-of-the-other-tab" });
  endSession("kicked");
  expect(session.getState()).toEqual({ status: "kicked" });
});

test("closes only the dialogs that ask for a sign-in when another tab signs in", async () => {
  const { keepSignKey } = await import("#lib/api/sign-keys.ts");
  await keepSignKey("tok-9", signKey);
  startSession(owner.signal);
  const dialogs = ["preferences", "login", "kicked", "banned"] as const;
  const [, login] = dialogs.map((name) => openOverlay(name));
  otherTab(() => {
    writeStored("uid", 7);
    writeStored("loginToken", "tok-9");
  });
  await vi.waitFor(() => expect(session.getState().status).toBe("signed-in"));
  expect(dialogs.filter((name) => isOverlayOpen(name))).toEqual(["preferences"]);
  // The press on Start that waited for this login ends: it opens no camera in a tab in the background.
  expect(await login).toBe("closed");
  closeAllOverlays();
});

test("keeps what another tab stored when that tab's sign-in kicks this one out", async () => {
  startSession(owner.signal);
  await completeLogin(loginData("tok-7"));
  writeStored("loginToken", "tok-newer");
  endSession("kicked");
  expect(session.getState()).toMatchObject({ status: "restoring", token: "tok-newer" });
  expect(readStored("loginToken")).toBe("tok-newer");
});

test("signs this tab out when another tab signs out", async () => {
  startSession(owner.signal);
  await completeLogin(loginData("tok-8"));
  void openOverlay("people");
  otherTab(clearForSignOut);
  expect(isOverlayOpen("people")).toBe(false);
  expect(session.getState()).toEqual({ status: "anonymous", because: null });
});
