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
import { onBack } from "#lib/socket/connection.ts";
import { goTo } from "./address.ts";
import { closeAllOverlays, closeOverlay } from "./overlays.ts";
import { clearForSignOut, onStoredElsewhere, readStored, writeStored } from "./storage.ts";

export type LoginData = OutputOf<typeof login>;

/** After a failed try to reach the server, the next one comes this much later; it doubles up to the last. */
const restoreRetryMs = [2_000, 4_000, 8_000, 16_000, 30_000] as const;

/** Dialogs that nobody who is signed in has. */
const untilSignIn = ["login", "kicked", "banned"] as const;

/** So long nothing is shown for want of knowing who this is. */
const restoredWithinMs = 1_000;

const store = createStore<Session>(() => ({ status: "anonymous", because: null }));

/** Read the state, or subscribe to it, outside React. */
export const session: Pick<typeof store, "getState" | "subscribe"> = store;

export function useSession(): Session {
  return useStore(store);
}

/** The signed-in person, or null. */
export function useUser(): OwnUser | null {
  return useStore(store, (state) => (state.status === "signed-in" ? state.user : null));
}

export function currentUser(): OwnUser | null {
  const state = store.getState();
  return state.status === "signed-in" ? state.user : null;
}

/**
 * Takes over a login answer: stores it, fetches the person's data and hides the login popup (rule SIGNIN-2).
 * Resolves when the person is signed in.
 *
 * @throws RequestFailure when the person's data could not be fetched; the page then goes on trying by itself.
 */
export async function completeLogin(data: LoginData): Promise<OwnUser> {
  await keepSignKey(data.token, data.sign_key);
  correctServerClock(data.server_time);
  storePerson({ userId: data.user_id, nickname: data.nickname, avatar: data.avatar });
  writeStored("tencentCloudToken", data.tencent_sign);
  writeStored("externalId", data.tencent_id);
  // Last, because other tabs follow when they see it.
  writeStored("loginToken", data.token);
  const person = { userId: data.user_id, nickname: data.nickname, avatar: data.avatar };
  setSession({ status: "signing-in", token: data.token, person });
  closeOverlay("login", "done");
  return fetchUser(data.token, person.userId);
}

/** Fetches the person's own data anew; nothing happens without a session. @throws RequestFailure */
export async function refreshUser(): Promise<OwnUser | null> {
  const state = store.getState();
  if (state.status !== "signed-in") return null;
  return fetchUser(state.token, state.user.user_id);
}

/** Takes over data of the person that another call has answered, such as `/api/user/update`. */
export function replaceUser(user: OwnUser): void {
  const state = store.getState();
  if (state.status !== "signed-in" || state.user.user_id !== user.user_id) return;
  asked += 1;
  shown = asked;
  acceptUser(state.token, user);
}

/**
 * Signs out here and on the server, clears what the storage keeps, and goes home after 0.5 s, unless the person has gone
 * elsewhere by then (rule SIGNIN-5).
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

/** Ends the session that the server no longer knows: kicked out, expired or deleted (rules SIGNIN-6, ERR-1). */
export function endSession(reason: SessionEndReason): void {
  const token = tokenOf(store.getState());
  if (token === null) return;
  if (isStale(token)) return followStorage();
  forget(reason === "kicked" ? { status: "kicked" } : { status: "anonymous", because: reason });
  void dropSignKey(token);
}

/** A ban, from a push or from code 408: the session ends without going home (rule BAN-1). */
export function banSession(notice: BanNotice, source: BanSource): void {
  const token = tokenOf(store.getState());
  if (token !== null && isStale(token)) return followStorage();
  forget({ status: "banned", notice, source });
  if (token !== null) void dropSignKey(token);
}

/** The person has read why the session ended. */
export function acknowledgeEnd(): void {
  if (tokenOf(store.getState()) === null) setSession({ status: "anonymous", because: null });
}

/**
 * Restores the stored session and follows what other tabs and the calls find out, until `signal` is aborted. Called
 * once, before the first render.
 */
export function startSession(signal: AbortSignal): void {
  const stop = [
    onRequestEvent((event) => {
      if (event.type === "session-ended") concern(event.token, () => endSession(event.reason));
      if (event.type === "banned") concern(event.token, () => banSession(event.notice, "request"));
    }),
    onStoredElsewhere("loginToken", followStorage),
    onBack(() => void restore(0)),
  ];
  signal.addEventListener("abort", () => {
    for (const end of stop) end();
    clearTimeout(retryTimer);
    clearTimeout(homeTimer);
  });
  const ban = keptBan(Date.now());
  followStorage();
  // A ban that was told before this page was loaded again is told until it was read.
  if (ban && store.getState().status === "anonymous") setSession(ban);
}

/** Waits for the server's word on a stored session, a second at most, so that the first rendering is the right one. */
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

/** News about an older session must not end the present one. */
function concern(token: string, act: () => void): void {
  if (token === (tokenOf(store.getState()) ?? "")) act();
}

/** Another tab has changed the account meanwhile: the storage is its, and must not be cleared from here. */
function isStale(token: string): boolean {
  return readStored("loginToken") !== token;
}

/** Another tab signed in, out or changed the account: this tab follows, and leaves the storage as it is (rule SIGNIN-7). */
function followStorage(): void {
  const token = readStored("loginToken");
  const userId = readStored("uid");
  const before = tokenOf(store.getState());
  if (token === before) return;
  // What is open belongs to the person who was here; of what a visitor has open, only what asks for a sign-in is over.
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

/** How often the person's data were asked for or saved, and which of these the page shows. */
let asked = 0;
let shown = 0;

/** Asks again where a newer answer came first: an older one would take back what was just saved. */
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

/** Leaves nothing personal behind on the page. */
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

/** Who a stored session belongs to, before the server has confirmed it. */
interface StoredPerson {
  userId: number;
  nickname: string;
  avatar: string;
}

/**
 * Who is signed in on this page (rule SIGNIN-1).
 *
 * anonymous: nobody; `because` says why a session ended, so that the page can tell.
 * signing-in: the login answer is stored, the person's data are on their way.
 * restoring: a session was found in the storage; the server has not confirmed it yet, or cannot be reached.
 * signed-in: confirmed; `user` is the server's answer, never the storage's.
 * kicked: the account was signed in elsewhere; ends when the person has read it.
 * banned: the account is banned; ends when the person has read the notice.
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

/** Token of a session that is alive or may be; null otherwise. */
function tokenOf(session: Session): string | null {
  return "token" in session ? session.token : null;
}

type Banned = Extract<Session, { status: "banned" }>;

const key = "banNotice";
/** Written by this page itself: what is looked at tells only whether it is one. */
const schema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    status: v.literal("banned"),
    notice: v.object({ id: v.string(), time: v.nullable(v.string()), facts: v.object({}) }),
  }),
);

/** Keeps the notice of a ban for a reload of this tab, and forgets it with null (rule APPEAL-30). */
export function keepBan(ban: Banned | null): void {
  const store = tabStore();
  try {
    if (ban) store?.setItem(key, JSON.stringify(ban));
    else store?.removeItem(key);
  } catch {
    // Full, or refused in a private window: then a reload forgets it, and the next sign-in tells it again.
  }
}

/** The ban that this tab was told of, that nobody has read yet, and that goes on; null otherwise. */
function keptBan(nowMs: number): Banned | null {
  const text = tabStore()?.getItem(key) ?? "null";
  if (!v.safeParse(schema, text).success) return null;
  const ban = JSON.parse(text) as Banned;
  const { time } = ban.notice;
  return time === null || Date.parse(time) > nowMs ? ban : null;
}

/** Null where even reading the property throws, as with cookies switched off. */
function tabStore(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}
