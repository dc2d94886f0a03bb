import { vi } from "vitest";
import type { OwnUser } from "@fava/wire/people.ts";
import { keepSignKey } from "#lib/api/sign-keys.ts";
import { acknowledgeEnd, completeLogin, endSession, type LoginData } from "#lib/session.ts";
import { writeStored } from "#lib/storage.ts";
import { type Answers, FixtureWorld } from "#testing/fixture-world.ts";
import { fieldsOf } from "#testing/form-fields.ts";
import { ownUser } from "#testing/own-user.ts";

/** A fixture server for tests without a browser. */
export class ServedWorld extends FixtureWorld {
  /** The session token of each request; empty without a session. */
  readonly tokens: string[] = [];
  /** Whether each request outlives the page (`keepalive`). */
  readonly keptAlive: boolean[] = [];

  async fetch(path: string, { headers, body, keepalive }: SignedPost): Promise<Pick<Response, "headers" | "json">> {
    this.tokens.push(headers.token);
    this.keptAlive.push(keepalive);
    const answer = await this.call(path, fieldsOf(body));
    if (!answer) throw new TypeError("Failed to fetch");
    return { headers: new Headers(), json: async () => answer };
  }
}

interface SignedPost {
  headers: { token: string };
  body: Uint8Array;
  keepalive: boolean;
}

let served: ServedWorld | null = null;

/**
 * Answers the requests of the page until `stopServing`. Signatures are made in the same turn, so that a test with fake
 * timers does not wait for threads.
 */
export function serve(answers: Answers = {}): ServedWorld {
  const server = new ServedWorld(answers);
  served = server;
  const { crypto } = globalThis;
  vi.stubGlobal("crypto", {
    getRandomValues: (array: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(array),
    randomUUID: () => crypto.randomUUID(),
    subtle: {
      importKey: async () => ({}),
      digest: async () => new ArrayBuffer(32),
      sign: async () => new ArrayBuffer(32),
    },
  });
  vi.stubGlobal("fetch", (path: string, post: SignedPost) => server.fetch(path, post));
  return server;
}

/** Ends the session and all stubs. @throws Error if a request or an answer of the test broke the contract */
export function stopServing(): void {
  signOut();
  vi.unstubAllGlobals();
  const faults = served?.faults ?? [];
  served = null;
  if (faults.length > 0) throw new Error(`faults of the page or its fixtures: ${faults.join("; ")}`);
}

/** Gives the responses in turn, and repeats the last one. */
export function inTurn<Said extends readonly unknown[]>(...said: Said): () => Said[number] {
  let turn = 0;
  return () => {
    const now: Said[number] = said[Math.min(turn, said.length - 1)];
    turn += 1;
    return now;
  };
}

const signKey = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/** Starts a session as a login does. */
export async function signIn(server: ServedWorld, user: OwnUser = ownUser()): Promise<void> {
  server.answer({ myInfo: user });
  await completeLogin(loginOf(user));
}

/** The response to a login. */
export function loginOf(user: OwnUser): LoginData {
  const { user_id, user_no, avatar, nickname, country_id, country_name, country_flag } = user;
  const person = { user_id, user_no, avatar, nickname, country_id, country_name, country_flag };
  const chat = { tencent_id: user.externalId, tencent_sign: user.tencent_sign };
  const token = `token-${user_id}`;
  return { ...person, ...chat, sex: 2, is_register: 0, token, sign_key: signKey, server_time: Date.now() };
}

/** Stores a session as an earlier page would; `startSession` restores it. */
export async function storeSession({ user_id }: OwnUser = ownUser()): Promise<void> {
  await keepSignKey(`token-${user_id}`, signKey);
  writeStored("uid", user_id);
  writeStored("loginToken", `token-${user_id}`);
}

/** Ends the session and acknowledges its end. */
export function signOut(): void {
  endSession("signed_out");
  acknowledgeEnd();
}
