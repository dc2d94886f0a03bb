import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import type { BanNotice } from "@fava/wire/codes.ts";
import { endpoints } from "@fava/wire/endpoints.ts";
import { LocalNonces } from "#adapters/local/nonces.ts";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import type { Authentication } from "#ports/authentication.ts";
import { buildHttp, type HttpOptions } from "#edge/http/build-http.ts";
import type { Handlers, LiveSession } from "#ports/handlers.ts";
import { createLogger } from "#edge/http/logger.ts";
import { TestClock } from "./clock.ts";
import { leftovers } from "./leftovers.ts";
import { type CallAnswer, type Caller, injectedInto, type SentCall } from "./signed-call.ts";

/** The HTTP edge alone, with a table of handlers of the test's own and sessions that exist because the test says so. */
export interface Edge {
  app: FastifyInstance;
  clock: TestClock;
  /** Lines of the log. */
  logged: string[];
  /** Who reads which language since a call said so, such as `1 ar`. */
  followed: string[];
  /** What a token turns out to be; tests add to it. */
  tokens: Map<string, Authentication>;
  /** Calls without a session. */
  visitor: Caller;
  /** Calls with the session of Ana, user 1. */
  ana: Caller;
}

export const anaSession: LiveSession = {
  id: "session-of-ana",
  userId: 1n,
  externalId: "ana",
  role: 0,
  profileComplete: true,
};
export const anaKey = Buffer.from(Array.from({ length: 32 }, (_, index) => index));

/** What the token of a live session turns out to be: Ana's, who reads English. */
export const liveAna = { kind: "live", session: anaSession, signKey: anaKey, language: "en" } as const;

/** What a banned person is told, of a ban without end that somebody decided. */
export const bannedNotice: BanNotice = {
  isBan: true,
  id: "10000001",
  reason_id: 2,
  reason: "Harassment",
  time: null,
  appeal_token: "a.b",
  facts: {
    at: 0,
    until: null,
    reason_id: 2,
    by: "person",
    is_provisional: false,
    rule: null,
    call_at: null,
    reports: 0,
    strike: 0,
    strike_until: null,
  },
};

export async function openEdge(handlers: Partial<Handlers> = {}, options: Partial<HttpOptions> = {}): Promise<Edge> {
  const clock = new TestClock(1_767_225_600_000);
  const logged: string[] = [];
  const followed: string[] = [];
  const tokens = new Map<string, Authentication>([["tok_ana", { ...liveAna }]]);
  const app = await buildHttp({
    handlers: { ...unexpectedHandlers(), ...handlers },
    authenticate: async (token) => tokens.get(token) ?? { kind: "ended", reason: "expired", signKey: null },
    followLanguage: async (userId, language) => void followed.push(`${userId} ${language}`),
    clock,
    limits: new LocalLimits({ factor: 1_000_000 }),
    nonces: new LocalNonces({ clock }),
    appKey: "fava-web",
    languages: ["en", "ar"],
    loginTypes: [1, 2, 3],
    logger: createLogger({ level: "debug", stream: { write: (line) => void logged.push(line) } }),
    metrics: new Registry(),
    production: false,
    trustedProxies: [],
    contentHosts: [],
    webDirectory: "/nowhere",
    publicOrigin: null,
    operator: { company: "Fava Ltd", email: "help@fava.test", address: "1 Street\nTown" },
    readyChecks: {},
    ...options,
  });
  leftovers.push({ [Symbol.asyncDispose]: () => app.close() });
  const visitor: Caller = { target: injectedInto(app), nowMs: () => clock.nowMs() };
  return { app, clock, logged, followed, tokens, visitor, ana: { ...visitor, token: "tok_ana", signKey: anaKey } };
}

/** Sends a call as it is, and answers its envelope. */
export async function sendTo({ app }: Edge, call: SentCall): Promise<CallAnswer<unknown>> {
  const { status, text } = await injectedInto(app)(call);
  return { status, ...(JSON.parse(text) as Omit<CallAnswer<unknown>, "status">) };
}

/** Handlers of calls that the test does not make. */
function unexpectedHandlers(): Handlers {
  const unexpected = async () => {
    throw new Error("the test expects no such call");
  };
  return Object.fromEntries(Object.keys(endpoints).map((name) => [name, unexpected])) as unknown as Handlers;
}
