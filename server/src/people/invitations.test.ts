import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { invitationMs, invitationOpensPerHourMax, invitationsMax, invitationsPerDayMax } from "@fava/wire/limits.ts";
import { RingWorld } from "#test/fixtures/ring-world.ts";
import { contextOf, refusals } from "#test/fixtures/social-world.ts";

let world: RingWorld;
beforeAll(async () => {
  world = await RingWorld.open(1_000);
});
afterEach(() => {
  world.stopAll();
  world.paused.clear();
});

const own = (userId: bigint) => ({ user_id: Number(userId) });
const gone = { state: "gone" };
const make = (userId: bigint) => world.invitations.invite(contextOf(userId), own(userId));
const open = (userId: bigint, token: string) =>
  world.invitations.inviteOpen(contextOf(userId), { ...own(userId), token });
const takeBack = (userId: bigint, id: string) =>
  world.invitations.inviteTakeBack(contextOf(userId), { ...own(userId), id });
const list = async (userId: bigint) => {
  const { rows } = await world.invitations.inviteList(contextOf(userId), own(userId));
  return rows.map(({ id, opener }) => ({ id, opener: opener && BigInt(opener.user_id) }));
};
const pushed = (userId: bigint) => world.social.tookSocial(userId).filter(({ kind }) => kind.startsWith("invite"));

/** Users who have never met, with open pages. */
async function strangers<const Names extends readonly string[]>(...names: Names) {
  const people = await Promise.all(names.map((nickname) => world.social.person({ nickname })));
  for (const userId of people) await world.open(userId);
  return people as unknown as { [Index in keyof Names]: bigint };
}

/** Bo has opened a link of ana's. */
async function opened() {
  const [ana, bo] = await strangers("ana", "bo");
  const invitation = await make(ana);
  expect(await open(bo, invitation.token)).toMatchObject({ state: "waiting" });
  return { ana, bo, ...invitation };
}

/** Users who have met may block each other. */
async function block(userId: bigint, otherId: bigint): Promise<void> {
  await world.social.call(userId, otherId);
  await world.social.social.block(userId, otherId);
}

/** Both users of the running call see each other. */
function play(...people: readonly bigint[]): void {
  const { calls, matches } = world.matching;
  for (const userId of people) {
    const { roomId, token: roomToken } = calls.current(userId)!.match;
    matches.roomMessage(userId, { type: "media", roomId, roomToken, state: "playing" });
  }
}

describe("an invitation link", () => {
  test("leads to a free call by a ring of its maker, and works once", async () => {
    const [ana, bo, cem] = await strangers("ana", "bo", "cem");
    const { id, token, until } = await make(ana);
    expect(until).toBe(world.clock.nowMs() + invitationMs);
    expect(await open(bo, token)).toEqual({ state: "waiting", id, until, maker: { nickname: "ana", avatar: "" } });
    const from = { userId: Number(bo), externalId: await world.social.externalIdOf(bo), nickname: "bo", avatar: "" };
    expect(pushed(ana)).toEqual([{ kind: "invited", id, from }]);
    expect(await list(ana)).toEqual([{ id, opener: bo }]);
    // Only the maker confirms, and only the first user who opened it.
    await expect(world.ring(bo, ana)).rejects.toMatchObject(refusals.notMet);
    expect(await open(cem, token)).toEqual(gone);
    await expect(world.ring(ana, cem)).rejects.toMatchObject(refusals.notMet);

    const ring = await world.rung(ana, bo);
    expect(await world.answer(bo, ring, 1)).toEqual({ state: "connected" });
    await world.inOneRoom(ana, bo);
    expect([...world.matching.log.calls.values()].at(-1)).toMatchObject({ offererPrice: 0, answererPrice: 0 });
    expect(await list(ana)).toEqual([{ id, opener: bo }]);
    play(ana, bo);
    await expect.poll(() => list(ana)).toEqual([]);
    expect([pushed(ana), pushed(bo)]).toEqual([[{ kind: "invite_over", id }], [{ kind: "invite_over", id }]]);
    world.stopAll();
    expect(await open(bo, token)).toEqual(gone);
    await expect(world.ring(ana, bo)).rejects.toMatchObject(refusals.notMet);
  });

  test("tells its maker once when opened repeatedly, and again on a new page", async () => {
    const { ana, bo, token } = await opened();
    expect(pushed(ana)).toHaveLength(1);
    expect(await open(bo, token)).toMatchObject({ state: "waiting" });
    expect(pushed(ana)).toEqual([]);
    world.close(ana);
    world.social.bus.arrive(ana);
    await world.settled();
    expect(pushed(ana)).toMatchObject([{ kind: "invited", from: { userId: Number(bo) } }]);
  });

  test("is for one of several users who open it at the same time", async () => {
    const [ana, ...others] = await strangers("ana", "bo", "cem", "dia");
    const { token } = await make(ana);
    const states = await Promise.all(others.map(async (userId) => (await open(userId, token)).state));
    expect(states.toSorted()).toEqual(["gone", "gone", "waiting"]);
    expect(pushed(ana)).toHaveLength(1);
  });

  test("ends when its maker takes it back or declines, and tells both users", async () => {
    const { ana, bo, id, token } = await opened();
    pushed(ana);
    await takeBack(bo, id);
    expect(await list(ana)).toHaveLength(1);
    await takeBack(ana, id);
    await takeBack(ana, id);
    expect([pushed(ana), pushed(bo)]).toEqual([[{ kind: "invite_over", id }], [{ kind: "invite_over", id }]]);
    expect([await list(ana), await open(bo, token)]).toEqual([[], gone]);
    await expect(world.ring(ana, bo)).rejects.toMatchObject(refusals.notMet);
  });

  test("[RING-20] gives one answer for every reason why it does not work, and tells nobody", async () => {
    const reasons: Record<string, (link: { ana: bigint; bo: bigint; id: string; token: string }) => Promise<unknown>> =
      {
        "taken back": ({ ana, id }) => takeBack(ana, id),
        used: async ({ token }) => open((await strangers("cem"))[0], token),
        "blocked by its maker": ({ ana, bo }) => block(ana, bo),
        "blocked by its opener": ({ ana, bo }) => block(bo, ana),
        "made by a deleted user": ({ ana }) => world.social.delete(ana),
        "made by a paused user": async ({ ana }) => world.paused.add(ana),
        expired: async () => world.clock.advance(invitationMs),
      };
    const answers = [JSON.stringify(await open((await strangers("bo"))[0], "unknown"))];
    for (const [why, end] of Object.entries(reasons)) {
      const [ana, bo] = await strangers("ana", "bo");
      const { id, token } = await make(ana);
      await end({ ana, bo, id, token });
      pushed(ana);
      answers.push(JSON.stringify(await open(bo, token)));
      expect([why, pushed(ana)]).toEqual([why, []]);
    }
    expect(new Set(answers)).toEqual(new Set(['{"state":"gone"}']));
  });

  test("[RING-20] allows no ring after a block, its end, or a pause of its opener", async () => {
    const blocked = await opened();
    await block(blocked.bo, blocked.ana);
    await expect(world.ring(blocked.ana, blocked.bo)).rejects.toMatchObject(refusals.notMet);
    expect(await list(blocked.ana)).toEqual([{ id: blocked.id, opener: null }]);
    const late = await opened();
    world.paused.add(late.bo);
    expect(await world.ring(late.ana, late.bo)).toEqual({ state: "unavailable" });
    world.paused.delete(late.bo);
    world.clock.advance(invitationMs);
    await expect(world.ring(late.ana, late.bo)).rejects.toMatchObject(refusals.notMet);
    await world.rings.tidy();
    expect(await world.db.selectFrom("invitations").selectAll().execute()).toEqual([]);
  });

  test("rings an opener whom nobody may ring otherwise, unless they mute the maker", async () => {
    const { ana, bo } = await opened();
    await world.db.updateTable("users").set({ ringable: false }).where("id", "=", bo).execute();
    await world.rung(ana, bo);
    await world.mute(bo, ana, 1);
    expect(await world.ring(ana, bo)).toEqual({ state: "unavailable" });
  });

  test("rejects a maker or opener whose matching is paused", async () => {
    const [ana, bo] = await strangers("ana", "bo");
    const { token } = await make(ana);
    world.paused.add(ana).add(bo);
    const paused = { code: 403, data: { reason: "paused" } };
    await expect(make(ana)).rejects.toMatchObject(paused);
    await expect(open(bo, token)).rejects.toMatchObject(paused);
  });

  test("shows its own maker that it is theirs", async () => {
    const [ana] = await strangers("ana");
    expect(await open(ana, (await make(ana)).token)).toEqual({ state: "own" });
    expect(await list(ana)).toMatchObject([{ opener: null }]);
  });

  test("[RING-20] is stored as a hash of its token", async () => {
    const [ana] = await strangers("ana");
    const { id, token } = await make(ana);
    expect([token.length, id === token]).toEqual([32, false]);
    const rows = await world.db.selectFrom("invitations").selectAll().where("user_id", "=", ana).execute();
    expect(Object.values(rows[0]!).map(String)).not.toContain(token);
    expect(await open((await strangers("bo"))[0], id)).toEqual(gone);
  });

  test("exists a few times a user at once, and is made and opened a limited number of times", async () => {
    const [ana] = await strangers("ana");
    const made = await Promise.allSettled(Array.from({ length: invitationsMax + 2 }, () => make(ana)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(invitationsMax);
    await expect(make(ana)).rejects.toMatchObject(refusals.tooMany);
    const limited = await RingWorld.open();
    const [bo] = await limited.friends(2);
    for (let times = 0; times < invitationsPerDayMax; times += 1) {
      const { id } = await limited.invitations.invite(contextOf(bo), own(bo));
      await limited.invitations.inviteTakeBack(contextOf(bo), { ...own(bo), id });
    }
    await expect(limited.invitations.invite(contextOf(bo), own(bo))).rejects.toMatchObject({ code: 429 });
    const opening = () => limited.invitations.inviteOpen(contextOf(bo), { ...own(bo), token: "t" });
    for (let times = 0; times < invitationOpensPerHourMax; times += 1) expect(await opening()).toEqual(gone);
    await expect(opening()).rejects.toMatchObject({ code: 429 });
  });
});
