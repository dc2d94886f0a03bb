import * as v from "valibot";
import { createStore, useStore } from "zustand";
import type { BanNotice, SessionEndReason } from "@fava/wire/codes.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { myInfo } from "@fava/wire/endpoints/profile.ts";
import { login, logout } from "@fava/wire/endpoints/session.ts";
import { signOutRedirectMs } from "@fava/wire/limits.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { onRequestEvent } from "#lib/api/request-events.ts";
import { ignoreRequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { correctServerClock } from "#lib/api/server-clock.ts";
import { dropSignKey, keepSignKey } from "#lib/api/sign-keys.ts";
import { onReachableAgain } from "#lib/socket/connection.ts";
import { goTo } from "./address.ts";
import { closeAllOverlays, closeOverlay } from "./overlays.ts";
import { clearForSignOut, onStoredElsewhere, readStored, writeStored } from "./storage.ts";

export type LoginData = OutputOf<typeof login>;

/** Retry delays after the server could not be reached; the last one repeats. */
const restoreRetryMs = [2_000, 4_000, 8_000, 16_000, 30_000] as const;

/** Dialogs that no signed-in user has. */
const untilSignIn = ["login", "kicked", "banned"] as const;

/** The first rendering waits at most this long for the session. */
const restoredWithinMs = 1_000;

const store = createStore<Session>(() => ({ status: "anonymous", because: null }));

/** Read the state, or subscribe to it, outside of React. */
export const session: Pick<typeof store, "getState" | "subscribe"> = store;

export function useSession(): Session {
  return useStore(store);
}

/** The signed-in user, or null. */
export function useUser(): OwnUser | null {
  return useStore(store, (state) => (state.status === "signed-in" ? state.user : null));
}

export function currentUser(): OwnUser | null {
  const state = store.getState();
  return state.status === "signed-in" ? state.user : null;
}

/**
 * Takes over a login response: stores it, loads the user and closes the login dialog. Resolves when the user is signed
 * in.
 *
 * @throws RequestFailure when the user could not be loaded; the page then keeps retrying
 */
export async function completeLogin(data: LoginData): Promise<OwnUser> {
  await keepSignKey(data.token, data.sign_key);
  correctServerClock(data.server_time);
  storePerson({ userId: data.user_id, nickname: data.nickname, avatar: data.avatar });
  writeStored("tencentCloudToken", data.tencent_sign);
  writeStored("externalId", data.tencent_id);
  // Stored last: other tabs react to this key, and then read the others.
  writeStored("loginToken", data.token);
  const person = { userId: data.user_id, nickname: data.nickname, avatar: data.avatar };
  setSession({ status: "signing-in", token: data.token, person });
  closeOverlay("login", "done");
  return fetchUser(data.token, person.userId);
}

/** Loads the user again; does nothing without a session. @throws RequestFailure */
export async function refreshUser(): Promise<OwnUser | null> {
  const state = store.getState();
  if (state.status !== "signed-in") return null;
  return fetchUser(state.token, state.user.user_id);
}

/** Takes over the user from another response, such as that of `/api/user/update`. */
export function replaceUser(user: OwnUser): void {
  const state = store.getState();
  if (state.status !== "signed-in" || state.user.user_id !== user.user_id) return;
  asked += 1;
  shown = asked;
  acceptUser(state.token, user);
}

/**
 * Signs out here and on the server, clears the storage, and goes home after 0.5 s, unless the user has navigated by
 * then (rule SIGNIN-5).
 */
export async function signOut(): Promise<void> {
  const token = tokenOf(store.getState());
  if (token === null) return;
  const goodbye = request(logout, {}, { token, quiet: true }).catch(ignoreRequestFailure);
  forget({ status: "anonymous", because: "signed_out" });
  const { pathname } = window.location;
  clearTimeout(homeTimer);
  homeTimer = setTimeout(() => {
    if (window.location.pathname === pathname) goTo("/");
  }, signOutRedirectMs);
  await goodbye;
  await dropSignKey(token);
}

/** Ends a session that the server no longer accepts: kicked out, expired or deleted (rules SIGNIN-6, ERR-1). */
export function endSession(reason: SessionEndReason): void {
  const token = tokenOf(store.getState());
  if (token === null) return;
  if (isStale(token)) return followStorage();
  forget(reason === "kicked" ? { status: "kicked" } : { status: "anonymous", because: reason });
  void dropSignKey(token);
}

/** Handles a ban, from a push or from code 408: the session ends without going home (rule BAN-1). */
export function banSession(notice: BanNotice, source: BanSource): void {
  const token = tokenOf(store.getState());
  if (token !== null && isStale(token)) return followStorage();
  forget({ status: "banned", notice, source });
  if (token !== null) void dropSignKey(token);
}

/** The user has read why the session ended. */
export function acknowledgeEnd(): void {
  if (tokenOf(store.getState()) === null) setSession({ status: "anonymous", because: null });
}

/**
 * Restores the stored session and follows other tabs and request events, until `signal` aborts. Called once, before the
 * first render.
 */
export function startSession(signal: AbortSignal): void {
  const stop = [
    onRequestEvent((event) => {
      if (event.type === "session-ended") concern(event.token, () => endSession(event.reason));
      if (event.type === "banned") concern(event.token, () => banSession(event.notice, "request"));
    }),
    onStoredElsewhere("loginToken", followStorage),
    onReachableAgain(() => void restore(0)),
  ];
  signal.addEventListener("abort", () => {
    for (const end of stop) end();
    clearTimeout(retryTimer);
    clearTimeout(homeTimer);
  });
  const ban = keptBan(Date.now());
  followStorage();
  // Shows the notice of a ban again after a reload, until the user has read it.
  if (ban && store.getState().status === "anonymous") setSession(ban);
}

/**
 * Resolves when the server has confirmed or rejected a stored session, or after a second. The first rendering then has
 * the right user.
 */
export function restored(): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      if (store.getState().status === "restoring") return;
      finish();
    };
    const finish = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(finish, restoredWithinMs);
    const stop = store.subscribe(settle);
    settle();
  });
}

/** Acts on an event of the current session only: an event of an older one must not end it. */
function concern(token: string, act: () => void): void {
  if (token === (tokenOf(store.getState()) ?? "")) act();
}

/** Whether another tab has changed the account: the storage belongs to that tab then, and must not be cleared here. */
function isStale(token: string): boolean {
  return readStored("loginToken") !== token;
}

/** Another tab signed in, out or changed the account: this tab follows, and leaves the storage as it is. */
function followStorage(): void {
  const token = readStored("loginToken");
  const userId = readStored("uid");
  const before = tokenOf(store.getState());
  if (token === before) return;
  // Open dialogs belong to the previous user; of a visitor's dialogs, only those that ask for a sign-in close.
  if (before !== null) closeAllOverlays();
  else for (const name of untilSignIn) closeOverlay(name);
  if (token === null || userId === null) {
    setSession({ status: "anonymous", because: null });
    return;
  }
  const person = { userId, nickname: readStored("nickname") ?? "", avatar: readStored("user_avatar") ?? "" };
  setSession({ status: "restoring", token, person });
  void restore(0);
}

let retryTimer: ReturnType<typeof setTimeout> | undefined;
let homeTimer: ReturnType<typeof setTimeout> | undefined;

async function restore(attempt: number): Promise<void> {
  clearTimeout(retryTimer);
  const state = store.getState();
  if (state.status !== "restoring") return;
  try {
    await fetchUser(state.token, state.person.userId);
  } catch (error) {
    ignoreRequestFailure(error);
    if (store.getState() !== state) return;
    const delayMs = restoreRetryMs[Math.min(attempt, restoreRetryMs.length - 1)];
    retryTimer = setTimeout(() => void restore(attempt + 1), delayMs);
  }
}

/** Number of the newest request for, or change of, the user's data; `shown` is the number of what the page shows. */
let asked = 0;
let shown = 0;

/** Loads the user. Requests again if newer data came first, because this response could undo a saved change. */
async function fetchUser(token: string, userId: number): Promise<OwnUser> {
  asked += 1;
  const order = asked;
  try {
    const user = await request(myInfo, { user_id: userId }, { token, quiet: true });
    if (order < shown) return await fetchUser(token, userId);
    shown = order;
    acceptUser(token, user);
    return user;
  } catch (error) {
    const state = store.getState();
    if (state.status === "signing-in" && state.token === token) {
      setSession({ status: "restoring", token, person: state.person });
      retryTimer = setTimeout(() => void restore(0), restoreRetryMs[0]);
    }
    throw error;
  }
}

function acceptUser(token: string, user: OwnUser): void {
  if (tokenOf(store.getState()) !== token) return;
  storePerson({ userId: user.user_id, nickname: user.nickname, avatar: user.avatar });
  writeStored("tencentCloudToken", user.tencent_sign);
  writeStored("externalId", user.externalId);
  writeStored("role", user.role);
  setSession({ status: "signed-in", token, user });
}

function storePerson(person: StoredPerson): void {
  writeStored("uid", person.userId);
  writeStored("nickname", person.nickname);
  writeStored("user_avatar", person.avatar);
}

/** Removes all personal data from the page. */
function forget(next: Session): void {
  clearTimeout(retryTimer);
  clearForSignOut({ byBan: next.status === "banned" });
  closeAllOverlays();
  setSession(next);
}

function setSession(next: Session): void {
  keepBan(next.status === "banned" ? next : null);
  store.setState(next, true);
}

/** The owner of a stored session, before the server has confirmed it. */
interface StoredPerson {
  userId: number;
  nickname: string;
  avatar: string;
}

/**
 * The session of this page.
 *
 * anonymous: no user; `because` is why a session ended, for a message. signing-in: the login response is stored, and
 * the user is being loaded. restoring: a session was found in the storage; the server has not confirmed it yet, or
 * cannot be reached. signed-in: confirmed; `user` always comes from the server. kicked: the account was signed in
 * elsewhere; ends when the user has read it. banned: the account is banned; ends when the user has read the notice.
 */
export type Session =
  | { status: "anonymous"; because: SessionEndReason | null }
  | { status: "signing-in"; token: string; person: StoredPerson }
  | { status: "restoring"; token: string; person: StoredPerson }
  | { status: "signed-in"; token: string; user: OwnUser }
  | { status: "kicked" }
  | { status: "banned"; notice: BanNotice; source: BanSource };

/** How the page learned of a ban: code 408 to a request, a push, or a push during a call. */
export type BanSource = "request" | "push" | "push-in-call";

/** The token of a session that is or may be valid; null otherwise. */
function tokenOf(session: Session): string | null {
  return "token" in session ? session.token : null;
}

type Banned = Extract<Session, { status: "banned" }>;

const key = "banNotice";
/** Checks only the shape, because this page itself has written the value. */
const schema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    status: v.literal("banned"),
    notice: v.object({ id: v.string(), time: v.nullable(v.string()), facts: v.object({}) }),
  }),
);

/** Stores the notice of a ban for a reload of this tab; null removes it. */
export function keepBan(ban: Banned | null): void {
  const store = tabStore();
  try {
    if (ban) store?.setItem(key, JSON.stringify(ban));
    else store?.removeItem(key);
  } catch {
    // The storage is full, or a private window denies it. A reload then loses the notice, and the next sign-in shows it
    // again.
  }
}

/** The unread notice of a ban in this tab that is still in force; null otherwise. */
function keptBan(nowMs: number): Banned | null {
  const text = tabStore()?.getItem(key) ?? "null";
  if (!v.safeParse(schema, text).success) return null;
  const ban = JSON.parse(text) as Banned;
  const { time } = ban.notice;
  return time === null || Date.parse(time) > nowMs ? ban : null;
}

/** Null if the browser throws when the page reads the property, as with blocked cookies. */
function tabStore(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}
