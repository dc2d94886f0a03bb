import type { Mutant } from "./mutant.ts";

const search = "server/src/calls/search-inspection.ts";
const service = "server/src/calls/inspection-service.ts";
const taken = "server/src/calls/looks.ts";
const moderation = "server/src/moderation/moderation-service.ts";
const gate = "server/src/edge/http/request-gate.ts";
const requests = "server/src/edge/http/socket-requests.ts";
const looks = ["server/src/calls/search-inspection.test.ts", "server/src/calls/search-attacks.test.ts"];
const policy = ["server/src/moderation/moderation-service.test.ts"];
const ways = ["server/src/edge/http/request-gate.test.ts"];

/** The looks while one searches: whose next call opens clear. And the way of requests over the socket. */
export const searchMutants: readonly Mutant[] = [
  {
    file: search,
    find: "cleanMs !== null && this.#looks.nowMs - cleanMs <= freshMs",
    replace: "cleanMs !== null",
    why: "a look of minutes ago opens the picture clear",
    tests: looks,
  },
  {
    file: search,
    find: "return isFresh && !this.#isUntried(userId) ? cleanMs : null;",
    replace: "return isFresh ? cleanMs : null;",
    why: "calls left before a picture of them passed open the next one clear",
    tests: looks,
  },
  {
    file: taken,
    find: "if (current?.id === ticketId) return",
    replace: "if (current) return",
    why: "somebody's invented ticket is taken",
    tests: looks,
  },
  {
    file: search,
    find: "voidUpToMs: state.askedMs ?? state.voidUpToMs, cleanMs: null };",
    replace: "cleanMs: null };",
    why: "a verdict of the camera before counts for the one after",
    tests: looks,
  },
  {
    file: search,
    find: "voidUpToMs: state.askedMs ?? state.voidUpToMs, cleanMs: null };",
    replace: "voidUpToMs: state.askedMs ?? state.voidUpToMs };",
    why: "a camera that was exchanged after its look is shown clear",
    tests: looks,
  },
  {
    file: search,
    find: ": { ...voided(state), isCameraOn: false },",
    replace: ": { ...state, isCameraOn: false },",
    why: "a look outlives the camera it was of",
    tests: looks,
  },
  {
    file: search,
    find: ": { ...voided(state), isConnected: false },",
    replace: ": { ...state, isConnected: false },",
    why: "a look outlives the socket it came over",
    tests: looks,
  },
  {
    file: search,
    find: "return { ...state, cleanMs: null, poor: state.poor + 1, nextMs: nowMs + inMs };",
    replace: "return { ...state, poor: state.poor + 1, nextMs: nowMs + inMs };",
    why: "a picture that did not pass leaves the look before it in force",
    tests: looks,
  },
  {
    file: search,
    find: "if (!passes(verdict, settings)) return poor(",
    replace: "if (verdict === null) return poor(",
    why: "an explicit picture passes while one searches",
    tests: looks,
  },
  {
    file: search,
    find: "const clean = { ...state, cleanMs: askedMs,",
    replace: "const clean = { ...state, cleanMs: nowMs,",
    why: "a picture held back counts from when it was sent",
    tests: looks,
  },
  {
    file: search,
    find: "isWanted: !event.restrictions.startsCovered,",
    replace: "isWanted: true,",
    why: "people who start covered are asked for pictures of no use",
    tests: looks,
  },
  {
    file: search,
    find: "  gone(userId: bigint): void {\n    this.end(userId);\n    this.#handed.delete(userId);",
    replace: "  gone(userId: bigint): void {\n    this.end(userId);",
    why: "a look of the session before counts in the next",
    tests: looks,
  },
  {
    file: search,
    find: "    this.#handed.delete(userId);\n    const search = this.#searches.get(userId);\n    if (search) this.#looks",
    replace: "    const search = this.#searches.get(userId);\n    if (search) this.#looks",
    why: "a camera changed between two searches keeps its look",
    tests: looks,
  },
  {
    file: service,
    find: "if (lookedMs === null || restrictions.startsCovered) return",
    replace: "if (lookedMs === null) return",
    why: "a new or flagged account opens clear",
    tests: looks,
  },
  {
    file: service,
    find: 'if (view === "own") side.cleanMs = passed ? askedMs : null;',
    replace: 'if (view === "own") side.cleanMs = askedMs;',
    why: "a call whose last picture did not pass opens the next one clear",
    tests: looks,
  },
  {
    file: service,
    find: "firstMs: nowMs + takenInMs - settings.leadMs };",
    replace: "firstMs: nowMs + settings.intervalMs };",
    why: "the first look of a clear call comes ten seconds late",
    tests: looks,
  },
  {
    file: service,
    find: "      side.cleanMs = null;\n      this.#looks",
    replace: "      this.#looks",
    why: "the look before a reload opens the next call clear",
    tests: looks,
  },
  {
    file: service,
    find: "cleanMs: isShown && !isMissed ? cleanMs : null });",
    replace: "cleanMs });",
    why: "a call that ends covered opens the next one clear",
    tests: looks,
  },
  {
    file: moderation,
    find: "passed_calls >= ${newCalls}\n      )",
    replace: "passed_calls >= 0\n      )",
    why: "an account whose pictures nobody has seen yet is not new",
    tests: policy,
  },
  {
    file: moderation,
    find: "created_at <= ${since} and passed_calls",
    replace: "passed_calls",
    why: "an account of today is not new",
    tests: policy,
  },
  {
    file: moderation,
    find: "or exists (select from strikes where user_id = ${userId} and at > ${flaggedSince} and revoked_at is null)\n        or exists (\n          select from bans",
    replace: "or exists (\n          select from bans",
    why: "a strike of last week covers nobody",
    tests: policy,
  },
  {
    file: gate,
    find: 'if (chatUserId !== null && session?.userId !== chatUserId) throw forbidden("not_yours");',
    replace: "",
    why: "somebody's signed request is taken over another's socket",
    tests: ways,
  },
  {
    file: requests,
    find: "gated.filter(({ endpoint }) => endpoint.overSocket)",
    replace: "gated",
    why: "any endpoint is reached over the socket",
    tests: ways,
  },
];
