import { beforeEach, expect, test } from "vitest";
import type { SignedInContext } from "#ports/handlers.ts";
import type { MediaRelay } from "#ports/media.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";
import { matchHandlers } from "./match-routes.ts";

const [ana, bo] = [1n, 2n];
const relay: MediaRelay = {
  policy: "relay",
  credentialsFor: (externalId) => ({ iceServers: [{ urls: ["turn:t"], username: externalId }], expiresAtMs: 7_000 }),
};

let world: MatchWorld;
let handlers: ReturnType<typeof matchHandlers>;
beforeEach(async () => {
  world = new MatchWorld({ media: relay });
  handlers = matchHandlers({ matches: world.matches, calls: world.calls, media: relay, random: seededRandom(3) });
  await world.arrive(ana);
  await world.arrive(bo);
});

function contextOf(userId: bigint, language = "en"): SignedInContext {
  const session = { id: `s${userId}`, userId, externalId: `ext-${userId}`, role: 0, profileComplete: true };
  return { session, ip: "127.0.0.1", userAgent: "test", language };
}

test("[MATCH-61] the calls of a match, from start to stop, answer in the languages of their callers", async () => {
  const filters = { sex: 0, country: 0 } as const;
  await handlers.matchStart(contextOf(ana, "tr"), { user_id: 1, ...filters, offer: "v=0\r\n" });
  world.clock.advance(1);
  await handlers.matchStart(contextOf(bo, "ar"), { user_id: 2, ...filters });
  await world.settled();
  const [toAna, toBo] = [world.takeMatch(ana), world.takeMatch(bo)];
  expect([toAna.remote.country_name, toBo.remote.country_name]).toEqual(["18 in tr", "18 in ar"]);
  expect(toBo.media.peerOffer).toBe("v=0\r\n");
  expect(await handlers.startVideo(contextOf(bo), { user_id: 2, id: toBo.id })).toEqual({ is_enough: 1 });
  expect(await handlers.matchInfo(contextOf(bo), { user_id: 2 })).toMatchObject({ status: 2, match: toBo });
  expect(await handlers.matchInfoUpdate(contextOf(ana), { user_id: 1, id: toAna.id })).toBe(true);
  expect(await handlers.matchStop(contextOf(ana), { user_id: 1 })).toEqual({});
  expect(await handlers.matchInfoUpdate(contextOf(bo), { user_id: 2, id: toBo.id })).toBe(false);
});

test("[SIGN-13] nobody starts, stops, joins or asks for somebody else", async () => {
  const foreign = expect.objectContaining({ code: 400, data: { field: "user_id" } });
  const context = contextOf(ana);
  const calls = [
    handlers.matchStart(context, { user_id: 2, sex: 0, country: 0 }),
    handlers.matchStop(context, { user_id: 2 }),
    handlers.matchInfo(context, { user_id: 2 }),
    handlers.matchInfoUpdate(context, { user_id: 2, id: "x" }),
    handlers.startVideo(context, { user_id: 2, id: "x" }),
  ];
  for (const call of calls) await expect(call).rejects.toEqual(foreign);
});

test("[MEDIA-65] credentials to prepare an offer are the caller's own and say when they end", async () => {
  expect(await handlers.testRoomSign(contextOf(ana), {})).toEqual({
    token: expect.any(String) as string,
    iceServers: [{ urls: ["turn:t"], username: "ext-1" }],
    policy: "relay",
    expiresAt: 7_000,
  });
});
